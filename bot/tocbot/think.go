package tocbot

import (
	"math"
	"math/rand/v2"
	"runtime"

	"caveau/game"
	"caveau/games/toctoc"
)

const (
	recalled = 32  // playouts for each table at which all that happened is thought of
	horizon  = 4   // turns that are played on, before it is judged who stands how
	doubt    = 1.0 // standard errors by which a move has to be better than that of the rules
)

// Think is the move after so many playouts: all moves are tried at the same tables and with the same luck. The more likely a table
// is by what was played since the deal, as far as the events tell it, the more it counts. The move of the rules stands unless
// another is better beyond doubt: so what the rules leave to the dice, because nobody should know it, stays so. Nerve is the error
// of a player's judgement, as a standard deviation, in wins of a hundred.
//
// The move follows from these alone. Without events only the last knock counts: who has forgotten something of the view has to be
// handed none, for they tell it.
func Think(v *toctoc.View, events []game.Event, moves []toctoc.Move, rng *rand.Rand, playouts int, nerve float64) toctoc.Move {
	rule := Rules(v, rng.Float64())
	h := recall(v, events, playouts/recalled, rng)
	return search(v, moves, rule, rng, playouts, nerve, func() (toctoc.Position, float64) { return h.imagine(rng) })
}

// search tries the moves, that of the rules among them, at the tables that it is handed.
func search(v *toctoc.View, moves []toctoc.Move, rule toctoc.Move, rng *rand.Rand, playouts int, nerve float64, table func() (toctoc.Position, float64)) toctoc.Move {
	t := newThought(v, moves, rule)
	if v.Door() == game.NoSeat {
		t.listen(16, table)
	}
	t.weigh(playouts, rng, table)
	return t.best(rng, nerve)
}

// A thought is what came of each move so far.
type thought struct {
	me     game.Seat
	habits habits               // everybody's
	open   [mostPlayers]float64 // how often each opens to whoever is to knock
	tries  []try                // the rules' move is the first
}

// A try is what came of a move: how much likelier one wins than with that of the rules, at the same tables.
type try struct {
	move         toctoc.Move
	tables       float64
	likely       float64 // of these, in all
	sum, squares float64
	chance       float64 // to win, at the last table
}

func newThought(v *toctoc.View, moves []toctoc.Move, rule toctoc.Move) *thought {
	t := &thought{me: v.Seat(), habits: learned, tries: make([]try, len(moves))}
	for i, m := range moves {
		t.tries[i].move = m
		if m == rule {
			t.tries[0], t.tries[i] = t.tries[i], t.tries[0]
		}
	}
	return t
}

// listen finds out how often each would open: on the average of some tables, as the rules say that he should who sees that hand.
func (t *thought) listen(tables int, table func() (toctoc.Position, float64)) {
	w := usual
	for range tables {
		p, _ := table()
		for home := range game.Seat(p.Seats()) {
			if home == t.me {
				continue
			}
			v := p.View(home)
			s := w.look(&v)
			d := s.door(home, &s.unseen)
			t.open[home] += d.openness() / float64(tables)
		}
	}
}

// weigh tries all moves, and halves again and again those that may still be the best, so that the most is found out about these
// (Karnin, Koren and Somekh 2013).
func (t *thought) weigh(playouts int, rng *rand.Rand, table func() (p toctoc.Position, likely float64)) {
	left := len(t.tries)
	rounds := max(1, int(math.Ceil(math.Log2(float64(left)))))
	for range rounds {
		each := playouts / rounds / (left * t.branches())
		for range max(1, each) {
			runtime.Gosched() // people's moves come first
			p, likely := table()
			luck := rng.Uint64()
			for i := range t.tries[:left] {
				t.tries[i].add(likely, t.chance(&p, t.tries[i].move, luck), &t.tries[0])
			}
		}
		if left > 2 {
			left = t.halve(left)
		}
	}
}

// branches is how many playouts a move needs at a table: a knock is opened, and it is not.
func (t *thought) branches() int {
	if t.tries[0].move.Knocks() {
		return 2
	}
	return 1
}

func (x *try) add(likely, chance float64, rule *try) {
	x.chance = chance
	gain := likely * (chance - rule.chance)
	x.tables++
	x.likely += likely
	x.sum += gain
	x.squares += gain * gain
}

// halve leaves the rules' move where it is, and puts the better half of the others behind it.
func (t *thought) halve(n int) int {
	others := t.tries[1:n]
	keep := (n + 1) / 2
	for i := range keep - 1 {
		for j := i + 1; j < len(others); j++ {
			if others[j].mean() > others[i].mean() {
				others[i], others[j] = others[j], others[i]
			}
		}
	}
	return keep
}

// mean is by how much a move is better than the rules' one.
func (x *try) mean() float64 { return x.sum / max(1e-9, x.likely) }

// spread is its standard error.
func (x *try) spread() float64 {
	n := max(1, x.tables)
	m := x.sum / n
	return math.Sqrt(max(0, x.squares/n-m*m)/n) * n / max(1e-9, x.likely)
}

// chance is mine to win after a move, at one table and with one luck.
func (t *thought) chance(p *toctoc.Position, m toctoc.Move, luck uint64) float64 {
	q := *p
	q.Do(m, nil)
	if !m.Knocks() {
		return t.habits.playOn(&q, horizon, luck, t.me)
	}
	opened, shut := q, q
	opened.Do(toctoc.Accept, nil)
	shut.Do(toctoc.Refuse, nil)
	open := t.open[q.Door()]
	return open*t.habits.playOn(&opened, horizon, luck, t.me) + (1-open)*t.habits.playOn(&shut, horizon, luck, t.me)
}

// best is the move that seems best to a player with such nerves.
func (t *thought) best(rng *rand.Rand, nerve float64) toctoc.Move {
	usually := nerve / 100 * rng.NormFloat64()
	best, most := 0, 0.0
	for i := 1; i < len(t.tries); i++ {
		x := &t.tries[i]
		if better := x.mean() + nerve/100*rng.NormFloat64() - usually; better > most && better > doubt*x.spread() {
			best, most = i, better
		}
	}
	return t.tries[best].move
}
