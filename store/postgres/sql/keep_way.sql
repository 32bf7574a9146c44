INSERT INTO ways (guest, session, round, sum, until) SELECT $1::text, $2::text, $3::bigint, $4::bytea, $5::text
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1::text AND session = $6::text) AND coalesce((SELECT round FROM rounds WHERE guest = $1::text), 0) <= $7::bigint
	ON CONFLICT (guest) DO UPDATE SET session = excluded.session, round = excluded.round, sum = excluded.sum, until = excluded.until
