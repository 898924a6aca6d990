// SPDX-License-Identifier: Apache-2.0
//
// The replies of org.consentd.Administration about apps.

package import ConsentModel
package import StrictJSON

extension KnownApp {
  /// One entry of `ListApps`, or the reply of `DescribeApp`.
  package var json: JSONObject {
    var json = JSONObject()
    json["app"] = id.map { .string($0.description) }
    json["provenance"] = .string(provenance.rawValue)
    for member in entry?.json.members ?? [] { json[member.name] = member.value }
    json["uids"] = .array(uids.map { .integer(Int64($0)) })
    json["questions"] = .integer(Int64(questions))
    json["lastAskedAtUSec"] = lastAskedAt.map { .integer($0.usec) }
    return json
  }
}

extension AppEntry {
  /// What the administrator wrote.
  fileprivate var json: JSONObject {
    var json: JSONObject = ["uid": .integer(Int64(uid))]
    if !names.isEmpty { json["names"] = .object(JSONObject(texts: names)) }
    json["unit"] = unit.map(JSON.string)
    json["bridgeUid"] = bridgeUID.map { .integer(Int64($0)) }
    if !versions.isEmpty { json["versions"] = .array(versions.map(JSON.string)) }
    if !plans.isEmpty {
      var object = JSONObject()
      for (name, topics) in plans.sorted(by: { $0.key < $1.key }) {
        object[name] = .array(topics.map { .object($0.json) })
      }
      json["plans"] = .object(object)
    }
    return json
  }
}

extension JSONObject {
  /// Texts by name, in the order of their names.
  init(texts: [String: String]) {
    self.init()
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { self[name] = .string(text) }
  }
}
