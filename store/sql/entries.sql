SELECT seq, at, data, over FROM entries WHERE match = (SELECT key FROM matches WHERE id = $1) AND seq > $2 ORDER BY seq
