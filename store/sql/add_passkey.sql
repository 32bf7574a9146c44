INSERT INTO passkeys (id, guest, name, made, used, proof) SELECT $4, $5, $6, $7, $8, $9
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1 AND session = $2) AND coalesce((SELECT round FROM rounds WHERE guest = $1), 0) <= $3
	ON CONFLICT DO NOTHING
