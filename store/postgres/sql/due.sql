SELECT id FROM (SELECT id, due, created FROM matches WHERE due <= $1
	UNION SELECT id, due, created FROM idle JOIN matches USING (id) WHERE term IS NULL AND due > $1 AND id NOT IN (SELECT id FROM deeds)) AS waiting ORDER BY due, created, id
