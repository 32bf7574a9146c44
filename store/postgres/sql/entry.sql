INSERT INTO entries (match, seq, at, data, over) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bytea[], $5::boolean[])
