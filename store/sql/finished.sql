SELECT id FROM matches WHERE due IS NULL ORDER BY created, id
