DELETE FROM subscriptions WHERE guest = $1 AND endpoint = $2
