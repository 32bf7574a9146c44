-- A match has a row while it has an entry: created is the time of its first entry, last the number of its last one.
CREATE TABLE matches (
	id      TEXT    NOT NULL PRIMARY KEY,
	created TEXT    NOT NULL,
	last    INTEGER NOT NULL,
	over    BOOLEAN NOT NULL
);

CREATE INDEX running ON matches (created, id) WHERE NOT over;

-- The record. The key is the lock: two entries of one match never have the same number.
CREATE TABLE entries (
	match TEXT    NOT NULL REFERENCES matches (id),
	seq   INTEGER NOT NULL,
	at    TEXT    NOT NULL,
	data  TEXT    NOT NULL,
	over  BOOLEAN NOT NULL,
	PRIMARY KEY (match, seq)
) WITHOUT ROWID;

CREATE TABLE secrets (
	name  TEXT NOT NULL PRIMARY KEY,
	value BLOB NOT NULL
);
