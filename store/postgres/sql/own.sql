WITH mine AS (SELECT 1 FROM deeds WHERE id = $1 AND epoch = $2 FOR KEY SHARE) SELECT 1 / count(*) FROM mine
