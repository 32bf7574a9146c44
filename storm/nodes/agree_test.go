package nodes

import (
	"fmt"
	"slices"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// What all have to agree to who are there: by whatever nodes they are, and whoever has the table, or had it when they were asked.

// aroundTime is for how long somebody who has gone still counts as there, as in match/presence.go.
const aroundTime = 30 * time.Second

// A vote is what people are asked to agree to.
type vote struct {
	wants  string // who asks
	asks   int    // by which entry
	agreed game.Seats
}

// consents follows what people are asked, and looks whether they answer that, and all have agreed when it is done.
func (w *world) consents(id wire.ID, g *play, f fact.Any, by fact.Receipt) {
	answers := func() {
		if by.ID != "" && by.Seq != g.vote.asks {
			w.fail("%s: %s answers what was asked by entry %d, and it counts for what is asked by %d", w.name(id), by.ID, by.Seq, g.vote.asks)
		}
	}
	switch f := f.(type) {
	case *fact.Proposed:
		g.vote = vote{wants: f.Guest.ID, asks: g.shadow.Seq() + 1}
	case *fact.Agreed:
		answers()
		g.vote.agreed = g.vote.agreed.With(f.Seat)
	case *fact.Declined:
		answers()
	case *fact.Broke:
		w.did["a game is broken off"]++
		w.consented(id, g, f.Guest.ID)
	case *fact.Freed:
		if f.All && !f.Ruled {
			w.consented(id, g, g.shadow.Sitter(f.Seat).Guest)
		}
	case *fact.Hosted:
		w.present(id, g.shadow.Host(), "another is the host for him")
	}
}

// consented checks that everybody has agreed who sits there and is there, or was a moment before, but for whoever wants it and for whom it is about.
func (w *world) consented(id wire.ID, g *play, about string) {
	since := time.Now().Add(2*time.Second - aroundTime)
	for s := range game.Seat(g.shadow.Seats()) {
		who := g.shadow.Sitter(s)
		if who.Guest == "" || who.Left || who.Guest == about || who.Guest == g.vote.wants || g.vote.agreed.Has(s) {
			continue
		}
		if w.near(id, who.Guest, 0).After(since) && w.ill.Add(3*time.Second).Before(since) {
			w.fail("%s: something is done that all have to agree to, and %s has not", w.name(id), who.Guest)
		}
	}
}

// isAgreedTo: a host wants a game to end, and all agree but one, who has gone for a moment when whoever owns the table dies. He is back soon, or later, and agrees or does not.
func (w *world) isAgreedTo() {
	w.then(20*time.Second, func() { // two sit by then
		w.gather(func(n *node, _ []*page) {
			id, all := w.tables[0], w.sitters(n)
			w.hush = time.Now().Add(30 * time.Second)
			host := slices.IndexFunc(all, func(p *page) bool { return p.frame.Host })
			late := slices.IndexFunc(all, func(p *page) bool { return !p.frame.Host })
			if host < 0 || late < 0 || w.games[id].shadow.State() != table.Running {
				return
			}
			slow, back := all[late], 3*time.Second+w.upTo(10*time.Second)
			all[host].says(&said{Command: wire.Command{Do: "break"}})
			w.then(time.Second, func() { // his answer is to something else
				if slow.at != nil && slow.open == nil {
					slow.says(&said{Command: wire.Command{Do: "agree", Seq: 1}})
				}
			})
			w.then(2*time.Second, func() {
				for _, p := range all {
					if p != slow && p != all[host] {
						p.answers("agree")
					}
				}
				w.hasGone(id, slow.guest.ID, 2*time.Second+back)
			})
			w.then(4*time.Second, func() {
				if n.lives() && w.games[id].shadow.State() == table.Running {
					w.did["a node dies while people are asked"]++
					w.dies(n)
				}
			})
			w.then(10*time.Second+back, func() { slow.answers([]string{"agree", "decline", "decline"}[w.rng.IntN(3)]) })
		})
	})
}

// isAgreedToInDoubt: one has gone home, and later no node hears another. Those who are there agree that the game is to end, and nobody waits for him.
func (w *world) isAgreedToInDoubt() {
	w.then(20*time.Second, func() { // two sit by then
		w.gather(func(n *node, here []*page) {
			id := w.tables[0]
			t := w.games[id].shadow
			sits := func(p *page) bool { seat := t.SeatOf(p.guest.ID); return seat < game.MaxSeats && !t.Sitter(seat).Left }
			runs := func() bool { return n.lives() && t.State() == table.Running }
			host := slices.IndexFunc(here, func(p *page) bool { return sits(p) && p.frame.Host })
			goes := slices.IndexFunc(here, func(p *page) bool { return sits(p) && !p.frame.Host })
			if host < 0 || goes < 0 || !runs() {
				return
			}
			const late = aroundTime + 4*time.Second
			asked := false
			w.hush = time.Now().Add(late + 22*time.Second)
			w.hasGone(id, here[goes].guest.ID, late+22*time.Second)
			w.then(late, func() { w.mutes(true) })
			w.then(late+4*time.Second, func() {
				if p := here[host]; runs() && p.at == n && p.open == nil {
					asked = true
					w.did["people agree while no node hears another"]++
					p.says(&said{Command: wire.Command{Do: "break"}})
				}
			})
			w.then(late+5*time.Second, func() {
				for i, p := range here {
					if i != goes && i != host && sits(p) {
						p.answers("agree")
					}
				}
			})
			w.then(late+8*time.Second, func() {
				if w.mutes(false); runs() && asked {
					w.fail("all agree who are at %s that it is to end, and it goes on", w.name(id))
				}
			})
		})
	})
}

// takesOver: somebody looks by two nodes and takes over the seat of a player who has just seen something, while the bus brings nothing to one of the two; then whoever owns the
// table dies. By the other node he is told what has happened since, and nothing that his predecessor alone was shown.
func (w *world) takesOver() {
	w.then(20*time.Second, func() { // two sit by then
		w.gather(func(n *node, here []*page) {
			w.hush = time.Now().Add(24 * time.Second)
			w.then(3*time.Second, func() {
				t := w.games[w.tables[0]].shadow
				turn := t.Turn()
				looks := func(seat game.Seat) *page {
					i := slices.IndexFunc(here, func(p *page) bool { return p.at == n && p.watches && p.open == nil && t.SeatOf(p.guest.ID) == seat })
					if i < 0 {
						return nil
					}
					return here[i]
				}
				goes, comes := looks(turn), looks(game.Watcher)
				if goes == nil || comes == nil || t.State() != table.Running {
					return
				}
				others := slices.DeleteFunc(w.living(), func(other *node) bool { return other == n })
				for _, other := range others {
					other.mute.Store(true)
				}
				goes.says(&said{Command: wire.Command{Do: "play", Seat: turn.String(), Seq: goes.seq, Move: "peek"}})
				w.then(500*time.Millisecond, func() { goes.says(&said{Command: wire.Command{Do: "leave"}}) })
				w.then(time.Second, func() { comes.says(&said{Command: wire.Command{Do: "sit", Seat: turn.String()}}) })
				w.then(1500*time.Millisecond, func() {
					for _, p := range here {
						if p.person != comes.person {
							p.answers("agree")
						}
					}
				})
				w.then(2500*time.Millisecond, func() {
					if t.Sitter(turn).Guest == comes.guest.ID && n.lives() {
						w.did["somebody takes over a seat, and a node of his does not hear it"]++
						w.dies(n)
					}
					for _, other := range others {
						other.mute.Store(false)
					}
				})
			})
		})
	})
}

// sitters is one page of each person who plays at the first table and looks by another node than this, and who waits for nothing.
func (w *world) sitters(n *node) (all []*page) {
	t := w.games[w.tables[0]].shadow
	for _, p := range w.elsewhere(n) {
		seat := t.SeatOf(p.guest.ID)
		if seat < game.MaxSeats && !t.Sitter(seat).Left && p.open == nil && !slices.ContainsFunc(all, func(q *page) bool { return q.person == p.person }) {
			all = append(all, p)
		}
	}
	return all
}

// answers is that somebody says what he thinks of what he is asked.
func (p *page) answers(do string) {
	if p.at != nil && p.open == nil && p.about != nil && p.about.Proposal != nil {
		p.says(&said{Command: wire.Command{Do: do, Seq: p.about.Proposal.Seq}})
	}
}

// hostsFromAfar: somebody makes a table and sits down nowhere, and another plays there. He goes for a moment, and mostly his table changes nodes meanwhile: he is the host all the same.
func (w *world) hostsFromAfar() {
	living := w.living()
	n, back, host, other := living[0], living[len(living)-1], w.people[0], w.people[1]
	setup := terms.Setup{Game: "toy", Edition: "endless", Seats: 2, Bots: []string{"first"}, First: "A", AwayTime: awayTime + w.scene.away, Listed: true, BotTime: &[2]int{300, 900}}
	w.founds(n, host, setup, func(id wire.ID) {
		comes := func(p *person, at *node, all ...wire.Command) (goes func()) {
			session, gone := at.house().Connect(p.visitor(), func() {}), w.visits(p, id, at)
			for i, c := range append([]wire.Command{{Do: "watch"}}, all...) {
				c.ID, c.Table = fmt.Sprint(c.Do, i), id
				session.Do(c)
			}
			return func() {
				link{at, session}.close()
				gone()
			}
		}
		plays := comes(other, back, wire.Command{Do: "sit", Seat: "A"})
		var goes func()
		w.then(2*time.Second, func() { goes = comes(host, n, wire.Command{Do: "start"}) })
		w.then(16*time.Second, func() { // he has been there for longer than he may be gone
			if w.games[id].shadow.State() != table.Running || !n.lives() || !back.lives() {
				return
			}
			goes()
			w.did["a host who sits nowhere has gone for a moment"]++
			if w.seed%3 > 0 {
				w.then(time.Second, func() { w.dies(n) })
			}
			w.then(8*time.Second, func() {
				if back.lives() {
					goes = comes(host, back)
				}
			})
		})
		w.then(30*time.Second, func() {
			if h := w.games[id].shadow.Host(); back.lives() && w.games[id].shadow.State() == table.Running && h != host.guest.ID {
				w.fail("%s is %s's, who has gone for a moment, and now %s is the host", w.name(id), host.name, h)
			}
			plays()
			goes()
		})
	})
}
