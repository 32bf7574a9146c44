DELETE FROM told WHERE guest = $1
