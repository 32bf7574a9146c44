DELETE FROM passkeys WHERE guest = $1
