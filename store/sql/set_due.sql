UPDATE matches SET due = $2, since = $3 WHERE key = $1
