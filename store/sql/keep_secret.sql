INSERT INTO secrets (name, value) VALUES ($1, $2)
