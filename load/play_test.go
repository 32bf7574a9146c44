package load

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"
)

// atBare is a bare server in this process.
func atBare(t *testing.T, seats, size int) Target {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Bare(ctx, l, seats, size) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return Target{URL: fmt.Sprint("http://", l.Addr()), Bare: true}
}

// At a bare server every move is told to every seat in a message of the size that was asked for, and who comes again has
// tables of his own.
func TestPlayBare(t *testing.T) {
	const tables, seats, size, moves = 3, 4, 500, 120
	target := atBare(t, seats, size)
	c := Config{Tables: tables, Seats: seats, Moves: moves, Duration: time.Minute}
	for range 2 {
		round, err := c.play(t.Context(), target, func(time.Duration) {})
		if err != nil {
			t.Fatal(err)
		}
		if round.Moves < moves || len(round.waits) != round.Moves {
			t.Errorf("%d moves and %d waits, want at least %d", round.Moves, len(round.waits), moves)
		}
		if round.Bytes != size*round.Frames {
			t.Errorf("%d frames have %d bytes, want %d each", round.Frames, round.Bytes, size)
		}
		// Each table begins with a frame without a move; at the end a mover may not have heard of his move, and of two moves
		// some others.
		if off := round.Frames - seats*round.Moves; off < -tables || off > 3*tables*seats {
			t.Errorf("%d frames for %d moves", round.Frames, round.Moves)
		}
	}
}

// Whoever thinks says nothing meanwhile, and is not waited for when the round is over. What is read of a target is read before and after what counts.
func TestWhoThinks(t *testing.T) {
	target, reads := atBare(t, 2, 500), 0.0
	target.Meters = Meters{"reads": func() float64 { reads++; return reads }}
	round, err := Config{Tables: 2, Seats: 2, Think: time.Hour, Duration: 100 * time.Millisecond}.play(t.Context(), target, func(time.Duration) {})
	if err != nil || round.Moves != 0 || round.Metered["reads"] != 1 {
		t.Errorf("%d moves, %v reads, %v", round.Moves, round.Metered["reads"], err)
	}
}

// A move counts when the last other seat has heard of it: not its own, and nobody twice.
func TestHeard(t *testing.T) {
	r := newRound(Config{Tables: 1, Seats: 3})
	r.counting.Store(true)
	table := &table{round: r, pending: map[int]*pending{}}
	a, b, c := &player{at: table}, &player{at: table}, &player{at: table}
	table.players = []*player{a, b, c}
	began := time.Now()
	hear := func(p *player, seq, after, wantMoves int) {
		t.Helper()
		table.heard(p, seq, 100, began.Add(time.Duration(after)*time.Millisecond))
		p.seq = seq
		if table.tally.moves != wantMoves {
			t.Fatalf("%d moves, want %d", table.tally.moves, wantMoves)
		}
	}
	table.sent(a, 5, began)
	hear(a, 5, 1, 0)
	hear(b, 5, 2, 0)
	hear(b, 5, 3, 0) // somebody's presence changed
	table.sent(b, 6, began.Add(4*time.Millisecond))
	hear(b, 6, 5, 0)
	hear(a, 6, 6, 0)
	hear(c, 5, 7, 1)
	hear(c, 6, 10, 2)
	if w := table.tally.waits; len(w) != 2 || w[0] != 7*time.Millisecond || w[1] != 6*time.Millisecond {
		t.Errorf("the waits are %v", w)
	}
	if table.tally.frames != 7 || table.tally.bytes != 700 || len(table.pending) != 0 {
		t.Errorf("the tally is %+v", table.tally)
	}
	r.counting.Store(false)
	table.sent(a, 7, began)
	r.counting.Store(true)
	hear(b, 7, 1, 2)
	hear(c, 7, 1, 2) // begun before it counted
}
