INSERT INTO passkeys (id, guest, name, made, used, proof) SELECT $4::bytea, $5::text, $6::bytea, $7::text, $8::text, $9::bytea
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1::text AND session = $2::text) AND coalesce((SELECT round FROM rounds WHERE guest = $1::text), 0) <= $3::bigint
	ON CONFLICT DO NOTHING
