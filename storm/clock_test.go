package storm

import (
	"slices"
	"sync"
	"testing/synctest"
	"time"
)

// A wall is the clock of a machine. It may be set, back as well, and goes too fast or too slow. The loop does that, while nothing runs.
type wall struct {
	mu    sync.Mutex
	wrong time.Duration // by how much, at that time
	at    time.Time
	drift int // microseconds a second
}

func (w *wall) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.shows(time.Now())
}

func (w *wall) shows(now time.Time) time.Time {
	return now.Round(0).Add(w.wrong + time.Duration(now.Sub(w.at).Microseconds()*int64(w.drift)/1e6)*time.Microsecond)
}

// set sets it by so much, and has it go wrong by so much from now on.
func (w *wall) set(by time.Duration, drift int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	w.wrong, w.at, w.drift = w.shows(now).Sub(now.Round(0))+by, now, drift
}

// A clock is the machine's, as one process sees it. How long a timer runs does not depend on what the wall shows. While the process is
// stopped no timer comes through, and all that were due come when it goes on.
type clock struct {
	wall *wall

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
func (c *clock) Now() time.Time { return c.wall.now() }

func (c *clock) Timer(d time.Duration) (<-chan time.Time, func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &alarm{fires: make(chan time.Time, 1)}
	c.set++
	c.running++
	// A little later, by a bit that follows from when it was set: of two that are due at one moment, and were set at different ones, it
	// would be open which is first. Those that were set together go off together, and do nothing to each other.
	bit := (uint64(time.Now().UnixNano())*31 + uint64(d)) % 9973
	a.timer = time.AfterFunc(d+time.Duration(bit)*time.Nanosecond, func() { c.ring(a) })
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
		synctest.Wait()
	}
}

// counts are how many timers were ever set, and how many run.
func (c *clock) counts() (set, running int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.set, c.running
}
