SELECT id, created, due IS NULL FROM sat JOIN matches ON key = match WHERE guest = $1 ORDER BY created DESC, id
