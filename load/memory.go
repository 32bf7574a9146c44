package load

import (
	"context"
	"errors"
	"fmt"
	"time"

	"caveau/load/meter"
)

// Memory is what things take in a server, in bytes of its resident memory. Nobody outside can have a process tidy up: the
// server is started for this alone, told to tidy up often (GOGC), and given a moment before each look.
type Memory struct {
	Sockets   int     `json:"sockets"`
	PerSocket float64 `json:"bytes_a_socket"` // that is connected and watches the lobby
	Tables    int     `json:"tables"`
	PerTable  float64 `json:"bytes_a_table"` // running, three seats at Toc Toc Toc, its sockets taken off
}

// settle is how long a server is given to tidy up.
const settle = time.Second

// memory looks at a fresh server with sockets in it, and at another with tables.
func (c Config) memory(ctx context.Context, start func(context.Context) (Target, Stop, error)) (*Memory, error) {
	m := &Memory{Sockets: c.Idle, Tables: max(1, c.Idle/3)}
	sockets, err := grown(ctx, start, func(t Target) (func(), error) { return openIdle(ctx, t, m.Sockets) })
	if err != nil {
		return nil, err
	}
	three := Config{Tables: m.Tables, Seats: 3, Game: "toc-toc-toc"}
	tables, err := grown(ctx, start, func(t Target) (func(), error) { return three.openTables(ctx, t, 30) })
	if err != nil {
		return nil, err
	}
	m.PerSocket = float64(sockets) / float64(m.Sockets)
	m.PerTable = (float64(tables) - m.PerSocket*float64(3*m.Tables)) / float64(m.Tables)
	return m, nil
}

// grown is by how much a fresh server grows.
func grown(ctx context.Context, start func(context.Context) (Target, Stop, error), fill func(Target) (func(), error)) (int64, error) {
	t, stop, err := start(ctx)
	if err != nil {
		return 0, err
	}
	n, err := t.grows(ctx, fill)
	_, err = joined(stop, err)
	return n, err
}

func (t Target) grows(ctx context.Context, fill func(Target) (func(), error)) (int64, error) {
	empty, err := openIdle(ctx, t, 10) // what the first visitors bring is nobody's share
	if err != nil {
		return 0, err
	}
	empty()
	before, err := t.resident(ctx)
	if err != nil {
		return 0, err
	}
	leave, err := fill(t)
	if err != nil {
		return 0, err
	}
	defer leave()
	after, err := t.resident(ctx)
	return after - before, err
}

// resident is the target's memory when it has had its moment.
func (t Target) resident(ctx context.Context) (int64, error) {
	select {
	case <-time.After(settle):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	n, ok := meter.Memory(t.Process)
	if !ok {
		return 0, errors.New("how much memory a process takes can be told on Linux only: leave out --idle")
	}
	return n, nil
}

// openIdle opens sockets that watch the lobby. They are read only by the system.
func openIdle(ctx context.Context, t Target, n int) (leave func(), err error) {
	var open []*socket
	leave = func() {
		for _, s := range open {
			s.close()
		}
	}
	g := &guest{Target: t}
	for i := range n {
		s, err := g.dial(ctx, "")
		if err == nil {
			open = append(open, s)
			err = s.say(fmt.Appendf(nil, `{"id":"%d","do":"lobby"}`, i))
		}
		if err != nil {
			leave()
			return nil, err
		}
	}
	return leave, nil
}

// openTables opens tables where so many moves were made at each, and the players now think.
func (c Config) openTables(ctx context.Context, t Target, moves int) (leave func(), err error) {
	r := newRound(c)
	for n := range c.Tables {
		if err := r.seat(ctx, t, n, ""); err != nil {
			r.close()
			return nil, err
		}
		r.tables[n].moves = moves
		r.tables[n].begin()
	}
	for range r.tables {
		select {
		case <-r.rested:
		case err = <-r.failed:
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			r.close()
			return nil, err
		}
	}
	return r.close, nil
}
