// SPDX-License-Identifier: Apache-2.0
//
// Whether a uid is still the account that was enrolled. Uids are given to other accounts in time; who gets one must not
// get what its former owner was allowed, so the login name stored at enrolment is compared with the present one.
//
// A uid without an account is no objection: nobody else has it, and programs that run as it are the ones that were
// enrolled. A look-up that failed says nothing, and is never read as "still the same".

/// What the machine says about the account of a uid.
package enum PresentLogin: Sendable, Equatable {
  /// Its login name.
  case name(String)
  /// No account has the uid.
  case none
  /// It could not be looked up.
  case unknown
}

/// The comparison of a stored login name with the present one.
package enum LoginRule {
  /// What stands against acting for the uid; `nil`: nothing.
  package static func objection(enrolledAs stored: String, present: PresentLogin) -> Refusal? {
    switch present {
    case .name(let name): name.isExactly(stored) ? nil : .notAvailable(reason: .personChanged, retryable: false)
    case .none: nil
    case .unknown: .notAvailable(reason: .accounts, retryable: true)
    }
  }
}
