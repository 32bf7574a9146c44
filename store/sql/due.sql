SELECT id FROM matches WHERE due <= $1 ORDER BY due, created, id
