INSERT INTO passkeys (id, guest, name, made, used, proof) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
