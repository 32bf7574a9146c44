SELECT coalesce(max(key), 0) FROM matches
