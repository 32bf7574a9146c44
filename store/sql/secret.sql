SELECT value FROM secrets WHERE name = $1
