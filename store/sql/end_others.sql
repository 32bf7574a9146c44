INSERT INTO rounds (guest, round) SELECT $1, CAST($3 AS BIGINT) + 1
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1 AND session = $2) AND coalesce((SELECT round FROM rounds WHERE guest = $1), 0) <= $3
	ON CONFLICT (guest) DO UPDATE SET round = excluded.round
