package runner

import (
	"context"
	"sync"
	"time"
)

// A Common is a clock by which all nodes of a house go, whatever their machines show: that of the log (ADR 17). Its time never goes back if its machine's does not. What
// it shows too much or too little is made up for slowly, so that nobody at a table sees time jump. Where the machine's clock leaps, somebody has set it or the
// machine has slept: until the log says what time it is the house's goes on from where it was.
type Common struct {
	Clock // the machine's
	ask   func(context.Context) (time.Time, error)
	leaps chan struct{} // has something in it after a leap

	mu    sync.Mutex // guards what follows
	read  time.Time  // the machine's clock, last
	ahead time.Duration
	aim   time.Duration // of ahead
	error time.Duration // by how much that may be wrong
	asked time.Time     // when it was found
	leapt bool          // and it does not count any more
}

const (
	// catchUp is the part of the time that goes by in which as much is made up for: a second takes twenty.
	catchUp = 20
	// drifts is the part of the time that goes by by which a machine's clock may have gone wrong meanwhile.
	drifts = 1000
	// leap is what no machine's clock goes on by at once: it is read with every try to renew a lease.
	leap = 3 * time.Second
)

// NewCommon is such a clock; it asks what time it is, and begins no sooner than at the latest time that the log knows of.
func NewCommon(ctx context.Context, machine Clock, latest time.Time, ask func(context.Context) (time.Time, error)) (*Common, error) {
	c := &Common{Clock: machine, ask: ask, leaps: make(chan struct{}, 1)}
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
	heard := c.Clock.Now()
	half := heard.Sub(asked) / 2
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leapt && half < leap/2 { // it has not leapt since
		c.ahead, c.leapt, c.asked = max(c.ahead, at.Sub(heard)), false, time.Time{} // it is so late at least
	}
	if c.asked.IsZero() || !c.leapt && half <= c.error+asked.Sub(c.asked)/drifts {
		c.aim, c.error, c.asked = at.Sub(asked.Add(half)), half, asked
	}
	return nil
}

// Follow asks as soon as the machine's clock has leapt, until ctx ends. Where nobody answers it does not ask again: the house does now and then anyway.
func (c *Common) Follow(ctx context.Context) {
	for {
		select {
		case <-c.leaps:
			c.Ask(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// Now is the house's time.
func (c *Common) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Clock.Now()
	switch gone := now.Sub(c.read); {
	case gone > leap:
		c.ahead, c.leapt = c.ahead-gone, true
		select {
		case c.leaps <- struct{}{}:
		default:
		}
	case !c.leapt:
		step := gone / catchUp
		c.ahead += min(max(c.aim-c.ahead, -step), step)
	}
	c.read = now
	return now.Add(c.ahead)
}
