SELECT key, due, (SELECT coalesce(max(seq), 0) FROM entries WHERE match = key) FROM matches WHERE id = $1
