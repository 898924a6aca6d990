// SPDX-License-Identifier: Apache-2.0
//
// The calls of org.consentd.Guardian, read from their parameters.

package import ConsentModel
package import StrictJSON

/// `WatchQuestions`.
package struct WatchQuestionsCall: Sendable {
  package let person: Person?

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.person()
  }
}

/// `ListQuestions`.
package struct ListQuestionsCall: Sendable {
  package let person: Person?
  package let app: AppID?
  package let state: QuestionState
  package let page: PageCall

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.person()
    app = try parameters.app()
    page = try PageCall(parameters)
    guard let text = parameters["state"]?.string else {
      state = .pending
      return
    }
    guard let known = QuestionState(exactly: text) else {
      let states = QuestionState.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidValue(field: "state", rule: "one of \(states)")
    }
    state = known
  }
}

/// `History` and `ListGrants`.
package struct ListCall: Sendable {
  package let person: Person?
  package let app: AppID?
  package let page: PageCall

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.person()
    app = try parameters.app()
    page = try PageCall(parameters)
  }
}

/// The `limit` and `after` of every list.
package struct PageCall: Sendable {
  /// The most entries one reply carries.
  package static let largest: Int64 = 1_000
  private static let standard: Int64 = 100

  package let limit: Int
  package let after: String?

  /// `after` where the list is counted by numbers. Throws `invalidValue` where it is none.
  package var place: Int64? {
    get throws(Refusal) {
      try place { Int64($0) }
    }
  }

  /// `after` as the place that `read` makes of it. Throws `invalidValue` where that is none.
  package func place<Place>(_ read: (String) -> Place?) throws(Refusal) -> Place? {
    guard let after else { return nil }
    guard let place = read(after) else { throw .invalidValue(field: "after", rule: "the `next` of a page before") }
    return place
  }

  package init(_ parameters: JSONObject) throws(Refusal) {
    let limit = parameters["limit"]?.integer ?? Self.standard
    guard (1...Self.largest).contains(limit) else {
      throw .invalidValue(field: "limit", rule: "from 1 to \(Self.largest)")
    }
    self.limit = Int(limit)
    after = parameters["after"]?.string
  }
}

/// `Answer`.
package struct AnswerCall: Sendable {
  package let question: String
  package let choice: String
  package let contentHash: String?
  package let guardian: Guardian?
  package let until: Instant?
  package let items: [JSONObject]?
  package let note: String?

  package init(_ parameters: JSONObject) throws(Refusal) {
    question = parameters.text("question")
    choice = parameters.text("choice")
    contentHash = parameters["contentHash"]?.string
    guardian = try parameters.guardian()
    until = parameters["untilUSec"]?.integer.map { Instant(usec: $0) }
    items = parameters["items"]?.array.map { $0.compactMap(\.object) }
    note = try parameters.note()
  }
}

/// `Revoke`.
package struct RevokeCall: Sendable {
  /// An id or a prefix of one; excludes `person` and `app`.
  package let grant: String?
  package let person: Person?
  package let app: AppID?
  package let note: String?

  package init(_ parameters: JSONObject) throws(Refusal) {
    grant = parameters["grant"]?.string
    person = try parameters.person()
    app = try parameters.app()
    guard (grant == nil) == (person != nil) else {
      throw .invalidValue(field: "grant", rule: "given, or a person instead")
    }
    guard grant == nil || app == nil else { throw .invalidValue(field: "app", rule: "absent beside a grant") }
    note = try parameters.note()
  }
}

/// `DeclareAge`, of both interfaces that have it.
package struct DeclareAgeCall: Sendable {
  package let person: Person
  package let assurance: Assurance
  private let birthDate: String?
  private let lowerBound: Int64?
  private let upperBound: Int64?
  private let asOfDate: String?

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.requiredPerson()
    birthDate = parameters["birthDate"]?.string
    lowerBound = parameters["lowerBound"]?.integer
    upperBound = parameters["upperBound"]?.integer
    asOfDate = parameters["asOfDate"]?.string
    guard let text = parameters["assurance"]?.string else {
      assurance = .unchecked
      return
    }
    guard let known = Assurance(exactly: text) else {
      let names = Assurance.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidValue(field: "assurance", rule: "one of \(names)")
    }
    assurance = known
  }

  /// The age declared, checked against `today` (the civil date in the machine's zone).
  package func age(today: CivilDate) throws(Refusal) -> DeclaredAge {
    do {
      return try DeclaredAge(
        declaredOn: today, birthDate: birthDate, lowerBound: lowerBound, upperBound: upperBound, asOfDate: asOfDate)
    } catch {
      throw .invalidValue(field: error.field, rule: error.rule)
    }
  }
}
