DELETE FROM ways WHERE guest = $1 AND sum = $4 AND NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1 AND session = $2) AND coalesce((SELECT round FROM rounds WHERE guest = $1), 0) <= $3
