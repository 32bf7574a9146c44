SELECT seq, at, data, over FROM entries WHERE match = $1 AND seq > $2 ORDER BY seq
