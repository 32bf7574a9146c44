INSERT INTO ways (guest, session, round, sum, until) SELECT $1, $2, $3, $4, $5
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1 AND session = $6) AND coalesce((SELECT round FROM rounds WHERE guest = $1), 0) <= $7
	ON CONFLICT (guest) DO UPDATE SET session = excluded.session, round = excluded.round, sum = excluded.sum, until = excluded.until
