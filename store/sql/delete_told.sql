DELETE FROM told WHERE match = $1
