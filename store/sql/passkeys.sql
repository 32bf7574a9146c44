SELECT id, guest, name, made, used, proof FROM passkeys WHERE guest = $1 ORDER BY made, id
