// SPDX-License-Identifier: Apache-2.0
//
// Step 3, the part about evidence and about what is kept no longer than its class says. An audit entry is what was
// said (payload), what hides it (salt), what commits to both, and the link of the chain: the first two can go, the
// other two never do. The indexes find what is old enough to go, and whether a grant that goes is still named. An asker
// knows up to which sequence its events have gone, so that a cursor before that is told and not passed over.

extension Schema {
  static let version3Evidence = """
    CREATE TABLE audit (
      seq INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      person TEXT,
      app TEXT,
      payload TEXT,
      salt BLOB,
      commitment BLOB NOT NULL,
      hash BLOB NOT NULL,
      CHECK (seq > 0),
      CHECK ((payload IS NULL) = (salt IS NULL)),
      CHECK (payload IS NOT NULL OR person IS NULL AND app IS NULL)
    ) STRICT;
    CREATE INDEX audit_person ON audit (person, seq) WHERE person IS NOT NULL;
    CREATE INDEX audit_kept ON audit (seq, at) WHERE payload IS NOT NULL;

    ALTER TABLE asker ADD COLUMN expired INTEGER NOT NULL DEFAULT 0 CHECK (expired BETWEEN 0 AND last_sequence);
    CREATE INDEX question_ended ON question (ended_at) WHERE state <> 'pending' AND erased_at IS NULL;
    CREATE INDEX question_grant ON question (grant_id) WHERE grant_id IS NOT NULL;
    CREATE INDEX grant_ended ON grant_given (ended_at) WHERE ended_at IS NOT NULL;
    CREATE INDEX event_grant ON event (grant_id) WHERE grant_id IS NOT NULL;
    """
}
