package secrets

import (
	"bytes"
	"encoding/json"
	"strings"

	"caveau/game"
)

// What somebody may know is what lies open on the table, and what he was told. What lies face down each game says itself, in
// the words of the trace and without the help of any View (game.FaceDown). A view that shows more makes twin worlds differ.

// A truth is a position as the trace has it, and what of it lies face down.
type truth struct {
	trace    json.RawMessage
	faceDown game.FaceDown
	open     map[game.Seat][]byte // to whom it was asked for
}

func (r rulebook) truthOf(state game.State) truth {
	trace, err := json.Marshal(state.Dump())
	if err != nil {
		panic(err)
	}
	return truth{trace, examined.FaceDown(r.game), map[game.Seat][]byte{}}
}

// openTo is the truth without what lies face down before a seat.
func (t truth) openTo(s game.Seat) []byte {
	if t.open[s] == nil {
		open, err := t.faceDown.Open(t.trace, s)
		if err != nil {
			panic(err)
		}
		t.open[s] = open
	}
	return t.open[s]
}

// oneTo tells whether two positions are one to somebody who looks at the table.
func oneTo(s game.Seat, truths [2]truth) bool {
	return bytes.Equal(truths[0].trace, truths[1].trace) || bytes.Equal(truths[0].openTo(s), truths[1].openTo(s))
}

// alike tells whether somebody is meant to hear the same of both. It does not ask game.Event.For, which is examined.
func alike(s game.Seat, events [2][]game.Event) bool {
	if len(events[0]) != len(events[1]) {
		return false
	}
	for i, a := range events[0] {
		b := events[1][i]
		if a.Secret != 0 && !a.Secret.Has(s) && a.Secret == b.Secret {
			a.What, b.What = "", ""
		}
		if a != b {
			return false
		}
	}
	return true
}

// his tells whether a seat knows from the deal on what lies at a place of it: he knows in which order it was dealt.
func (r rulebook) his(p place, s game.Seat) bool {
	dealt := examined.FaceDown(r.game).Dealt
	return dealt != nil && dealt(p, s)
}

// firstOf is what was dealt to a seat for its own eyes, in order.
func (r rulebook) firstOf(s game.Seat, deal game.State) string {
	doc, places := leavesOf(deal)
	var own []string
	for _, p := range places {
		if r.his(p, s) {
			own = append(own, p.word(doc))
		}
	}
	return strings.Join(own, " ")
}
