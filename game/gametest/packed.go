package gametest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/game"
)

// Packed holds what programs are told of a game to what people are told: in seeded random games of every edition and number of players
// each move and each word has its number, and a row tells a seat what its table does, with every aid, no more and no less.
func Packed[P game.Position[P, M, V], M game.Move, V game.View[P]](t *testing.T, rules game.Rules[P], packed game.Packed[P, M, V]) {
	t.Helper()
	words := map[string]bool{}
	for i, m := range packed.Moves {
		if packed.Number(m) != i || words[m.String()] {
			t.Errorf("move %d, %q, has the number %d, or is there twice", i, m, packed.Number(m))
		}
		words[m.String()] = true
	}
	same, unlike := 0, 0
	for _, edition := range rules.Editions {
		for players := edition.MinSeats; players <= edition.MaxSeats; players++ {
			for seed := range uint64(games(4)) {
				setup := game.Setup{Edition: edition.Name, Players: players, First: game.NoSeat}
				w := packing[P, M, V]{packed: packed, row: rowOf(packed.Fields(players))}
				w.rules, w.setup, w.rng = rules, setup, rand.New(rand.NewPCG(seed, uint64(players)))
				if err := w.holds(); err != nil {
					t.Errorf("%s %s, %d players, seed %d: %s\nmoves: %v", rules.Name, edition.Name, players, seed, err, w.moves)
				}
				same, unlike = same+w.same, unlike+w.unlike
			}
		}
	}
	if same == 0 || unlike == 0 {
		t.Errorf("%d times two worlds looked the same and were not, and %d times they did not look the same: nothing was compared", same, unlike)
	}
}

// rowOf is an empty row.
func rowOf(fields []game.Field) []byte {
	size := 0
	for _, f := range fields {
		size += f.Size()
	}
	return make([]byte, size)
}

type packing[P game.Position[P, M, V], M game.Move, V game.View[P]] struct {
	world[P, M, V]
	packed game.Packed[P, M, V]
	row    []byte // an empty one

	same, unlike int // how often two worlds looked the same though the views are not, and how often they did not
}

func (w *packing[P, M, V]) holds() error {
	if err := w.each(w.isNumbered); err != nil {
		return err
	}
	for range 12 {
		twin, ok := w.swap()
		if !ok {
			continue
		}
		p, q := w.deal, twin.deal
		for i, m := range w.moves {
			if i%3 == 0 || i < 20 {
				if err := w.tellApart(p, q); err != nil {
					return fmt.Errorf("after %d moves, %v and %v having changed places, %w", i, twin.i, twin.j, err)
				}
			}
			if q.Outcome().Over || !slices.Contains(q.Moves(nil), m) {
				break
			}
			p, q = p.Play(m, nil), q.Play(m, nil)
		}
	}
	return nil
}

// isNumbered: what may be done, what is asked and what is said to have happened has a number.
func (w *packing[P, M, V]) isNumbered() error {
	for _, m := range w.p.Moves(nil) {
		if i := slices.Index(w.packed.Moves, m); i < 0 {
			return fmt.Errorf("%q has no number", m)
		}
		var heard game.Events
		w.p.Play(m, &heard)
		for _, e := range heard.List() {
			if !slices.Contains(w.packed.Verbs, e.Verb) || e.At != "" && !slices.Contains(w.packed.Places, e.At) ||
				e.What != "" && !slices.Contains(w.packed.Things, e.What) || e.N < 0 || e.N > 255 {
				return fmt.Errorf("a word of %+v has no number", e)
			}
		}
	}
	if q := w.p.Asks(); w.p.Turn() != game.NoSeat && !slices.Contains(w.packed.Questions, q) {
		return fmt.Errorf("the question %v has no number", q)
	}
	return nil
}

// tellApart looks at two worlds with everybody's eyes: rows are the same where what one reads is.
func (w *packing[P, M, V]) tellApart(p, q P) error {
	for _, s := range game.EverySeat(uint8(w.setup.Players)).List() {
		v, there := p.View(s), q.View(s)
		for _, aid := range everyAid {
			reads := bytes.Equal(encode(v.Shown(aid)), encode(there.Shown(aid))) && bytes.Equal(encode(v.Own(aid)), encode(there.Own(aid)))
			if packs := bytes.Equal(w.pack(&v, aid), w.pack(&there, aid)); packs != reads {
				return fmt.Errorf("with aid %q two worlds read alike to %s: %t; but in rows: %t", aid, s, reads, packs)
			}
			switch {
			case !reads:
				w.unlike++
			case v != there:
				w.same++
			}
		}
	}
	return nil
}

func (w *packing[P, M, V]) pack(v *V, aid game.Aid) []byte {
	row := slices.Clone(w.row)
	w.packed.Pack(row, v, aid)
	return row
}
