package env

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"caveau/game"
)

// A batch is many games, the types of their positions rubbed off.
type batch interface {
	number() int
	// reset deals these games anew, from a seed: the same games, in whatever places.
	reset(which []int, seed uint64) error
	// step moves each game by one action, and leaves those alone whose action is leave. It moves none where one is illegal.
	step(actions []int32) error
	// resample puts into these places what a seat of a game cannot tell from it, each drawn from the seed.
	resample(g int, s game.Seat, into []int, seed uint64) error
	// read and pack tell a seat of a game what it may know, in words, and as a mask and a row.
	read(g int, s game.Seat) sight
	pack(g int, s game.Seat, mask, row []byte)
	// turn is who is asked.
	turn(g int) game.Seat
	// told is what everybody who is asked is told, as docs/env.md has it. It is good until the batch changes.
	told() []byte
}

// leave is the action of a game that is left alone.
const leave = -1

// games are the games of one batch.
type games[P game.Position[P, M, V], M game.Move, V game.View[P]] struct {
	learned[P, M, V]
	space   Space
	numbers numbers
	terms   Terms
	slots   []slot[P, M, V]
	answer  answer
}

// A slot is one game after the other.
type slot[P game.Position[P, M, V], M game.Move, V game.View[P]] struct {
	p      P
	view   V // room for the one that is packed
	legal  []M
	moves  int          // that were made
	events []game.Event // the last of them, where they are told
	over   bool
	ended  *ended // what the last action brought to an end

	// The deals: from which seed, which of its games, and how many were dealt since.
	seed, which, dealt uint64
}

// An ended is how a game has ended.
type ended struct {
	winners game.Seats
	scores  game.Scores
	stopped bool
}

// returns is what a seat gets for it: those who have won share one point.
func (e *ended) returns(s game.Seat) float32 {
	if !e.winners.Has(s) {
		return 0
	}
	return 1 / float32(e.winners.Len())
}

// An answer has what is told of all games, one part of it after the other.
type answer struct {
	all                                []byte
	returns, turns, flags, masks, rows []byte
}

// What flags say of a game.
const (
	hasEnded   = 1
	wasStopped = 2
)

func (b *games[P, M, V]) number() int { return len(b.slots) }

func (b *games[P, M, V]) told() []byte { return b.answer.all }

func (b *games[P, M, V]) turn(g int) game.Seat {
	if b.slots[g].over {
		return game.NoSeat
	}
	return b.slots[g].p.Turn()
}

// grow is that there are so many games, the new ones from the batch's own seed.
func (b *games[P, M, V]) grow(games int) error {
	for g := len(b.slots); g < games; g++ {
		b.slots = append(b.slots, slot[P, M, V]{seed: b.terms.Seed, which: uint64(g)})
		if err := b.next(g); err != nil {
			return err
		}
	}
	n, a := len(b.slots), &b.answer
	a.all = make([]byte, n*(4*b.terms.Players+2+b.space.Mask+b.space.Row))
	rest := game.Row(a.all)
	a.returns, a.turns, a.flags = rest.Take(4*b.terms.Players*n), rest.Take(n), rest.Take(n)
	a.masks, a.rows = rest.Take(b.space.Mask*n), rest.Take(b.space.Row*n)
	b.each(n, b.tell)
	return nil
}

func (b *games[P, M, V]) reset(which []int, seed uint64) error {
	for i, g := range which {
		sl := &b.slots[g]
		sl.seed, sl.which, sl.dealt, sl.ended = seed, uint64(i), 0, nil
		if err := b.next(g); err != nil {
			return err
		}
		b.tell(g)
	}
	return nil
}

// next deals the next game of a slot.
func (b *games[P, M, V]) next(g int) (err error) {
	sl := &b.slots[g]
	sl.p, err = b.rules.Deal(b.terms.Setup, rand.New(rand.NewPCG(sl.seed, sl.which<<32|sl.dealt)))
	sl.dealt++
	sl.moves, sl.events, sl.over = 0, nil, false
	sl.legal = sl.p.Moves(sl.legal[:0])
	return err
}

func (b *games[P, M, V]) step(actions []int32) error {
	for g, action := range actions {
		if why := b.illegal(g, action); why != "" {
			return illegal{g, action, why}
		}
	}
	b.each(len(actions), func(g int) {
		if actions[g] != leave {
			b.play(g, b.packed.Moves[actions[g]])
			b.tell(g)
		}
	})
	return nil
}

// illegal is why an action is, "" where it is not.
func (b *games[P, M, V]) illegal(g int, action int32) string {
	switch {
	case action == leave:
	case b.slots[g].over:
		return "the game is over: reset it, or leave it alone with -1"
	case action < 0 || int(action) >= len(b.packed.Moves):
		return fmt.Sprintf("the actions are 0 to %d", len(b.packed.Moves)-1)
	case b.answer.masks[g*b.space.Mask+int(action>>3)]>>(action&7)&1 == 0:
		return fmt.Sprintf("%q is no move now", b.packed.Moves[action])
	}
	return ""
}

// play makes a move, and deals the next game where this one has ended and another is wanted.
func (b *games[P, M, V]) play(g int, m M) {
	sl := &b.slots[g]
	if b.terms.Events == 0 {
		sl.p = sl.p.Play(m, nil)
	} else {
		var heard game.Events
		sl.p = sl.p.Play(m, &heard)
		sl.events = append(sl.events, heard.List()...)
		sl.events = sl.events[max(0, len(sl.events)-b.terms.Events):]
	}
	sl.moves++
	sl.legal, sl.ended = sl.p.Moves(sl.legal[:0]), nil
	o := sl.p.Outcome()
	if !o.Over && sl.moves < b.terms.Moves {
		return
	}
	sl.ended, sl.over = &ended{o.Winners, o.Scores, !o.Over}, true
	if b.terms.Auto {
		if err := b.next(g); err != nil {
			panic(err) // by these terms it was dealt before
		}
	}
}

// resample: what happened before is there as the seat was told it, and how long the game has lasted.
func (b *games[P, M, V]) resample(g int, s game.Seat, into []int, seed uint64) error {
	from := b.slots[g]
	v := from.p.View(s)
	events := make([]game.Event, len(from.events))
	for i, e := range from.events {
		events[i] = e.For(s)
	}
	for _, to := range into {
		if to >= len(b.slots) {
			if err := b.grow(to + 1); err != nil {
				return err
			}
		}
	}
	for i, to := range into {
		sl := &b.slots[to]
		sl.p = v.Sample(rand.New(rand.NewPCG(seed, 1<<63|uint64(i)))) // of no deal that is drawn from the same seed
		sl.legal = sl.p.Moves(sl.legal[:0])
		sl.moves, sl.events, sl.over, sl.ended = from.moves, append([]game.Event(nil), events...), from.over, from.ended
		b.tell(to)
	}
	return nil
}

// tell fills what is told of a game to whoever is asked; where it is over, to seat A.
func (b *games[P, M, V]) tell(g int) {
	sl, a, seats := &b.slots[g], &b.answer, b.terms.Players
	s := b.turn(g)
	a.turns[g], a.flags[g] = s.Place(), 0
	returns := a.returns[4*seats*g:][:4*seats]
	clear(returns)
	if e := sl.ended; e != nil {
		a.flags[g] = hasEnded
		if e.stopped {
			a.flags[g] |= wasStopped
		}
		for s := range game.Seat(seats) {
			binary.LittleEndian.PutUint32(returns[4*s:], math.Float32bits(e.returns(s)))
		}
	}
	if s == game.NoSeat {
		s = 0
	}
	b.pack(g, s, a.masks[g*b.space.Mask:][:b.space.Mask], a.rows[g*b.space.Row:][:b.space.Row])
}

func (b *games[P, M, V]) pack(g int, s game.Seat, mask, row []byte) {
	sl, turn := &b.slots[g], b.turn(g)
	clear(mask)
	clear(row)
	row[0], row[1] = s.Place(), turn.Place()
	if turn != game.NoSeat {
		row[2] = b.numbers.questions[sl.p.Asks()]
	}
	if turn == s {
		for _, m := range sl.legal {
			i := b.packed.Number(m)
			mask[i>>3] |= 1 << (i & 7)
		}
	}
	sl.view = sl.p.View(s)
	b.packed.Pack(row[len(head):], &sl.view, b.terms.Aid)
	row = row[len(row)-perEvent*len(sl.events):] // the newest at the end
	for i, e := range sl.events {
		b.packEvent(row[perEvent*i:], e.For(s))
	}
}

func (b *games[P, M, V]) packEvent(row []byte, e game.Event) {
	n := &b.numbers
	row[0], row[1], row[2], row[3], row[4], row[5] = n.verbs[e.Verb], e.Seat.Place(), n.places[e.At], n.things[e.What], byte(e.N), e.To.Place()
}

// each does something for each of so many games, on all processors where they are many.
func (b *games[P, M, V]) each(n int, do func(g int)) {
	const enough = 64
	workers := min(runtime.GOMAXPROCS(0), n/enough)
	if workers < 2 {
		for g := range n {
			do(g)
		}
		return
	}
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for g := w * n / workers; g < (w+1)*n/workers; g++ {
				do(g)
			}
		})
	}
	all.Wait()
}
