INSERT INTO ended (guest, session, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
