WITH mine AS (INSERT INTO deeds (id, epoch) SELECT id, $2 FROM matches WHERE id = $1 FOR UPDATE
	ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch WHERE deeds.epoch = excluded.epoch RETURNING 1) SELECT 1 / count(*) FROM mine
