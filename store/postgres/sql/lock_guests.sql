WITH locked AS (SELECT pg_advisory_xact_lock($1::int, n) FROM (SELECT DISTINCT hashtext(current_schema() || ' ' || guest) AS n FROM unnest($2::text[]) AS guest ORDER BY n) AS sorted)
	SELECT count(*) FROM locked
