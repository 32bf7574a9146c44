-- Whoever writes is a node, a house alone too, whose lease does not end (ADR 17): every transaction counts itself in the row of its node, and no two nodes
-- change one row. Line is the number of a node's connection: what an older one still has on its way is refused. At is when it was last known to be
-- alive. When its epoch ends, commits and at are added to the house's row. The epoch there is for a house of before, which writes no more.
ALTER TABLE nodes ADD COLUMN line bigint NOT NULL DEFAULT 0, ADD COLUMN at text COLLATE "C" NOT NULL DEFAULT '';
UPDATE caveau SET epoch = epoch + 1;

-- The numbers of matches: a node is given a thousand at a time.
CREATE SEQUENCE numbers INCREMENT 1000;
SELECT setval('numbers', (SELECT coalesce(max(key), 0) + 1 FROM matches), false);
