UPDATE matches SET due = $2 WHERE key = $1
