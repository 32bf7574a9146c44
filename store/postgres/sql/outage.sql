INSERT INTO outages (began, ended) SELECT began, $2 FROM (SELECT greatest($1, at, (SELECT max(at) FROM nodes WHERE epoch <> $3)) AS began FROM caveau) AS last
	WHERE began <> '' AND began < $2 AND NOT EXISTS (SELECT 1 FROM nodes WHERE epoch <> $3 AND at <> '' AND until > clock_timestamp())
