SELECT id, guest, name, made, used, proof FROM passkeys WHERE id = $1
