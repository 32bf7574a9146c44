INSERT INTO matches (id, created, due) VALUES ($1, $2, $3) RETURNING key
