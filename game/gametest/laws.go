// Package gametest is the examiner of games: the laws that every game keeps, and the runner of its scripts.
package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"caveau/game"
)

// Run holds a rulebook to the laws, in seeded random games of every edition and number of players. A failure names the
// law, the game and the moves that led there. With -short it looks at a few of the games.
func Run[P game.Position[P, M, V], M game.Move, V game.View[P]](t *testing.T, rules game.Rules[P]) {
	t.Helper()
	for _, law := range lawsOf[P, M, V]() {
		t.Run(law.name, func(t *testing.T) {
			for _, edition := range rules.Editions {
				for players := edition.MinSeats; players <= edition.MaxSeats; players++ {
					setup := game.Setup{Edition: edition.Name, Players: players, First: game.NoSeat}
					for seed := range uint64(games(law.games)) {
						w := world[P, M, V]{rules: rules, setup: setup, rng: rand.New(rand.NewPCG(seed, uint64(players)))}
						if err := law.holds(&w); err != nil {
							t.Errorf("%s %s, %d players, seed %d: %s\nmoves: %v", rules.Name, edition.Name, players, seed, err, w.moves)
						}
					}
				}
			}
		})
	}
}

// games is how many of so many are looked at.
func games(all int) int {
	if testing.Short() {
		return (all + 3) / 4
	}
	return all
}

// A law is one thing that is true of every game.
type law[P game.Position[P, M, V], M game.Move, V game.View[P]] struct {
	name  string
	games int // how many random games it looks at, for each edition and number of players
	holds func(*world[P, M, V]) error
}

func lawsOf[P game.Position[P, M, V], M game.Move, V game.View[P]]() []law[P, M, V] {
	type w = world[P, M, V]
	return []law[P, M, V]{
		{"value: no pointers inside, so a copy is a copy", 1, (*w).value},
		{"deal: written and read again it is the same", 10, (*w).roundTrip},
		{"moves: whoever is asked has two or more, nobody is asked when it is over", 10, (*w).choices},
		{"notation: unique, stable, ASCII without capitals but for seats", 4, (*w).notation},
		{"end: a game ends, or is stopped, and then nobody has won", 20, (*w).ends},
		{"check: nothing is lost and nothing is there twice", 5, (*w).nothingLost},
		{"same: the same deal and moves give the same everything", 4, (*w).same},
		{"sample: a seat cannot tell a sample from the truth", 2, (*w).sample},
		{"independence: samples are spread as the deal is, whatever the truth", 2, (*w).independence},
		{"no tell: the moves are the same in every sample", 4, (*w).noTell},
		{"no word: how somebody is refused is the same in every sample", 3, (*w).noWord},
		{"no leak: worlds that a seat cannot tell apart tell it the same bytes", 3, (*w).noLeak},
		{"table: what lies on it is the same for all, nothing is said to be nothing, a watcher has nothing of his own", 3, (*w).oneTable},
		{"question: whoever is asked is asked something, and why, and it is no secret what", 4, (*w).question},
		{"points: who has the most at the end has won", 10, (*w).points},
		{"standing: anybody can count it, and who has won has the most", 4, (*w).standing},
		{"reveal: in the end nothing stays hidden", 3, (*w).reveal},
		{"for good: what the log keeps lies open to the end", 4, (*w).forGood},
		{"setup: what may be agreed on is dealt, and what may not is refused", 2, (*w).setups},
		{"refusal: what is not legal is refused, and changes nothing", 2, (*w).refusals},
		{"thrift: copying, listing moves and playing allocate nothing", 1, (*w).thrift},
	}
}

// A world is one random game on the way.
type world[P game.Position[P, M, V], M game.Move, V game.View[P]] struct {
	rules game.Rules[P]
	setup game.Setup
	rng   *rand.Rand
	deal  P
	p     P
	moves []M
}

func (w *world[P, M, V]) begin() error {
	p, err := w.rules.Deal(w.setup, w.rng)
	if err != nil {
		return fmt.Errorf("the deal of a plain setup fails: %w", err)
	}
	w.deal, w.p, w.moves = p, p, nil
	return nil
}

// step plays one random move. It is false when the game is over or was stopped.
func (w *world[P, M, V]) step() bool {
	moves := w.p.Moves(nil)
	if len(moves) == 0 || len(w.moves) == w.rules.MaxMoves {
		return false
	}
	m := moves[w.rng.IntN(len(moves))]
	w.moves = append(w.moves, m)
	w.p = w.p.Play(m, nil)
	return true
}

// each begins a game and looks at every position of it.
func (w *world[P, M, V]) each(look func() error) error {
	if err := w.begin(); err != nil {
		return err
	}
	for {
		if err := look(); err != nil {
			return err
		}
		if !w.step() {
			return nil
		}
	}
}

// some begins a game and looks at some forty positions of it, spread over the whole game.
func (w *world[P, M, V]) some(look func() error) error {
	if err := w.each(func() error { return nil }); err != nil {
		return err
	}
	moves, every := w.moves, max(len(w.moves)/40, 1)
	w.p, w.moves = w.deal, nil
	for i, m := range moves {
		if i%every == 0 {
			if err := look(); err != nil {
				return err
			}
		}
		w.p, w.moves = w.p.Play(m, nil), append(w.moves, m)
	}
	return look()
}

func (w *world[P, M, V]) audiences() []game.Seat {
	return append(game.EverySeat(uint8(w.setup.Players)).List(), game.Watcher)
}

func (w *world[P, M, V]) value() error {
	for _, typ := range []reflect.Type{reflect.TypeFor[P](), reflect.TypeFor[M](), reflect.TypeFor[V]()} {
		if path, found := pointerIn(typ); found {
			return fmt.Errorf("%s is no plain value: %s", typ, path)
		}
	}
	return nil
}

// pointerIn finds anything in a type that a copy would share.
func pointerIn(typ reflect.Type) (path string, found bool) {
	switch typ.Kind() {
	case reflect.Struct:
		for i := range typ.NumField() {
			if path, found := pointerIn(typ.Field(i).Type); found {
				return typ.Field(i).Name + " " + path, true
			}
		}
		return "", false
	case reflect.Array:
		return pointerIn(typ.Elem())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "", false
	default:
		return typ.String(), true
	}
}

func (w *world[P, M, V]) roundTrip() error {
	if err := w.begin(); err != nil {
		return err
	}
	text, err := json.Marshal(w.rules.Write(w.deal))
	if err != nil {
		return err
	}
	read, err := w.rules.Read(w.setup, text)
	if err != nil {
		return fmt.Errorf("a written deal cannot be read: %w", err)
	}
	if read != w.deal {
		return errors.New("a deal that was written and read again is another position")
	}
	return nil
}

func (w *world[P, M, V]) choices() error {
	return w.each(func() error {
		over, asked, n := w.p.Outcome().Over, w.p.Turn(), len(w.p.Moves(nil))
		switch {
		case over != (asked == game.NoSeat):
			return fmt.Errorf("over is %v, and the seat asked is %q", over, asked)
		case over && n != 0:
			return fmt.Errorf("the game is over, and there are %d moves", n)
		case !over && n < 2:
			return fmt.Errorf("%s is asked, and has %d moves", asked, n)
		case !over && int(asked) >= w.setup.Players:
			return fmt.Errorf("seat %d is asked, of %d players", asked, w.setup.Players)
		case over && len(w.p.Outcome().Winners.List()) == 0:
			return errors.New("the game is over, and nobody has won")
		}
		return nil
	})
}

func (w *world[P, M, V]) notation() error {
	return w.each(func() error {
		seen := map[string]M{}
		for _, m := range w.p.Moves(nil) {
			words := m.String()
			if other, twice := seen[words]; twice {
				return fmt.Errorf("%q is %#v and %#v", words, other, m)
			}
			seen[words] = m
			if words == "" || words != m.String() || !plain(words) {
				return fmt.Errorf("%q is no notation", words)
			}
		}
		return nil
	})
}

// plain: lower-case words with one space between, and seats as single capitals.
func plain(words string) bool {
	for i, r := range words {
		alone := (i == 0 || words[i-1] == ' ') && (i+1 == len(words) || words[i+1] == ' ')
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '-':
		case r == ' ' && i > 0 && i+1 < len(words) && words[i+1] != ' ':
		case 'A' <= r && r <= 'F' && alone:
		default:
			return false
		}
	}
	return true
}

// ends: a game ends; or it is stopped with the move that its table allows as the last, and then nobody has won.
func (w *world[P, M, V]) ends() error {
	if err := w.each(func() error { return nil }); err != nil {
		return err
	}
	o, n := w.p.Outcome(), len(w.moves)
	switch {
	case o.Over:
		return nil
	case w.rules.MaxMoves < 1:
		return errors.New("stopped before the first move: MaxMoves says how many a table allows")
	case n < w.rules.MaxMoves:
		return fmt.Errorf("not over after %d moves, and nothing is left to do", n)
	case o != (game.Outcome{}):
		return fmt.Errorf("stopped after %d moves, and ends with %+v", n, o)
	}
	return nil
}

func (w *world[P, M, V]) nothingLost() error {
	return w.each(func() error { return w.rules.Check(w.p) })
}

func (w *world[P, M, V]) same() error {
	if err := w.each(func() error { return nil }); err != nil {
		return err
	}
	p, q := w.deal, w.deal
	for _, m := range w.moves {
		var heard, again game.Events
		before := p
		first, second := p.Play(m, &heard), q.Play(m, &again)
		if p != before {
			return fmt.Errorf("%s changes the position it is played in", m)
		}
		if first != second || !slices.Equal(heard.List(), again.List()) || first != p.Play(m, nil) {
			return fmt.Errorf("%s is not the same twice", m)
		}
		p, q = first, second
	}
	return nil
}

func (w *world[P, M, V]) sample() error {
	return w.some(func() error {
		for _, s := range w.audiences() {
			sample := w.p.View(s).Sample(w.rng)
			if sample.View(s) != w.p.View(s) {
				return fmt.Errorf("%q sees that a sample of its view is not the truth", s)
			}
			if err := w.rules.Check(sample); err != nil {
				return fmt.Errorf("a sample is no position: %w", err)
			}
		}
		return nil
	})
}

func (w *world[P, M, V]) noTell() error {
	return w.some(func() error {
		s := w.p.Turn()
		if s == game.NoSeat {
			return nil
		}
		for range 5 {
			sample := w.p.View(s).Sample(w.rng)
			if sample.Turn() != s || !slices.Equal(sample.Moves(nil), w.p.Moves(nil)) {
				return fmt.Errorf("the moves of %s tell what lies hidden", s)
			}
		}
		return nil
	})
}

// noWord: whoever says what he may not is not told by the answer what he does not see.
func (w *world[P, M, V]) noWord() error {
	if err := w.each(func() error { return nil }); err != nil {
		return err
	}
	words, p := w.vocabulary(), w.deal
	for n, m := range w.moves {
		for s := range game.Seat(w.setup.Players) {
			sample := p.View(s).Sample(w.rng)
			for _, said := range words {
				if p.Turn() == s && slices.ContainsFunc(p.Moves(nil), func(m M) bool { return m.String() == said }) {
					continue
				}
				if is, might := w.rules.Refuse(p, s, said), w.rules.Refuse(sample, s, said); is != might {
					return fmt.Errorf("after %d moves %q by %s is refused as %v, and would be as %v: that tells what lies hidden", n, said, s, is, might)
				}
			}
		}
		p = p.Play(m, nil)
	}
	return nil
}

// vocabulary is all that could be said in the course of the game.
func (w *world[P, M, V]) vocabulary() (words []string) {
	p, known := w.deal, map[string]bool{}
	for _, m := range w.moves {
		for _, m := range p.Moves(nil) {
			if text := m.String(); !known[text] {
				known[text] = true
				words = append(words, text)
			}
		}
		p = p.Play(m, nil)
	}
	return words
}

func (w *world[P, M, V]) refusals() error {
	for _, words := range []string{"", " ", "open", "resign", "open d3 ", "OPEN a1", "\x00", "stop\n"} {
		if err := w.begin(); err != nil {
			return err
		}
		state := game.Edge(w.rules)
		start, err := state.Deal(w.setup, w.rng)
		if err != nil {
			return err
		}
		after, events, err := start.Play(start.Turn(), words)
		var refusal game.Refusal
		if !errors.As(err, &refusal) || refusal.Code == "" || refusal.Rule == "" {
			return fmt.Errorf("%q is answered with %v, not with a refusal that has a code and a rule", words, err)
		}
		if after != start || events != nil {
			return fmt.Errorf("%q was refused and changed something", words)
		}
	}
	return nil
}

func (w *world[P, M, V]) thrift() error {
	if err := w.begin(); err != nil {
		return err
	}
	for range 30 {
		w.step()
	}
	buffer := make([]M, 0, 256)
	p := w.deal
	allocated := testing.AllocsPerRun(10, func() {
		p = w.deal
		for _, m := range w.moves {
			buffer = p.Moves(buffer[:0])
			p = p.Play(m, nil)
		}
	})
	if allocated != 0 {
		return fmt.Errorf("%d moves allocate %.0f times", len(w.moves), allocated)
	}
	return nil
}
