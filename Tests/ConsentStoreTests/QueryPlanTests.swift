// SPDX-License-Identifier: Apache-2.0
//
// No question that is asked for every call may read a whole table: SQLite is asked how it would find the answer.

import Testing

@testable import ConsentStore

@Suite struct QueryPlanTests {
  @Test func `every query on a hot path searches an index and scans nothing`() throws {
    let queries: [SQL] = [
      .openQuestion, .latestQuestion, .question, .questionIDs, .dueQuestions, .earliestDeadline, .answer, .answers,
      .openQuestionsOfPerson, .openQuestionCount, .questionsOfPerson, .guardians, .declarations, .coveringGrants,
      .grant, .grants, .liveGrants, .asker, .askerID, .events, .askKey, .meta, .peopleWithPrefix, .openQuestions,
      .askersAs, .coolDown, .coolDowns, .recentQuestions, .firstVersion, .setting, .settings, .openUpdates,
      .latestOfKind, .topicKeys, .hasAsked,
      .dueReminders, .earliestReminder, .dueGrants, .earliestGrantEnd, .grantsOfPerson, .liveGrantsOfPerson,
      .auditEntries, .auditEntriesAbout, .keptAuditEntries, .eventBeyond, .firstKeptEvent,
    ]
    let fixture = try StoreFixture()
    let database = try Database(path: fixture.path, mode: .reading)
    for query in queries {
      let plan = try plan(of: query, in: database)
      #expect(plan.allSatisfy { $0.hasPrefix("SEARCH ") || $0.hasPrefix("USE TEMP B-TREE") }, "\(query.text)\n\(plan)")
      #expect(!plan.isEmpty)
    }
  }

  @Test func `the questions a status needs are found without sorting`() throws {
    let fixture = try StoreFixture()
    let database = try Database(path: fixture.path, mode: .reading)
    for query in [SQL.openQuestion, .latestQuestion, .question, .coveringGrants, .events, .dueQuestions] {
      #expect(try plan(of: query, in: database).allSatisfy { $0.hasPrefix("SEARCH ") }, "\(query.text)")
    }
  }

  @Test func `a voice's people are read in their order, as many as a page has`() throws {
    let fixture = try StoreFixture()
    let database = try Database(path: fixture.path, mode: .reading)
    let plan = try plan(of: .peopleOfVoice, in: database)
    #expect(plan.contains { $0.hasPrefix("SEARCH guardian USING INDEX guardian_voice") }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN") && $0 != "SCAN g" }, "\(plan)")
    let questions = try self.plan(of: .openQuestionsOfVoice, in: database)
    #expect(questions.contains { $0.hasPrefix("SEARCH q USING INDEX question_pending") }, "\(questions)")
    #expect(questions.contains { $0.hasPrefix("SEARCH guardian USING INDEX guardian_voice") }, "\(questions)")
    #expect(!questions.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(questions)")
  }

  @Test func `the open questions of a person are found among the open ones`() throws {
    let fixture = try StoreFixture()
    let database = try Database(path: fixture.path, mode: .reading)
    #expect(try plan(of: .openQuestionsOfPerson, in: database).contains { $0.contains("question_open") })
    #expect(try plan(of: .questionsOfPerson, in: database).allSatisfy { $0.hasPrefix("SEARCH ") })
  }

  @Test func `how many questions are open is counted among the open ones alone`() throws {
    let fixture = try StoreFixture()
    let plan = try plan(of: .allOpenQuestionCount, in: Database(path: fixture.path, mode: .reading))
    let isPartial = ["question_pending", "question_due", "question_open"].contains { plan[0].hasSuffix("INDEX \($0)") }
    #expect(plan.count == 1 && isPartial, "\(plan)")
  }

  @Test func `who moves, is exported or erased is found without a scan, however many others there are`() throws {
    let statements: [SQL] = [
      .loginNames, .isKnown, .setGuardianLogin, .moveGuardians, .moveDeclarations, .moveAskKeys, .moveQuestions,
      .moveGrants, .moveItems, .moveEvents, .moveAskers, .moveGuardianships, .moveEndings, .moveAnswers,
      .moveDeclarers, .deleteAskKeysOfQuestion, .askersAbout, .eraseAskKeys, .eraseAnswers, .eraseItems,
      .eraseGrants, .eraseEvents, .eraseQuestions, .allDeclarations, .eventsAbout, .grantItems, .moveCoolDowns,
      .moveRecentQuestions, .moveFirstVersions, .moveSettings, .moveAudit, .moveCoolDownScopes, .moveRecentScopes,
      .moveSetters, .moveGivers, .moveEnders, .eraseCoolDowns, .eraseRecentQuestions, .eraseFirstVersions,
      .eraseSettings, .removeCoolDowns, .removeRecentQuestions, .removeFirstVersions, .removeSettings, .eraseQuestion,
      .oldQuestions, .oldGrants, .deleteAskKeysOf, .deleteAnswersTo, .eraseEventsOf, .forgetGrantOfQuestions,
      .forgetGrantOfEvents, .deleteGrant, .deleteEvents, .deleteCoolDowns, .deleteRecentQuestions, .deleteSetting,
      .eraseAudit, .setExpired,
    ]
    let fixture = try StoreFixture()
    let database = try Database(path: fixture.path, mode: .reading)
    for statement in statements {
      let plan = try plan(of: statement, in: database)
      #expect(plan.allSatisfy { !$0.hasPrefix("SCAN ") || $0 == "SCAN CONSTANT ROW" }, "\(statement.text)\n\(plan)")
      #expect(!plan.isEmpty)
    }
  }

  private func plan(of query: SQL, in database: Database) throws -> [String] {
    let statement = try Statement(SQL("EXPLAIN QUERY PLAN \(query.text)"), in: database)
    let values = [any SQLValue](repeating: Int64(1), count: statement.parameterCount)
    var plan: [String] = []
    try statement.run(values, in: database) { (columns) throws(StoreError) in
      let _: (Int, Int, Int) = (try columns.next(), try columns.next(), try columns.next())
      plan.append(try columns.next())
    }
    return plan
  }
}
