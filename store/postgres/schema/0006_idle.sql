-- Since when nobody has had a table, which a node had left as it was: until then it had it. Term is that which began afterwards.
CREATE TABLE idle (
	id    text        COLLATE "C" NOT NULL PRIMARY KEY,
	since timestamptz NOT NULL,
	term  bigint
);
