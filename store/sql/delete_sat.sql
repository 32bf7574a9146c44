DELETE FROM sat WHERE match = $1
