SELECT due, since, (SELECT coalesce(max(seq), 0) FROM entries WHERE match = key) FROM matches WHERE id = $1 AND due <> ''
