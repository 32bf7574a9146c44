UPDATE caveau SET at = greatest(at, $1), commits = CASE epoch WHEN $2 THEN commits + 1 END
