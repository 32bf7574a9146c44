SELECT EXISTS (SELECT 1 FROM ended WHERE guest = $1 AND session = $2), coalesce((SELECT round FROM rounds WHERE guest = $1), 0)
