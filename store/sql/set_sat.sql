INSERT OR IGNORE INTO sat (guest, match) VALUES ($1, $2)
