// SPDX-License-Identifier: Apache-2.0
//
// consentctl as somebody types it: against the family's daemon, with what it printed and its exit status.

import StrictJSON
import TestSupport

extension Family {
  /// Where a consentctl of this family finds its daemon.
  var environment: [String: String] { ["CONSENTD_RUNTIME_DIRECTORY": daemon.directory.file("sandbox")] }

  /// Runs consentctl to its end.
  func consentctl(_ arguments: String..., input: String = "") throws -> Program.Outcome {
    try Program.run(Program.path(of: "consentctl"), arguments, environment: environment, input: input)
  }

  /// Starts consentctl and lets it run.
  func startConsentctl(_ arguments: String...) throws -> Program {
    try Program(Program.path(of: "consentctl"), arguments, environment: environment)
  }
}

extension Program.Outcome {
  /// The one JSON object it printed.
  var object: JSONObject {
    get throws { try JSONObject(parsing: Array(output.utf8)) }
  }

  /// The lines it wrote to its standard error.
  var remarks: [Substring] { errors.split(separator: "\n") }
}
