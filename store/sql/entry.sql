INSERT INTO entries (match, seq, at, data, over) VALUES ($1, $2, $3, $4, $5)
