-- SPDX-License-Identifier: Apache-2.0
-- A store of schema version 2.
PRAGMA application_id = 1668182884;
PRAGMA user_version = 2;
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
CREATE TABLE asker (
  id INTEGER PRIMARY KEY,
  uid INTEGER NOT NULL CHECK (uid BETWEEN 0 AND 4294967294),
  app TEXT NOT NULL,
  last_sequence INTEGER NOT NULL DEFAULT 0,
  acknowledged INTEGER NOT NULL DEFAULT 0, questions INTEGER NOT NULL DEFAULT 0 CHECK (questions >= 0), last_asked_at INTEGER,
  UNIQUE (uid, app),
  CHECK (acknowledged BETWEEN 0 AND last_sequence)
) STRICT;
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
CREATE TABLE grant_item (
  grant_id TEXT NOT NULL REFERENCES grant_given ON DELETE CASCADE,
  subject TEXT NOT NULL,
  action TEXT NOT NULL,
  person TEXT NOT NULL,
  asker INTEGER NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (grant_id, subject, action)
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
  content TEXT NOT NULL, erased_at INTEGER
  CHECK (erased_at IS NULL OR state <> 'pending' AND content = ''),
  CHECK (expires_at > asked_at),
  CHECK ((state = 'pending') = (ended_at IS NULL)),
  CHECK (successor IS NULL OR state = 'superseded'),
  CHECK (state <> 'pending' OR synthetic = 0 AND
    coalesce(choice, decided_by, guardian, channel, assurance, policy, reason, grant_id) IS NULL)
) STRICT;
CREATE INDEX answer_guardian ON answer (guardian);
CREATE INDEX ask_key_age ON ask_key (asked_at);
CREATE INDEX asker_app ON asker (app, uid);
CREATE INDEX declaration_by ON declaration (declared_by);
CREATE UNIQUE INDEX declaration_live ON declaration (person, source, declared_by) WHERE ended_at IS NULL;
CREATE INDEX declaration_person ON declaration (person);
CREATE INDEX event_person ON event (person, asker, sequence);
CREATE INDEX grant_item_cover ON grant_item (person, asker, kind, subject, action);
CREATE INDEX grant_topic ON grant_given (person, asker, topic_key, granted_at);
CREATE INDEX guardian_people ON guardian (guardian, person);
CREATE INDEX guardian_voice ON guardian (substr(guardian, 1, instr(guardian || '/', '/') - 1), person);
CREATE INDEX question_due ON question (expires_at) WHERE state = 'pending';
CREATE UNIQUE INDEX question_open ON question (person, asker, topic_key) WHERE state = 'pending';
CREATE INDEX question_pending ON question (seq) WHERE state = 'pending';
CREATE INDEX question_person ON question (person);
CREATE INDEX question_topic ON question (person, asker, topic_key, seq);
INSERT INTO answer VALUES ('00000000000000000000000000000002', 'uid:1000', 'approveUntil', 1792592000000000, '[{"level":"full"}]', 'only
this once', 1790000000000090);
INSERT INTO ask_key VALUES (3, 'account:org.example.Game/a~1', 'key 1', 'beef', '00000000000000000000000000000005', 1790000000000060);
INSERT INTO asker VALUES (1, 1001, 'org.example.Chat', 4, 1, 2, 1790000000000050);
INSERT INTO asker VALUES (2, 1001, '', 0, 0, 1, 1790000000000050);
INSERT INTO asker VALUES (3, 990, 'org.example.Game', 4, 0, 2, 1790000000000050);
INSERT INTO declaration VALUES ('d1', 'uid:1001', 'guardianDeclared', 'asserted', 'uid:1000', '2014-03-05', NULL, NULL, NULL, 1790000000000006, NULL, NULL);
INSERT INTO declaration VALUES ('d2', 'uid:1000', 'administratorDeclared', 'asserted', 'uid:0', NULL, 18, NULL, '2026-11-30', 1790000000000006, NULL, NULL);
INSERT INTO declaration VALUES ('d3', 'uid:1001', 'guardianDeclared', 'asserted', 'uid:1003', '2013-02-28', NULL, NULL, NULL, 1790000000000006, 1790000000000009, 'replaced');
INSERT INTO declaration VALUES ('d4', 'account:org.example.Game/a~1', 'serviceDeclared', 'asserted', 'org.example.Game', NULL, 13, 15, '2026-11-30', 1790000000000006, NULL, NULL);
INSERT INTO event VALUES (1, 1, 'asked', 'uid:1001', 'communication/cafe', '00000000000000000000000000000001', NULL, 1790000000000000);
INSERT INTO event VALUES (1, 2, 'decided', 'uid:1001', 'communication/cafe', '00000000000000000000000000000001', NULL, 1790000000000000);
INSERT INTO event VALUES (1, 3, 'asked', 'uid:1001', 'resource/camera', '00000000000000000000000000000002', '0000000000000000000000000000004d', 1790000000000001);
INSERT INTO event VALUES (1, 4, 'decided', 'uid:1001', 'resource/camera', '00000000000000000000000000000002', '0000000000000000000000000000004d', 1790000000000001);
INSERT INTO event VALUES (3, 1, 'asked', 'account:org.example.Game/a~1', 'significantUpdate/2.0', '00000000000000000000000000000005', NULL, 1790000000000002);
INSERT INTO event VALUES (3, 2, 'decided', 'account:org.example.Game/a~1', 'significantUpdate/2.0', '00000000000000000000000000000005', NULL, 1790000000000002);
INSERT INTO event VALUES (3, 3, 'asked', 'account:org.example.Game/a~1', 'significantUpdate/1.9', '00000000000000000000000000000004', NULL, 1790000000000003);
INSERT INTO event VALUES (3, 4, 'decided', 'account:org.example.Game/a~1', 'significantUpdate/1.9', '00000000000000000000000000000004', NULL, 1790000000000003);
INSERT INTO grant_given VALUES ('0000000000000000000000000000004d', 'uid:1001', 1, 'registered', 'resource/camera', 'resource', '00000000000000000000000000000002', 'until', 1790000000000090, 1792592000000000, NULL, NULL);
INSERT INTO grant_given VALUES ('0000000000000000000000000000004e', 'account:org.example.Game/a~1', 3, 'registered', 'significantUpdate/1.0', 'significantUpdate', NULL, 'persistent', 1790000000000010, NULL, 1790000000000020, 'revoked');
INSERT INTO grant_item VALUES ('0000000000000000000000000000004d', 'resource/camera', 'full', 'uid:1001', 1, 'resource');
INSERT INTO grant_item VALUES ('0000000000000000000000000000004e', '0.9', '', 'account:org.example.Game/a~1', 3, 'significantUpdate');
INSERT INTO grant_item VALUES ('0000000000000000000000000000004e', '1.0', '', 'account:org.example.Game/a~1', 3, 'significantUpdate');
INSERT INTO guardian VALUES (1, 'uid:1001', 'uid:1000', 'Alex', 'alex', 1790000000000003);
INSERT INTO guardian VALUES (2, 'uid:1001', 'uid:1003', NULL, NULL, 1790000000000004);
INSERT INTO guardian VALUES (3, 'account:org.example.Game/a~1', 'contact:org.example.Game/mum', 'Mum', NULL, 1790000000000005);
INSERT INTO meta VALUES ('empty', X'');
INSERT INTO meta VALUES ('purpose', X'73657276696365');
INSERT INTO meta VALUES ('salt', X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F');
INSERT INTO person VALUES ('account:org.example.Game/a~1', 'It''s Kim', NULL, 1790000000000002);
INSERT INTO person VALUES ('uid:1000', NULL, 'alex', 1790000000000001);
INSERT INTO person VALUES ('uid:1001', 'Mia ∞ “M”', 'mia', 1790000000000000);
INSERT INTO question VALUES (1, '00000000000000000000000000000001', 'uid:1001', 1, 'registered', 'communication', 'communication/cafe', 'cafe1', 'guardians', 'pending', 1, NULL, 'start', 1790000000000050, 1792592000000000, 1790000000000070, 1790000000000075, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '{"topic":"communication/cafe","said":"✓"}', NULL);
INSERT INTO question VALUES (2, '00000000000000000000000000000002', 'uid:1001', 1, 'registered', 'resource', 'resource/camera', 'cafe2', 'guardians', 'approved', 2, '1.9', NULL, 1790000000000050, 1792592000000000, NULL, NULL, 1790000000000090, 'approveUntil', 'guardian', 'uid:1000', 'socket', 'peer', 'baseline/1', 'because', NULL, '0000000000000000000000000000004d', 1, '{"topic":"resource/camera","said":"✓"}', NULL);
INSERT INTO question VALUES (3, '00000000000000000000000000000003', 'uid:1001', 2, 'registered', 'resource', 'resource/org.example.time', 'cafe3', 'guardians', 'denied', 3, NULL, NULL, 1790000000000050, 1792592000000000, NULL, NULL, 1790000000000091, 'deny', 'guardian', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '{"topic":"resource/org.example.time","said":"✓"}', NULL);
INSERT INTO question VALUES (4, '00000000000000000000000000000004', 'account:org.example.Game/a~1', 3, 'registered', 'significantUpdate', 'significantUpdate/1.9', 'cafe4', 'guardians', 'superseded', 4, NULL, NULL, 1790000000000050, 1792592000000000, NULL, NULL, 1790000000000060, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '00000000000000000000000000000005', NULL, 0, '{"topic":"significantUpdate/1.9","said":"✓"}', NULL);
INSERT INTO question VALUES (5, '00000000000000000000000000000005', 'account:org.example.Game/a~1', 3, 'registered', 'significantUpdate', 'significantUpdate/2.0', 'cafe5', 'guardians', 'pending', 5, NULL, NULL, 1790000000000050, 1792592000000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '{"topic":"significantUpdate/2.0","said":"✓"}', NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('question', 5);
