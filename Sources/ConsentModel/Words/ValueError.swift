// SPDX-License-Identifier: Apache-2.0
//
// The one way this module says that a value has the right type and is wrong all the same. A rule is a sentence part
// that says what would be right, because the reader is a person who has to mend the value; it never repeats the
// value, which may be anything.

/// A value that breaks a rule: `InvalidValue` or, for what stands in a topic, `InvalidTopic` on the wire.
package struct ValueError: Error, Equatable {
  /// The field's name; inside arrays and objects joined with dots, without indices (`people.handle`).
  package let field: String
  /// What is right, to be read after "must be" or alone.
  package let rule: String

  package init(field: String, rule: String) {
    self.field = field
    self.rule = rule
  }
}
