package runner

import (
	"context"
	"sync"
	"time"
)

// A Common is a clock by which all nodes of a house go, whatever their machines show: that of the log (ADR 17). Its time never goes back if its machine's does not. What
// it shows too much or too little is made up for slowly, so that nobody at a table sees time jump.
type Common struct {
	Clock // the machine's
	ask   func(context.Context) (time.Time, error)

	mu    sync.Mutex // guards what follows
	read  time.Time  // the machine's clock, last
	ahead time.Duration
	aim   time.Duration // of ahead
	error time.Duration // by how much that may be wrong
	asked time.Time     // when it was found
}

const (
	// catchUp is the part of the time that goes by in which as much is made up for: a second takes twenty.
	catchUp = 20
	// drifts is the part of the time that goes by by which a machine's clock may have gone wrong meanwhile.
	drifts = 1000
)

// NewCommon is such a clock; it asks what time it is, and begins no sooner than at the latest time that the log knows of.
func NewCommon(ctx context.Context, machine Clock, latest time.Time, ask func(context.Context) (time.Time, error)) (*Common, error) {
	c := &Common{Clock: machine, ask: ask}
	if err := c.Ask(ctx); err != nil {
		return nil, err
	}
	c.read = machine.Now()
	c.ahead = max(c.aim, latest.Sub(c.read))
	return c, nil
}

// Ask asks what time it is. An answer that took long may be wrong by half of that: it counts where nothing better is known.
func (c *Common) Ask(ctx context.Context) error {
	asked := c.Clock.Now()
	at, err := c.ask(ctx)
	if err != nil {
		return err
	}
	half := c.Clock.Now().Sub(asked) / 2
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked.IsZero() || half <= c.error+asked.Sub(c.asked)/drifts {
		c.aim, c.error, c.asked = at.Sub(asked.Add(half)), half, asked
	}
	return nil
}

// Now is the house's time.
func (c *Common) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Clock.Now()
	step := now.Sub(c.read) / catchUp
	c.ahead += min(max(c.aim-c.ahead, -step), step)
	c.read = now
	return now.Add(c.ahead)
}
