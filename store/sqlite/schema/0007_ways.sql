-- Ways to other devices, one a guest: the sum of its code, and the session that has made it.
CREATE TABLE ways (
	guest   TEXT    NOT NULL PRIMARY KEY,
	session TEXT    NOT NULL,
	round   INTEGER NOT NULL,
	sum     BLOB    NOT NULL,
	until   TEXT    NOT NULL
) WITHOUT ROWID;

CREATE UNIQUE INDEX ways_by ON ways (sum);
