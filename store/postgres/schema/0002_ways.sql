-- Ways to other devices, one a guest: the sum of its code, and the session that has made it.
CREATE TABLE ways (
	guest   text   COLLATE "C" NOT NULL PRIMARY KEY,
	session text   COLLATE "C" NOT NULL,
	round   bigint NOT NULL,
	sum     bytea  NOT NULL,
	until   text   COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX ways_by ON ways (sum);
