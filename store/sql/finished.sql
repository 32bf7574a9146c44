SELECT id FROM matches WHERE due IS NULL AND (SELECT at FROM entries WHERE match = key ORDER BY seq DESC LIMIT 1) <= $1 ORDER BY created, id
