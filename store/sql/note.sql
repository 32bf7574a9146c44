SELECT value FROM notes WHERE name = $1
