// SPDX-License-Identifier: Apache-2.0
//
// A guardian may approve a part of what is asked where parts make sense: some people, some ways to talk to them. An
// update or a resource is one thing. What is approved is never more than what was asked.

package import StrictJSON

extension Topic {
  /// The part of the topic that `items` names in the wire form, in the order of the topic; `nil`: all of it.
  /// Errors: `items`, where it is not a part that may be approved.
  package func part(naming items: [JSONObject]) throws(ValueError) -> [Item]? {
    let named = Set(items.compactMap(subject.item))
    let asked = self.items
    guard named.count == items.count, named.isSubset(of: asked) else {
      throw ValueError(field: "items", rule: "items that are asked, each once")
    }
    if named.count == Set(asked).count { return nil }
    guard kind == .communication, !named.isEmpty else {
      let rule = kind == .communication ? "absent, or at least one of the items asked" : "absent, or every item asked"
      throw ValueError(field: "items", rule: rule)
    }
    return asked.filter(named.contains)
  }
}
