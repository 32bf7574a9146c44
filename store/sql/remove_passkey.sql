DELETE FROM passkeys WHERE guest = $1 AND id = $2
