package storm

import (
	"slices"
	"sync"
	"time"
)

// A clock is that of the machine, as one process sees it. It may be set, back as well; how long a timer runs does not depend on that.
// While the process is stopped no timer comes through, and all that were due come when it goes on.
type clock struct {
	skew *time.Duration // by how much the machine's clock is wrong; changed by the loop while nothing runs

	mu      sync.Mutex
	stopped bool
	due     []*alarm // whose time came while the process was stopped
	set     int      // timers, ever
	running int      // of them
}

// An alarm is one timer.
type alarm struct {
	fires chan time.Time
	timer *time.Timer
	over  bool
}

// Now is what the wall shows.
func (c *clock) Now() time.Time { return time.Now().Round(0).Add(*c.skew) }

func (c *clock) Timer(d time.Duration) (<-chan time.Time, func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &alarm{fires: make(chan time.Time, 1)}
	c.set++
	c.running++
	a.timer = time.AfterFunc(d, func() { c.ring(a) })
	return a.fires, func() bool { return c.stop(a) }
}

func (c *clock) ring(a *alarm) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case a.over:
	case c.stopped:
		c.due = append(c.due, a)
	default:
		c.end(a)
		a.fires <- c.Now()
	}
}

// end is the end of an alarm; the caller holds mu.
func (c *clock) end(a *alarm) {
	a.over = true
	c.running--
}

func (c *clock) stop(a *alarm) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.over {
		return false
	}
	a.timer.Stop()
	c.end(a)
	return true
}

// pause stops the process, goOn has it go on.
func (c *clock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
}

func (c *clock) goOn() {
	c.mu.Lock()
	c.stopped = false
	due := slices.Clone(c.due)
	c.due = nil
	c.mu.Unlock()
	for _, a := range due {
		c.ring(a)
	}
}

// counts are how many timers were ever set, and how many run.
func (c *clock) counts() (set, running int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.set, c.running
}
