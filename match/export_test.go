package match

import "time"

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

// Due is when a bot says what it has answered then, that has so long from a moment on.
func Due(heard, from time.Time, pause time.Duration) time.Time {
	return (&question{heard: heard}).due(from, pause)
}

// Overtime is how long a bot has for the move of somebody whose time is up.
const Overtime = overtime
