DELETE FROM ended WHERE until <= $1
