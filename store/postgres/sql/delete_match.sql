WITH gone AS (DELETE FROM matches WHERE key = $1 RETURNING id), known AS (DELETE FROM idle WHERE id IN (SELECT id FROM gone))
DELETE FROM deeds WHERE id IN (SELECT id FROM gone)
