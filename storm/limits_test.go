package storm

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"caveau/table"
	"caveau/wire"
)

// How much somebody may do. Whoever is refused because it was too much, and waits until he may do more, is let in, however often he was refused;
// and nobody does more than that.

// A purse is how often somebody may do something yet, at the least and at the most as far as that is known: an answer that says neither yes nor no
// may have cost something.
type purse struct {
	full        float64
	fills       time.Duration // one more
	least, most float64
	at          time.Time
	life        int
}

// How often somebody may make a link to another device, and bring a game of his device: so often at once, and once more after that time.
const (
	waysAtOnce  = 6
	wayFills    = 20 * time.Second
	gamesAtOnce = 30
	gameFills   = 30 * time.Second
)

// spends is that somebody has done something, or was refused.
func (w *World) spends(p *person, what, answer string, full float64, fills time.Duration) {
	if p.purses == nil {
		p.purses = map[string]*purse{}
	}
	b, now := p.purses[what], time.Now()
	if b == nil || b.life != w.life {
		b = &purse{full: full, fills: fills, least: full, most: full, at: now, life: w.life}
		p.purses[what] = b
	}
	more := now.Sub(b.at).Seconds() / b.fills.Seconds()
	b.least, b.most, b.at = min(b.full, b.least+more), min(b.full, b.most+more), now
	known := !w.everSet
	switch {
	case strings.Contains(answer, `"too_many"`):
		if known && b.least > 1.3 && w.well() {
			w.fail("%s may do %.1f times more what he does, %s, and is refused: %.200q", p.name, b.least, what, answer)
		}
		b.most = min(b.most, 1.3)
	case strings.HasPrefix(answer, "HTTP/1.1 200"):
		if known && b.most < 0.7 && w.breaks == 0 {
			w.fail("%s does once more what he did too often, %s", p.name, what)
		}
		b.least, b.most = max(0, b.least-1), max(0, b.most-1)
	default:
		b.least = max(0, b.least-1)
	}
}

// greedy is that somebody does something again and again, is refused, does it all the more; waits for a while, and does it once more.
func (p *person) greedy(n int) {
	w := p.w
	if w.house.clock.stopped || p.brings != nil || p.nameless {
		return
	}
	if n%8 == 5 {
		p.fidgets()
		return
	}
	i := slices.Index(w.people, p)
	if n%3 > 0 || w.story.Real {
		for range 10 + n/3%8 {
			w.makesWay(p, i, p.cookie)
		}
		w.wait(wayFills*3/2 + time.Second)
		w.makesWay(p, i, p.cookie)
		return
	}
	at := slices.IndexFunc(w.keepsakes, func(k *keepsake) bool { return k.of == p })
	if at < 0 {
		w.keepsakes = append(w.keepsakes, &keepsake{of: p, text: ofDevice(len(w.keepsakes))})
		at = len(w.keepsakes) - 1
	}
	for range gamesAtOnce + 10 {
		w.keep(w.keepsakes[at], 0)
	}
	w.wait(gameFills*3/2 + time.Second)
	w.keep(w.keepsakes[at], 0)
}

// fidgets is that somebody sits down at a table of his, and gets up again, until he is told to wait a moment; he waits, and is let.
func (p *person) fidgets() {
	w := p.w
	if w.story.Real || len(w.tables) > 10 {
		return
	}
	e := w.founds(p, map[string]any{"game": "toy", "edition": "", "seats": 2, "listed": false, "sit": false}, make([]place, 2))
	if e == nil {
		return
	}
	g := p.at(e)
	changes := func(n int) (refused bool) {
		s := g.new([]wire.Command{{Do: "sit", Table: e.id, Seat: "A"}, {Do: "leave", Table: e.id}}[n%2])
		g.send(s)
		w.wait(100 * time.Millisecond)
		return s.refused == wire.CodeTooMany
	}
	n := 0
	for ; n < 80 && g != nil && g.cable != nil; n++ {
		if changes(n) {
			break
		}
	}
	w.wait(5 * time.Second)
	if g != nil && g.cable != nil && changes(n) && n > 0 {
		w.fail("%s has changed table %s %d times, has waited, and is told once more to wait", p.name, e.id, n)
	}
}

// absentHost is that somebody makes a table for others, and goes for so long that one of them stands in for him; he finds it among his own all the
// same, and when the game is over, and he comes back, he may ask for another one.
func (w *World) absentHost(n int) {
	if w.house.clock.stopped || w.story.Real || len(w.tables) > 10 {
		return
	}
	host := w.people[n%len(names)]
	e := w.founds(host, map[string]any{"game": "toy", "edition": "", "seats": 2, "listed": n%2 == 0, "sit": false, "awayTime": 30, "botTime": []int{0, 1000}}, make([]place, 2))
	if e == nil {
		return
	}
	others := slices.DeleteFunc(slices.Clone(w.people[:len(names)]), func(p *person) bool { return p == host })
	for i, p := range others[:2] {
		if g := p.at(e); g != nil {
			g.send(g.new(wire.Command{Do: "sit", Table: e.id, Seat: string(rune('A' + i))}))
			w.settle()
		}
	}
	if g := host.at(e); g != nil && n/4%3 > 0 {
		w.wait(50 * time.Millisecond)
		g.send(g.new(wire.Command{Do: "start", Table: e.id}))
	}
	w.wait(50 * time.Millisecond)
	for _, g := range host.pages {
		g.cut()
	}
	w.wait(45 * time.Second)
	host.looksUpHis()
	for _, p := range others[:2] {
		if g := p.at(e); g != nil && p.guest == e.paper.acting && n/16%3 > 0 {
			g.send(g.new(wire.Command{Do: "break", Table: e.id}))
		}
	}
	w.wait(time.Second)
	w.allAgree(e)
	w.wait(time.Second)
	if g := host.at(e); g != nil && e.shadow.State() == table.Over {
		g.send(g.new(wire.Command{Do: "rematch", Table: e.id}))
	}
	w.wait(time.Second)
}

// checkAgain: whoever sat there when the game ended, or whose table it is, may ask for another one; whoever was turned out may not.
func (w *World) checkAgain(e *evening, s *said, refused *wire.Error) {
	p, guest := e.paper, s.who.guest
	seat := p.seatOf(guest)
	belongs := seat >= 0 || guest == p.founder || guest == p.acting
	if seat >= 0 && p.seats[seat].freed && guest != cmp.Or(p.acting, p.founder) {
		belongs = false
	}
	if s.command.Do == "rematch" && belongs == (refused.Code == wire.CodeNotYourSeat) {
		w.fail("table %s: that %s sat there or that it is his is %t, and he asks for another game, and is refused: %v", e.id, s.who.name, belongs, refused)
	}
}
