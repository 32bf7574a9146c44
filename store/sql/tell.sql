INSERT INTO told (guest, match, n) SELECT $1, key, $3 FROM matches WHERE id = $2
	ON CONFLICT DO UPDATE SET n = excluded.n WHERE excluded.n > n
