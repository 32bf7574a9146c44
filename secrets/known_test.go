package secrets

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"caveau/game"
)

// What somebody may know is said here once more, in the words of the trace and without the help of any View: what lies
// open on the table, and what he was told. A view that shows more makes twin worlds differ.

// A truth is a position as the trace has it.
type truth struct {
	// Dawn Under
	Turn    string
	Graves  map[string]grave
	Reserve []string
	Rows    []row
	Stakes  []int
	Garlic  []int
	Bats    []int
	Bat     any
	Plague  any
	Count   any
	Gifts   any
	// Toc Toc Toc
	Pile    []string
	Hands   [][]string
	Parties [][]string
	Gone    []string
	Scores  []int
	Knock   *knock
}

type grave struct {
	Lid   string
	Up    bool
	Holds string
}

type row struct {
	Vampires []string
	Left     int
	Down     int
}

type knock struct{ From, To, Card, Host string }

// face is what stands where something lies face down.
const face = "face down"

func truthOf(state game.State) (t truth) {
	text, err := json.Marshal(state.Dump())
	if err == nil {
		exact := json.NewDecoder(bytes.NewReader(text))
		exact.DisallowUnknownFields() // what is not said here would be taken for hidden
		err = exact.Decode(&t)
	}
	if err != nil {
		panic(err)
	}
	return t
}

// openTo is the truth without what lies face down before a seat.
func (t truth) openTo(s game.Seat) truth {
	t.Graves, t.Rows, t.Hands = maps.Clone(t.Graves), slices.Clone(t.Rows), slices.Clone(t.Hands)
	for at, g := range t.Graves {
		if !g.Up { // whoever saw it before was told
			g.Lid = face
			t.Graves[at] = g
		}
	}
	t.Reserve = hide(t.Reserve, 0, len(t.Reserve))
	for i, r := range t.Rows {
		t.Rows[i].Vampires = hide(r.Vampires, r.Left, r.Left+r.Down)
	}
	t.Pile = hide(t.Pile, 1, len(t.Pile))
	for o, hand := range t.Hands {
		if game.Seat(o) != s {
			t.Hands[o] = hide(hand, 0, len(hand))
		}
	}
	if k := t.Knock; k != nil && k.From != s.String() && k.Host == "" {
		t.Knock = &knock{k.From, k.To, face, ""}
	}
	return t
}

// hide is the list with some of it face down.
func hide(list []string, from, to int) []string {
	list = slices.Clone(list)
	for i := from; i < min(to, len(list)); i++ {
		list[i] = face
	}
	return list
}

// oneTo tells whether two positions are one to somebody who looks at the table.
func oneTo(s game.Seat, truths [2]truth) bool {
	return reflect.DeepEqual(truths[0].openTo(s), truths[1].openTo(s))
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

// his tells whether a place of a deal is one of a seat's own hand: he knows in which order it was dealt.
func (p place) his(s game.Seat) bool {
	return p[0] == "hands" && p[1] == int(s)
}

// firstOf is what was dealt to a seat in its own hand, in order.
func firstOf(s game.Seat, deal game.State) string {
	doc, places := leavesOf(deal)
	var own []string
	for _, p := range places {
		if p.his(s) {
			own = append(own, p.word(doc))
		}
	}
	return strings.Join(own, " ")
}
