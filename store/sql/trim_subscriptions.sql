DELETE FROM subscriptions WHERE guest = $1 AND endpoint NOT IN (SELECT endpoint FROM subscriptions WHERE guest = $1 ORDER BY made DESC, endpoint LIMIT $2)
