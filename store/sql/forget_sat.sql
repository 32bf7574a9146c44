DELETE FROM sat WHERE guest = $1
