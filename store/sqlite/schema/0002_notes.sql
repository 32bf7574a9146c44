-- What the server notes for itself, such as which program has replayed the archive.
CREATE TABLE notes (
	name  TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
);
