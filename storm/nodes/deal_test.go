package nodes

import (
	"slices"
	"time"

	"caveau/bus"
	"caveau/ceremony"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// Whoever has sealed a number has his time to open it, or to seal another, whoever has the table meanwhile.

// numberTime is how long, as in match/timers.go.
const numberTime = 5 * time.Second

// hastes is that something is written where a deal waits for somebody. Nobody goes on without him before his time is over, and it runs only while some node has the table.
func (w *world) hastes(id wire.ID, t *table.Table, f fact.Any) {
	wait := t.Ceremony()
	switch f.(type) {
	case *fact.Anew, *fact.Dealt:
	case *fact.Called:
		if wait.For != ceremony.Sealing {
			return
		}
	default:
		return
	}
	if !wait.Waits || wait.For == ceremony.Before || w.base.older || w.slowed() || time.Since(w.set) < setTime && !w.set.IsZero() {
		return
	}
	w.did["a deal goes on without somebody"]++
	if cut := time.Since(w.cut); !w.cut.IsZero() && cut < 29*time.Second && wait.Since.Add(numberTime).After(w.cut.Add(7*bus.Beat)) {
		w.fail("%s goes on without the number of somebody who has been cut off for %v", w.name(id), cut)
	}
	gaps := w.base.gaps[id]
	if due := gaps.Deadline(wait.Since, numberTime); time.Now().Before(due.Add(-50 * time.Millisecond)) {
		w.fail("%s has waited since %v ago for a number, and goes on %v too early; nobody had it: %v", w.name(id), time.Since(wait.Since), time.Until(due), gaps)
	}
}

// diesBeforeTheDeal: two who sit at a table seal numbers, and the start is said. One opens his at most, and the owner's node dies, or does not, while numbers are waited for.
func (w *world) diesBeforeTheDeal() {
	n := w.any(w.living())
	w.sealsAt(n, n, func(id wire.ID, opens [2]func()) {
		if w.chance(70) {
			opens[0]()
		}
		w.then(200*time.Millisecond+w.upTo(9*time.Second), func() {
			if wait := w.games[id].shadow.Ceremony(); n.lives() && wait.Waits && wait.For != ceremony.Before {
				w.did["a node dies while numbers are waited for"]++
				n.isGone(6 * time.Second)
			}
		})
	})
}

// isCutOffBeforeTheDeal: the bus is away when the start has been said, and one of those whose numbers are waited for is at another node. His is opened when it is back.
func (w *world) isCutOffBeforeTheDeal() {
	living := w.living()
	n := w.any(living)
	others := slices.DeleteFunc(living, func(other *node) bool { return other == n })
	if len(others) == 0 {
		return
	}
	w.sealsAt(n, w.any(others), func(id wire.ID, opens [2]func()) {
		opens[0]()
		w.cut = time.Now()
		w.mutes(true)
		w.then(time.Second, opens[1])
		w.then(9*time.Second, func() { w.mutes(false) })
		w.then(14*time.Second, func() {
			if w.cut = (time.Time{}); w.games[id].shadow.State() == table.Running {
				w.did["a game begins with the number of somebody who was cut off"]++
			}
		})
	})
}

// any is one of them.
func (w *world) any(nodes []*node) *node { return nodes[w.rng.IntN(len(nodes))] }

// sealsAt: two who sit at a table seal numbers, the host by one node, the other perhaps by another, and the start is said. Then something happens, and each opens his
// when he is to.
func (w *world) sealsAt(n, m *node, then func(id wire.ID, opens [2]func())) {
	host, other := w.people[0], w.people[1]
	setup := terms.Setup{Game: "toy", Edition: "endless", Seats: 2, Sit: true, First: "A", AwayTime: awayTime, Listed: true}
	w.founds(n, host, setup, func(id wire.ID) {
		var ends []func()
		says := func(p *person, at *node) func(wire.Command) {
			session := at.house().Connect(p.visitor(), func() {})
			gone := w.visits(p, id, at)
			ends = append(ends, func() {
				link{at, session}.close()
				gone()
			})
			return func(c wire.Command) {
				p.n++
				if c.ID, c.Table = p.name+"-"+c.Do+"-"+string(id), id; at.lives() {
					session.Do(c)
				}
			}
		}
		hosts, sits := says(host, n), says(other, m)
		number := fair.Bits{1, 2, 3}
		seals := func(s game.Seat) wire.Command {
			told := w.games[id].shadow.Card(id, table.Present{}).Seal
			return wire.Command{Do: "seal", Bits: told.Version.SealNumber(told.Seal, s.String(), number).String()}
		}
		hosts(wire.Command{Do: "watch"})
		sits(wire.Command{Do: "watch"})
		sits(wire.Command{Do: "sit", Seat: "B"})
		w.then(300*time.Millisecond, func() { hosts(seals(0)) })
		w.then(400*time.Millisecond, func() { sits(seals(1)) })
		w.then(600*time.Millisecond, func() { hosts(wire.Command{Do: "start"}) })
		unseal := wire.Command{Do: "unseal", Bits: number.String()}
		w.then(700*time.Millisecond, func() { then(id, [2]func(){func() { hosts(unseal) }, func() { sits(unseal) }}) })
		w.in(20*time.Second, func() { // in the calm, too
			for _, end := range ends {
				end()
			}
		})
	})
}
