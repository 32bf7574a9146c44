package nodes

import (
	"time"

	"caveau/game"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// What is owed to people: whoever is waited for and does not look is called, and whoever has said something is answered, whatever is wrong. What nobody does is seen by nobody, so it is asked for here.

const (
	// callTime is how soon somebody is called who does not look, and seenTime how long whoever goes may have been there to have seen that he is waited for: both as in match/call.go.
	callTime = 10 * time.Second
	seenTime = 2 * time.Minute
	// callSlack is by how much later that may be, in a house where all is well.
	callSlack = 4 * time.Second
)

// calledTo notes a call.
func (w *world) calledTo(c cry) {
	if w.called[c.id] == nil {
		w.called[c.id] = map[string]int{}
	}
	w.called[c.id][c.why.Guest] = max(w.called[c.id][c.why.Guest], c.why.N)
}

// wasCalled tells whether somebody was called by that number or a later one, by whatever node.
func (w *world) wasCalled(id wire.ID, guest string, n int) bool { return w.called[id][guest] >= n }

// A visit is that somebody is at a table by no page.
type visit struct {
	guest string
	id    wire.ID
	at    *node
	until time.Time // zero while it lasts
}

// visits notes one; it ends with the answer, or with the node.
func (w *world) visits(p *person, id wire.ID, n *node) (ends func()) {
	v := &visit{guest: p.guest.ID, id: id, at: n}
	w.guests = append(w.guests, v)
	return func() {
		if n.lives() {
			v.until = time.Now()
		}
	}
}

// quits is that a page has no connection any more, or not the one by which it was seen.
func (p *page) quits() {
	if p.session != nil || p.last.session != nil {
		p.quit = time.Now()
		if p.aside != "" {
			p.beside = p.aside
		}
	}
}

// near is when somebody was at a table last, or on his way to it for as long as that.
func (w *world) near(id wire.ID, guest string, onHisWay time.Duration) (at time.Time) {
	seen := func(t time.Time) {
		if t.After(at) {
			at = t
		}
	}
	for _, p := range w.people {
		for _, page := range p.pages {
			if p.guest.ID != guest || id != page.table && id != page.aside && id != page.beside {
				continue
			}
			if seen(page.quit); page.last.at != nil || page.at != nil && (page.watches || time.Since(page.since) >= onHisWay) {
				seen(time.Now())
			}
		}
	}
	for _, v := range w.guests {
		switch {
		case v.guest != guest || v.id != id:
		case v.until.IsZero() && v.at.lives():
			seen(time.Now())
		case v.until.IsZero():
			seen(w.fewer)
		default:
			seen(v.until)
		}
	}
	return at
}

// owes looks whether somebody waits for a person who does not look, and has not been called, by whoever has the table or had it before.
func (w *world) owes(id wire.ID) {
	t, now := w.games[id].shadow, time.Now()
	owner, from := w.base.hasSince(id)
	if t.State() != table.Running || owner == 0 || !w.node(owner).lives() || w.slowed() {
		return
	}
	who := t.Sitter(t.Turn())
	reached, n := t.Reached()
	_, limit := t.Clock()
	if who.Guest == "" || who.Bot != "" || who.Left || limit > 0 || w.wasCalled(id, who.Guest, 2*n) {
		return
	}
	for _, at := range []time.Time{reached, who.Sat, w.near(id, who.Guest, 0)} {
		if at.After(from) {
			from = at
		}
	}
	if from.Sub(reached) < seenTime-callSlack && now.Sub(from) > callTime+callSlack && now.Sub(w.wrong()) > 10*time.Second+callTime+callSlack {
		w.fail("%s waits for %s, who has not looked for %v, and nobody has called him", w.name(id), who.Guest, now.Sub(from))
	}
}

// wrong is when something was wrong last, or a node went, which may be thought to live for as long as its lease does.
func (w *world) wrong() time.Time {
	if w.fewer.After(w.trouble) {
		return w.fewer
	}
	return w.trouble
}

// uncalled is that somebody is taken for away. If the table waits for him he has been called: that is due before.
func (w *world) uncalled(id wire.ID, s game.Seat) {
	t, now := w.games[id].shadow, time.Now()
	reached, n := t.Reached()
	_, limit := t.Clock()
	waits := now.Sub(reached)
	if t.Turn() != s || limit > 0 || waits < callTime+callSlack || waits > seenTime || w.slowed() || now.Sub(w.lossy) < 6*time.Second {
		return
	}
	w.did["somebody is taken for away who was to be called"]++
	if guest := t.Sitter(s).Guest; !w.wasCalled(id, guest, 2*n) {
		w.fail("%s has waited for %s for %v, who is taken for away, and nobody has called him", w.name(id), guest, waits)
	}
}

// begins is that a game begins, which a node writes. Whoever sits there and does not look is called, by that node, if it has the table yet.
func (w *world) begins(n *node, id wire.ID) {
	began := time.Now()
	w.in(callTime+callSlack, func() {
		t := w.games[id].shadow
		if owner, since := w.base.hasSince(id); owner != n.number || !since.Before(began) || !n.lives() || w.slowed() || t.State() != table.Running || w.wrong().Add(10*time.Second).After(began) {
			return
		}
		for s := range game.Seat(t.Seats()) {
			who := t.Sitter(s)
			if who.Guest == "" || who.Left || w.near(id, who.Guest, 0).Add(callSlack).After(began) {
				continue
			}
			w.did["a game has begun, and somebody is not there"]++
			if !w.wasCalled(id, who.Guest, 1) {
				w.fail("%s has begun, and %s, who has not looked, is not called", w.name(id), who.Guest)
			}
		}
	})
}

// hasGone has somebody look at a table by no page for so long.
func (w *world) hasGone(id wire.ID, guest string, d time.Duration) {
	w.all(id, func(p *page) {
		if p.guest.ID == guest {
			p.disconnect()
			p.away = time.Now().Add(d)
		}
	})
}

// isTakenBeforeACall: somebody goes who is waited for, and a moment later the node dies that would call him. Whoever takes the table does.
func (w *world) isTakenBeforeACall() {
	id := w.tables[0]
	t := w.games[id].shadow
	turn := t.Turn()
	if turn >= game.MaxSeats {
		return
	}
	w.hush = time.Now().Add(w.scene.lasts)
	w.hasGone(id, t.Sitter(turn).Guest, w.scene.lasts)
	w.then(2*time.Second+w.upTo(5*time.Second), func() {
		if _, n := w.stage(); n != nil && t.Turn() == turn {
			w.did["a table is taken from whoever was about to call"]++
			n.isGone(6 * time.Second)
		}
	})
}

// isWaitedForUnheard: no node hears another for long, and meanwhile somebody goes who is waited for. When they hear each other again nobody can say that he has seen
// it, and he is called.
func (w *world) isWaitedForUnheard() {
	id := w.tables[0]
	t := w.games[id].shadow
	turn := t.Turn()
	if turn >= game.MaxSeats {
		return
	}
	w.hush = time.Now().Add(w.scene.lasts)
	w.then(2*time.Second, func() { w.mutes(true) })
	w.then(6*time.Second, func() { w.hasGone(id, t.Sitter(turn).Guest, w.scene.lasts) })
	w.then(seenTime+20*time.Second, func() {
		w.mutes(false)
		if _, n := w.stage(); n != nil && t.Turn() == turn {
			w.did["somebody is waited for, and no node has heard another for long"]++
		}
	})
}

// takesUnawares: nobody looks at a table when its owner's node dies, and whoever takes it is not told that it has it. Soon it goes on all the same.
func (w *world) takesUnawares() {
	id, n := w.stage()
	if n == nil {
		return
	}
	w.all(id, func(p *page) {
		p.disconnect()
		p.away = time.Now().Add(w.scene.lasts - 4*time.Second)
	})
	w.then(time.Second, func() {
		w.meets = func(c *call) error {
			if c.what != "take" || c.id != id || w.base.has(id) != 0 {
				return nil
			}
			w.did["a table is taken, and whoever has it does not know"]++
			w.meets, c.late, w.lossy = nil, c.deadline(), time.Now()
			c.do()
			return errNobody
		}
		n.isGone(10 * time.Second)
	})
}

// beginsWithout: somebody sits down and goes, and then the game begins, where another is asked first, who goes as well.
func (w *world) beginsWithout() {
	living := w.living()
	n, host, other := living[w.rng.IntN(len(living))], w.people[0], w.people[1]
	setup := terms.Setup{Game: "toy", Edition: "endless", Seats: 2, Sit: true, First: "A", AwayTime: awayTime + w.scene.away, Listed: true}
	w.founds(n, host, setup, func(id wire.ID) {
		comes := n.house().Connect(other.visitor(), func() {})
		gone := w.visits(other, id, n)
		comes.Do(wire.Command{ID: "comes", Do: "watch", Table: id})
		comes.Do(wire.Command{ID: "sits", Do: "sit", Seat: "B", Table: id})
		w.then(time.Second, func() {
			link{n, comes}.close()
			gone()
		})
		w.then(7*time.Second, func() {
			if n.lives() {
				w.playsAlone(n, host, id, 6*time.Second)
			}
		})
		w.then(30*time.Second, func() {
			if n.lives() && w.games[id].shadow.State() == table.Running {
				w.did["a game has begun, and nobody is there"]++
			}
		})
	})
}

// waitTime is how long whoever has said something waits for whoever has the table, as in lobby/session.go. If that is his own node it may not know then, for so long again, whether it may answer
// (match/runner/runner.go).
const waitTime = 10 * time.Second

// mustHear looks whether a page has waited for longer, by one connection, whose node was awake all the while.
func (p *page) mustHear() {
	s, n := p.open, p.at
	if s == nil || n == nil || n.paused || n.slow || !n.lives() {
		return
	}
	from, most := s.at, waitTime+1500*time.Millisecond
	if n.woke.After(from) {
		from = n.woke
	}
	if p.w.base.had(p.table, from, func(node int64) bool { return node == n.number }) {
		most += waitTime + 3500*time.Millisecond
	}
	if waits := time.Since(from); waits > most {
		p.w.fail("%v has said %s to %v, and whatever is wrong, nobody has answered for %v", p, s.ID, n, waits)
	}
}

// isMuteForLong: the bus reaches nobody for longer than anybody waits, and people say something at nodes that do not have the table. They are told that the house is busy.
func (w *world) isMuteForLong() {
	w.gather(func(n *node, _ []*page) {
		w.hush = time.Now().Add(44 * time.Second)
		w.mutes(true)
		for i := range 3 {
			w.then(time.Duration(1+12*i)*time.Second, func() {
				for _, p := range w.elsewhere(n) {
					if p.open == nil {
						w.did["somebody says something, and the bus brings it nowhere"]++
						p.says(&said{Command: wire.Command{Do: "watch", Seq: p.seq}})
					}
				}
			})
		}
		w.then(40*time.Second, func() { w.mutes(false) })
	})
}

// isKeptWaiting: the database answers nothing that whoever owns a table asks of it, though its lease is renewed, and people there and at other nodes say something, one after the other. None waits longer than he has to.
func (w *world) isKeptWaiting() {
	w.gather(func(n *node, here []*page) {
		id := w.tables[0]
		w.hush = time.Now().Add(36 * time.Second)
		w.then(time.Second, func() {
			w.meets = func(c *call) error {
				if c.n != n || c.id != id {
					return nil
				}
				c.late, w.trouble, w.ill, w.lossy = c.deadline(), time.Now(), time.Now(), time.Now()
				return errNobody
			}
			for i, p := range append(here, w.elsewhere(n)...) {
				w.then(time.Duration(i)*100*time.Millisecond, func() {
					if p.at == nil || !p.watches || p.open != nil {
						return
					}
					if p.at != n {
						w.did["somebody waits for whom the database does not answer"]++
						p.away = time.Now().Add(22 * time.Second) // and does not say it again
					}
					p.says(&said{Command: wire.Command{Do: []string{"leave", "start"}[min(int(p.frame.You)/game.MaxSeats, 1)]}})
				})
			}
		})
		w.then(16*time.Second+w.upTo(8*time.Second), func() { w.meets = nil })
	})
}

// sureAgain is that a renewal has come back to a node well. Whatever waits there for that is answered at once, where the database is well.
func (w *world) sureAgain(n *node) {
	for _, p := range w.people {
		for _, page := range p.pages {
			s, now := page.open, time.Now()
			owner, since := w.base.hasSince(page.table)
			if s == nil || page.at != n || owner != n.number || !n.isAsked(page.table) || n.paused || w.meets != nil {
				continue
			}
			w.in(soonSure, func() {
				has, from := w.base.hasSince(page.table)
				if page.open != s || page.at != n || !n.lives() || has != owner || !from.Equal(since) || n.paused || n.slow || n.woke.After(now) || w.meets != nil || !w.ill.Before(now) {
					return
				}
				w.fail("%v knows that it has its lease, and %v, who has said %s, is not answered for %v", n, page, s.ID, soonSure)
			})
		}
	}
}

// soonSure is how soon whatever waits for a lease is answered when that is sure.
const soonSure = 2 * time.Second

// doubtsForAMoment: some renewals of a lease fail, and the next is answered when it is over by the node's clock, and was not by the database's when it came there. Whoever has said something
// meanwhile is answered then.
func (w *world) doubtsForAMoment() {
	w.gather(func(n *node, here []*page) {
		w.hush = time.Now().Add(16 * time.Second)
		w.then(2*time.Second, func() {
			w.meets = func(c *call) error {
				if c.what != "renew" || c.n != n {
					return nil
				}
				left := w.base.lent(n.number).Sub(c.came)
				if left > 300*time.Millisecond {
					return errFailed
				}
				w.meets, c.late = nil, left+300*time.Millisecond
				w.then(left+100*time.Millisecond, func() {
					for _, p := range here {
						if p.at == n && p.watches && p.open == nil && w.base.has(p.table) == n.number {
							w.did["somebody waits while a lease is in doubt for a moment"]++
							p.says(&said{Command: wire.Command{Do: "watch", Seq: p.seq}})
						}
					}
				})
				return nil
			}
		})
	})
}
