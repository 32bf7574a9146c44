INSERT INTO subscriptions (endpoint, guest, session, round, language, made, key, auth, house)
	SELECT $1, $2::text, $3::text, $4::bigint, $5, $6, $7::bytea, $8::bytea, $9::bytea
	WHERE NOT EXISTS (SELECT 1 FROM ended WHERE guest = $2 AND session = $3) AND coalesce((SELECT round FROM rounds WHERE guest = $2), 0) <= $4
	ON CONFLICT (endpoint) DO UPDATE SET guest = excluded.guest, session = excluded.session, round = excluded.round, language = excluded.language,
		made = excluded.made, key = excluded.key, auth = excluded.auth, house = excluded.house
