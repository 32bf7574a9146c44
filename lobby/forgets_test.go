package lobby_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"caveau/fact"
	"caveau/wire"
)

// A standby is a log that took over without an entry that had been acknowledged: what followed has the numbers that it has without it.
type standby struct {
	fact.Log
	lacks atomic.Int64 // 0: nothing
}

// under is the number in the log of what has a number here.
func (s *standby) under(seq int) int {
	if n := int(s.lacks.Load()); n > 0 && seq >= n {
		return seq + 1
	}
	return seq
}

func (s *standby) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	e.Seq = s.under(e.Seq)
	return s.Log.Append(ctx, id, e)
}

func (s *standby) Entries(ctx context.Context, id wire.ID, after int) (has []fact.Entry, err error) {
	all, err := s.Log.Entries(ctx, id, 0)
	for seq := after + 1; s.under(seq) <= len(all); seq++ {
		e := all[s.under(seq)-1]
		e.Seq = seq
		has = append(has, e)
	}
	return has, err
}

func (s *standby) Rest(ctx context.Context, id wire.ID, r fact.Rest) error {
	r.Seq = s.under(r.Seq)
	return s.Log.Rest(ctx, id, r)
}

// When the last move is forgotten nobody plays on from a table that the log does not have: who moves comes again, sees how it stands there, and the game goes on, though
// nobody has said anything that is refused.
func TestAGameGoesOnFromAStandbyThatLacksAMove(t *testing.T) {
	for _, several := range []bool{false, true} {
		inHouse(t, func(t *testing.T, h *house) {
			h.lobby.Close()
			s := &standby{Log: h.log.Log}
			h.log.Log = s
			h.open()
			here, there := h, h
			if several {
				n := &nodes{house: h, deeds: newRegister()}
				here, there = n.node("here"), n.node("there")
				defer here.lobby.Close()
				defer there.lobby.Close()
			}
			goesOn(t, s, here, there)
		})
	}
}

func goesOn(t *testing.T, s *standby, here, there *house) {
	id := here.make(toy(2))
	ana, ben := here.as("Ana", id), there.as("Ben", id)
	ben.ok(wire.Command{Do: "sit", Seat: "B"})
	ana.ok(wire.Command{Do: "start"})
	if a := ana.play("keep"); !a.OK {
		t.Fatalf("she is answered %+v", a)
	}
	seq := ana.frame.Seq
	s.lacks.Store(int64(seq))
	ben.read()
	ben.client.Do(wire.Command{ID: "ben", Do: "play", Table: id, Seat: "B", Seq: ben.frame.Seq, Move: "keep"})
	time.Sleep(time.Second)
	ana, ben = here.as("Ana", id), there.as("Ben", id)
	if ana.frame.Seq != seq-1 {
		t.Errorf("she sees the table at %d, and the log has %d entries", ana.frame.Seq, seq-1)
	}
	for range 3 {
		for _, p := range []*person{ana, ben} {
			if a := p.play("keep"); !a.OK {
				t.Fatalf("%s: %+v", p.name, a)
			}
		}
	}
	ana.mustFollow(6)
}

// Whoever runs the house, and says something of such a table, is told that it is busy, and is heard when he says it again.
func TestARulingOfAStandbyThatLacksAMove(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		s := &standby{Log: h.log.Log}
		h.log.Log = s
		h.open()
		id := h.make(inTheLobby())
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.play("keep")
		s.lacks.Store(int64(ana.frame.Seq))
		for _, want := range []string{wire.CodeBusy, ""} {
			within, cancel := context.WithTimeout(t.Context(), time.Hour)
			began := time.Now()
			err := h.lobby.Unlist(within, id)
			cancel()
			if code := wire.AsError(err).Code; err == nil != (want == "") || err != nil && code != want || time.Since(began) > time.Minute {
				t.Errorf("he is answered %v after %v, want %q", err, time.Since(began), want)
			}
		}
	})
}
