package nodes

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"

	"caveau/bus"
	"caveau/fact"
	"caveau/game"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/table"
	"caveau/wire"
)

// A play is a table as its log has it.
type play struct {
	shadow *table.Table
	done   map[string]int            // by which entry something was done that somebody said
	at     map[string]time.Time      // and when
	moves  []int                     // the entries that are moves
	views  []map[string]view         // how it stood after each entry, for each guest
	events []map[string][]game.Event // and what had happened with it; "" for whoever watches
	vote
}

func newPlay() *play {
	return &play{shadow: table.New(matchtest.Shelf{}), done: map[string]int{}, at: map[string]time.Time{}}
}

// A view is what of a frame follows from the log alone, whoever is there.
type view struct {
	you, turn           game.Seat
	asked, cites        string
	moves               string
	own, shown, outcome string
}

func viewOf(f *wire.Frame) view {
	return view{f.You, f.Turn, f.Asked, f.Cites, fmt.Sprint(f.Moves), string(f.Own), string(f.Shown), fmt.Sprintf("%+v", f.Outcome)}
}

// shows notes how a table stands now for each of the people, and what has happened with its newest entry.
func (w *world) shows(id wire.ID, g *play) {
	t, views, events := g.shadow, map[string]view{}, map[string][]game.Event{}
	frames := t.Frames(id, table.Present{}, t.Seq()-1, false, time.Now())
	told := map[game.Seat]*wire.Frame{} // the same for all who look on, and without the log, which grows with the night
	note := func(guest string, eyes game.Seat) {
		if told[eyes] == nil {
			var m message
			if err := decode(frames.For(eyes, false), &m); err != nil {
				w.fail("%v", err)
				return
			}
			told[eyes] = m.Frame
		}
		views[guest], events[guest] = viewOf(told[eyes]), told[eyes].Events
	}
	note("", game.Watcher)
	for _, p := range w.people {
		note(p.guest.ID, t.SeatOf(p.guest.ID))
	}
	g.views, g.events = append(g.views, views), append(g.events, events)
}

// isSame tells whether two events are the same, whatever somebody was called then who has sat down.
func isSame(a, b game.Event) bool {
	if a.What != b.What && a.Verb == b.Verb && !slices.Contains([]string{"keep", "show", "peek"}, a.Verb) {
		a.What = b.What
	}
	return a == b
}

// mayHear looks whether the newest that had happened at a table by an entry is what somebody is told: all of it, as whoever he was then was shown it, or as everybody was.
func (g *play) mayHear(guest string, seq int, told []game.Event) bool {
	for ; len(told) > 0 && seq > 0; seq-- {
		public := g.events[seq-1][""]
		his, there := g.events[seq-1][guest]
		if !there {
			his = public
		}
		for i := len(public) - 1; i >= 0 && len(told) > 0; i-- {
			if last := told[len(told)-1]; !isSame(last, public[i]) && !isSame(last, his[i]) {
				return false
			}
			told = told[:len(told)-1]
		}
	}
	return len(told) == 0
}

// wrote is that an entry is in the log.
func (w *world) wrote(n *node, id wire.ID, e fact.Entry) {
	g := w.games[id]
	if g == nil {
		g = newPlay()
		w.games[id] = g
	}
	f, by, _, err := fact.Read(e.Data)
	if err != nil {
		w.fail("%s, entry %d: %v", w.name(id), e.Seq, err)
		return
	}
	if owner := w.base.owner[id]; w.base.over[n.number] || e.Seq > 1 && owner != n.number {
		w.fail("%v writes entry %d of %s, which is node %d's", n, e.Seq, w.name(id), owner)
	}
	w.note("%v writes entry %d of %s: %s", n, e.Seq, w.name(id), e.Data)
	if needs, speaks := fact.Needs(f, by), w.base.speaks(); needs > speaks {
		w.fail("%v writes what takes version %d, and nodes are of version %d", n, needs, speaks)
	}
	const apart = 5 * time.Second // clocks of two nodes may be: one of them has just been set
	if logs := w.base.logs[id]; e.Seq > 1 && e.At.Before(logs[e.Seq-2].At.Add(-apart)) {
		w.fail("%v writes entry %d of %s of %v, and the one before is of %v", n, e.Seq, w.name(id), e.At, logs[e.Seq-2].At)
	}
	if by.ID != "" {
		if before, twice := g.done[by.ID]; twice {
			w.fail("%s: %s is done by entries %d and %d", w.name(id), by.ID, before, e.Seq)
		}
		g.done[by.ID], g.at[by.ID] = e.Seq, time.Now()
		w.isNotGivenUp(id, by.ID)
	}
	switch f := f.(type) {
	case *fact.Moved:
		g.moves = append(g.moves, e.Seq)
		if who := g.shadow.Sitter(f.Seat); f.By == fact.ByBot && who.Bot == "" || f.By == fact.ByPerson && who.Guest != by.Guest {
			w.fail("%s: %q of %q moves for %s, where %+v sits", w.name(id), f.By, by.Guest, f.Seat, who)
		}
		if f.By == fact.ByClock {
			w.clocked(id, g.shadow)
		}
	case *fact.Missed:
		w.missed(id, g.shadow.Sitter(f.Seat).Guest)
		w.uncalled(id, f.Seat)
	}
	w.hastes(id, g.shadow, f)
	w.consents(id, g, f, by)
	was := g.shadow.State()
	if err := g.shadow.Replay(e); err != nil {
		w.fail("%s cannot be replayed: %v", w.name(id), err)
	}
	w.shows(id, g)
	if was == table.Open && g.shadow.State() == table.Running {
		w.begins(n, id)
	}
}

// isNotGivenUp checks that nothing is done of which somebody was told long ago that the house is busy, and which he has not said again.
func (w *world) isNotGivenUp(id wire.ID, what string) {
	for _, p := range w.people {
		for _, page := range p.pages {
			if s := page.kept; s != nil && s.Table == id && s.ID == what && page.open == nil && !s.busy.IsZero() && time.Since(s.busy) > 4*time.Second && !w.slowed() {
				w.fail("%v was told %v ago that %s is busy, has not said %s again, and it is done", page, time.Since(s.busy), w.name(id), what)
			}
		}
	}
}

// clocked is that somebody's time is up. It has run while some node had the table, but for the grace after a gap, and at no other time.
func (w *world) clocked(id wire.ID, t *table.Table) {
	w.did["somebody's time is up"]++
	if w.scene == nil || w.scene.moveTime == 0 || w.base.older || w.calm || time.Since(w.set) < setTime {
		return
	}
	if !w.set.IsZero() {
		w.did["a clock was set, and nobody's time is another for it"]++
	}
	if w.leapt {
		w.did["a clock has leapt, and nobody's time is another for it"]++
	}
	if w.scene.older {
		w.did["time is up in a house that has become new"]++
	}
	if cut := time.Since(w.cut); !w.cut.IsZero() && cut > 7*bus.Beat {
		w.fail("%s: time is up of somebody who has been cut off for %v", w.name(id), cut)
	}
	if gone := time.Since(w.orphaned); !w.orphaned.IsZero() {
		if gone < 4400*time.Millisecond {
			w.fail("%s: time is up of somebody whose node has died %v ago, and his table's has not", w.name(id), gone)
		}
		return // how long it stood depends on when the node was heard last, and when he is back
	}
	began, limit := t.Clock()
	late := time.Second
	var gaps fact.Outages
	now, last := time.Now(), began
	for _, o := range w.base.gaps[id] {
		o.To = o.To.Add(fact.Grace)
		gaps.Add(o)
		last = o.To
	}
	if w.scene.spare > 0 && len(w.base.gaps[id]) > 0 {
		w.did[w.scene.shows]++
		late += w.scene.spare
	}
	due := gaps.Deadline(began, limit)
	if now.Before(due.Add(-50*time.Millisecond)) || now.After(due.Add(late)) && now.After(last.Add(late)) {
		w.fail("%s: time is up %v after it began, and should be after %v of %v; the gaps are %v", w.name(id), now.Sub(began), due.Sub(began), limit, gaps)
	}
}

// owned looks at which tables nobody has who lives, and which have to go on: they do within five seconds, and where the database did something wrong with the
// next pulse. So do those whose rest is over.
func (w *world) owned() {
	now := time.Now()
	for _, id := range w.tables {
		owner := w.base.has(id)
		w.stands(id)
		w.owes(id)
		rest, rests, _ := w.base.Resting(always, id)
		if !w.slowed() { // no clock is wrong by more than two seconds
			rests = rests && now.Before(rest.Until.Add(pulse+5*time.Second))
		}
		if since, left := w.base.left(id); left && now.After(since.Add(pulse+5*time.Second)) { // somebody had looked, and its node has closed or died then
			rests = false
		}
		if owner > 0 && w.node(owner).lives() && w.node(owner).isAsked(id) || rests || w.games[id].shadow.State() == table.Over {
			delete(w.idle, id)
			continue
		}
		since, was := w.idle[id]
		if !was {
			w.idle[id] = now
			continue
		}
		if wrong := w.lossy.Add(pulse); wrong.After(since) {
			since = wrong
		}
		slow := time.Duration(0)
		if w.scene != nil {
			slow = w.scene.takes // whoever asked before the lease was over asks once more
		}
		if now.Sub(since) > 5*time.Second+slow {
			w.fail("for five seconds nobody has %s", w.name(id))
		}
	}
}

// hangs looks at what a node says that hangs there: nobody takes a sign down that is its, as long as the table is.
func (w *world) hangs(n *node, signs []bus.Sign) {
	for _, s := range n.hung {
		still := slices.ContainsFunc(signs, func(now bus.Sign) bool { return now.Table == s.Table })
		if !still && w.base.owns(n.number, s.Table, s.Term) && w.listed(s.Table) {
			w.fail("%v has %s, which is not over, and its sign hangs there no more", n, w.name(s.Table))
		}
	}
	n.hung = signs
}

// listed tells whether a table is to hang in the list.
func (w *world) listed(id wire.ID) bool {
	t := w.games[id].shadow
	return t.State() != table.Over && t.Card(id, table.Present{}).Listed
}

// pulse is how often nodes look which tables nobody has, though they were told of none; and a little more.
const pulse = 11 * time.Second

// missed is that somebody is taken for away.
func (w *world) missed(id wire.ID, guest string) {
	w.did["somebody is away"]++
	w.present(id, guest, "is taken for away")
}

// present checks that somebody is not there of whom it is supposed. It was so, unless a node slept or the database was not well; what the bus does is no reason.
func (w *world) present(id wire.ID, guest, but string) {
	w.hurried(id, guest, but)
	since := time.Now().Add(-(awayTime + 2) * time.Second)
	for _, p := range w.people {
		for _, page := range p.pages {
			if p.guest.ID == guest && page.table == id && (page.watches || page.last.at != nil) && page.looks.Before(since) && w.ill.Add(3*time.Second).Before(since) {
				w.fail("%v looks at %s, and %s", page, w.name(id), but)
			}
		}
	}
}

// hurried checks that somebody has been gone for as long as his table waits for him, which does not hear at once that he is back, where nothing is wrong and no node has gone.
func (w *world) hurried(id wire.ID, guest, but string) {
	since := time.Now().Add(2*time.Second - w.games[id].shadow.Away())
	if gone := w.near(id, guest, bus.Beat); gone.After(since) && w.wrong().Add(3*time.Second).Before(since) && w.ill.Before(since) {
		w.fail("%s has been gone from %s for %v, and %s", guest, w.name(id), time.Since(gone), but)
	}
}

// cried is that a node has somebody called: one whose table that is, whose turn it is there or whose game begins, and who looks at it by no node.
func (w *world) cried(n *node, c cry) {
	w.did["somebody is called"]++
	w.note("%v calls %s to %s: %s %d", n, c.why.Guest, w.name(c.id), c.why.Why, c.why.N)
	w.calledTo(c)
	t := w.games[c.id].shadow
	seat := t.SeatOf(c.why.Guest)
	switch {
	case w.base.swept(n.number) && !n.slow:
		w.fail("%v, whose lease is over, calls %s to %s", n, c.why.Guest, w.name(c.id))
	case w.slowed():
	case c.why.Why == match.Turned && c.why.N != w.turn(c.id):
		w.fail("%v calls %s to %s, and by the log that is call %d: %+v", n, c.why.Guest, w.name(c.id), w.turn(c.id), c.why)
	case seat == game.Watcher || t.State() != table.Running || c.why.Why == match.Turned && t.Turn() != seat:
		w.fail("%v calls %s to %s, where he is not waited for: %+v", n, c.why.Guest, w.name(c.id), c.why)
	}
	since := time.Now().Add(-12 * time.Second)
	for _, p := range w.people {
		for _, page := range p.pages {
			if p.guest.ID == c.why.Guest && page.table == c.id && page.watches && page.looks.Before(since) && w.ill.Add(3*time.Second).Before(since) {
				w.fail("%v looks at %s, and is called", page, w.name(c.id))
			}
		}
	}
}

// turn is the number of the call to whoever is waited for: whoever tells him goes by that, and tells him once.
func (w *world) turn(id wire.ID) int {
	_, n := w.games[id].shadow.Reached()
	return 2 * n
}

// givesBack is that a node has closed: it has given back what it had, unless something was wrong meanwhile.
func (w *world) givesBack(n *node) {
	w.base.mu.Lock()
	defer w.base.mu.Unlock()
	if w.base.over[n.number] || !w.base.until[n.number].After(time.Now()) || w.meets != nil || w.trouble.After(n.closes) || w.ill.After(n.closes) || n.blind.Load() {
		return
	}
	w.did["a node gives back what it had"]++
	for id, owner := range w.base.owner {
		if owner == n.number {
			w.fail("%v has closed, and not given back %s", n, w.name(id))
		}
	}
}

// stands looks whether a table has somebody who moves for whom it waits, bots and clocks: they do, whoever had the table before.
func (w *world) stands(id wire.ID) {
	t, now := w.games[id].shadow, time.Now()
	owner, since := w.base.hasSince(id)
	if t.State() != table.Running || owner == 0 || !w.node(owner).lives() || w.slowed() {
		return
	}
	all := w.base.entries(id)
	for _, at := range []time.Time{w.trouble, all[len(all)-1].At.Add(4 * time.Second)} { // no clock is wrong by more
		if at.After(since) {
			since = at
		}
	}
	began, limit := t.Clock()
	alone := t.Sitter(t.Turn()).Bot != ""
	if !alone && limit > 0 && w.set.IsZero() {
		if at := began.Add(limit + 4*time.Second); at.After(since) {
			since = at
		}
		alone = true
	}
	if alone && now.Sub(since) > 12*time.Second {
		w.fail("%s waits for no person, and for %v nothing happens", w.name(id), now.Sub(since))
	}
}

// fences looks at what a node tells others: no new frame, once its tables were given away. What it has answered it may say again.
func (w *world) fences(n *node, l *letter) {
	last := 0
	for i, m := range l.told.Lines {
		if m.Seq > 0 {
			last = l.told.First + i
		}
	}
	key := fmt.Sprint(n.number, l.to, l.table, l.told.Term, l.told.Line)
	if last > w.newest[key] && w.base.swept(n.number) && !n.slow {
		w.fail("%v, whose lease is over, tells of %s", n, w.name(l.table))
	}
	w.newest[key] = max(w.newest[key], last)
}

// slowed tells whether a clock goes so slowly, or went, that its node may believe that it has a lease, or has when it wrote what is being brought.
func (w *world) slowed() bool {
	wrote := func(n *node) bool { return w.telling != nil && w.telling.from == n.number }
	return slices.ContainsFunc(w.nodes, func(n *node) bool { return n.slow && (n.lives() || wrote(n)) })
}

// heard is that a letter comes to a node, of the line that it has now: nobody who watches there is told by an older term from now on.
func (w *world) heard(l *letter) {
	if l.kind != "told" || l.told.Line != w.line[lineOf{l.to, l.table}] {
		return
	}
	for _, p := range w.people {
		for _, page := range p.pages {
			if page.at == w.node(l.to) && page.table == l.table && page.watches {
				page.term = max(page.term, l.told.Term)
			}
		}
	}
}

// acknowledged is that somebody is told that it was done.
func (w *world) acknowledged(p *page, s *said, seq int) {
	w.did["done"]++
	if at, done := w.games[s.Table].done[s.ID]; done {
		if seq > 0 && at > seq {
			w.fail("%v is told that %s is done by entry %d, and it is by %d", p, s.ID, seq, at)
		}
		return
	}
	if !w.was(p, s, func(d *table.Decision, err error) bool { return d == nil && err == nil }) {
		w.fail("%v is told that %s is done, and it is not in the log", p, s.ID)
	}
}

// busy is that somebody is told to try again. If it was done long ago, and nothing has been wrong since, he is to know; and nobody is told that it was not written
// by a node that has just read that it was.
func (w *world) busy(p *page, s *said, code string) {
	w.did["busy"]++
	if seq, done := w.games[s.Table].done[s.ID]; done && code == wire.CodeStorage && p.at.number == w.base.has(s.Table) && w.base.hasRead(p.at, s.Table, seq) {
		w.fail("%v is told that %s was not written, and it is entry %d, which %v has just read", p, s.ID, seq, p.at)
	}
	if at, done := w.games[s.Table].at[s.ID]; done && time.Since(at) > 4*time.Second && time.Since(w.trouble) > 4*time.Second {
		w.fail("%v is told that %s is busy, and %s was done %v ago", p, w.name(s.Table), s.ID, time.Since(at))
	}
}

// refused is that somebody is told that it is not allowed. It was so, at some time since he said it.
func (w *world) refused(p *page, s *said, refusal *wire.Error) {
	w.did["refused"]++
	if at, done := w.games[s.Table].done[s.ID]; done && s.Do != "watch" {
		w.fail("%v is refused %s %s: %s; and it is done by entry %d", p, s.ID, s.Do, refusal.Code, at)
	}
	if s.Do != "watch" && !w.was(p, s, func(_ *table.Decision, err error) bool { return err != nil && wire.AsError(err).Code == refusal.Code }) {
		w.fail("%v is refused %s %s: %s; it was never so", p, s.ID, s.Do, refusal.Code)
	}
}

// was tells whether something was so at the table since somebody said it first.
func (w *world) was(p *page, s *said, so func(*table.Decision, error) bool) bool {
	t := table.New(matchtest.Shelf{})
	for _, e := range w.base.entries(s.Table) {
		if t.Seq() >= s.had && so(t.Decide(s.Command, p.guest, 0)) {
			return true
		}
		if t.Replay(e) != nil {
			return false
		}
	}
	return so(t.Decide(s.Command, p.guest, 0))
}

// sees is that a page is told a frame.
func (p *page) sees(f *wire.Frame) {
	p.w.note("%v sees entry %d of %s, turn %s, %d moves, %d events", p, f.Seq, p.w.name(p.table), f.Turn, len(f.Moves), len(f.Events))
	p.w.did["frames"]++
	p.w.known[p.table] = max(p.w.known[p.table], f.Seq)
	if !p.watches {
		p.w.fail("%v is told how %s stands, and not before that it watches there", p, p.w.name(p.table))
	}
	written, g := len(p.w.base.entries(p.table)), p.w.games[p.table]
	events := 0
	for _, e := range f.Events {
		if e.Verb == "keep" || e.Verb == "show" || e.Verb == "peek" {
			events++
		}
	}
	moves, due, sat := 0, 0, 0 // due: but those before he took his seat, which somebody else may have seen with other eyes
	if f.You < game.MaxSeats {
		sat = g.shadow.Sitter(f.You).Since
	}
	for _, m := range g.moves {
		if m > p.seq && m <= f.Seq {
			if moves++; m > sat {
				due++
			}
		}
	}
	switch {
	case f.Seq > written:
		p.w.fail("%v sees entry %d, and there are %d", p, f.Seq, written)
	case f.Seq < p.seq && !p.w.slowed():
		p.w.fail("%v sees entry %d after %d", p, f.Seq, p.seq)
	case !p.fresh && moves <= 30 && (events < due || events > moves && (f.About == nil || f.Seq > p.seq)):
		p.w.fail("%v is told of %d moves after entry %d, and there are %d until %d", p, events, p.seq, moves, f.Seq)
	case p.fresh && p.known() && moves <= 20 && events < due:
		p.w.fail("%v comes again to %s and has entry %d, and is told of %d moves, and there are %d until %d", p, p.w.name(p.table), p.seq, events, moves, f.Seq)
	case p.w.telling != nil && p.w.telling.kind == "told" && p.w.telling.table == p.table && p.w.telling.told.Term < p.term:
		p.w.fail("%v is told of %s by term %d after term %d", p, p.w.name(p.table), p.w.telling.told.Term, p.term)
	case p.w.telling == nil && p.at.fenced[p.table]:
		p.w.fail("%v is told of %s by %v, which knows that it is another's", p, p.w.name(p.table), p.at)
	case p.w.telling == nil && p.w.base.swept(p.at.number) && !p.at.slow:
		p.w.fail("%v is told of %s by %v, whose lease is over", p, p.w.name(p.table), p.at)
	}
	if f.Seq > 0 && f.Seq <= len(g.views) {
		if want, there := g.views[f.Seq-1][p.guest.ID]; there && viewOf(f) != want { // not who has come since
			p.w.fail("%v sees %+v at entry %d of %s, and what the log says is %+v", p, viewOf(f), f.Seq, p.w.name(p.table), want)
		}
		if !g.mayHear(p.guest.ID, f.Seq, f.Events) {
			p.w.fail("%v is told by entry %d of %s that this has happened, and so it has not, or not before his eyes: %+v", p, f.Seq, p.w.name(p.table), f.Events)
		}
	}
	if f.About == nil {
		f.About = p.about
	}
	p.seq, p.fresh, p.frame, p.about, p.knower = f.Seq, false, *f, f.About, p.w.tells(p)
}

// tells is since when whoever tells this page something just now has its table; zero if another node has.
func (w *world) tells(p *page) time.Time {
	owner, since := w.base.hasSince(p.table)
	if from := w.telling; from != nil && from.from == owner || from == nil && p.at.number == owner {
		return since
	}
	return time.Time{}
}

// known tells whether whoever tells this page something has shown it its newest frame: then it knows that he may be told what happened since.
func (p *page) known() bool { return !p.knower.IsZero() && p.knower.Equal(p.w.tells(p)) }

// right is what is so when it has been calm: everybody sees what there is, and who is there; and everybody is there who is.
func (w *world) right() {
	if w.fault != "" {
		return
	}
	if n := w.unlike(); n != nil {
		w.fail("at %v hang %+v, and at %v %+v", n, n.house().Cards(), w.living()[0], w.living()[0].house().Cards())
	}
	for _, n := range w.living() {
		if n.unlisted() {
			w.fail("at %v hang %+v, and whoever looks there was told %s", n, n.house().Cards(), n.list)
		}
	}
	cards := w.living()[0].house().Cards()
	for _, id := range w.tables {
		t := w.games[id].shadow
		for _, p := range w.people {
			names, _ := w.base.Names(always, p.guest.ID) // in memory it cannot fail
			t.Call(p.guest.ID, cmp.Or(names[p.guest.ID], p.guest.Name))
		}
		there, watched := w.there(id, t)
		if watched && !slices.ContainsFunc(w.living(), func(n *node) bool { return n.number == w.base.has(id) }) {
			w.fail("%s is watched, and nobody owns it", w.name(id))
		}
		if hangs := slices.ContainsFunc(cards, func(c wire.Card) bool { return c.Table == id }); hangs != w.listed(id) {
			w.fail("%s is %s; its sign hangs: %t", w.name(id), t.State(), hangs)
		}
		w.hangsRight(id, t, there, cards)
		for _, p := range w.people {
			for _, page := range p.pages {
				if page.table == id && !page.left {
					page.mustSee(t, there)
					page.mustBeLed()
				}
			}
		}
		for seat := range game.Seat(t.Seats()) {
			c := t.Sitter(seat)
			if watched && t.State() == table.Running && c.Guest != "" && !c.Left && c.Away == there.Seats.Has(seat) {
				w.fail("%s, seat %s: %s is there: %t; he is taken for away: %t", w.name(id), seat, c.Guest, there.Seats.Has(seat), c.Away)
			}
		}
	}
}

// unlike is a node where other signs hang than at the first; nil if there is none.
func (w *world) unlike() *node {
	all := w.living()
	i := slices.IndexFunc(all, func(n *node) bool { return !reflect.DeepEqual(n.house().Cards(), all[0].house().Cards()) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// told tells whether all pages have been told of all there is, and all nodes.
func (w *world) told() bool {
	if w.unlike() != nil || slices.ContainsFunc(w.living(), (*node).unlisted) {
		return false
	}
	for _, p := range w.people {
		for _, page := range p.pages {
			if !page.left && page.seq != w.games[page.table].shadow.Seq() {
				return false
			}
		}
	}
	return true
}

// there is who is at a table, and whether anybody is.
func (w *world) there(id wire.ID, t *table.Table) (here table.Present, watched bool) {
	for _, p := range w.people {
		for _, page := range p.pages {
			if page.table != id || page.left {
				continue
			}
			watched = true
			if seat := t.SeatOf(p.guest.ID); seat == game.Watcher {
				here.Watchers++
			} else {
				here.Seats = here.Seats.With(seat)
			}
		}
	}
	return here, watched
}

// mustSee checks that the page's newest frame is that of the log.
func (p *page) mustSee(t *table.Table, here table.Present) {
	if !p.watches || p.open != nil || p.kept != nil || p.about == nil {
		p.w.fail("%v does not watch %s at the end, or waits: %+v, %+v", p, p.w.name(p.table), p.open, p.kept)
		return
	}
	var m message
	text := t.Frames(p.table, here, t.Seq(), true, time.Now()).WithLog(t.SeatOf(p.guest.ID), t.Host() == p.guest.ID)
	if err := decode(text, &m); err != nil {
		p.w.fail("%s: %v", text, err)
		return
	}
	is, want := p.frame, *m.Frame
	switch {
	case is.Seq != want.Seq || is.Turn != want.Turn || is.You != want.You || is.Host != want.Host || !slices.Equal(is.Moves, want.Moves) || !bytes.Equal(is.Own, want.Own) || !bytes.Equal(is.Shown, want.Shown):
		p.w.fail("%v sees %+v, and there is %+v", p, is, want)
	case p.about.State != want.About.State || p.about.Watchers != want.About.Watchers || !slices.Equal(p.about.Seats, want.About.Seats):
		p.w.fail("%v sees %+v, %d watch, and there is %+v, %d", p, p.about.Seats, p.about.Watchers, want.About.Seats, want.About.Watchers)
	}
}
