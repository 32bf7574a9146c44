-- The house itself, in one row: how many of these files the database has had, who may write, how often was written, when the house was last
-- known to be alive. Every transaction counts itself here, and who has not the epoch leaves no number, which is refused: so the row is the
-- lock that counts, and what one reads in it who has lost an answer.
CREATE TABLE caveau (
	house   boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (house),
	version integer NOT NULL,
	epoch   bigint  NOT NULL,
	commits bigint  NOT NULL,
	at      text    COLLATE "C" NOT NULL
);
INSERT INTO caveau (version, epoch, commits, at) VALUES (0, 0, 0, '');

-- All else is as in a file (store/schema). Times are text, to the nanosecond, which timestamps are not; and what is in order is so by its
-- bytes, whatever the language of the database. What others have written is kept as bytes: not all of that is text to PostgreSQL.
CREATE TABLE matches (
	key     bigint NOT NULL PRIMARY KEY,
	id      text   COLLATE "C" NOT NULL UNIQUE,
	created text   COLLATE "C" NOT NULL,
	due     text   COLLATE "C",
	since   text   COLLATE "C"
);
CREATE INDEX due ON matches (due, created, id) WHERE due IS NOT NULL;

CREATE TABLE entries (
	match bigint  NOT NULL,
	seq   bigint  NOT NULL,
	at    text    COLLATE "C" NOT NULL,
	data  bytea   NOT NULL,
	over  boolean NOT NULL,
	PRIMARY KEY (match, seq)
);

CREATE TABLE outages (
	began text COLLATE "C" NOT NULL,
	ended text COLLATE "C" NOT NULL PRIMARY KEY
);

CREATE TABLE notes (
	name  text COLLATE "C" NOT NULL PRIMARY KEY,
	value bytea NOT NULL
);

CREATE TABLE names (
	guest text COLLATE "C" NOT NULL PRIMARY KEY,
	name  bytea NOT NULL
);

CREATE TABLE ended (
	guest   text COLLATE "C" NOT NULL,
	session text COLLATE "C" NOT NULL,
	until   text COLLATE "C" NOT NULL,
	PRIMARY KEY (guest, session)
);
CREATE INDEX ended_until ON ended (until);

CREATE TABLE rounds (
	guest text   COLLATE "C" NOT NULL PRIMARY KEY,
	round bigint NOT NULL
);

CREATE TABLE passkeys (
	id    bytea NOT NULL PRIMARY KEY,
	guest text  COLLATE "C" NOT NULL,
	name  bytea NOT NULL,
	made  text  COLLATE "C" NOT NULL,
	used  text  COLLATE "C" NOT NULL,
	proof bytea NOT NULL
);
CREATE INDEX passkeys_of ON passkeys (guest, made);

CREATE TABLE sat (
	guest text   COLLATE "C" NOT NULL,
	match bigint NOT NULL,
	PRIMARY KEY (guest, match)
);
CREATE INDEX sat_at ON sat (match);

CREATE TABLE subscriptions (
	endpoint text   COLLATE "C" NOT NULL PRIMARY KEY,
	guest    text   COLLATE "C" NOT NULL,
	session  text   COLLATE "C" NOT NULL,
	round    bigint NOT NULL,
	language text   COLLATE "C" NOT NULL,
	made     text   COLLATE "C" NOT NULL,
	key      bytea  NOT NULL,
	auth     bytea  NOT NULL,
	house    bytea  NOT NULL
);
CREATE INDEX subscriptions_of ON subscriptions (guest, made);

CREATE TABLE told (
	guest text   COLLATE "C" NOT NULL,
	match bigint NOT NULL,
	n     bigint NOT NULL,
	PRIMARY KEY (guest, match)
);
CREATE INDEX told_at ON told (match);
