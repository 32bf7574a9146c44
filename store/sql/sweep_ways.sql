DELETE FROM ways WHERE until < $1
