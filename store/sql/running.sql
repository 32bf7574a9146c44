SELECT id FROM matches WHERE NOT over ORDER BY created, id
