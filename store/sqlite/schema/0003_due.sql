-- Matches have a number, so that an entry need not repeat a long name, and say when they are to be woken: due is '' while a
-- match is awake, the end of its rest while it rests, and NULL when it is over; since is since when everybody has been gone from
-- a match that rests. The entries say which number was the last.
CREATE TABLE numbered (
	key     INTEGER NOT NULL PRIMARY KEY,
	id      TEXT    NOT NULL UNIQUE,
	created TEXT    NOT NULL,
	due     TEXT,
	since   TEXT
);

INSERT INTO numbered (id, created, due)
	SELECT id, created, CASE WHEN over THEN NULL ELSE '' END FROM matches ORDER BY created, id;

-- Entries lie in the order in which they were written: a commit of many matches writes two or three pages, where it wrote one
-- for each match. The key is still the lock. That there is a match of this number is the writer's to see to.
CREATE TABLE written (
	match INTEGER NOT NULL,
	seq   INTEGER NOT NULL,
	at    TEXT    NOT NULL,
	data  TEXT    NOT NULL,
	over  BOOLEAN NOT NULL,
	PRIMARY KEY (match, seq)
);

INSERT INTO written (match, seq, at, data, over)
	SELECT key, seq, at, data, entries.over FROM numbered CROSS JOIN entries ON entries.match = numbered.id ORDER BY key, seq;

-- When the house was last known to be alive: one row, or none in a file that has no entry yet.
CREATE TABLE alive (
	house INTEGER NOT NULL PRIMARY KEY CHECK (house = 1),
	at    TEXT    NOT NULL
);


CREATE TABLE outages (
	began TEXT NOT NULL,
	ended TEXT NOT NULL PRIMARY KEY
);

-- Nobody noted when the house was closed until now: no clock that ran counts, and everybody has the full time once.
INSERT INTO outages (began, ended)
	SELECT '0001-01-01T00:00:00.000000000Z', strftime('%Y-%m-%dT%H:%M:%f000000Z', 'now') WHERE EXISTS (SELECT 1 FROM written);
INSERT INTO alive (house, at) SELECT 1, ended FROM outages;

DROP TABLE entries;
DROP TABLE matches;
ALTER TABLE numbered RENAME TO matches;
ALTER TABLE written RENAME TO entries;
CREATE INDEX due ON matches (due, created, id) WHERE due IS NOT NULL;
