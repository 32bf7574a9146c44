INSERT INTO matches (key, id, created, due) VALUES ($1, $2, $3, $4)
