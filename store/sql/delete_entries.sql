DELETE FROM entries WHERE match = $1
