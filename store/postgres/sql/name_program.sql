INSERT INTO names (guest, name) SELECT $6::text, $7::bytea
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1::text AND session = $2::text) AND coalesce((SELECT round FROM rounds WHERE guest = $1::text), 0) <= $3::bigint
		AND coalesce((SELECT round FROM rounds WHERE guest = $4::text), 0) = $5::bigint - 1
	ON CONFLICT DO NOTHING
