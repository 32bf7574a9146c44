DELETE FROM subscriptions WHERE guest = $1 AND $2 IN ('', session)
