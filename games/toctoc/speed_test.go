package toctoc

import (
	"math/rand/v2"
	"testing"
	"time"

	"caveau/game"
)

// BenchmarkDecision holds the rules that are played in place against a loop that was written by hand for nothing but to be
// fast: it knows no views, events or records. Both play the same games of four (TestTheLoopPlaysTheSame), by turns, so what else
// the machine does slows both.
func BenchmarkDecision(b *testing.B) {
	deals := deals(b, 64)
	var byHand [64]loop
	for i := range byHand {
		byHand[i] = loopOf(&deals[i])
	}
	moves, decisions := make([]Move, 0, 64), 0
	var rules, loops time.Duration
	for n := uint64(0); b.Loop(); n++ {
		rng, begun := newRand(n), time.Now()
		for _, p := range deals {
			for p.Asked() != game.NoSeat {
				moves = p.List(moves[:0])
				p.Do(moves[draws(rng, len(moves))], nil)
				decisions++
			}
		}
		rules += time.Since(begun)
		rng, begun = newRand(n), time.Now()
		for _, l := range byHand {
			for l.step(rng) {
			}
		}
		loops += time.Since(begun)
	}
	b.ReportMetric(float64(rules.Nanoseconds())/float64(decisions), "ns/decision")
	b.ReportMetric(float64(loops.Nanoseconds())/float64(decisions), "ns/by-hand")
	b.ReportMetric(float64(rules)/float64(loops), "times")
}

func deals(t testing.TB, n int) []Position {
	t.Helper()
	rng, list := newRand(7), make([]Position, n)
	for i := range list {
		p, err := deal(game.Setup{Players: 4, First: game.NoSeat}, rng)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = p
	}
	return list
}

func draws(rng *rand.Rand, n int) int { return int(rng.Uint32N(uint32(n))) }

// A loop is the game of four as somebody would write it who wants it fast. What lies open and what does not he keeps in one
// place.
type loop struct {
	hands   [4][5]uint8
	held    [4]uint8
	parties [4][16]uint8
	pile    [31]uint8
	left    uint8
	turn    uint8
	to      uint8
	card    uint8
	host    uint8
	stage   uint8 // 0 a knock, 1 an answer, 2 a choice
	may     [4]uint8
	choices uint8
}

func loopOf(p *Position) (l loop) {
	for s := range l.hands {
		for i, in := range p.hands[s] {
			l.hands[s][i] = uint8(in.card)
		}
		l.held[s] = p.held[s]
		for c := range l.parties[s] {
			l.parties[s][c] = uint8(p.parties[s].Count(Card(c)))
		}
	}
	for i := range p.pile.n {
		l.pile[i] = uint8(p.pile.at(i))
	}
	l.left, l.turn = p.pile.n, uint8(p.turn)
	return l
}

// step does a random move, as List has them in order; false: it is over.
func (l *loop) step(rng *rand.Rand) bool {
	switch l.stage {
	case 0:
		if l.held[l.turn] == 0 {
			return false
		}
		hand := l.hands[l.turn][:l.held[l.turn]]
		var sorts [5]uint8
		var listed uint16
		n := 0
		for _, c := range hand {
			if listed>>c&1 == 0 {
				listed |= 1 << c
				sorts[n] = c
				n++
			}
		}
		i := draws(rng, 3*n)
		l.card, l.to, l.stage = sorts[i/3], (l.turn+1+uint8(i%3))&3, 1
	case 1:
		l.host = l.to
		if draws(rng, 2) == 1 {
			l.host = l.turn
		}
		l.take()
	case 2:
		l.leave(l.may[draws(rng, int(l.choices))])
	}
	return true
}

// take plays the card, when it is known who has it.
func (l *loop) take() {
	hand := &l.hands[l.turn]
	i := l.held[l.turn] - 1
	for hand[i] != l.card {
		i--
	}
	l.held[l.turn]--
	for ; i < l.held[l.turn]; i++ {
		hand[i] = hand[i+1]
	}
	guests := &l.parties[l.host]
	kind, rank := l.card>>2, l.card&3
	switch {
	case l.card == 2 || kind > 0 && rank < 3:
		guests[l.card]++
		l.next()
		return
	case kind > 0:
		l.choices = 0
		for c := kind << 2; c < kind<<2+3; c++ {
			if guests[c] > 0 {
				l.may[l.choices] = c
				l.choices++
			}
		}
	default:
		most := uint8(1)
		l.choices = 0
		for c := uint8(4); c < 16; c += 4 {
			n := guests[c] + guests[c+1] + guests[c+2]
			if n < most || guests[c+1] > 0 {
				continue
			}
			if n > most {
				most, l.choices = n, 0
			}
			l.may[l.choices] = c
			l.choices++
		}
	}
	switch l.choices {
	case 0:
		l.next()
	case 1:
		l.leave(l.may[0])
	default:
		l.stage = 2
	}
}

// leave has guests leave the host.
func (l *loop) leave(who uint8) {
	host, rival := &l.parties[l.host], &l.parties[l.turn]
	if l.host == l.turn {
		rival = &l.parties[l.to]
	}
	if l.card > 3 {
		host[who]--
		rival[who]++
		l.next()
		return
	}
	for c := who; c < who+3; c++ {
		if l.card == 1 {
			rival[c] += host[c]
		}
		host[c] = 0
	}
	l.next()
}

// next draws a card and goes on to the left; when no hand is left, it counts.
func (l *loop) next() {
	if l.left > 0 {
		l.left--
		l.hands[l.turn][l.held[l.turn]] = l.pile[l.left]
		l.held[l.turn]++
	}
	l.turn, l.stage = (l.turn+1)&3, 0
	if l.held[l.turn] == 0 {
		for s := range l.parties {
			l.score(s)
		}
	}
}

func (l *loop) score(s int) (points int) {
	guests := &l.parties[s]
	points = 3 * int(guests[2])
	for c := 4; c < 16; c += 4 {
		n := int(guests[c] + guests[c+1] + guests[c+2])
		points += n << min(1, guests[c+2])
	}
	return points
}

// What is compared has to be the same: with the same dice both play the same games.
func TestTheLoopPlaysTheSame(t *testing.T) {
	for i, p := range deals(t, 100) {
		one, other, l := newRand(uint64(i)), newRand(uint64(i)), loopOf(&p)
		for p.Asked() != game.NoSeat {
			moves := p.List(nil)
			p.Do(moves[draws(one, len(moves))], nil)
			l.step(other)
		}
		for s := range l.parties {
			if got := l.score(s); got != p.score(game.Seat(s)) {
				t.Fatalf("deal %d: seat %d has %d points by the loop, %d by the rules", i, s, got, p.score(game.Seat(s)))
			}
		}
	}
}

// A table is imagined for every playout. It asks for no memory, and whoever has forgotten something imagines what there may be.
func TestSamplesAreThrifty(t *testing.T) {
	for _, p := range deals(t, 20) {
		rng := newRand(3)
		for n := range 60 {
			p.Do(anyMove(rng, &p), nil)
			v := p.View(game.Seat(n % 4))
			if allocated := testing.AllocsPerRun(5, func() { v.Sample(rng) }); allocated > 0 {
				t.Fatalf("%v allocations", allocated)
			}
			if err := check(v.Forget(uint64(n)*0x9e3779b97f4a7c15, nil).Sample(rng)); err != nil {
				t.Fatalf("who forgets imagines what cannot be: %v", err)
			}
		}
	}
}

func anyMove(rng *rand.Rand, p *Position) Move {
	moves := p.List(nil)
	return moves[draws(rng, len(moves))]
}

// BenchmarkSample is of four, after the first round.
func BenchmarkSample(b *testing.B) {
	rng := newRand(1)
	var views [64]View
	for i, p := range deals(b, len(views)) {
		for range 10 {
			p.Do(anyMove(rng, &p), nil)
		}
		views[i] = p.View(game.Seat(i % 4))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		views[i%len(views)].Sample(rng)
	}
}
