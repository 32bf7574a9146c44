SELECT at FROM caveau
