// SPDX-License-Identifier: Apache-2.0
//
// Step 2: people who move to another uid, are exported and are erased. An erased question keeps its row, because waiters
// and events refer to it; what was asked is gone from it. The indexes find everything of one person, so that none of
// this reads a whole table: questions in their order, events by asker, and what a guardian answered and declared.

extension Schema {
  static let version2 = """
    ALTER TABLE question ADD COLUMN erased_at INTEGER
      CHECK (erased_at IS NULL OR state <> 'pending' AND content = '');
    CREATE INDEX question_person ON question (person);
    CREATE INDEX event_person ON event (person, asker, sequence);
    CREATE INDEX answer_guardian ON answer (guardian);
    CREATE INDEX declaration_by ON declaration (declared_by);
    """
}
