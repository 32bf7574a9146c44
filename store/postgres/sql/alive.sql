SELECT greatest(at, (SELECT max(at) FROM nodes)) FROM caveau
