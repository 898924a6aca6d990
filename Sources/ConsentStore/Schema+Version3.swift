// SPDX-License-Identifier: Apache-2.0
//
// Step 3: what is remembered beside the questions so that nobody is nagged. Cool-downs and the questions of a day are
// kept per person and scope, which is the text for who shares them: `app:` and a registered app's id, or `uid:` and the
// uid of any other asker. A setting whose app is '' holds for every app. And grants know who ended them, questions when
// their next reminder is due; whatever a clock waits for stands in an index of its own.
//
// `question_kind` finds the newest question of a kind in a state, which is what updates that accumulate are judged by.

extension Schema {
  static let version3 = """
    ALTER TABLE question ADD COLUMN remind_at INTEGER;
    CREATE INDEX question_reminder ON question (remind_at) WHERE state = 'pending' AND remind_at IS NOT NULL;
    CREATE INDEX question_kind ON question (person, asker, kind, state, seq);

    ALTER TABLE grant_given ADD COLUMN guardian TEXT;
    ALTER TABLE grant_given ADD COLUMN note TEXT;
    ALTER TABLE grant_given ADD COLUMN ended_by TEXT
      CHECK (ended_by IS NULL OR ended_at IS NOT NULL);
    ALTER TABLE grant_given ADD COLUMN end_note TEXT
      CHECK (end_note IS NULL OR ended_at IS NOT NULL);
    CREATE INDEX grant_due ON grant_given (expires_at) WHERE ended_at IS NULL AND expires_at IS NOT NULL;
    CREATE INDEX grant_person ON grant_given (person, granted_at);
    CREATE INDEX grant_live ON grant_given (person, granted_at) WHERE ended_at IS NULL;
    CREATE INDEX grant_guardian ON grant_given (guardian) WHERE guardian IS NOT NULL;
    CREATE INDEX grant_ended_by ON grant_given (ended_by) WHERE ended_by IS NOT NULL;

    CREATE TABLE cool_down (
      person TEXT NOT NULL,
      scope TEXT NOT NULL,
      subject TEXT NOT NULL,
      denials INTEGER NOT NULL CHECK (denials >= 0),
      denied_at INTEGER,
      lapsed_at INTEGER,
      news_at INTEGER,
      PRIMARY KEY (person, scope, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX cool_down_scope ON cool_down (scope);

    CREATE TABLE recent_question (
      person TEXT NOT NULL,
      scope TEXT NOT NULL,
      asked_at INTEGER NOT NULL,
      question TEXT NOT NULL,
      PRIMARY KEY (person, scope, asked_at, question)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX recent_question_scope ON recent_question (scope);
    CREATE INDEX recent_question_age ON recent_question (asked_at);

    CREATE TABLE first_version (
      person TEXT NOT NULL,
      asker INTEGER NOT NULL REFERENCES asker,
      version TEXT NOT NULL,
      recorded_at INTEGER NOT NULL,
      PRIMARY KEY (person, asker)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE setting (
      person TEXT NOT NULL,
      app TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      set_by TEXT NOT NULL,
      set_at INTEGER NOT NULL,
      PRIMARY KEY (person, app, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX setting_by ON setting (set_by);
    """
}
