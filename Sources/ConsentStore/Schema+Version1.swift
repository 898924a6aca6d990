// SPDX-License-Identifier: Apache-2.0
//
// Step 1: every table of the first release. Tables are STRICT; instants are INTEGER microseconds since the Unix epoch;
// identities are the text of their wire form. What the words in the text columns mean, and which there are, is the
// broker's; closed here is only what a rule of the store depends on: the states of a question.
//
// `question.content` stands last because it is long: what is read before it needs none of its overflow pages.
// `grant_item` repeats three columns of its grant so that "is this item covered" is one search of one index.

extension Schema {
  static let version1 = """
    PRAGMA application_id = \(applicationID);

    CREATE TABLE meta (
      key TEXT PRIMARY KEY,
      value BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE person (
      person TEXT PRIMARY KEY,
      display_name TEXT,
      login_name TEXT,
      added_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE guardian (
      seq INTEGER PRIMARY KEY,
      person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
      guardian TEXT NOT NULL,
      display_name TEXT,
      login_name TEXT,
      added_at INTEGER NOT NULL,
      UNIQUE (person, guardian),
      CHECK (person <> guardian)
    ) STRICT;
    CREATE INDEX guardian_people ON guardian (guardian, person);

    CREATE TABLE declaration (
      id TEXT PRIMARY KEY,
      person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
      source TEXT NOT NULL,
      assurance TEXT NOT NULL,
      declared_by TEXT NOT NULL,
      birth_date TEXT,
      lower_bound INTEGER,
      upper_bound INTEGER,
      as_of_date TEXT,
      declared_at INTEGER NOT NULL,
      ended_at INTEGER,
      ended_reason TEXT,
      CHECK ((birth_date IS NULL) = (coalesce(lower_bound, upper_bound) IS NOT NULL)),
      CHECK ((birth_date IS NULL) = (as_of_date IS NOT NULL)),
      CHECK (lower_bound <= upper_bound),
      CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX declaration_live ON declaration (person, source, declared_by) WHERE ended_at IS NULL;
    CREATE INDEX declaration_person ON declaration (person);

    CREATE TABLE asker (
      id INTEGER PRIMARY KEY,
      uid INTEGER NOT NULL CHECK (uid BETWEEN 0 AND 4294967294),
      app TEXT NOT NULL,
      last_sequence INTEGER NOT NULL DEFAULT 0,
      acknowledged INTEGER NOT NULL DEFAULT 0,
      UNIQUE (uid, app),
      CHECK (acknowledged BETWEEN 0 AND last_sequence)
    ) STRICT;

    CREATE TABLE question (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      person TEXT NOT NULL,
      asker INTEGER NOT NULL REFERENCES asker,
      provenance TEXT NOT NULL,
      kind TEXT NOT NULL,
      topic_key TEXT NOT NULL,
      content_hash TEXT NOT NULL,
      decider TEXT NOT NULL,
      state TEXT NOT NULL
        CHECK (state IN ('pending', 'approved', 'denied', 'expired', 'withdrawn', 'superseded', 'moot')),
      times_asked INTEGER NOT NULL CHECK (times_asked > 0),
      app_version TEXT,
      plan TEXT,
      asked_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      delivered_at INTEGER,
      seen_at INTEGER,
      ended_at INTEGER,
      choice TEXT,
      decided_by TEXT,
      guardian TEXT,
      channel TEXT,
      assurance TEXT,
      policy TEXT,
      reason TEXT,
      successor TEXT REFERENCES question (id) DEFERRABLE INITIALLY DEFERRED,
      grant_id TEXT REFERENCES grant_given,
      synthetic INTEGER NOT NULL CHECK (synthetic IN (0, 1)),
      content TEXT NOT NULL,
      CHECK (expires_at > asked_at),
      CHECK ((state = 'pending') = (ended_at IS NULL)),
      CHECK (successor IS NULL OR state = 'superseded'),
      CHECK (state <> 'pending' OR synthetic = 0 AND
        coalesce(choice, decided_by, guardian, channel, assurance, policy, reason, grant_id) IS NULL)
    ) STRICT;
    CREATE UNIQUE INDEX question_open ON question (person, asker, topic_key) WHERE state = 'pending';
    CREATE INDEX question_due ON question (expires_at) WHERE state = 'pending';
    CREATE INDEX question_topic ON question (person, asker, topic_key, seq);

    CREATE TABLE answer (
      question TEXT NOT NULL REFERENCES question (id),
      guardian TEXT NOT NULL,
      choice TEXT NOT NULL,
      until_usec INTEGER,
      items TEXT,
      note TEXT,
      answered_at INTEGER NOT NULL,
      PRIMARY KEY (question, guardian)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ask_key (
      asker INTEGER NOT NULL REFERENCES asker,
      person TEXT NOT NULL,
      key TEXT NOT NULL,
      topic_hash TEXT NOT NULL,
      question TEXT NOT NULL REFERENCES question (id),
      asked_at INTEGER NOT NULL,
      PRIMARY KEY (asker, person, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ask_key_age ON ask_key (asked_at);

    CREATE TABLE grant_given (
      id TEXT PRIMARY KEY,
      person TEXT NOT NULL,
      asker INTEGER NOT NULL REFERENCES asker,
      provenance TEXT NOT NULL,
      topic_key TEXT NOT NULL,
      kind TEXT NOT NULL,
      question TEXT REFERENCES question (id),
      lifetime TEXT NOT NULL,
      granted_at INTEGER NOT NULL,
      expires_at INTEGER,
      ended_at INTEGER,
      ended_reason TEXT,
      CHECK (expires_at > granted_at),
      CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX grant_topic ON grant_given (person, asker, topic_key, granted_at);

    CREATE TABLE grant_item (
      grant_id TEXT NOT NULL REFERENCES grant_given ON DELETE CASCADE,
      subject TEXT NOT NULL,
      action TEXT NOT NULL,
      person TEXT NOT NULL,
      asker INTEGER NOT NULL,
      kind TEXT NOT NULL,
      PRIMARY KEY (grant_id, subject, action)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX grant_item_cover ON grant_item (person, asker, kind, subject, action);

    CREATE TABLE event (
      asker INTEGER NOT NULL REFERENCES asker,
      sequence INTEGER NOT NULL,
      event TEXT NOT NULL,
      person TEXT NOT NULL,
      topic_key TEXT,
      question TEXT REFERENCES question (id),
      grant_id TEXT REFERENCES grant_given,
      at INTEGER NOT NULL,
      PRIMARY KEY (asker, sequence)
    ) STRICT, WITHOUT ROWID;
    """
}
