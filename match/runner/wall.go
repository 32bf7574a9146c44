package runner

import "time"

// Wall is the clock on the wall: a Clock.
type Wall struct{}

func (Wall) Now() time.Time { return time.Now() }

func (Wall) Timer(d time.Duration) (<-chan time.Time, func() bool) {
	t := time.NewTimer(d)
	return t.C, t.Stop
}
