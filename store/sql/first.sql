INSERT INTO matches (id, created, last, over) VALUES ($1, $2, 1, $3) ON CONFLICT DO NOTHING
