SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM entries)
