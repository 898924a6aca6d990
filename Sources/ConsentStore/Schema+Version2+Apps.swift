// SPDX-License-Identifier: Apache-2.0
//
// Step 2, the part about apps. An asker knows how much it has asked and when last, so that listing the apps reads no
// question. A guardian is found by who speaks for them as well: the text before the slash, which for a local user is
// all of it and for a contact the service. And the open questions stand in an index of their own in the order in which
// they were asked, because a bridge's are not looked up person by person.

extension Schema {
  static let version2Apps = """
    ALTER TABLE asker ADD COLUMN questions INTEGER NOT NULL DEFAULT 0 CHECK (questions >= 0);
    ALTER TABLE asker ADD COLUMN last_asked_at INTEGER;
    UPDATE asker SET questions = asked.number, last_asked_at = asked.latest
    FROM (SELECT asker, count(*) AS number, max(asked_at) AS latest FROM question GROUP BY asker) AS asked
    WHERE asked.asker = asker.id;
    CREATE INDEX asker_app ON asker (app, uid);
    CREATE INDEX guardian_voice ON guardian (\(voice), person);
    CREATE INDEX question_pending ON question (seq) WHERE state = 'pending';
    """

  /// Who speaks for a guardian, as SQL: `uid:1000`, or `contact:` and the app's id.
  static let voice = "substr(guardian, 1, instr(guardian || '/', '/') - 1)"
}
