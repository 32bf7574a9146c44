package runner

import "time"

// Wall is the clock on the wall: a Clock.
type Wall struct{}

func (Wall) Now() time.Time { return time.Now() }

var began = time.Now()

// Elapsed is for how long the process has run, by a clock that nobody sets.
func (Wall) Elapsed() time.Duration { return time.Since(began) }

func (Wall) Timer(d time.Duration) (<-chan time.Time, func() bool) {
	t := time.NewTimer(d)
	return t.C, t.Stop
}
