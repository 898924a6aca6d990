// SPDX-License-Identifier: Apache-2.0
//
// Who may become a guardian at all. A guardian's word makes a minor's permissions, so it is not given to anybody who
// is, or may be, a minor; an age nobody declared is no objection, since enrolment declares it.

/// The rule for a new guardian.
package enum GuardianRule {
  /// The guardians a person may have. Whoever looks at a question reads them all, and a reply tells them all.
  package static let most = 64

  /// Refuses the person itself, and anybody who has guardians or a declared age that is not an adult's. `hasGuardians`
  /// and `age` are the candidate's own, where the candidate is a person here. Errors: `guardian`.
  package static func check(
    _ candidate: Guardian, for person: Person, hasGuardians: Bool, age: EffectiveAge?, policy: Policy
  ) throws(ValueError) {
    if let uid = candidate.user, person == .user(uid) {
      throw ValueError(field: "guardian", rule: "somebody else than the person")
    }
    guard !hasGuardians else {
      throw ValueError(field: "guardian", rule: "somebody who has no guardians")
    }
    guard age?.bounds.isAtLeast(policy.adultAge) ?? true else {
      throw ValueError(field: "guardian", rule: "an adult: at least \(policy.adultAge)")
    }
  }
}
