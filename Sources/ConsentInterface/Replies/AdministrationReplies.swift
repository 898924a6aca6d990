// SPDX-License-Identifier: Apache-2.0
//
// The replies of org.consentd.Administration that no other interface has.

package import ConsentModel
package import StrictJSON

extension ExportedRecord {
  /// One reply of `Export`.
  package var json: JSONObject { ["record": .string(kind.rawValue), "export": .object(content)] }
}
