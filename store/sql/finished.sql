SELECT id FROM matches WHERE over ORDER BY created, id
