package server_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"caveau/fact"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/match/runner"
	"caveau/server"
	"caveau/store/storetest"
	"caveau/wire"
)

// A page of a house of several nodes hears that its node lives, again and again; at home nobody is told.
func TestANodeSaysThatItLives(t *testing.T) {
	for name, want := range map[string]bool{"several nodes": true, "at home": false} {
		t.Run(name, func(t *testing.T) {
			clock := &hurried{}
			h := open(t, func(c *server.Config) {
				if c.Clock = clock; want {
					c.Lobby = shared(t)
				}
			})
			ana := h.as("Ana").listen()
			ana.alive()
			signs, most := 0, int64(3)
			if want {
				most = 60 // three times each page is asked whether it is there; it is told that the node lives each second, but while it is told something else
			}
			for rung := clock.rung.Load(); clock.rung.Load() < rung+most; {
				ana.send(`{"id": "on", "do": "ping"}`)
				ana.hear("an answer", func(m message) bool {
					if m.Alive {
						signs++
					}
					return m.Re == "on"
				})
			}
			if want && signs < 10 {
				t.Errorf("in a minute a page is told %d times that its node lives", signs)
			}
			if !want && signs > 0 {
				t.Errorf("at home a page is told %d times that the house lives", signs)
			}
		})
	}
}

// A hurried clock rings a hundred times too soon, and counts how often somebody has waited for it.
type hurried struct {
	matchtest.Clock
	rung atomic.Int64
}

func (c *hurried) Timer(d time.Duration) (<-chan time.Time, func() bool) {
	c.rung.Add(1)
	return c.Clock.Timer(d / 100)
}

// shared is a lobby that has others beside it.
func shared(t *testing.T) *lobby.Lobby {
	t.Helper()
	l, err := lobby.Open(t.Context(), lobby.Config{
		Log: storetest.Memory(), Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(1), Slog: slog.New(slog.DiscardHandler), Deeds: new(oneOfMany),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// oneOfMany has every table that it asks for.
type oneOfMany struct{ runner.Alone }

func (*oneOfMany) Confirm(context.Context, wire.ID, int64) (int, error) { return 1 << 20, nil }
func (*oneOfMany) Taken(context.Context) ([]wire.ID, error)             { return nil, nil }
func (*oneOfMany) Now(context.Context) (time.Time, error)               { return time.Now(), nil }
func (*oneOfMany) Idle(context.Context, wire.ID, int64) (time.Duration, error) {
	return 0, nil
}
func (*oneOfMany) Living(context.Context, time.Duration) ([]fact.Node, error) { return nil, nil }

var _ fact.Shared = new(oneOfMany)
