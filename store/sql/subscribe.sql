INSERT INTO subscriptions (endpoint, guest, session, round, language, made, key, auth, house)
	SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $2 AND session = $3) AND coalesce((SELECT round FROM rounds WHERE guest = $2), 0) <= $4
	ON CONFLICT (endpoint) DO UPDATE SET guest = excluded.guest, session = excluded.session, round = excluded.round, language = excluded.language,
		made = excluded.made, key = excluded.key, auth = excluded.auth, house = excluded.house
