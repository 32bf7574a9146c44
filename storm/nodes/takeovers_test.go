package nodes

import (
	"bytes"
	"slices"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// What happens in the moment in which a table changes nodes.

// cannotNote: the owner's node dies while time runs out, and whoever takes the table cannot write the first that it wants to.
func (w *world) cannotNote() {
	w.diesAndOnce("append", "the first that is written is not", func(*call) error { return errFailed })
}

// goesMeanwhile: the owner's node dies, and while another takes the table somebody goes who looks at it there. It is known that he has gone.
func (w *world) goesMeanwhile() {
	w.gather(func(n *node, here []*page) {
		id := w.tables[0]
		w.hush = time.Now().Add(12 * time.Second)
		w.dies(n)
		w.meets = func(c *call) error {
			if c.what != "take" || c.id != id || w.base.has(id) != 0 { // the dead node has it yet, as far as the database knows
				return nil
			}
			w.meets, c.late = nil, 400*time.Millisecond
			w.goesFrom(c.n, id, here, "somebody goes while a table is taken", 8*time.Second)
			return nil
		}
	})
}

// goesInVain: the owner's node is not heard for a while, and as another tries in vain to take the table somebody goes who looks at it there. When all is well it is known that he has
// gone.
func (w *world) goesInVain() {
	w.gather(func(n *node, here []*page) {
		id := w.tables[0]
		w.hush = time.Now().Add(20 * time.Second)
		n.mute.Store(true)
		w.then(4*time.Second, func() { n.mute.Store(false) })
		w.meets = func(c *call) error {
			if c.what != "take" || c.id != id {
				return nil
			}
			w.meets, c.late = nil, 400*time.Millisecond
			w.goesFrom(c.n, id, here, "somebody goes while a table is taken in vain", 14*time.Second)
			return errFailed
		}
	})
}

// goesFrom has somebody go in a moment who looks at a table by that node, and notes that it was so. After a time it is known.
func (w *world) goesFrom(n *node, id wire.ID, here []*page, so string, known time.Duration) {
	for _, p := range here {
		goes := p.person
		if !slices.ContainsFunc(goes.pages, func(page *page) bool { return page.at == n && page.table == id && page.seq > 0 }) {
			continue
		}
		w.did[so]++
		w.then(100*time.Millisecond, func() {
			for _, page := range goes.pages {
				page.disconnect()
				page.away = time.Now().Add(known + 2*time.Second)
			}
		})
		w.then(known, func() { w.knowGone(goes, id) })
		return
	}
}

// knowGone checks that whoever looks at a table sees that somebody has gone.
func (w *world) knowGone(gone *person, id wire.ID) {
	seat, since := w.games[id].shadow.SeatOf(gone.guest.ID), time.Now().Add(-3*time.Second)
	w.all(id, func(p *page) {
		if seat < game.MaxSeats && p.person != gone && p.attends(since) && p.about != nil && p.about.Seats[seat].Here {
			w.fail("%s has gone for seconds, and %v is told that he is there", gone.name, p)
		}
	})
}

// makes has somebody make a table with two bots by a node, and does something as soon as it is made.
func (w *world) makes(n *node, host *person, then func(id wire.ID)) {
	w.founds(n, host, terms.Setup{Game: "toy", Edition: "endless", Seats: 3, Sit: true, First: "B", AwayTime: awayTime + w.scene.away, Listed: true, Bots: []string{"first", "first"}, BotTime: &[2]int{300, 900}}, then)
}

// founds has somebody make a table as he likes.
func (w *world) founds(n *node, host *person, setup terms.Setup, then func(id wire.ID)) {
	made := make(chan wire.ID, 1)
	go func() {
		if id, err := n.house().Make(w.night, host.visitor(), setup); err == nil {
			made <- id
		}
	}()
	w.then(500*time.Millisecond, func() {
		if len(made) > 0 && n.lives() {
			id := <-made
			w.tables = append(w.tables, id)
			w.note("%s is %s's, by %v", w.name(id), host.name, n)
			then(id)
		}
	})
}

// closesAsItDies: a host closes a table that waits, by another node than has it, and that dies when it is written and before it is told. He is told that it is done, by whoever has it next.
func (w *world) closesAsItDies() {
	living, host := w.living(), w.people[w.rng.IntN(len(w.people))]
	n, m := living[0], living[1]
	w.makes(n, host, func(id wire.ID) {
		session, gone := m.house().Connect(host.visitor(), func() {}), w.visits(host, id, m)
		session.Do(wire.Command{ID: "comes", Do: "watch", Table: id})
		died := false
		w.then(3*time.Second, func() {
			if !n.lives() || !m.lives() || w.base.has(id) != n.number {
				return
			}
			w.meets = func(c *call) error {
				if c.what != "append" || c.id != id {
					return nil
				}
				w.did["a table is closed, and its node dies"]++
				w.meets, c.late, died = nil, time.Second, true
				c.do()
				w.then(100*time.Millisecond, func() { w.dies(n) })
				return errNobody
			}
			session.Do(wire.Command{ID: "closes", Do: "close", Table: id})
		})
		w.in(14*time.Second, func() { // it may have become calm meanwhile
			if heard, _ := hears(session); died && m.lives() && !bytes.Contains(heard, []byte(`{"re":"closes","ok":true`)) {
				w.fail("a host has closed his table, which is in the log, and is told %s", heard)
			}
			link{m, session}.close()
			gone()
		})
	})
}

// playsAgainAsItDies: somebody wants to play again, by another node than has the table, and that dies when the next table is there, of which it has not heard, or before it is noted that it is. Whoever takes the table leads him
// to that one, and founds no second.
func (w *world) playsAgainAsItDies() {
	living, host := w.living(), w.people[w.rng.IntN(len(w.people))]
	n, m, unheard := living[0], living[1], w.chance(50)
	w.makes(n, host, func(id wire.ID) {
		session, gone := m.house().Connect(host.visitor(), func() {}), w.visits(host, id, m)
		for i, do := range []string{"watch", "start", "break"} {
			w.then(time.Duration(i)*time.Second, func() { session.Do(wire.Command{ID: do, Do: do, Table: id}) })
		}
		there, died := 0, false
		w.then(5*time.Second, func() {
			if !n.lives() || !m.lives() || w.base.has(id) != n.number || w.games[id].shadow.State() != table.Over {
				return
			}
			there = w.base.tables()
			w.meets = func(c *call) error {
				if c.what != "append" || c.n != n || (c.id == id) == unheard || c.id != id && c.seq > 1 {
					return nil
				}
				w.meets, c.late, died = nil, time.Second, true
				if unheard {
					c.do()
				}
				w.then(100*time.Millisecond, func() { w.dies(n) })
				return errNobody
			}
			session.Do(wire.Command{ID: "again", Do: "rematch", Table: id})
		})
		w.in(17*time.Second, func() { // it may have become calm meanwhile
			if died && m.lives() {
				w.did["somebody plays again, and the node dies"]++
				if heard, _ := hears(session); w.base.tables() != there+1 || !bytes.Contains(heard, []byte(`{"re":"again","ok":true`)) {
					w.fail("somebody plays again, for which there are %d tables, and is told %s", w.base.tables()-there, heard)
				}
			}
			link{m, session}.close()
			gone()
		})
	})
}

// madeBefore: somebody makes a table and begins, and a moment later its node dies, before all others know of it. They go on all the same.
func (w *world) madeBefore() {
	n, host := w.living()[w.rng.IntN(len(w.living()))], w.people[w.rng.IntN(len(w.people))]
	w.makes(n, host, func(id wire.ID) {
		session := n.house().Connect(host.visitor(), func() {})
		session.Do(wire.Command{ID: "comes", Do: "watch", Table: id})
		session.Do(wire.Command{ID: "begins", Do: "start", Table: id})
		w.visits(host, id, n)
		w.then(500*time.Millisecond+w.upTo(3*time.Second), func() {
			if n.lives() && w.games[id].shadow.State() == table.Running {
				w.did["a table is made, and its node dies"]++
				w.dies(n)
			}
		})
	})
}

// outlived: somebody is waited for, and does not look, and those who look are with another node when its owner dies; then that dies, too.
func (w *world) outlived() {
	id := w.tables[0]
	t := w.games[id].shadow
	turn := t.Turn()
	if turn >= game.MaxSeats {
		return
	}
	w.hush = time.Now().Add(40 * time.Second)
	w.hasGone(id, t.Sitter(turn).Guest, 40*time.Second)
	for i, at := range []time.Duration{12 * time.Second, 27 * time.Second} {
		w.then(at, func() {
			if _, n := w.stage(); n != nil {
				if i > 0 {
					w.did["a table is taken twice while somebody is waited for"]++
				}
				w.dies(n)
			}
		})
	}
}

// looksAside: pages at a node that does not own the table watch another table besides, and then their people go. It is known at the first table that they have gone.
func (w *world) looksAside() {
	w.gather(func(n *node, _ []*page) {
		id, other := w.tables[0], w.tables[1]
		w.hush = time.Now().Add(14 * time.Second)
		aside := slices.DeleteFunc(w.elsewhere(n), func(p *page) bool { return p.frame.You >= game.MaxSeats })
		for _, p := range aside {
			p.aside = other
			p.session.Do(wire.Command{ID: "aside", Do: "watch", Table: other})
		}
		w.then(2*time.Second, func() {
			for _, p := range aside {
				for _, page := range p.person.pages {
					page.disconnect()
					page.away = time.Now().Add(10 * time.Second)
				}
				w.then(8*time.Second, func() {
					w.did["somebody goes who watches two tables"]++
					w.knowGone(p.person, id)
				})
			}
		})
	})
}

// sleepsInTheList: the node dies at which a table sleeps that waits for somebody who has gone. All that is known of it then is its sign, which several hang, and none may forget;
// not when the bus reaches nobody for a while either.
func (w *world) sleepsInTheList() {
	n, host := w.living()[0], w.people[0]
	w.makes(n, host, func(id wire.ID) {
		w.playsAlone(n, host, id, 10*time.Second)
		others := w.living()[1:]
		hangs := func() {
			for _, o := range others {
				if o.lives() && w.base.has(id) == 0 && !slices.ContainsFunc(o.house().Cards(), func(c wire.Card) bool { return c.Table == id }) {
					w.fail("%s sleeps, and its sign does not hang at %v", w.name(id), o)
				}
			}
		}
		w.then(80*time.Second, func() {
			if !n.lives() || len(others) < 2 || w.base.has(id) != 0 {
				return
			}
			w.did["a table that sleeps is in the list"]++
			n.isGone(35 * time.Second)      // who begins reads what there is
			w.late = 900 * time.Millisecond // what several say of it crosses
			w.then(12*time.Second, func() {
				hangs()
				if w.seed%2 == 0 {
					w.mutes(true)
					w.renamesAsleep(host, id, others[0])
					return
				}
				w.meets = func(c *call) error { // nor can anybody read it for longer than it takes until all have looked
					if c.what == "read" && c.id == id {
						w.did["a sign cannot be read"]++
						w.trouble, w.ill, w.lossy = time.Now(), time.Now(), time.Now()
						return errFailed
					}
					return nil
				}
			})
			w.then(20*time.Second, func() { w.mutes(false) })
			w.then(34*time.Second, func() {
				w.meets = nil
				hangs()
			})
			w.then(38*time.Second, func() { w.late = 0 })
		})
	})
}

// isApartNowAndThen: the bus does not reach a node for some seconds, again and again, and does for most of the time. Such a node goes on.
func (w *world) isApartNowAndThen() {
	living := w.living()
	if len(living) < 3 {
		return
	}
	n := living[w.rng.IntN(len(living))]
	for i := range 5 {
		w.then(time.Duration(i)*14*time.Second, func() {
			n.mute.Store(true)
			w.then(3*time.Second, func() { n.mute.Store(false) })
		})
	}
	w.then(66*time.Second, func() {
		if w.did["the bus fails now and then"]++; !n.lives() {
			w.fail("%v was never apart from the others for long, and is closed", n)
		}
	})
}

// becomesNew: the last node of a version before has gone, and a minute later the house speaks what is new. Then the owner's node dies while somebody thinks, and it is written that
// nobody had the table.
func (w *world) becomesNew() {
	w.base.mu.Lock()
	w.base.older = false
	w.base.mu.Unlock()
	w.then(65*time.Second, func() {
		w.hush = time.Now().Add(30 * time.Second)
		w.then(w.upTo(4*time.Second), func() {
			if _, n := w.stage(); n != nil {
				n.isGone(20 * time.Second) // who begins asks what the house speaks, and raises it
			}
		})
	})
}

// isUnread: the owner's node dies while time runs out, and whoever takes the table cannot read it, which he finds out late. Giving it back may take as long, and who looks there takes it again
// meanwhile.
func (w *world) isUnread() {
	w.diesAnd(func(id wire.ID, c *call) error {
		if c.what != "read" || c.id != id || w.base.has(id) != c.n.number {
			return nil
		}
		w.did["a table is taken that cannot be read"]++
		c.late = 900 * time.Millisecond
		w.meets = func(c *call) error {
			if c.what == "give" && c.id == id {
				w.meets, c.late = nil, time.Second
			}
			return nil
		}
		return errFailed
	})
}

// learnsLate: the owner's node dies while time runs out, and whoever takes the table waits to be told for how long nobody had it. Nobody loses the time that this takes.
func (w *world) learnsLate() {
	w.diesAndOnce("idle", "it is told late for how long nobody had a table", func(c *call) error {
		c.late = 900 * time.Millisecond
		return nil
	})
}

// learnsNothing: the owner's node dies while time runs out, and whoever takes the table is not told for how long nobody had it. He does not do as if somebody had always had it: he, or another,
// takes it again.
func (w *world) learnsNothing() {
	w.diesAndOnce("idle", "it is not told at first for how long nobody had a table", func(*call) error { return errFailed })
}

// takesSlowly: the owner's node dies, and it takes the database its time to say who has a table now. Whoever waits for that is heard by the other nodes all the while.
func (w *world) takesSlowly() {
	w.diesAnd(func(_ wire.ID, c *call) error {
		if c.what == "take" {
			w.did["a table is taken slowly"]++
			c.late = w.scene.takes
		}
		return nil
	})
	var looks func()
	looks = func() {
		for _, n := range w.living() {
			if mute := time.Since(n.spoke); !n.spoke.IsZero() && mute > 1500*time.Millisecond {
				w.fail("%v waits for the database, and no other node has heard it for %v", n, mute)
			}
		}
		w.then(250*time.Millisecond, looks)
	}
	looks()
}

// answerIsLost: somebody moves at a node that does not own the table. It is written, and no letter gets to his node for some seconds. He is told all the same that it is done.
func (w *world) answerIsLost() {
	w.gather(func(n *node, _ []*page) {
		id := w.tables[0]
		w.hush = time.Now().Add(14 * time.Second)
		w.then(2*time.Second, func() {
			all := w.elsewhere(n)
			i := slices.IndexFunc(all, func(p *page) bool { return p.open == nil && len(p.frame.Moves) > 0 && p.frame.You < game.MaxSeats })
			if i < 0 {
				return
			}
			p, at := all[i], all[i].at
			p.says(&said{Command: wire.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.seq, Move: p.frame.Moves[0]}})
			w.meets = func(c *call) error {
				if c.what != "append" || c.id != id {
					return nil
				}
				w.meets = nil
				w.did["an answer is lost on the bus"]++
				at.mute.Store(true)
				w.then(3200*time.Millisecond+w.upTo(time.Second), func() { at.mute.Store(false) })
				return nil
			}
		})
	})
}

// isNotGivenBack: nobody looks at a table any more, and when it is given back the database does not do it at first, once or often. Whoever comes then by another node has it soon.
func (w *world) isNotGivenBack() {
	fails := []int{1, 12}[w.seed%2]
	w.then(20*time.Second, func() { // two sit by then
		id, n := w.stage()
		if n == nil {
			return
		}
		w.hush = time.Now().Add(w.scene.lasts)
		w.all(id, func(p *page) {
			p.disconnect()
			p.away = time.Now().Add(75 * time.Second)
		})
		w.meets = func(c *call) error {
			if c.what != "give" || c.id != id {
				return nil
			}
			w.did["a table cannot be given back at first"]++
			if fails--; fails == 0 {
				w.meets = nil
			}
			return errFailed
		}
		w.then(75*time.Second, func() {
			i := slices.IndexFunc(w.living(), func(other *node) bool { return other != n })
			if i < 0 {
				return
			}
			w.all(id, func(p *page) { p.goes(w.living()[i]) })
			w.then(10*time.Second, func() {
				w.all(id, func(p *page) {
					if p.at != nil && !p.watches {
						w.fail("%v has come to %s, and for seconds does not see it", p, w.name(id))
					}
				})
			})
		})
	})
}

// playsAlone is that somebody comes to a table that he has made, begins and goes again after a while. He looks at it by no page.
func (w *world) playsAlone(n *node, host *person, id wire.ID, d time.Duration) {
	session := n.house().Connect(host.visitor(), func() {})
	session.Do(wire.Command{ID: "comes", Do: "watch", Table: id})
	session.Do(wire.Command{ID: "begins", Do: "start", Table: id})
	gone := w.visits(host, id, n)
	w.then(d, func() {
		link{n, session}.close()
		gone()
	})
}

// restsAtAnother: everybody has gone from a table when its owner dies, and nobody comes to whoever takes it, so there it rests. Who comes back, by a node that has been open for long, finds
// that nobody has been gone for longer than that.
func (w *world) restsAtAnother() {
	w.then(20*time.Second, func() { // two sit by then
		w.gather(func(n *node, here []*page) {
			id := w.tables[0]
			w.hush = time.Now().Add(w.scene.lasts)
			w.then(50*time.Second, func() {
				t := w.games[id].shadow
				sits := func(p *page) bool {
					seat := t.SeatOf(p.guest.ID)
					return seat < game.MaxSeats && !t.Sitter(seat).Left && !t.Sitter(seat).Away
				}
				here = slices.DeleteFunc(here, func(p *page) bool { return !sits(p) })
				if _, owner := w.stage(); owner != n || len(here) < 2 {
					return
				}
				w.all(id, func(p *page) {
					p.disconnect()
					p.away = time.Now().Add(w.scene.lasts)
				})
				w.then(5*time.Second, func() { n.isGone(time.Second) })
				w.then(100*time.Second, func() {
					all := w.living()
					if _, rests, _ := w.base.Resting(always, id); !rests || w.base.has(id) > 0 || len(all) == 0 {
						return
					}
					w.did["somebody comes back to a table that rests at another node"]++
					here[0].goes(slices.MinFunc(all, func(a, b *node) int { return a.begun.Compare(b.begun) }))
					w.then(comeTime+3*time.Second, func() {
						for seat := range game.Seat(t.Seats()) {
							if t.Sitter(seat).Away {
								w.fail("of %s everybody has been gone for less than %v, and seat %s is taken for away", w.name(id), t.Away(), seat)
							}
						}
					})
				})
			})
		})
	})
}

// isFoundLater: somebody makes a table and goes, and its node dies while it sleeps, which was open before the others had heard of the table. They wake it all the same, when it is time. Where
// the node lives, he is taken for away no sooner because his table slept.
func (w *world) isFoundLater() {
	n, host := w.living()[0], w.people[0]
	w.makes(n, host, func(id wire.ID) {
		w.playsAlone(n, host, id, 10*time.Second)
		dies := w.chance(60)
		w.then(80*time.Second, func() {
			if dies && n.lives() && w.base.has(id) == 0 {
				w.did["a table sleeps, and its node dies"]++
				n.isGone(100 * time.Second) // who begins reads what there is
			}
		})
	})
}

// diesWithMany: a node dies that has several tables where nobody is, and another at which people look by another node, which takes that one at once, or cannot at first. All others go on as
// soon, whoever finds one of them taken.
func (w *world) diesWithMany() {
	w.gather(func(n *node, _ []*page) {
		for i := range 3 {
			w.then(time.Duration(i)*time.Second, func() {
				if n.lives() {
					w.makes(n, w.people[0], func(id wire.ID) { w.playsAlone(n, w.people[0], id, time.Second) })
				}
			})
		}
		w.then(24*time.Second, func() { // its lease is over just after the others have looked in the log what is due, as they do every ten seconds
			id, owner := w.stage()
			if owner != n {
				return
			}
			w.did["a node dies that has many tables"]++
			var until time.Time
			w.meets = func(c *call) error {
				switch {
				case c.what != "take" || c.id != id || w.base.has(id) != 0:
					return nil
				case until.IsZero():
					until = time.Now().Add(300 * time.Millisecond)
				case time.Now().After(until):
					w.meets = nil
					return nil
				}
				return errFailed
			}
			n.isGone(8 * time.Second)
		})
	})
}

// looksAgain: whoever looks at a table by another node stops, and looks again at once, while its owner waits for the database. That he stopped nobody hears. He is told what he has
// missed when he is told that he looks, and not before.
func (w *world) looksAgain() {
	w.gather(func(n *node, here []*page) {
		w.hush = time.Now().Add(8 * time.Second)
		w.then(2*time.Second, func() {
			id, all := w.tables[0], w.elsewhere(n)
			i := slices.IndexFunc(here, func(p *page) bool {
				return p.at == n && p.watches && p.open == nil && p.knows() == p && len(p.frame.Moves) > 0
			})
			if i < 0 || len(all) == 0 || slices.ContainsFunc(all, func(p *page) bool { return p.at != all[0].at || p.open != nil }) {
				return
			}
			p, m := here[i], all[0].at
			if w.chance(50) { // who goes on looking has the others' node go on with what it has with the owner
				all = all[1:]
			}
			p.says(&said{Command: wire.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.seq, Move: p.frame.Moves[0]}})
			w.meets = func(c *call) error {
				if c.what != "append" || c.id != id {
					return nil
				}
				w.meets, c.late = nil, 600*time.Millisecond
				w.then(100*time.Millisecond, func() {
					m.dumb.Store(true)
					for _, page := range all {
						if page.session != nil {
							page.session.Do(wire.Command{ID: "aside", Do: "unwatch", Table: id})
						}
					}
					w.then(time.Millisecond, func() {
						m.dumb.Store(false)
						w.did["somebody looks again while a table's owner waits"]++
						for _, page := range all {
							if page.session != nil && page.open == nil {
								page.watches, page.told, page.stays = false, "", ""
								page.says(&said{Command: wire.Command{Do: "watch", Seq: page.seq}})
							}
						}
					})
				})
				return nil
			}
		})
	})
}

// renewsInVain: a renewal of a lease is lost on its way, once and some seconds later again. The node does not wait for the answer until its lease is over: it asks again, and goes on.
func (w *world) renewsInVain() {
	_, n := w.stage()
	if n == nil {
		return
	}
	w.hush = time.Now().Add(w.scene.lasts)
	for i := range 2 {
		w.then(time.Duration(2+5*i)*time.Second, func() {
			w.meets = func(c *call) error {
				if c.what != "renew" || c.n != n {
					return nil
				}
				w.did["a renewal is lost"]++
				w.meets, c.late = nil, c.deadline()
				return errNobody
			}
		})
	}
	w.then(12*time.Second, func() {
		if !n.lives() {
			w.fail("%v was not answered once, and has lost its lease", n)
		}
	})
}

// isNotWritten: whoever is waited for moves in time, and the database takes nothing, though it can be read. When it does again, and he does not say it again, he has what time he had then.
func (w *world) isNotWritten() {
	w.hush = time.Now().Add(w.scene.lasts)
	id := w.tables[0]
	var moves func()
	moves = func() {
		t := w.games[id].shadow
		began, limit := t.Clock()
		i := slices.IndexFunc(w.elsewhere(nil), func(p *page) bool { return p.open == nil && len(p.frame.Moves) > 0 && p.frame.You == t.Turn() })
		if _, n := w.stage(); n == nil || i < 0 || time.Until(began.Add(limit)) < 3*time.Second {
			w.then(time.Second/2, moves)
			return
		}
		p, at := w.elsewhere(nil)[i], time.Now()
		w.meets = func(c *call) error {
			if c.what != "append" || c.id != id {
				return nil
			}
			w.trouble = time.Now()
			return errFailed
		}
		p.says(&said{Command: wire.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.seq, Move: p.frame.Moves[0]}})
		p.away = w.hush
		w.then(10*time.Second+w.upTo(6*time.Second), func() {
			w.meets = nil
			w.base.gaps[id] = append(w.base.gaps[id], fact.Outage{From: at, To: time.Now().Add(-1100 * time.Millisecond)}) // it is tried again each second
		})
	}
	w.then(12*time.Second, moves) // two sit by then
}

// movesAtTheLast: somebody moves when his time is up, and before a bot has moved for him, and the answer to that is lost. It is written all the same, and whoever is asked next has his
// time.
func (w *world) movesAtTheLast() {
	w.hush = time.Now().Add(w.scene.lasts)
	id, until := w.tables[0], time.Now().Add(w.scene.lasts-5*time.Second)
	var again func()
	again = func() {
		t, entries := w.games[id].shadow, len(w.base.entries(id))
		began, limit := t.Clock()
		wait := time.Until(began.Add(limit + 100*time.Millisecond))
		if _, n := w.stage(); n == nil || t.Turn() == game.NoSeat || wait < 0 {
			wait = time.Second
		}
		w.then(wait, func() {
			if time.Now().After(until) {
				return
			}
			i := slices.IndexFunc(w.elsewhere(nil), func(p *page) bool { return p.open == nil && len(p.frame.Moves) > 0 && p.frame.You == t.Turn() })
			if i < 0 || len(w.base.entries(id)) != entries || t.Turn() == game.NoSeat {
				again()
				return
			}
			p := w.elsewhere(nil)[i]
			p.says(&said{Command: wire.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.seq, Move: p.frame.Moves[0]}})
			w.meets = func(c *call) error {
				if c.what != "append" || c.id != id {
					return nil
				}
				w.did["somebody moves as his time is up"]++
				w.meets, c.late = nil, 300*time.Millisecond
				c.do()
				return errNobody
			}
			w.then(3*time.Second, again)
		})
	}
	w.then(12*time.Second, again) // two sit by then
}
