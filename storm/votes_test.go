package storm

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"caveau/company"
	"caveau/game"
	"caveau/record"
	"caveau/table"
	"caveau/wire"
)

// A vote is what people have to agree to, and all that may come between: who is asked goes, sleeps, is called otherwise, comes back or is turned
// out, and so does whoever asks, and whom it is about; the house closes; and then seats have changed hands, and the record says who had them.

// vote has people come together at a table, play, and ask each other for something, one after the other.
func (w *World) vote(n int) {
	rng := rand.New(rand.NewPCG(w.story.Seed, uint64(n)))
	e := w.playing(rng)
	for range 1 + rng.IntN(3) {
		if e == nil || w.house.clock.stopped || e.unknown() || e.shadow.State() != table.Running {
			return
		}
		w.wants(rng, e)
		for range 2 + rng.IntN(5) {
			w.comesBetween(rng, e)
			w.wait([]time.Duration{0, 10 * time.Millisecond, 300 * time.Millisecond, time.Second, 7 * time.Second}[rng.IntN(5)])
		}
	}
}

// playing is a table where people play with each other; nil if there is none.
func (w *World) playing(rng *rand.Rand) *evening {
	for _, e := range w.tables {
		people := 0
		for _, s := range e.paper.seats {
			if s.guest != "" && !s.left {
				people++
			}
		}
		if people > 1 && !e.unknown() && e.shadow.State() == table.Running && e.shadow.Turn() != game.NoSeat {
			return e
		}
	}
	if w.house.clock.stopped || len(w.tables) > 10 || w.story.Real {
		return nil
	}
	host, seats := w.people[rng.IntN(len(names))], 2+rng.IntN(3)
	setup := map[string]any{"game": "toy", "edition": "", "seats": seats, "listed": rng.IntN(2) == 0, "sit": true, "moveTime": []int{0, 1800}[rng.IntN(2)], "awayTime": []int{30, 2400, 2400}[rng.IntN(3)], "botTime": []int{0, 1000}}
	e, all := w.gathers(host, seats, setup, false)
	if e == nil {
		return nil
	}
	if g := all[0].pages[0]; g.cable != nil {
		for seat := len(all); seat < seats; seat++ {
			g.send(g.new(wire.Command{Do: "bot", Table: e.id, Seat: game.Seat(seat).String(), Bot: "first"}))
		}
		g.send(g.new(wire.Command{Do: "start", Table: e.id}))
	}
	w.wait(50 * time.Millisecond)
	return e
}

// at is the page by which somebody is at a table; nil if he has no line.
func (p *person) at(e *evening) *page {
	g := p.pages[0]
	if g.cable == nil {
		g.dial()
	}
	if g.cable != nil && !g.watches(e.id) {
		g.watch(e.id)
		p.w.settle()
	}
	if g.cable == nil || !g.watches(e.id) {
		return nil
	}
	return g
}

// wants is that somebody asks for something: mostly for a seat whose player has just stood up.
func (w *World) wants(rng *rand.Rand, e *evening) {
	seat := rng.IntN(len(e.paper.seats))
	if his := w.guest(e.paper.seats[seat].guest); rng.IntN(3) > 0 && his != nil && slices.Contains(w.people, his) {
		if g := his.at(e); g != nil {
			g.send(g.new(wire.Command{Do: "leave", Table: e.id}))
			w.wait(20 * time.Millisecond)
		}
	}
	by, do := w.people[rng.IntN(len(names))], company.ToSit
	switch rng.IntN(4) {
	case 0, 1: // somebody without a seat, if there is one
		if i := slices.IndexFunc(w.people[:len(names)], func(p *person) bool { return e.paper.seatOf(p.guest) < 0 }); i >= 0 {
			by = w.people[i]
		}
	default:
		do = []string{company.ToFree, company.ToFree, company.ToBreak}[rng.IntN(3)]
		if host := w.guest(e.paper.host()); host != nil && slices.Contains(w.people, host) {
			by = host
		}
	}
	if g := by.at(e); g != nil {
		g.send(g.new(wire.Command{Do: do, Table: e.id, Seat: game.Seat(seat).String()}))
		w.wait(20 * time.Millisecond)
	}
}

// comesBetween is one thing that happens to somebody while people are asked: to any, or to whoever asks, or to whom it is about.
func (w *World) comesBetween(rng *rand.Rand, e *evening) {
	if w.house.clock.stopped || len(e.paper.seats) == 0 {
		return
	}
	p := w.people[rng.IntN(len(names))]
	if q := e.paper.asks; q != nil && rng.IntN(2) == 0 {
		guest := q.by
		if int(q.seat) < len(e.paper.seats) && rng.IntN(2) == 0 {
			guest = e.paper.seats[q.seat].guest
		}
		if about := w.guest(guest); about != nil && slices.Contains(w.people, about) && about.brings == nil {
			p = about
		}
	}
	what := rng.IntN(16)
	switch what {
	case 0:
		p.pages[0].cut()
		return
	case 1: // so long that he is not asked any more, and not so long that all is over
		for _, g := range p.pages {
			g.cut()
		}
		w.wait(31 * time.Second)
		return
	case 2: // a moment passes in which the house is closed, or nobody is there
		if rng.IntN(2) == 0 {
			w.kill(rng.IntN(8), 1)
			w.begin()
		} else {
			w.cutAll()
			w.wait(2 * time.Minute)
		}
		for _, p := range w.people[:len(names)] {
			p.at(e)
		}
		w.wait(7 * time.Second)
		return
	case 3:
		p.rename(3*rng.IntN(9) + 1)
		w.wait(time.Second)
		return
	case 4:
		w.wait(lapse + time.Second)
		return
	case 14: // whom it is about goes by himself
		if q := e.paper.asks; q != nil && int(q.seat) < len(e.paper.seats) {
			if about := w.guest(e.paper.seats[q.seat].guest); about != nil && about.brings == nil && slices.Contains(w.people, about) {
				p = about
			}
		}
	case 11, 12, 13: // all agree but whom it is about
		w.allAgree(e)
		return
	case 5:
		if rng.IntN(3) == 0 {
			w.rules(func(ctx context.Context) error { return w.house.lobby.TurnOut(ctx, e.id, p.guest) })
			return
		}
	}
	g := p.at(e)
	if g == nil {
		return
	}
	v := g.seen[e.id]
	you := v.text("you")
	c := wire.Command{Table: e.id, Do: "agree"}
	switch {
	case v.frame == nil:
		return
	case (what == 5 || what == 6 || what == 14) && you != "":
		c.Do = "leave"
	case what == 7 && you != "":
		c.Do, c.Seat = "sit", you
	case what == 15 && e.paper.asks != nil: // he wants what somebody wants already
		c.Do, c.Seat = e.paper.asks.do, e.paper.asks.seat.String()
	case what == 8:
		c.Do, c.Seat = "sit", game.Seat(rng.IntN(len(e.paper.seats))).String()
	case what == 9 && len(v.list("moves")) > 0:
		c.Do, c.Seat, c.Seq, c.Move = "play", you, v.seq, v.list("moves")[0]
	case v.about.Proposal == nil:
		return
	case what == 10:
		c.Do, c.Seq = "decline", v.about.Proposal.Seq
	default:
		c.Seq = v.about.Proposal.Seq
	}
	g.send(g.new(c))
}

// crowd is that more bots are to think than there are processors for, and some do not end: whoever waits is heard out all the same, and so is he
// whose namesake at another game does not end.
func (w *World) crowd(n int) {
	p := w.people[n%len(names)]
	if w.house.clock.stopped || w.story.Real || len(w.tables) > 8 {
		return
	}
	if n/16%4 == 0 {
		w.nobodyWaits(p)
		return
	}
	for i := range 3 {
		bot := [][]string{{"slow", "slow", "brooding"}, {"slow", "brooding", "brooding"}, {"lost", "slow", "lost"}, {"pensive", "lost", "lost"}}[n/4%4][i]
		e := w.founds(p, map[string]any{"game": []string{"toy", "toy", twin}[i], "edition": "", "seats": 2, "sit": true, "bots": []string{bot}, "botTime": []int{0, 2000}}, []place{{guest: p.guest}, {bot: bot}})
		if e == nil {
			return
		}
		if g := p.at(e); g != nil {
			g.send(g.new(wire.Command{Do: "start", Table: e.id}))
		}
	}
	w.wait(50 * time.Millisecond)
	for range 3 {
		for _, e := range w.tables[max(0, len(w.tables)-3):] {
			g := p.at(e)
			if g != nil && len(g.seen[e.id].list("moves")) > 0 {
				g.send(g.new(wire.Command{Do: "play", Table: e.id, Seat: "A", Seq: g.seen[e.id].seq, Move: "keep"}))
			}
		}
		w.wait(17 * time.Second)
	}
}

// nobodyWaits is that a bot does not end whom nobody wants to hear any more, as whoever runs the house has closed the table; and somebody else would ask him.
func (w *World) nobodyWaits(p *person) {
	for range 2 {
		e := w.founds(p, map[string]any{"game": "toy", "edition": "", "seats": 2, "sit": true, "first": "B", "bots": []string{"lost"}, "botTime": []int{0, 0}}, []place{{guest: p.guest}, {bot: "lost"}})
		if e == nil {
			return
		}
		if g := p.at(e); g != nil {
			g.send(g.new(wire.Command{Do: "start", Table: e.id}))
		}
		w.wait(2 * time.Second)
		w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) })
		w.wait(2 * time.Second)
	}
}

// allAgree is that all say yes who are asked, but for whose seat it is.
func (w *World) allAgree(e *evening) {
	q := e.paper.asks
	if q == nil {
		return
	}
	for _, seat := range e.paper.allAsked().List() {
		p := w.guest(e.paper.seats[seat].guest)
		if seat == q.seat || p == nil || !slices.Contains(w.people, p) {
			continue
		}
		if g := p.at(e); g != nil {
			g.send(g.new(wire.Command{Table: e.id, Do: "agree", Seq: q.seq}))
		}
	}
}

// checkNote: a record says what was played, by whom from the first, and what bots did for people.
func (w *World) checkNote(e *evening, rec record.Record) {
	p := e.paper
	names := w.names(e)
	var players, moves []string
	var programs []game.Seat
	for i, s := range p.began {
		name := names[s.guest]
		if s.bot != "" {
			name = s.bot
		}
		if players = append(players, name); wire.IsProgram(s.guest) {
			programs = append(programs, game.Seat(i))
		}
	}
	byBot, byClock := []int{}, []int{}
	for i, m := range p.played {
		moves = append(moves, m.words)
		switch m.by {
		case "bot":
			byBot = append(byBot, i+1)
		case "clock":
			byClock = append(byClock, i+1)
		}
	}
	note, err := rec.Note()
	if p.moved != (note.Imported != nil) || p.moved && *note.Imported != p.came {
		w.fail("table %s: the record says that it began with %v moves, and they were %d: %t", e.id, wire.Message(note.Imported), p.came, p.moved)
	}
	if err != nil || !slices.Equal(rec.Players, players) || !slices.Equal(rec.Moves, moves) || !slices.Equal(note.ByBot, byBot) || !slices.Equal(note.ByClock, byClock) || !slices.Equal(note.Programs, programs) {
		w.fail("table %s: the record says %q, %q, %+v, %v; by the log it is %q, %q, by bots %v, by the clock %v, programs %v", e.id, rec.Players, rec.Moves, note, err, players, moves, byBot, byClock, programs)
	}
}

// A ply is a move that was made, and by what.
type ply struct{ words, by string }
