// Package load plays games against a server over real sockets, as many people at once would, and measures what that costs:
// moves a second, of the clock and of the server's processor, how long a move takes to reach everyone, how many bytes are told,
// how much memory a socket and a table take. Beside it stands a yardstick, a Bare server that does nothing but tell.
//
// It knows docs/protocol.md and nothing else of the server: docs/performance.md says what is measured and how.
package load

import (
	"context"
	"errors"
	"time"
)

// A Config says what is played.
type Config struct {
	Tables  int    `json:"tables"`
	Seats   int    `json:"seats"`
	Game    string `json:"game"`
	Edition string `json:"edition"` // "" for the game's first

	Think time.Duration `json:"think_ns"` // how long people think about a move, on the average; 0: not at all

	Rounds   int           `json:"rounds"`      // each is played at every target in turn
	WarmUp   time.Duration `json:"warm_up_ns"`  // before each round counts
	Duration time.Duration `json:"duration_ns"` // of a round
	Moves    int           `json:"moves"`       // a round is over after so many, if that is sooner; 0 for no such end
	Idle     int           `json:"idle"`        // sockets that are opened to see what one takes; 0 for none

	Bot    string `json:"bot,omitempty"`    // who plays at other tables meanwhile, in further rounds; "" for nobody, and there are none
	Beside int    `json:"beside,omitempty"` // how many those are; at each somebody plays against that bot on all the other seats
}

func (c Config) check() error {
	switch {
	case c.Seats < 2 || c.Seats > 26 || c.Tables < 1 || c.Rounds < 1:
		return errors.New("it takes a table, two seats and a round at least")
	case c.Duration <= 0 || c.WarmUp < 0 || c.Moves < 0 || c.Idle < 0 || c.Think < 0:
		return errors.New("times and numbers are positive")
	case (c.Bot == "") != (c.Beside == 0) || c.Beside < 0:
		return errors.New("a bot plays at tables beside, and there is a bot for those")
	}
	return nil
}

// alone is the same without the tables beside.
func (c Config) alone() Config {
	c.Bot, c.Beside = "", 0
	return c
}

// Starters start servers that belong to the load test alone. Each process is ended by the function that comes with it, which
// answers with what the server says of itself at its end. Variables of the environment are "NAME=value".
type Starters struct {
	House func(ctx context.Context, env ...string) (Target, Stop, error)
	Bare  func(ctx context.Context, seats, size int) (Target, Stop, error)
}

// Stop ends a server.
type Stop func() (said string, err error)

// Run plays all rounds, at the house and at a bare server in turn, as a machine has better and worse minutes; only what was
// measured side by side is compared. Progress is told how much of the whole is done, from 0 to 1.
func Run(ctx context.Context, c Config, start Starters, progress func(done float64)) (*Report, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	done, whole := time.Duration(0), 2*time.Duration(c.Rounds)*(c.WarmUp+c.Duration)
	if c.Beside > 0 {
		whole = whole / 2 * 3
	}
	step := func(d time.Duration) { done += d; progress(min(1, float64(done)/float64(whole))) }

	house, stopHouse, err := start.House(ctx)
	if err != nil {
		return nil, err
	}
	defer progress(1)
	report := &Report{Config: c, Where: machine()}
	err = report.play(ctx, house, start.Bare, step)
	report.Said, err = joined(stopHouse, err)
	if err == nil && c.Idle > 0 {
		report.Memory, err = c.memory(ctx, func(ctx context.Context) (Target, Stop, error) { return start.House(ctx, "GOGC=10") })
	}
	return report, err
}

// joined stops a server, and is what it said and what went wrong so far.
func joined(stop Stop, err error) (string, error) {
	said, stopped := stop()
	return said, errors.Join(err, stopped)
}

// play plays the rounds. The bare server is started after the first round at the house, which tells how long its messages are.
func (r *Report) play(ctx context.Context, house Target, start func(context.Context, int, int) (Target, Stop, error), step func(time.Duration)) error {
	first, err := r.Config.alone().play(ctx, house, step)
	if err != nil {
		return err
	}
	r.House = append(r.House, first)
	bare, stop, err := start(ctx, r.Config.Seats, int(first.frameBytes()))
	if err != nil {
		return err
	}
	err = r.alternate(ctx, house, bare, step)
	_, err = joined(stop, err)
	return err
}

func (r *Report) alternate(ctx context.Context, house, bare Target, step func(time.Duration)) error {
	for {
		round, err := r.Config.alone().play(ctx, bare, step)
		if err != nil {
			return err
		}
		r.Bare = append(r.Bare, round)
		if r.Config.Beside > 0 {
			if round, err = r.Config.play(ctx, house, step); err != nil {
				return err
			}
			r.Busy = append(r.Busy, round)
		}
		if len(r.House) == r.Config.Rounds {
			return nil
		}
		if round, err = r.Config.alone().play(ctx, house, step); err != nil {
			return err
		}
		r.House = append(r.House, round)
	}
}
