-- The version that each node speaks, and the house: what its nodes write may need no more (ADR 20); and when the epoch of one was ended last. Older programs go on meanwhile,
-- and do not know of it.
ALTER TABLE nodes ADD COLUMN speaks integer NOT NULL DEFAULT 1;
ALTER TABLE caveau ADD COLUMN speaks integer NOT NULL DEFAULT 1, ADD COLUMN ended timestamptz NOT NULL DEFAULT '-infinity';
