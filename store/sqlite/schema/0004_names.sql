-- What guests are called: entries have their ids alone. Whoever was erased has a row, and no name in it.
CREATE TABLE names (
	guest TEXT NOT NULL PRIMARY KEY,
	name  TEXT NOT NULL
);
