-- Sessions that were ended, until they would have ended anyway.
CREATE TABLE ended (
	guest   TEXT NOT NULL,
	session TEXT NOT NULL,
	until   TEXT NOT NULL,
	PRIMARY KEY (guest, session)
) WITHOUT ROWID;

CREATE INDEX ended_until ON ended (until);

-- How often a guest has ended all his sessions.
CREATE TABLE rounds (
	guest TEXT    NOT NULL PRIMARY KEY,
	round INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE passkeys (
	id    BLOB NOT NULL PRIMARY KEY,
	guest TEXT NOT NULL,
	name  TEXT NOT NULL,
	made  TEXT NOT NULL,
	used  TEXT NOT NULL,
	proof TEXT NOT NULL
);

CREATE INDEX passkeys_of ON passkeys (guest, made);

-- Where each guest was the host or sat down. It follows from the entries.
CREATE TABLE sat (
	guest TEXT    NOT NULL,
	match INTEGER NOT NULL,
	PRIMARY KEY (guest, match)
) WITHOUT ROWID;

CREATE INDEX sat_at ON sat (match);

INSERT OR IGNORE INTO sat (guest, match)
	SELECT json_extract(data, '$.fact.guest.id'), match FROM entries WHERE data LIKE '{"kind":"sit"%'
	UNION ALL
	SELECT json_extract(data, '$.fact.host.id'), match FROM entries WHERE data LIKE '{"kind":"made"%'
	UNION ALL
	SELECT json_extract(chair.value, '$.guest.id'), match FROM entries, json_each(data, '$.fact.chairs') AS chair
		WHERE data LIKE '{"kind":"made"%' AND json_extract(chair.value, '$.guest.id') <> '';
