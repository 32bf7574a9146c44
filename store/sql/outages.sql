SELECT began, ended FROM outages WHERE ended > $1 ORDER BY ended
