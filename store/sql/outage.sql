INSERT INTO outages (began, ended) VALUES ($1, $2)
