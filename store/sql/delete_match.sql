DELETE FROM matches WHERE key = $1
