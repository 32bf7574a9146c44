WITH mine AS (UPDATE nodes SET commits = commits + 1, at = greatest(at, $1) WHERE epoch = $2 AND line = $3 RETURNING 1) SELECT 1 / count(*) FROM mine
