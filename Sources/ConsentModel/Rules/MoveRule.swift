// SPDX-License-Identifier: Apache-2.0
//
// Under which other name a person can be the same person: a local user under another uid, an account under another
// opaque part of the same service. A local user may stay where they are: their account was given another login name.

/// The rule for a person who moves.
package enum MoveRule {
  /// Refuses a name of another form. Errors: `to`.
  package static func check(_ person: Person, to other: Person) throws(ValueError) {
    switch (person, other) {
    case (.user, .user): return
    case (.account(let app, let opaque), .account(let other, let another))
    where app == other && !another.isExactly(opaque): return
    case (.user, _): throw ValueError(field: "to", rule: "uid: and a number, as the person is a local user")
    case (.account(let app, _), _):
      throw ValueError(field: "to", rule: "another account of \(app)")
    }
  }
}
