package bus

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"caveau/limit"
	"caveau/match"
	"caveau/wire"
)

// An Exchange is where a node's pages and tables meet each other, and those of other nodes.
type Exchange struct {
	node  int64
	bus   Bus // nil: there is no other node
	now   func() time.Time
	pages pages

	// mu guards what follows. It is held while inputs are posted and letters are sent, so that they stay in order.
	mu      sync.Mutex
	last    int64
	lines   map[wire.ID]*line   // to tables elsewhere
	desks   map[wire.ID]counter // of tables here
	heard   *Hearsay
	lives   map[int64]time.Time // the nodes of the house that do, as it is known, and since when
	unheard match.Unheard       // what the tables here are told of it
	hear    func(News, bool, []string)
	sure    func() bool // whether tables that are owned here are; nil: they are
	heeds   []func(context.Context, string)
	counts  map[string]limit.Count // by what they are of
}

// A counter is a desk, and where its owner is.
type counter struct {
	*desk
	post func(match.Input) error
}

// New is the exchange of a node, in one life of it: whoever comes after it has another number.
func New(node int64, b Bus, now func() time.Time) *Exchange {
	return &Exchange{node: node, bus: b, now: now, lines: make(map[wire.ID]*line), desks: make(map[wire.ID]counter), heard: NewHearsay(), counts: make(map[string]limit.Count)}
}

// Node is the number of the node.
func (x *Exchange) Node() int64 { return x.node }

// Open is how tables know a page; Close is that it has gone.
func (x *Exchange) Open(who match.Visitor, p Page) match.Client { return x.pages.open(who, p) }
func (x *Exchange) Close(c match.Client)                        { x.pages.close(c) }

// Cut has a page disconnected that has missed something. One of another node watches again, when nobody answers for the table.
func (x *Exchange) Cut(c match.Client) {
	if c.Way == 0 {
		x.pages.cut(c)
	}
}

// Tell tells pages what an owner here says, in this order.
func (x *Exchange) Tell(id wire.ID, all []match.Send) {
	far := false
	for _, s := range all {
		if far = far || s.To.Way != 0; s.To.Way == 0 {
			x.pages.tell(s)
		}
	}
	if !far {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if d, here := x.desks[id]; here {
		for _, t := range d.tell(all) {
			x.tell(t)
		}
	}
}

// Own is that a table is owned here, for a term, by whoever that posts to; an error is why he does not take what somebody has said. He has to know first what pages here have with it.
func (x *Exchange) Own(id wire.ID, term int64, post func(match.Input) error) (first []match.Input) {
	if x.bus == nil {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.desks[id] = counter{newDesk(id, term, x.number), post}
	x.bus.Own(x.node, id)
	if l := x.lines[id]; l != nil {
		first = l.home()
		delete(x.lines, id)
	}
	if !x.unheard.Since.IsZero() {
		first = append(first, x.unheard)
	}
	return first
}

// Disown is the end of a term.
func (x *Exchange) Disown(id wire.ID, term int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.desks[id].desk != nil && x.desks[id].term == term {
		delete(x.desks, id)
		x.bus.Disown(x.node, id)
	}
}

// Pass hands on what a page here has said to a table that another node has, or that it has gone from it; false if there is no other.
func (x *Exchange) Pass(id wire.ID, in match.Input) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.bus == nil {
		return false
	}
	l := x.lines[id]
	if l == nil {
		l = newLine(x.node, id, x.number, x.now())
		x.lines[id] = l
	}
	x.pass(l, in)
	return true
}

// Reach does so where pages here have something to do with it already.
func (x *Exchange) Reach(id wire.ID, in match.Input) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := x.lines[id]
	if l == nil {
		return false
	}
	x.pass(l, in)
	return true
}

// Strike ends what pages here have with a table that is not there any more: what was said is refused, and who watched comes again.
func (x *Exchange) Strike(id wire.ID, why error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := x.lines[id]
	if l == nil {
		return
	}
	for _, s := range l.said {
		x.pages.tell(s.Refused(why))
	}
	for _, w := range l.watchers {
		if !l.fresh(w.Client) {
			x.pages.cut(w.Client)
		}
	}
	delete(x.lines, id)
}

// Reaches tells whether somebody here wants something of a table that is elsewhere.
func (x *Exchange) Reaches(id wire.ID) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.lines[id] != nil
}

func (x *Exchange) pass(l *line, in match.Input) {
	switch in := in.(type) {
	case match.Said:
		l.say(in)
	case match.Gone:
		l.gone(in.Client)
	}
	x.ask(l)
}

// ask says what the pages here want of a table. Where they want nothing any more that is said once, and if nobody hears it the silence says so.
func (x *Exchange) ask(l *line) {
	x.bus.Send(l.ask(x.now()))
	if l.idle() {
		delete(x.lines, l.table)
	}
}

func (x *Exchange) number() int64 {
	x.last++
	return x.last
}

// Read reads a letter from another node.
func (x *Exchange) Read(l Letter) {
	if n, is := l.(News); is {
		x.news(n)
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	switch l := l.(type) {
	case Ask:
		x.asked(l)
	case Told:
		x.told(l)
	case Roll:
		x.roll(l)
	case Present:
		x.present(l)
	}
}

func (x *Exchange) tell(t Told) {
	t.From = x.node
	x.bus.Send(t)
}

func (x *Exchange) asked(a Ask) {
	d, here := x.desks[a.Table]
	if !here {
		return
	}
	all, t, answer := d.hear(a, x.now())
	var refused []match.Send
	for _, in := range all {
		if err := d.post(in); err != nil {
			refused = append(refused, in.(match.Said).Refused(err))
		}
	}
	if answer {
		x.tell(t)
	}
	for _, t := range d.tell(refused) {
		x.tell(t)
	}
}

// Doubt is how it is known whether tables that are owned here still are: while it is not, who calls them is told to ask, and finds whoever has them. It is to be said before the
// bus is joined.
func (x *Exchange) Doubt(sure func() bool) { x.sure = sure }

// roll answers a Roll, and then tells again what was not heard: of much that waits the last is lost.
func (x *Exchange) roll(r Roll) {
	p, sure, behind := Present{To: r.From}, x.sure == nil || x.sure(), []Told(nil)
	for _, c := range r.Calls {
		d, here := x.desks[c.Table]
		if !here || !sure {
			p.Gone = append(p.Gone, c)
			continue
		}
		switch answer, t := d.call(r.From, r.N, c, x.now()); answer {
		case isHere:
			p.Here = append(p.Here, c)
		case isGone:
			p.Gone = append(p.Gone, c)
		case isBehind:
			behind = append(behind, t)
		}
	}
	if len(p.Here)+len(p.Gone) > 0 {
		x.bus.Send(p)
	}
	for _, t := range behind {
		x.tell(t)
	}
}

// present hears the answer to a Roll.
func (x *Exchange) present(p Present) {
	now := x.now()
	for _, c := range p.Here {
		if l := x.lines[c.Table]; l != nil && l.called(c) {
			l.last, l.stood, l.since = now, now, 0
		}
	}
	for _, c := range p.Gone {
		if l := x.lines[c.Table]; l != nil && l.called(c) {
			x.ask(l)
		}
	}
}

func (x *Exchange) told(t Told) {
	l := x.lines[t.Table]
	if l == nil {
		return
	}
	l.name = x.heard.Called(t.From)
	pass, again := l.hear(t, x.now())
	for _, s := range pass {
		x.pages.tell(s)
	}
	if again || l.idle() {
		x.ask(l)
	}
}

// Hear is who is told what other nodes say to all that they have not said before, whether other signs hang there now, and of whom something has changed. It is to
// be said before the bus is joined.
func (x *Exchange) Hear(told func(n News, other bool, changed []string)) { x.hear = told }

func (x *Exchange) news(n News) {
	x.mu.Lock()
	heard, other, changed := x.heard.Hear(n, x.now())
	if heard {
		x.count(n)
	}
	x.mu.Unlock()
	if heard && x.hear != nil {
		x.hear(n, other, changed)
	}
}

// Report says to all other nodes which signs hang here. Those that hung at one that is not heard any more, and hang nowhere else, it answers with.
func (x *Exchange) Report(hung []Sign) (left []Sign) {
	if x.bus == nil {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	n := x.heard.Say(hung, x.now())
	n.From, n.N, n.Uses = x.node, x.number(), x.uses()
	x.bus.Send(n)
	for _, node := range x.heard.Unheard(x.now()) {
		x.count(News{From: node})
	}
	return x.heard.Miss(x.now())
}

// Count has the nodes tell each other, with their news, how much of something is used by whom.
func (x *Exchange) Count(what string, c limit.Count) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.counts[what] = c
}

func (x *Exchange) uses() (all []Use) {
	for _, what := range slices.Sorted(maps.Keys(x.counts)) {
		for _, u := range x.counts[what].Uses() {
			all = append(all, Use{what, u.Who, u.N})
		}
	}
	return all
}

// count counts what is used at another node; of what only a later version counts this one knows nothing.
func (x *Exchange) count(n News) {
	by := make(map[string][]limit.Use)
	for _, u := range n.Uses {
		by[u.What] = append(by[u.What], limit.Use{Who: u.Who, N: u.N})
	}
	for what, c := range x.counts {
		c.Hear(n.From, by[what])
	}
}

// List are the door signs of all nodes; these hang here.
func (x *Exchange) List(hung []Sign) []wire.Card {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.heard.List(hung)
}

// Changed has the other nodes look, soon, what a guest is called and which sessions of his have ended; "": what the house has noted for itself.
func (x *Exchange) Changed(guest string) {
	if x.bus == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.heard.Change(guest, x.now())
}

// Heed is who looks; Look has him look.
func (x *Exchange) Heed(look func(ctx context.Context, guest string)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.heeds = append(x.heeds, look)
}

func (x *Exchange) Look(ctx context.Context, guest string) {
	x.mu.Lock()
	heeds := x.heeds
	x.mu.Unlock()
	for _, look := range heeds {
		look(ctx, guest)
	}
}

// Lives is which nodes of the house do. While one of them is not heard nobody here knows who is at its pages. It is the answer; 0 for none.
func (x *Exchange) Lives(nodes []int64) (unheard int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	was, now := x.lives, x.now()
	x.lives = make(map[int64]time.Time, len(nodes))
	for _, node := range nodes {
		since, known := was[node]
		if !known && was != nil { // else it may have lived for long
			since = now
		}
		x.lives[node] = since
	}
	return x.doubts(now)
}

// Company is how many nodes of the house live, as far as that is known, and how many are heard here; this one is among both, unless the bus does not reach it.
func (x *Exchange) Company() (living, heard int) {
	if x.bus == nil {
		return 1, 1
	}
	heard = len(x.Hears())
	x.mu.Lock()
	defer x.mu.Unlock()
	return max(1, len(x.lives)), heard
}

// Hears are the nodes that are heard here, this one among them; none where the bus does not reach it.
func (x *Exchange) Hears() (nodes []int64) {
	if x.bus == nil || !x.bus.There() {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return append(x.heard.Heard(x.now()), x.node)
}

// doubts has the tables here know whether a node lives and is not heard, or has just gone: whoever was at its pages is on his way to others then. It answers
// with one that lives and is not; 0 for none.
func (x *Exchange) doubts(now time.Time) (unheard int64) {
	for _, node := range slices.Sorted(maps.Keys(x.lives)) {
		if node != x.node && !x.heard.Hears(node, now) && now.Sub(x.lives[node]) >= doubtTime { // who has just begun says something soon
			unheard = node
		}
	}
	was := x.unheard
	gone := unheard == 0 && x.heard.Misses(now)
	if x.unheard = (match.Unheard{}); unheard != 0 || gone {
		since := now.Add(-doubtTime)
		if !was.Since.IsZero() {
			since = was.Since
		}
		x.unheard = match.Unheard{Since: since, Till: since.Add(silence + Beat), Gone: gone}
	}
	if x.unheard != was {
		for _, id := range slices.Sorted(maps.Keys(x.desks)) {
			x.desks[id].post(x.unheard)
		}
	}
	return unheard
}

// Beat says again what is wanted, every Beat, and answers for which tables nobody does.
func (x *Exchange) Beat() (quiet []wire.ID) {
	x.mu.Lock()
	defer x.mu.Unlock()
	now := x.now()
	calls := make(map[int64][]Call)
	for _, id := range slices.Sorted(maps.Keys(x.lines)) {
		l := x.lines[id]
		for _, s := range l.late(now) {
			x.pages.tell(s)
		}
		if l.stands(now) {
			calls[l.owner] = append(calls[l.owner], l.call())
			continue
		}
		if x.ask(l); !l.idle() && l.quiet(now) {
			quiet = append(quiet, id)
		}
	}
	for _, node := range slices.Sorted(maps.Keys(calls)) {
		x.bus.Send(Roll{From: x.node, To: node, N: x.number(), Calls: calls[node]})
	}
	x.doubts(now) // before anybody is missed
	for _, id := range slices.Sorted(maps.Keys(x.desks)) {
		d := x.desks[id]
		for _, in := range d.miss(now) {
			d.post(in)
		}
	}
	return quiet
}
