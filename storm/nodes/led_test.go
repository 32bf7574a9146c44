package nodes

import (
	"slices"
	"testing/synctest"
	"time"

	"caveau/bus"
)

// Pages come by the nodes of their tables (ADR 22): nodes have names, whoever begins to watch a table elsewhere is told which node has it, and goes there.

// names are those of nodes. One that begins has the name of one that is gone, as a place has where a process begins anew.
var names = []string{"x", "y", "z"}

const (
	// leadEvery is how soon a page may be led again to where it was, or could not come to, and leadWithin how long it waits there for a handshake: both as in web/src/wire/line.ts.
	leadEvery  = time.Minute
	leadWithin = 3 * time.Second
	// lookTime is after what time whatever leads pages to nodes knows that one does not answer.
	lookTime = time.Second
	// newsTime is for how long a node is sure to know the name of another, after it has heard it: less than it takes to forget one.
	newsTime = 8 * bus.Beat
)

// free is a name that nobody has, or none: then nobody is led there.
func (w *world) free() string {
	if len(w.nodes) > len(names) && w.scene == nil && w.chance(10) {
		return ""
	}
	for _, name := range names {
		if !slices.ContainsFunc(w.nodes, func(n *node) bool { return n.name == name && !n.dead.Load() && n.closed == nil }) {
			return name
		}
	}
	return ""
}

// named is the node of that name that lives, nil for none.
func (w *world) named(name string) *node {
	for _, n := range w.living() {
		if name != "" && n.name == name {
			return n
		}
	}
	return nil
}

// leads tells whether a page knows that it is led. In scenes most are to stay where those have put them.
func (w *world) leads() bool {
	if w.scene != nil {
		return w.scene.leads
	}
	return w.chance(50)
}

// proxy is where a page is led that asks for a node by name: there if that is ready, and else anywhere; and sometimes it does not know that name. Nil for nowhere.
func (w *world) proxy(name string) *node {
	ready := slices.DeleteFunc(w.living(), func(n *node) bool { return n.paused && time.Since(n.since) > lookTime })
	if n := w.named(name); slices.Contains(ready, n) && !w.chance(5) {
		return n
	}
	if len(ready) == 0 {
		return nil
	}
	return ready[w.rng.IntN(len(ready))]
}

// A dial is that a page asks for a node by name, and goes on as it is meanwhile.
type dial struct {
	name  string
	at    *node // where that leads; nil: nowhere
	until time.Time
}

// isTold is that the page is told which node has its table.
func (p *page) isTold(m message) {
	p.w.note("%v is told that %s is at %q", p, p.w.name(m.Table), m.Node)
	p.w.did["a page is told of another node"]++
	p.mayBeTold(m)
	p.told = m.Node
	now := time.Now()
	switch led, was := p.led[m.Node]; {
	case p.old:
		p.stays = "it is of a build that does not know that one is led"
	case m.Node == p.by:
		p.stays = "it has asked for that node by name"
	case was && now.Before(led.Add(leadEvery)):
		p.stays = "it was led there within a minute"
	case now.Before(p.shut[m.Node]):
		p.stays = "it was not let in there within a minute"
	default:
		p.next = &dial{m.Node, p.w.proxy(m.Node), now.Add(leadWithin)}
		p.led[m.Node] = now
		next := p.next
		p.w.in(p.w.upTo(500*time.Millisecond), func() { p.opens(next) })
		return
	}
	p.w.did["a page that is told of another node stays"]++
}

// opens is that it is let in, or is not.
func (p *page) opens(d *dial) {
	now := time.Now()
	switch {
	case p.next != d: // it is not led any more
	case d.at == nil || !d.at.lives() || !now.Before(d.until):
		p.w.did["a page is not let in where it is led"]++
		p.w.note("%v is not let in at %q", p, d.name)
		p.next, p.shut[d.name], p.stays = nil, now.Add(leadEvery), "it was not let in there"
	case d.at.paused: // no handshake is answered
		p.w.in(100*time.Millisecond, func() { p.opens(d) })
	default:
		p.moves(d)
	}
}

// moves is that it goes on by the connection that is open now. Others see it by the one before until it watches by this one.
func (p *page) moves(d *dial) {
	if p.w.did["a page is led"]++; d.at.name != d.name {
		p.w.did["a page is led elsewhere"]++
	}
	p.withdraw()
	p.last, p.next, p.by = link{p.at, p.session}, nil, d.name
	p.unlinks()
	synctest.Wait() // else it would be an accident what a node hears first, where both are there
	p.joins(d.at)
}

// stands is that it watches. Who is seen by the connection before is seen all the while.
func (p *page) stands() {
	if now := time.Now(); !p.watches {
		p.mustBeTold()
		if p.came = now; p.last.session == nil {
			p.looks = now
		}
	}
	p.watches, p.fresh = true, true // frames may have come before
	if last := p.last; last.session != nil {
		p.w.in(p.w.upTo(2*time.Millisecond), func() { p.leaves(last) })
	}
}

// leaves is that nobody sees it any more by the connection before, if it is that one.
func (p *page) leaves(l link) {
	if p.last == l {
		p.withdraw()
	}
}

func (p *page) withdraw() {
	p.quits()
	p.last.close()
	p.last = link{}
}

// A between is from which node something is, and at which.
type between struct{ from, to int64 }

// A heardOf is the newest that a node has heard of another, and when.
type heardOf struct {
	n  int64
	at time.Time
}

// hears notes which nodes have heard of each other what they are called.
func (w *world) hears(l *letter) {
	news, is := l.is.(bus.News)
	if key := (between{l.from, l.to}); is && news.N > w.news[key].n {
		w.news[key] = heardOf{news.N, time.Now()}
	}
}

// mayBeTold looks at what a page is told: once, as it begins to watch, and before it sees the table; that a node has it which has had it since the page asked, or has it now where all is
// well; and nothing where it came to whoever has it.
func (p *page) mayBeTold(m message) {
	w, s := p.w, p.open
	if s == nil || s.Do != "watch" || p.watches || p.told != "" || m.Table != p.table {
		w.fail("%v is told that %s is at %q, and does not begin to watch there", p, w.name(m.Table), m.Node)
		return
	}
	owner, since := w.base.hasSince(p.table)
	has := func(node int64) bool { return node > 0 && w.node(node).name == m.Node }
	switch {
	case w.slowed(): // whoever has lost it may not know that
	case owner == p.at.number && !since.After(s.first):
		w.fail("%v came to %s by %v, which has had it all the while, and is told that it is at %q", p, w.name(p.table), p.at, m.Node)
	case !w.base.had(p.table, s.first, has):
		w.fail("%v is told that %s is at %q, and it was not since %v ago, when it asked; node %d has it", p, w.name(p.table), m.Node, time.Since(s.first), owner)
	case w.well() && !has(owner):
		w.fail("%v is told that %s is at %q, and all is well, and node %d has it", p, w.name(p.table), m.Node, owner)
	}
}

// well tells whether it has been calm for some time.
func (w *world) well() bool { return w.calm && time.Since(w.trouble) > 10*time.Second }

// mustBeTold looks whether a page that comes to its table by the bus was told which node has it. It was, unless its own node does not know what that is called.
func (p *page) mustBeTold() {
	l := p.w.telling
	if l == nil || l.kind != "told" || l.table != p.table || p.told != "" {
		return
	}
	from, heard := p.w.node(l.from), p.w.news[between{l.from, l.to}]
	if from.name == "" || from.old || heard.n == 0 || time.Since(heard.at) >= newsTime || p.w.base.swept(p.at.number) { // whoever has slept through its lease has missed all others
		p.stays = "its node does not know what the owner's is called"
		p.w.did["a page is not told of another node, whose name is not known"]++
		return
	}
	p.w.fail("%v comes to %s by %v, and is not told that it is at %q", p, p.w.name(p.table), p.at, from.name)
}

// mustBeLed looks, when it has been calm, whether a page is where its table is. Else it has not heard of that, or has stayed for a reason: nobody is moved in the middle of a game.
func (p *page) mustBeLed() {
	owner, since := p.w.base.hasSince(p.table)
	switch {
	case p.next != nil || p.last.session != nil:
		p.w.fail("%v has two connections, or waits for one: %+v, %+v", p, p.next, p.last)
	case p.at == nil || owner == p.at.number || since.After(p.came):
	case p.stays == "":
		p.w.fail("%v is at %v, and %s has been at node %d since before it came; it was told %q", p, p.at, p.w.name(p.table), owner, p.told)
	default:
		p.w.did["a page is not at the node of its table, and knows why"]++
	}
}
