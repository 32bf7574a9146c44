SELECT guest, name FROM names WHERE guest IN (SELECT value FROM json_each($1))
