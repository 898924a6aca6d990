// SPDX-License-Identifier: Apache-2.0
//
// Where a person stands when something is to be asked about them (design, rules 8 and 12). Status and ask judge by the
// same three cases, so that they can never tell an app different things. A person nobody enrolled has neither an age
// nor a guardian and therefore stands where an enrolled one without guardians does.

/// Whether and by whom a question about a person can be decided.
package enum Standing: Sendable, CaseIterable {
  /// Known to be an adult: nothing is asked.
  case adult
  /// A minor, or of unknown age, with somebody who may decide.
  case guarded
  /// A minor, or of unknown age, with nobody who may decide this asker's questions.
  case unguarded

  /// The standing of `person` towards questions of `asker`. `age` is the effective age, `nil` where it is unknown.
  package init(
    person: Person, askedBy asker: UserID, guardians: [Guardian], age: EffectiveAge?, policy: Policy,
    deciders: DeciderRule
  ) {
    if age?.bounds.isAtLeast(policy.adultAge) == true {
      self = .adult
    } else {
      self =
        deciders.someoneMayDecide(person: person, askedBy: asker, guardians: guardians) ? .guarded : .unguarded
    }
  }
}
