SELECT sum, guest, session, round, until FROM ways WHERE sum = $1 AND until >= $2
