// SPDX-License-Identifier: Apache-2.0
//
// A topic asks for items, an approval grants items, and a topic is approved when grants cover every item it asks. So
// items are compared exactly: a grant for one handle, action, level or change is a grant for no other.

package import StrictJSON

/// The smallest thing that is granted: a change, a handle with an action, or a level of a resource.
package struct Item: Sendable {
  /// The change, the handle, or the resource.
  package let subject: String
  /// What is done with it; empty for a change.
  package let action: String

  package init(subject: String, action: String) {
    self.subject = subject
    self.action = action
  }

  /// The wire form of an item of a topic of `kind`.
  package func json(kind: TopicKind) -> JSONObject {
    switch kind {
    case .significantUpdate: ["change": .string(subject)]
    case .communication: ["handle": .string(subject), "action": .string(action)]
    case .resource: ["level": .string(action)]
    }
  }
}

extension Item: Hashable {
  package static func == (left: Item, right: Item) -> Bool {
    left.subject.isExactly(right.subject) && left.action.isExactly(right.action)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in subject.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8(0))
    for byte in action.utf8 { hasher.combine(byte) }
  }
}
