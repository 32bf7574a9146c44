DELETE FROM subscriptions WHERE guest = $1
	AND NOT EXISTS (SELECT 1 FROM ended WHERE guest = $1 AND session = $2) AND coalesce((SELECT round FROM rounds WHERE guest = $1), 0) <= $3
