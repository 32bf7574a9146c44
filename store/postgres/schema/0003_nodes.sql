-- The nodes of a house that has several (ADR 17), each with its lease, by this server's clock. Every transaction of a node counts itself in its row;
-- who ends its epoch takes that away, and waits for a transaction on its way. No number comes twice.
CREATE TABLE nodes (
	epoch   bigint      NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	until   timestamptz NOT NULL,
	commits bigint      NOT NULL DEFAULT 0
);

-- Which node owns a table, while it is awake.
CREATE TABLE deeds (
	id    text   COLLATE "C" NOT NULL PRIMARY KEY,
	epoch bigint NOT NULL,
	term  bigint NOT NULL GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX deeds_of ON deeds (epoch);
