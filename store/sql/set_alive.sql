INSERT INTO alive (house, at) VALUES (1, $1) ON CONFLICT (house) DO UPDATE SET at = excluded.at
