INSERT INTO names (guest, name) SELECT $6, $7
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1 AND session = $2) AND coalesce((SELECT round FROM rounds WHERE guest = $1), 0) <= $3
		AND coalesce((SELECT round FROM rounds WHERE guest = $4), 0) = $5 - 1
	ON CONFLICT DO NOTHING
