package gametest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"caveau/game"
)

// The laws of what a table is told: what lies on it, what is asked, how it ended, and what may be agreed on before.

// everyAid is all that a table may agree on.
var everyAid = []game.Aid{game.AidNone, game.AidMarks, game.AidAll}

// oneTable: what lies on the table is the same from every seat, and whoever sits nowhere has nothing of his own.
func (w *world[P, M, V]) oneTable() error {
	return w.some(func() error {
		for _, aid := range everyAid {
			shown := encode(w.p.View(game.Watcher).Shown(aid))
			for _, s := range w.audiences() {
				own := w.p.View(s).Own(aid)
				switch there := encode(w.p.View(s).Shown(aid)); {
				case !bytes.Equal(shown, there):
					return fmt.Errorf("with aid %q another table lies before %q than before a watcher:\n%s\n%s", aid, s, there, shown)
				case w.rules.AllSee && own != nil:
					return fmt.Errorf("with aid %q all are said to see all, and %q has something of its own: %s", aid, s, encode(own))
				case s == game.Watcher && own != nil:
					return fmt.Errorf("with aid %q a watcher has something of his own: %s", aid, encode(own))
				case own != nil && !bytes.Equal(byHand(own), encode(own)):
					return fmt.Errorf("with aid %q what %q alone has is written otherwise than encoding/json would:\n%s\n%s", aid, s, byHand(own), encode(own))
				case own != nil && hasNothing(encode(own)):
					return fmt.Errorf("with aid %q something of %q's own is said to be nothing: %s", aid, s, encode(own))
				}
			}
			if by := byHand(w.p.View(game.Watcher).Shown(aid)); !bytes.Equal(by, shown) {
				return fmt.Errorf("with aid %q what lies on the table is written otherwise than encoding/json would:\n%s\n%s", aid, by, shown)
			}
			if hasNothing(shown) {
				return fmt.Errorf("with aid %q something on the table is said to be nothing: %s", aid, shown)
			}
		}
		return nil
	})
}

// byHand is what is shown as it is sent: as it writes itself, if it does.
func byHand(shown any) []byte {
	if a, ok := shown.(game.Appender); ok {
		return a.AppendJSON(nil)
	}
	return encode(shown)
}

// hasNothing: a key whose value is null, empty, false or an empty list says what its absence could say.
func hasNothing(text []byte) bool {
	for _, nothing := range []string{`:null`, `:""`, `:false`, `:[]`} {
		if bytes.Contains(text, []byte(nothing)) {
			return true
		}
	}
	return false
}

// reveal: two positions that are told apart by their truth are told apart by what lies on the table in the end, and it is written as
// the rest is.
func (w *world[P, M, V]) reveal() error {
	if w.rules.Reveal == nil {
		return nil
	}
	return w.some(func() error {
		q := w.p.View(game.Watcher).Sample(w.rng)
		here, there := w.rules.Reveal(w.p), w.rules.Reveal(q)
		switch {
		case !bytes.Equal(byHand(here), encode(here)):
			return fmt.Errorf("what is revealed is written otherwise than encoding/json would:\n%s\n%s", byHand(here), encode(here))
		case hasNothing(encode(here)):
			return fmt.Errorf("something that is revealed is said to be nothing: %s", encode(here))
		case bytes.Equal(encode(here), encode(there)) && !bytes.Equal(encode(w.rules.Dump(w.p)), encode(w.rules.Dump(q))):
			return fmt.Errorf("something stays hidden: %s may be\n%s and\n%s", encode(here), encode(w.rules.Dump(w.p)), encode(w.rules.Dump(q)))
		}
		return nil
	})
}

// question: whoever is asked is asked something, and why; and it is no secret what.
func (w *world[P, M, V]) question() error {
	return w.some(func() error {
		q := w.p.Asks()
		switch {
		case w.p.Turn() == game.NoSeat && q != (game.Question{}):
			return fmt.Errorf("nobody is asked, and he is asked %q", q.Word)
		case w.p.Turn() == game.NoSeat:
			return nil
		case q.Rule == "" || strings.Trim(q.Word, "abcdefghijklmnopqrstuvwxyz.-") != "" || q.Word == "":
			return fmt.Errorf("%s is asked %q by %q: a question has a word without capitals, and a rule", w.p.Turn(), q.Word, q.Rule)
		}
		for range 5 {
			if other := w.p.View(game.Watcher).Sample(w.rng).Asks(); other != q {
				return fmt.Errorf("what is asked tells what lies hidden: %v, and %v where that is otherwise", q, other)
			}
		}
		return nil
	})
}

// points: nobody has any before the end, and at the end those have won who have the most.
func (w *world[P, M, V]) points() error {
	return w.each(func() error {
		o := w.p.Outcome()
		scores := o.Scores.List(w.setup.Players)
		switch {
		case !o.Over && o != (game.Outcome{}):
			return fmt.Errorf("the game goes on, and ends with %+v", o)
		case scores == nil:
			return nil
		}
		for s := range game.Seat(game.MaxSeats) {
			most := int(s) < w.setup.Players && o.Scores[s] == slices.Max(scores)
			if int(s) >= w.setup.Players && o.Scores[s] != 0 || most != o.Winners.Has(s) {
				return fmt.Errorf("%v have won with the points %v", o.Winners.List(), o.Scores)
			}
		}
		return nil
	})
}

// standing: it follows from what lies open for everyone, and whoever has won stands furthest, and nobody else does.
func (w *world[P, M, V]) standing() error {
	if w.rules.Standing == nil {
		return nil
	}
	return w.some(func() error {
		sc, o := w.rules.Standing(w.p), w.p.Outcome()
		if other := w.rules.Standing(w.p.View(game.Watcher).Sample(w.rng)); other != sc {
			return fmt.Errorf("how all stand tells what lies hidden: %v, and %v where that is otherwise", sc, other)
		}
		for s := range game.Seat(w.setup.Players) {
			if o.Over && o.Winners.Has(s) != (sc[s] == slices.Max(sc[:w.setup.Players])) {
				return fmt.Errorf("%v have won, and all stand at %v", o.Winners.List(), sc)
			}
		}
		return nil
	})
}

// forGood: what the log keeps lies open on the table to the end, also where nobody is helped to remember.
func (w *world[P, M, V]) forGood() error {
	if err := w.each(func() error { return nil }); err != nil {
		return err
	}
	p, kept := w.deal, []game.Event{}
	for _, m := range w.moves {
		var heard game.Events
		p = p.Play(m, &heard)
		for _, e := range heard.List() {
			if e.Stays && e.Secret != 0 {
				return fmt.Errorf("%s: not everybody may know it, and the log keeps it for good: %+v", m, e)
			}
			if e.Stays {
				kept = append(kept, e)
			}
		}
		shown := string(encode(p.View(game.Watcher).Shown(game.AidNone)))
		for _, e := range kept {
			if !strings.Contains(shown, e.What) || !strings.Contains(shown, `"`+e.At) {
				return fmt.Errorf("after %s the log still says %+v, and the table does not:\n%s", m, e, shown)
			}
		}
	}
	return nil
}

// setups: what may be agreed on before the deal is dealt, and what may not is refused.
func (w *world[P, M, V]) setups() error {
	i := slices.IndexFunc(w.rules.Editions, func(e game.Edition) bool { return e.Name == w.setup.Edition })
	edition := w.rules.Editions[i]
	if err := w.options(edition.Options); err != nil {
		return err
	}
	return w.chosen(edition.Choices)
}

func (w *world[P, M, V]) options(options []game.Option) error {
	if _, err := w.agree(map[string]int{"no-such-option": 1}, nil); err == nil {
		return errors.New("an option is taken that no edition names")
	}
	for _, o := range options {
		for n := o.Least - 1; n <= o.Most+1; n++ {
			_, err := w.agree(map[string]int{o.Name: n}, nil)
			may := (len(o.Players) == 0 || slices.Contains(o.Players, w.setup.Players)) && o.Least <= n && n <= o.Most
			if may != (err == nil) {
				return fmt.Errorf("option %s, %d: may be agreed on: %v; the deal says %v", o.Name, n, may, err)
			}
			if o.Usual == 0 || !may || n != o.Usual {
				continue
			}
			usual, _ := w.agree(map[string]int{o.Name: n}, nil)
			if plain, err := w.agree(nil, nil); err != nil || plain != usual {
				return fmt.Errorf("option %s: where nothing is agreed on it is not %d as is usual (%v)", o.Name, n, err)
			}
		}
	}
	return nil
}

func (w *world[P, M, V]) chosen(choices []game.Choice) error {
	if _, err := w.agree(nil, map[string][]string{"no-such-choice": {"a1"}}); err == nil {
		return errors.New("a choice is taken that no edition names")
	}
	for _, c := range choices {
		of := slices.Clone(c.Of)
		w.rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		may := len(c.Players) == 0 || slices.Contains(c.Players, w.setup.Players)
		for _, try := range []struct {
			words []string
			may   bool
		}{
			{of[:c.Count], may},
			{of[:c.Count+1], false},
			{of[:c.Count-1], false},
			{append(of[:c.Count-1:c.Count-1], of[0]), false},
			{append(of[:c.Count-1:c.Count-1], "no such word"), false},
		} {
			if len(try.words) == 0 {
				continue // nothing is chosen
			}
			if _, err := w.agree(nil, map[string][]string{c.Name: try.words}); try.may != (err == nil) {
				return fmt.Errorf("choice %s, %q: may be chosen: %v; the deal says %v", c.Name, try.words, try.may, err)
			}
		}
	}
	return nil
}

// agree deals as a table has agreed on, always by the same draws. What is dealt can be written and read.
func (w *world[P, M, V]) agree(options map[string]int, choices map[string][]string) (p P, err error) {
	setup := w.setup
	setup.Options, setup.Choices = options, choices
	if p, err = w.rules.Deal(setup, rand.New(rand.NewPCG(7, 7))); err != nil {
		return p, err
	}
	setup.Choices = nil // a record says what was dealt
	read, err := w.rules.Read(setup, encode(w.rules.Write(p)))
	if err == nil && read != p {
		err = errors.New("a deal that was agreed on, written and read again is another position")
	}
	return p, err
}
