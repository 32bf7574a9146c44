INSERT INTO rounds (guest, round) SELECT CAST($4 AS TEXT), CAST($5 AS BIGINT)
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1 AND session = $2) AND coalesce((SELECT round FROM rounds WHERE guest = $1), 0) <= $3
		AND coalesce((SELECT round FROM rounds WHERE guest = $4), 0) = CAST($5 AS BIGINT) - 1
	ON CONFLICT (guest) DO UPDATE SET round = excluded.round
