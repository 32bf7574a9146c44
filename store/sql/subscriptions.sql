SELECT endpoint, guest, session, round, language, made, key, auth, house FROM subscriptions WHERE guest = $1 ORDER BY made, endpoint
