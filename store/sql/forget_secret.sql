DELETE FROM secrets WHERE name = $name
