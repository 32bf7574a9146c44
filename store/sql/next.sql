UPDATE matches SET last = $2, over = $3 WHERE id = $1 AND last = $2 - 1
