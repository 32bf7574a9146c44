package nodes

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"caveau/table"
	"caveau/wire"
)

// What the list says of a table is so, at all nodes, whoever has it.

// hangsRight looks whether a sign says of a table what the log says of it, and who looks at it.
func (w *world) hangsRight(id wire.ID, t *table.Table, there table.Present, cards []wire.Card) {
	i := slices.IndexFunc(cards, func(c wire.Card) bool { return c.Table == id })
	if i < 0 {
		return
	}
	if want := t.Card(id, there); !reflect.DeepEqual(cards[i], want) {
		w.fail("of %s hangs %+v, and it is so: %+v", w.name(id), cards[i], want)
	}
}

// renamesAsleep is that the host of a table that sleeps takes another name by a node while the bus reaches nobody. It hangs in all lists soon after nodes have looked into the log.
func (w *world) renamesAsleep(host *person, id wire.ID, n *node) {
	host.names++
	name := fmt.Sprintf("P%s%d", host.name, host.names)
	host.guest.Name = name
	w.note("%s is called %s, by %v", host.name, name, n)
	go n.house().Rename(w.night, host.guest)
	w.then(pulse+5*time.Second, func() {
		for _, o := range w.living() {
			if w.base.has(id) != 0 || host.guest.Name != name || time.Since(o.begun) < pulse+5*time.Second {
				continue
			}
			w.did["whoever has a table that sleeps has another name"]++
			for _, c := range o.house().Cards() {
				if c.Table == id && c.Host != name {
					w.fail("%s has been called %s for long, and at %v the sign of %s, which sleeps, says %q", host.name, name, o, w.name(id), c.Host)
				}
			}
		}
	})
}

// unlistsAsleep is that whoever runs the house takes a table from the list that sleeps, by another node than had it last: there it is awake for a moment, which no other hears of. Its
// sign hangs nowhere soon after nodes have looked into the log.
func (w *world) unlistsAsleep() {
	n, host := w.living()[0], w.people[0]
	w.makes(n, host, func(id wire.ID) {
		w.playsAlone(n, host, id, 10*time.Second)
		w.then(80*time.Second, func() {
			all, began := w.living(), time.Now()
			if !n.lives() || len(all) < 2 || w.base.has(id) != 0 || !w.listed(id) {
				return
			}
			by := all[1]
			w.note("%s sleeps, and is taken from the list by %v", w.name(id), by)
			go by.house().Unlist(w.night, id)
			w.then(pulse+5*time.Second, func() {
				if w.listed(id) || !w.fine(began) {
					return
				}
				w.did["a table that sleeps is taken from the list"]++
				for _, o := range w.living() {
					if time.Since(o.begun) > pulse+5*time.Second && slices.ContainsFunc(o.house().Cards(), func(c wire.Card) bool { return c.Table == id }) {
						w.fail("%s was taken from the list, and its sign hangs at %v", w.name(id), o)
					}
				}
			})
		})
	})
}
