INSERT INTO told (guest, match, n) SELECT CAST($1 AS TEXT), key, CAST($3 AS BIGINT) FROM matches WHERE id = $2
	ON CONFLICT (guest, match) DO UPDATE SET n = excluded.n WHERE excluded.n > told.n
