SELECT coalesce(max(at), '') FROM (SELECT at FROM alive UNION ALL SELECT * FROM (SELECT at FROM entries ORDER BY rowid DESC LIMIT 1))
