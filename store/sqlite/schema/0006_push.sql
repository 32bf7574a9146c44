-- Where browsers want to be told that their guest is waited for, each of a session of his.
CREATE TABLE subscriptions (
	endpoint TEXT    NOT NULL PRIMARY KEY,
	guest    TEXT    NOT NULL,
	session  TEXT    NOT NULL,
	round    INTEGER NOT NULL,
	language TEXT    NOT NULL,
	made     TEXT    NOT NULL,
	key      BLOB    NOT NULL,
	auth     BLOB    NOT NULL,
	house    BLOB    NOT NULL
) WITHOUT ROWID;

CREATE INDEX subscriptions_of ON subscriptions (guest, made);

-- What a guest was told last of a match: things that happen there later have greater numbers.
CREATE TABLE told (
	guest TEXT    NOT NULL,
	match INTEGER NOT NULL,
	n     INTEGER NOT NULL,
	PRIMARY KEY (guest, match)
) WITHOUT ROWID;

CREATE INDEX told_at ON told (match);
