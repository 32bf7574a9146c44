package match

// Timers are the names of all timers, each with the states in which it runs.
func Timers() (lines [][]string) {
	for _, t := range timers {
		line := []string{t.name}
		for _, s := range t.in {
			line = append(line, string(s))
		}
		lines = append(lines, line)
	}
	return lines
}

// Overtime is how long a bot has for the move of somebody whose time is up.
const Overtime = overtime
