package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"caveau/catalog"
	"caveau/fact"
	"caveau/game"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// mostAllocations is how often memory is asked for, on the average, for a move of a whole game: it is decided, written for the log,
// applied, and told to everybody who sits there.
var mostAllocations = map[string]float64{"dawn-under": 40, "toc-toc-toc": 46}

func TestAMoveTakesLittleMemory(t *testing.T) {
	for name, most := range mostAllocations {
		p := rehearsed(t, name)
		got := testing.AllocsPerRun(60, p.move)
		t.Logf("%s: %.0f allocations a move", name, got)
		if got > most {
			t.Errorf("%s: a move takes %.0f allocations, not %.0f at most", name, got, most)
		}
	}
}

// BenchmarkMove is a move of people at a table, without log or sockets.
func BenchmarkMove(b *testing.B) {
	for name := range mostAllocations {
		b.Run(name, func(b *testing.B) {
			p := newParty(b, name)
			b.ReportAllocs()
			for b.Loop() {
				if len(p.script) == 0 {
					b.StopTimer()
					p = rehearsed(b, name)
					b.StartTimer()
				}
				p.move()
			}
		})
	}
}

// A party plays one game.
type party struct {
	testing.TB
	tab    *table.Table
	guests []wire.Guest
	rng    *rand.Rand
	now    time.Time
	n      int
	script []string // the moves to come
}

// rehearsed is a new party that knows its first moves.
func rehearsed(tb testing.TB, name string) *party {
	p := newParty(tb, name)
	var script []string
	for range 61 {
		moves := p.tab.Seen(p.tab.Turn()).Moves
		p.script = []string{moves[p.rng.IntN(len(moves))]}
		script = append(script, p.script...)
		p.move()
	}
	p = newParty(tb, name)
	p.script = script
	return p
}

// newParty is a table of three or four at which the game has begun.
func newParty(tb testing.TB, name string) *party {
	p := &party{TB: tb, tab: table.New(catalog.House), rng: rand.New(rand.NewPCG(1, 1)), now: time.Date(2026, 10, 31, 20, 0, 0, 0, time.UTC)}
	seats := map[string]int{"dawn-under": 4, "toc-toc-toc": 3}[name]
	for i := range seats {
		p.guests = append(p.guests, wire.Guest{ID: fmt.Sprint("guest ", i), Name: "Ana"})
	}
	f, err := fact.Found(catalog.House, p.guests[0], terms.Setup{Game: name, Seats: seats, Sit: true, First: "A"})
	if err != nil {
		tb.Fatal(err)
	}
	f.Draw(p.rng)
	if err := p.tab.Replay(f.First(p.now)); err != nil {
		tb.Fatal(err)
	}
	for _, g := range p.guests {
		p.tab.Call(g.ID, g.Name)
	}
	for i, g := range p.guests[1:] {
		p.do(g, wire.Command{ID: "sit", Do: "sit", Seat: game.Seat(i + 1).String()})
	}
	p.do(p.guests[0], wire.Command{ID: "start", Do: "start"})
	return p
}

// move has whoever is asked say his next move.
func (p *party) move() {
	turn := p.tab.Turn()
	move := p.script[0]
	p.script = p.script[1:]
	p.do(p.guests[turn], wire.Command{ID: "move", Do: "play", Seat: turn.String(), Seq: p.tab.Seq(), Move: move})
}

func (p *party) do(g wire.Guest, c wire.Command) {
	p.n++
	c.ID = fmt.Sprint(p.n)
	d, err := p.tab.Decide(c, g, 0)
	if err != nil || d == nil {
		p.Fatalf("it was decided %v, %v", d, err)
	}
	since := p.tab.Seq()
	entry := p.tab.Entry(d, p.now)
	if err := p.tab.Apply(d, entry.At); err != nil {
		p.Fatal(err)
	}
	frames := p.tab.Frames("k3xw7m2p9qr4t5v8y6z0", table.Present{Seats: game.EverySeat(uint8(len(p.guests)))}, since, false, p.now)
	for s := range p.guests {
		frames.For(game.Seat(s), s == 0)
	}
	p.now = p.now.Add(time.Second)
}
