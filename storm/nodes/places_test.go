package nodes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"caveau/limit"
	"caveau/lobby"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// Each node has so many places for tables that are not over, whoever has made them and by which node.

const (
	mostTables = 20_000 // as in cmd/caveau
	tablePart  = 100
	leastEach  = 3 // as in package limit: what one may hold in any case, and here at most
)

// rooms are the places of a node.
func (w *world) rooms() *limit.Places {
	if w.scene != nil && w.scene.few {
		return limit.NewPlaces(10*tablePart, tablePart)
	}
	return limit.NewPlaces(mostTables, tablePart)
}

// counted looks, until nodes have looked into the log, whether at each as many places are taken as there are tables that are not over, and whether it says rightly how many it has, and rest.
func (w *world) counted() {
	what := ""
	for tries := 0; tries < int(2*pulse/(100*time.Millisecond)) && w.fault == ""; tries++ { // one may go to rest meanwhile
		if what = w.miscounted(); what == "" {
			return
		}
		w.run(100 * time.Millisecond)
	}
	if w.fault == "" {
		w.fail("%s", what)
	}
}

// miscounted is what is wrong with how many places are taken; "" for nothing.
func (w *world) miscounted() string {
	all, resting := 0, 0
	for id, g := range w.games {
		if g.shadow.State() != table.Over {
			all++
			if w.base.has(id) == 0 {
				resting++
			}
		}
	}
	for _, n := range w.living() {
		if taken := int(field(n.places, "taken").Int()); taken != all {
			return fmt.Sprintf("at %v the places of %d tables are taken, and there are %d", n, taken, all)
		}
		counts, has := n.house().Counts().Tables, map[string]int{}
		for _, id := range w.having(n) {
			has[w.games[id].shadow.State()]++
		}
		if has[lobby.Resting] = resting; resting == 0 {
			delete(has, lobby.Resting)
		}
		if !maps.Equal(counts, has) {
			return fmt.Sprintf("%v says that it has %v, and it has %v", n, counts, has)
		}
	}
	return ""
}

// fillsRooms: somebody makes as many tables as he may, the last of them by another node, which has counted those of the first, and one more, which is refused. They sleep, and it is refused as before, by another node too; and whoever runs the house closes them by another node. Soon he may make one again.
func (w *world) fillsRooms() {
	living := w.living()
	n, m := living[0], living[1]
	host := &person{w: w, name: fmt.Sprint("g", len(w.people))}
	host.guest = wire.Guest{ID: "id of " + host.name, Name: "P" + host.name}
	w.people = append(w.people, host)
	var made []wire.ID
	makes := func(n *node) {
		w.makes(n, host, func(id wire.ID) {
			made = append(made, id)
			w.playsAlone(n, host, id, 10*time.Second)
		})
	}
	for i := range leastEach - 1 {
		w.then(time.Duration(i)*time.Second, func() { makes(n) })
	}
	w.then(pulse+3*time.Second, func() { makes(m) })
	w.then(pulse+5*time.Second, func() {
		if n.lives() && m.lives() && len(made) < leastEach {
			w.fail("%s may make %d tables by all nodes, and has made %d", host.name, leastEach, len(made))
		}
		w.tries(m, host, wire.CodeTooMany)
	})
	w.then(2*pulse+6*time.Second, func() { w.tries(n, host, wire.CodeTooMany) })
	w.then(50*time.Second, func() {
		if living = w.living(); len(living) == 3 && w.chance(50) {
			living[2].isGone(time.Second)
		}
	})
	w.then(100*time.Second, func() {
		if !n.lives() || !m.lives() || slices.ContainsFunc(made, func(id wire.ID) bool { return w.base.has(id) != 0 }) {
			return
		}
		w.tries(n, host, wire.CodeTooMany) // what sleeps is not over
		w.tries(m, host, wire.CodeTooMany) // and it is his there, too
		for _, young := range w.living()[2:] {
			if young.begun.After(time.Now().Add(-time.Minute)) {
				w.did["a node has begun since somebody made tables"]++
				w.tries(young, host, wire.CodeTooMany)
			}
		}
		for i, id := range made {
			w.then(time.Second+time.Duration(i)*50*time.Millisecond, func() {
				go func() {
					within, cancel := context.WithTimeout(w.night, time.Minute)
					defer cancel()
					if err := m.house().CloseTable(within, id); err != nil {
						m.Write([]byte("a table cannot be closed: " + err.Error()))
					}
				}()
			})
		}
		w.then(pulse+6*time.Second, func() {
			w.did["somebody who was refused may make a table again"]++
			w.tries(n, host, "")
		})
	})
}

// sharesRooms: people of one address make tables by all nodes in turn, and together no more than by one, of whose places they may have a hundredth.
func (w *world) sharesRooms() {
	const may, often = 9, 700 * time.Millisecond // ten, but for the tables that there are
	home := fmt.Sprint("home ", len(w.people))
	for i := range may + 4 {
		w.then(time.Duration(i)*often, func() {
			p := &person{w: w, name: fmt.Sprint("g", len(w.people)), from: home}
			p.guest = wire.Guest{ID: "id of " + p.name, Name: "P" + p.name}
			w.people = append(w.people, p)
			code := ""
			if i >= may {
				code = wire.CodeTooMany
			}
			living := w.living()
			w.tries(living[i%len(living)], p, code)
		})
	}
	w.then((may+4)*often, func() { w.did["people of one address have as many tables as they may"]++ })
}

// tries is that somebody would make a table by a node, and is answered that; "" for a table.
func (w *world) tries(n *node, host *person, code string) {
	setup := terms.Setup{Game: "toy", Edition: "endless", Seats: 2, Sit: true, First: "A", AwayTime: awayTime + w.scene.away, Listed: true}
	type answer struct {
		id  wire.ID
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		id, err := n.house().Make(w.night, host.visitor(), setup)
		answered <- answer{id, err}
	}()
	w.then(500*time.Millisecond, func() {
		if len(answered) == 0 {
			w.fail("%s would make a table at %v, and nobody answers", host.name, n)
			return
		}
		a := <-answered
		if a.id != "" {
			w.tables = append(w.tables, a.id)
		}
		if is := a.err != nil; is != (code != "") || is && wire.AsError(a.err).Code != code {
			w.fail("%s would make a table at %v, and is answered %v, and not %q", host.name, n, a.err, code)
		}
	})
}
