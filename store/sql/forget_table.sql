DELETE FROM sat WHERE guest = $1 AND match = (SELECT key FROM matches WHERE id = $2)
