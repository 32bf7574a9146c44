package nodes

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"caveau/bus"
	"caveau/wire"
)

// What nodes say to each other while nobody says anything, and what is kept meanwhile of whoever has gone.

// quietTime is for how long it is counted what they say. It is shorter than a table may be called and not asked.
const quietTime = 20 * time.Second

// A way is who speaks to whom, and of which table, as far as it is of one.
type way struct {
	kind     string
	from, to int64
	table    wire.ID
}

// A count is how often nodes have said something since a time, and how many entries tables had then.
type count struct {
	since  time.Time
	said   map[way]int
	before map[wire.ID]int
}

// counts counts a letter, if they are counted.
func (w *world) counts(n *node, l *letter) {
	if w.count != nil && l.kind != "spent" { // that is somebody who comes to a door
		w.count.said[way{l.kind, n.number, l.to, l.table}]++
	}
}

// listens lets so much time go by in which nobody says anything, and counts in the end what nodes say.
func (w *world) listens(d time.Duration) {
	w.run(d - quietTime)
	w.count = &count{time.Now(), map[way]int{}, map[wire.ID]int{}}
	for _, id := range w.tables {
		w.count.before[id] = len(w.base.entries(id))
	}
	w.run(quietTime)
	if old := slices.ContainsFunc(w.living(), func(n *node) bool { return n.old }); w.fault == "" && !old { // of it each table is asked for by itself
		w.quiet()
	}
	w.count = nil
	for tries := 0; tries < 200 && w.kept() != ""; tries++ { // a table has just been given back
		w.run(10 * time.Millisecond)
	}
	if what := w.kept(); what != "" && w.fault == "" {
		w.fail("%s", what)
	}
}

// quiet looks whether that was no more than has to be said (ADR 21): with each beat one letter to all, and one for each pair of nodes, which is answered; of each table one letter that asks for it
// by itself; and what is written.
func (w *world) quiet() {
	w.did["nodes are listened to"]++
	since := time.Since(w.count.since)
	beats := int((since+since/20)/bus.Beat) + 2 // a clock that is behind makes up for it
	most := func(l way) int {
		wrote := 0
		if before, is := w.count.before[l.table]; is {
			wrote = len(w.base.entries(l.table)) - before
		}
		switch l.kind {
		case "news", "roll":
			return beats
		case "present":
			return 1 + w.count.said[way{"roll", l.to, l.from, ""}] // one was on its way
		case "ask":
			return 1 + wrote
		case "told":
			return 1 + w.count.said[way{"ask", l.to, 0, l.table}] + 2*wrote
		}
		return 0
	}
	for _, l := range slices.SortedFunc(maps.Keys(w.count.said), func(a, b way) int {
		return slices.Compare([]string{a.kind, string(a.table), fmt.Sprint(a.from, " ", a.to)}, []string{b.kind, string(b.table), fmt.Sprint(b.from, " ", b.to)})
	}) {
		if n, may := w.count.said[l], most(l); n > may {
			w.fail("while nobody says anything %v says %q to node %d, %s, %d times in %v, and there is reason for %d", w.node(l.from), l.kind, l.to, w.name(l.table), n, since, may)
		}
	}
}

// kept is what a node keeps without need, or does not keep; "" if that is nothing. It has what the database says that it has, and what its pages want elsewhere, and knows of others what their pages want.
func (w *world) kept() string {
	for _, n := range w.living() {
		x := n.exchange()
		if x == nil {
			return fmt.Sprintf("%v has not joined the bus", n)
		}
		owned, asked := w.having(n), n.asked()
		desks, lines, runners := keys(field(x, "desks")), keys(field(x, "lines")), keys(field(n.house(), "runners"))
		switch {
		case !slices.Equal(asked, owned):
			return fmt.Sprintf("%v is asked for %v, and has %v", n, w.asNamed(asked), w.asNamed(owned))
		case !slices.Equal(desks, owned):
			return fmt.Sprintf("%v answers for %v, and has %v", n, w.asNamed(desks), w.asNamed(owned))
		case !slices.Equal(runners, owned):
			return fmt.Sprintf("%v owns %v, and has %v", n, w.asNamed(runners), w.asNamed(owned))
		}
		here := 0
		for _, id := range lines {
			if slices.Contains(owned, id) || len(w.watching(id, func(at *node) bool { return at == n })) == 0 {
				return fmt.Sprintf("%v has a line to %s, and nobody wants anything of it there", n, w.name(id))
			}
		}
		for _, id := range w.tables {
			here += len(w.watching(id, func(at *node) bool { return at == n }))
		}
		if open := field(x, "pages").FieldByName("all").Len(); open > here+1 {
			return fmt.Sprintf("at %v are %d pages, and somebody who looks at the list, and it has %d", n, here, open)
		}
		for desk := field(x, "desks").MapRange(); desk.Next(); {
			id, d, watching := wire.ID(desk.Key().String()), desk.Value().Field(0).Elem(), 0
			callers := d.FieldByName("nodes")
			for caller := callers.MapRange(); caller.Next(); {
				c := caller.Value().Elem()
				if watching += c.FieldByName("watching").Len(); !c.FieldByName("lost").Bool() && !w.node(caller.Key().Int()).lives() {
					return fmt.Sprintf("%v has %s, and waits for node %d, which is gone", n, w.name(id), caller.Key().Int())
				}
				if waits := c.FieldByName("lines").Len(); waits > 0 && !c.FieldByName("lost").Bool() {
					return fmt.Sprintf("%v has %s, and of what it says there node %d has not heard %d lines", n, w.name(id), caller.Key().Int(), waits)
				}
			}
			if ways := d.FieldByName("ways").Len(); ways > 8*callers.Len() {
				return fmt.Sprintf("%v has %s, and there are %d ways to %d nodes", n, w.name(id), ways, callers.Len())
			}
			if all := len(w.watching(id, func(at *node) bool { return at != n })); watching != all {
				return fmt.Sprintf("%v has %s, and by its desk %d pages watch at others, and %d do", n, w.name(id), watching, all)
			}
		}
	}
	return ""
}

// field is what somebody keeps under a name. He waits for the loop, and so it may be looked at.
func field(of any, name string) reflect.Value { return reflect.ValueOf(of).Elem().FieldByName(name) }

// keys are the tables of which something is kept.
func keys(m reflect.Value) (all []wire.ID) {
	for _, k := range m.MapKeys() {
		all = append(all, wire.ID(k.String()))
	}
	slices.Sort(all)
	return all
}

// asked are the tables for which a node is asked.
func (n *node) asked() (all []wire.ID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for id, so := range n.owns {
		if so {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}

// having are those that it has, by the database.
func (w *world) having(n *node) (all []wire.ID) {
	w.base.mu.Lock()
	defer w.base.mu.Unlock()
	for id, owner := range w.base.owner {
		if owner == n.number {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}

func (w *world) asNamed(all []wire.ID) (names []string) {
	for _, id := range all {
		names = append(names, w.name(id))
	}
	return names
}

// watching are the pages that watch a table by a node like that.
func (w *world) watching(id wire.ID, by func(*node) bool) (all []*page) {
	w.all(id, func(p *page) {
		if p.watches && p.at != nil && by(p.at) {
			all = append(all, p)
		}
	})
	return all
}
