DELETE FROM ways WHERE guest = $1
