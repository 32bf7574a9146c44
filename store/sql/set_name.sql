INSERT INTO names (guest, name) VALUES ($1, $2) ON CONFLICT (guest) DO UPDATE SET name = excluded.name
