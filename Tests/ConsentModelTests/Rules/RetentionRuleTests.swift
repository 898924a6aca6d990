// SPDX-License-Identifier: Apache-2.0
//
// Each class has its own days, counted back from now.

import Testing

@testable import ConsentModel

@Suite struct RetentionRuleTests {
  @Test func `the defaults are 400 days, and 1100 for evidence`() {
    let limits = RetentionRule().limits(at: Instant(usec: 2_000 * Span.day))
    #expect(limits.events.usec == 1_600 * Span.day && limits.questions == limits.events)
    #expect(limits.grants == limits.events)
    #expect(limits.audit.usec == 900 * Span.day)
  }

  @Test func `every class follows its own number`() {
    var rule = RetentionRule()
    (rule.eventsDays, rule.questionsDays, rule.grantsDays, rule.auditDays) = (1, 2, 3, 36_500)
    let limits = rule.limits(at: Instant(usec: 0))
    #expect([limits.events, limits.questions, limits.grants].map { $0.usec / Span.day } == [-1, -2, -3])
    #expect(limits.audit.usec == -36_500 * Span.day)
  }
}
