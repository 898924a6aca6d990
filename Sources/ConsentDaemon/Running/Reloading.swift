// SPDX-License-Identifier: Apache-2.0
//
// A configuration takes another's place while the daemon serves. It is read and judged whole before anything changes,
// and then everything changes in one turn of the loop: no call is judged by half of it, none waits for it.

import ConsentBroker
import ConsentModel
import HostRuntime

/// Reads the configuration anew and puts it in force.
@Loop
final class Reloading {
  private let options: Options
  private let server: Server
  private let broker: Broker
  private let status: StatusLine
  private let log: Log

  init(_ options: Options, _ server: Server, _ broker: Broker, _ status: StatusLine, log: Log) {
    self.options = options
    self.server = server
    self.broker = broker
    self.status = status
    self.log = log
  }

  /// Throws `invalidConfiguration`, with everything as it was, where a file cannot be used.
  func reload() throws(Refusal) {
    var reader = SettingsReader()
    let configuration = Configuration(options, &reader)
    if let error = reader.faults.first {
      status.trouble = "configuration not reloaded: \(error)"
      log.write(.notReloaded(error))
      throw .invalidConfiguration(file: error.file, place: error.place, reason: error.reason)
    }
    server.authority.adopt(configuration)
    server.limits = configuration.limits
    broker.rules.policy = configuration.policy
    broker.rules.apps = configuration.apps
    broker.rules.limits = configuration.limits.questions
    broker.rules.coolDowns = configuration.coolDowns
    broker.rules.retention = configuration.retention
    broker.recallFollowers()
    status.trouble = nil
    log.write(.reloaded(files: reader.files.count))
  }
}
