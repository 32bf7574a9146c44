// Package nodes is a house of several nodes in virtual time, from one seed: real lobbies over one database and one bus, which do what a bad database and
// a bad bus do, and people who play meanwhile. One loop decides what happens next: nothing that a node asks, sends or waits for goes on without it.
package nodes

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/bus"
	"caveau/fact"
	"caveau/store/memory"
	"caveau/terms"
	"caveau/wire"
)

// A world is a house, and everybody in it.
type world struct {
	seed    uint64
	rng     *rand.Rand
	start   time.Time
	base    *base
	nodes   []*node
	made    int64
	people  []*person
	tables  []wire.ID
	known   map[wire.ID]int // the last entry of which somebody knows that it is written
	games   map[wire.ID]*play
	calls   []*call
	letters []*letter
	plans   []plan
	trace   []string
	fault   string
	did     map[string]int

	scene       *scene        // that is played again and again; nil: anything may happen
	hush        time.Time     // until then nobody says anything of his own
	calm, still bool          // nothing goes wrong any more; nobody says anything any more
	bad         bool          // the bus is
	doubles     bool          // the bus brings all letters twice
	unheeded    time.Duration // how much longer somebody waits whom another node is asked for, and does not hear
	late        time.Duration // how long each letter is on its way, at most, if that is longer than usual
	slow        time.Duration // how long the way to the database is at most
	fails       int           // how many more calls have another fate
	trouble     time.Time     // when something was wrong last
	set         time.Time     // when the clock of a machine was
	leapt       bool          // one was, by an hour
	ill         time.Time     // when a node slept, or the database was not well
	reached     time.Time     // when the bus reached somebody
	lossy       time.Time     // when the database was, or no node lived, or one gave its tables back
	telling     *letter       // that is being brought
	newest      map[string]int
	line        map[lineOf]int64      // that a node has to a table
	news        map[between]heardOf   // of one node at another
	idle        map[wire.ID]time.Time // since when nobody has a table who lives
	orphaned    time.Time             // when the node died by which somebody is waited for
	cut         time.Time             // since when the bus reaches nobody, where everybody whose time runs is elsewhere
	phrases     []*phrase
	called      map[wire.ID]map[string]int // by which number somebody was called last to a table
	guests      []*visit
	fewer       time.Time // when there was a node less
	built       byte      // how often there were doors
	count       *count    // of letters, while they are counted

	delays func(*letter) time.Duration              // by how much one is late, besides; nil for nothing
	noting func(what string, do func() error) error // what comes of what is noted or read for the house; nil for nothing

	meets func(*call) error // what comes of a call that arrives at the database: it may do something, keep the answer, or have the call fail; nil for nothing

	night context.Context // ends when all do
	over  func()
}

// A plan is what the loop does at a time.
type plan struct {
	at time.Time
	do func()
}

func newWorld(seed uint64) *world {
	b := &base{Log: memory.New(), risen: true, until: map[int64]time.Time{}, over: map[int64]bool{}, owner: map[wire.ID]int64{}, term: map[wire.ID]int64{}, logs: map[wire.ID][]fact.Entry{}, since: map[wire.ID]idle{}, alive: map[int64]time.Time{}, hears: map[int64][]int64{}, gone: map[wire.ID]time.Time{}, gaps: map[wire.ID]fact.Outages{}, taken: map[wire.ID]time.Time{}, stays: map[wire.ID][]stay{}, reads: map[string]reading{}, rested: map[wire.ID]int64{}, called: map[string][]naming{}}
	night, over := context.WithCancel(context.Background())
	return &world{
		night: night, over: over, seed: seed, rng: rand.New(rand.NewPCG(seed, 13)), start: time.Now(), base: b, known: map[wire.ID]int{}, games: map[wire.ID]*play{}, did: map[string]int{}, slow: 3 * time.Millisecond, newest: map[string]int{}, line: map[lineOf]int64{}, news: map[between]heardOf{}, idle: map[wire.ID]time.Time{}, called: map[wire.ID]map[string]int{},
	}
}

func (w *world) upTo(d time.Duration) time.Duration { return time.Duration(w.rng.Int64N(int64(d))) }

func (w *world) chance(percent int) bool { return w.rng.IntN(100) < percent }

func (w *world) note(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf("%10.6f ", time.Since(w.start).Seconds())+fmt.Sprintf(format, args...))
}

// fail is that something is wrong; the first of it counts.
func (w *world) fail(format string, args ...any) {
	if w.fault == "" {
		w.fault = fmt.Sprintf(format, args...)
		w.note("FAULT %s", w.fault)
	}
}

func (w *world) in(d time.Duration, do func()) {
	w.plans = append(w.plans, plan{time.Now().Add(d), do})
}

// settle waits until every node waits, and takes what they have asked and said meanwhile.
func (w *world) settle() {
	synctest.Wait()
	for _, n := range w.nodes {
		calls, posts, said := n.collect()
		if n.dead.Load() {
			for _, c := range calls {
				c.answer <- errDead
			}
			continue
		}
		for _, line := range said {
			w.note("%v: %s", n, line)
		}
		for _, c := range n.cried() {
			w.cried(n, c)
		}
		for _, c := range calls {
			c.came = time.Now()
			c.at = c.came.Add(time.Millisecond + w.upTo(w.slow))
			w.calls = append(w.calls, c)
		}
		for _, l := range posts {
			if news, is := l.is.(bus.News); is {
				w.hangs(n, news.Signs)
			}
			w.names(n, l)
			w.send(n, l)
		}
	}
	for _, p := range w.people {
		for _, page := range p.pages {
			page.read()
		}
	}
	for _, n := range w.living() {
		if !n.paused {
			n.lists()
		}
	}
	for _, n := range w.nodes {
		if n.failed() {
			n.kill("cannot open")
			w.in(time.Second, w.begin)
		}
		if n.lives() && n.ended() {
			w.did["a lease is lost"]++
			w.note("%v has lost its lease", n)
			n.close()
			w.in(w.anew(), w.begin)
		}
		if n.lives() && n.deaf() { // it cannot begin anew before the bus reaches it
			if w.did["a node is deaf"]++; time.Since(w.reached) > 6*time.Second {
				w.fail("%v is deaf, and the bus reaches nobody", n)
			}
			w.note("%v is deaf, and closes", n)
			w.lossy = time.Now() // as where a node closes
			n.close()
			w.in(w.anew()+time.Second, w.begin)
		}
	}
}

// anew is how long it takes until another node begins where one has lost its lease.
func (w *world) anew() time.Duration {
	if w.scene != nil {
		return 8 * time.Second
	}
	return w.upTo(2 * time.Second)
}

// send puts a letter into the post, for each who may get it.
func (w *world) send(n *node, l *letter) {
	w.fences(n, l)
	w.counts(n, l)
	if l.kind == "ask" {
		w.line[lineOf{n.number, l.table}] = l.line
	}
	if n.mute.Load() || n.dumb.Load() {
		return
	}
	for _, to := range w.nodes {
		if to == n || l.to != 0 && l.to != to.number {
			continue
		}
		copies := 1
		if w.doubles {
			copies = 2
		}
		if w.bad {
			copies = []int{0, 0, 1, 1, 1, 1, 1, 2}[w.rng.IntN(8)]
		}
		for range copies {
			late := 2 * time.Millisecond
			if w.bad {
				late = []time.Duration{5, 50, 2000}[w.rng.IntN(3)] * time.Millisecond
			}
			late = max(late, w.late)
			c := *l
			c.to, c.at = to.number, time.Now().Add(time.Millisecond+w.upTo(late))
			if w.delays != nil {
				c.at = c.at.Add(w.delays(&c))
			}
			w.letters = append(w.letters, &c)
		}
	}
}

// node is the node of that number.
func (w *world) node(number int64) *node { return w.nodes[number-1] }

// next is what happens next, and when; nothing for nothing.
func (w *world) next() (at time.Time, do func()) {
	first := func(t time.Time, f func()) {
		if do == nil || t.Before(at) {
			at, do = t, f
		}
	}
	for i, p := range w.plans {
		first(p.at, func() { w.plans = slices.Delete(w.plans, i, i+1); p.do() })
	}
	for i, c := range w.calls {
		if !c.back || !c.n.paused {
			first(c.at, func() { w.arrive(i, c) })
		}
	}
	for i, l := range w.letters {
		if !w.node(l.to).paused {
			first(l.at, func() { w.letters = slices.Delete(w.letters, i, i+1); w.bring(l) })
		}
	}
	for _, n := range w.nodes {
		if a := n.first(); a != nil && !n.paused {
			first(a.at, func() { n.ring(a) })
		}
	}
	return at, do
}

// arrive is that a call arrives at the database, or its answer at the node.
func (w *world) arrive(i int, c *call) {
	if c.back {
		w.calls = slices.Delete(w.calls, i, i+1)
		w.note("%v %s %s %d: %v", c.n, c.what, w.name(c.id), c.seq, c.err)
		switch {
		case c.what == "append" && errors.Is(c.err, fact.ErrEpoch):
			c.n.fenced[c.id] = true
		case c.what == "append" && c.err == nil:
			w.known[c.id] = max(w.known[c.id], c.seq)
		case c.what == "renew" && c.err == nil:
			w.sureAgain(c.n)
		}
		c.answer <- c.err
		return
	}
	c.back = true
	if w.meets != nil {
		if c.err = w.meets(c); c.err != nil {
			c.at = time.Now().Add(time.Millisecond + c.late)
			return
		}
	}
	w.base.mu.Lock()
	away := w.base.away
	w.base.mu.Unlock()
	fate := 9
	if w.fails > 0 && !away && !c.n.blind.Load() {
		w.fails--
		fate = w.rng.IntN(4)
	}
	switch {
	case away || c.n.blind.Load():
		c.err, c.at = errNobody, c.came.Add(c.deadline())
		return
	case fate == 0:
		c.err = errFailed
	case fate == 1: // it is done, and not answered
		c.do()
		c.err, c.at = errNobody, c.came.Add(c.deadline())
		w.did["an answer is lost"]++
		return
	default:
		c.err = c.do()
	}
	c.at = time.Now().Add(time.Millisecond + w.upTo(w.slow) + c.n.lag + c.late)
	if end := c.came.Add(c.deadline()); c.at.After(end) {
		c.at, c.err = end, errNobody
	}
}

// bring is that a letter arrives.
func (w *world) bring(l *letter) {
	from, to := w.node(l.from), w.node(l.to)
	x := to.exchange()
	if x == nil || to.dead.Load() || from.mute.Load() || to.mute.Load() || from.side != to.side || l.kind == "ask" && !to.isAsked(l.table) {
		return
	}
	from.spoke = time.Now()
	w.note("%s from %v to %v, %s", l.kind, from, to, w.name(l.table))
	if l.kind == "spent" {
		if to.spends != nil {
			to.spends(l.spent.what, l.spent.address, l.spent.guest)
		}
		return
	}
	w.heard(l)
	w.hears(l)
	w.telling = l
	x.Read(l.is)
	synctest.Wait()
	w.settle()
	w.telling = nil
}

// run lets so much time go by.
func (w *world) run(d time.Duration) {
	for end := time.Now().Add(d); w.fault == ""; {
		w.settle()
		at, do := w.next()
		if do == nil || at.After(end) {
			time.Sleep(time.Until(end))
			return
		}
		if wait := time.Until(at); wait > 0 {
			time.Sleep(wait)
		}
		do()
		w.look()
	}
}

// until lets time go by until something is so.
func (w *world) until(what string, is func() bool) {
	for end := time.Now().Add(time.Minute); !is(); w.run(50 * time.Millisecond) {
		if w.fault != "" {
			return
		}
		if time.Now().After(end) {
			w.fail("%s: not within a minute", what)
		}
	}
}

// name is a short name for a table.
func (w *world) name(id wire.ID) string {
	if i := slices.Index(w.tables, id); i >= 0 {
		return fmt.Sprint("table ", i)
	}
	return string(id)
}

// living are the nodes that are open.
func (w *world) living() (all []*node) {
	for _, n := range w.nodes {
		if n.lives() {
			all = append(all, n)
		}
	}
	return all
}

// look notes whether something is wrong now, and looks at what is to be so at all times.
func (w *world) look() {
	w.base.mu.Lock()
	lossy := w.base.away || w.fails > 0 || w.slow > 10*time.Millisecond
	w.base.mu.Unlock()
	living := w.living()
	lossy, wrong, ill := lossy || len(living) == 0, w.bad || w.late > 0, false
	for _, n := range living {
		if !n.mute.Load() {
			w.reached = time.Now()
		}
		lossy, wrong, ill = lossy || n.blind.Load(), wrong || n.paused || n.mute.Load() || n.dumb.Load() || n.side > 0, ill || n.paused || n.lag > 0
	}
	if lossy {
		w.lossy = time.Now()
	}
	if ill || lossy {
		w.ill = time.Now()
	}
	if wrong || lossy {
		w.trouble = time.Now()
	}
	for _, n := range w.nodes {
		if !n.closes.IsZero() && isClosed(n.closed) {
			w.givesBack(n)
			n.closes = time.Time{}
		}
	}
	w.owned()
}

// found makes the tables, one after the other.
func (w *world) found(number int) {
	for i := range number {
		n, host := w.living()[w.rng.IntN(3)], w.people[w.rng.IntN(len(w.people))]
		setup := terms.Setup{Game: "toy", Edition: "endless", Seats: 2 + w.rng.IntN(3), Sit: true, First: "A", AwayTime: awayTime, Listed: true, BotTime: &[2]int{300, 900}}
		switch {
		case w.scene != nil && i == 0: // nobody moves by himself
			setup.Seats, setup.MoveTime, setup.AwayTime = 2, w.scene.moveTime, awayTime+w.scene.away
		case i == 1: // it is over soon
			setup.Edition = ""
		case i == 2: // nobody comes but the host
			setup.Bots = []string{"first", "remembering:keen", "first"}[:setup.Seats-1]
		case setup.Seats > 2:
			setup.Bots = []string{"remembering:keen"}
		}
		made := make(chan wire.ID, 1)
		go func() {
			id, err := n.house().Make(always, host.visitor(), setup)
			if err != nil {
				w.fail("a table cannot be made: %v", err)
			}
			made <- id
		}()
		w.until("a table is made", func() bool { return len(made) > 0 })
		if w.fault != "" {
			return
		}
		id := <-made
		w.tables = append(w.tables, id)
		host.hosts = append(host.hosts, id)
		w.note("%s is %s's", w.name(id), host.name)
	}
}

// tell tells the story of a seed: it storms, or a scene is played again and again, then it is calm, then all end.
func tell(seed uint64, lasts time.Duration, s *scene) (w *world) {
	w = newWorld(seed)
	calm := 25 * time.Second
	if w.scene = s; s != nil {
		w.base.older, w.base.risen, w.base.mute = s.older, !s.older, s.mute
		lasts, calm = max(lasts, s.lasts), calm+time.Duration(s.away)*time.Second
	}
	for range 3 { // one after the other: while they open they ask some things at once
		w.begin()
		w.run(50 * time.Millisecond)
	}
	w.until("all are open", func() bool { return len(w.living()) == 3 })
	for i := range 4 {
		w.people = append(w.people, &person{w: w, name: string(rune('a' + i)), guest: wire.Guest{ID: fmt.Sprint("id of ", i), Name: fmt.Sprint("P", i)}})
	}
	w.found(3)
	for _, p := range w.people {
		p.arrives()
	}
	w.run(3 * time.Second)
	w.bad = seed%2 > 0 && s == nil // all the while
	if s == nil {
		w.in(w.upTo(20*time.Second), w.unlists)
	}
	w.asks()
	w.storms()
	w.run(lasts)
	w.heal()
	w.run(25 * time.Second)
	w.still = true
	w.listens(calm)
	for tries := 0; tries < 100 && !w.told(); tries++ { // a bot has just moved, or a game is just over
		w.run(10 * time.Millisecond)
	}
	w.right()
	w.counted()
	w.end()
	return w
}

// storms has something happen again and again.
func (w *world) storms() {
	if w.calm || w.fault != "" {
		return
	}
	if w.scene != nil {
		w.in(w.scene.lasts, w.storms)
		w.did[w.scene.name]++
		w.note("%s", w.scene.name)
		w.scene.play(w)
		return
	}
	if w.mild() {
		w.in(6*time.Second+w.upTo(4*time.Second), w.storms)
	} else {
		w.in(500*time.Millisecond+w.upTo(3*time.Second), w.storms)
	}
	w.happens()
}

// mild is a night in which nodes die, or sleep for about as long as a lease, one at a time, and all else is well: so it is seen how soon all goes on.
func (w *world) mild() bool { return w.seed%4 == 0 }

// happens is something that goes wrong, for a while.
func (w *world) happens() {
	living := w.living()
	if len(living) < 2 {
		return
	}
	n := living[w.rng.IntN(len(living))]
	while := func(what string, d time.Duration, begin, end func()) {
		w.did[what]++
		w.note("%v: %s, for %v", n, what, d)
		begin()
		w.in(d, func() {
			if !w.calm {
				end()
			}
		})
	}
	some := func() time.Duration { return 500*time.Millisecond + w.upTo(5500*time.Millisecond) }
	if w.mild() {
		if w.chance(50) {
			w.dies(n)
			return
		}
		while("a short pause", 2300*time.Millisecond+w.upTo(700*time.Millisecond), n.pause, n.goOn)
		return
	}
	switch w.rng.IntN(14) {
	case 0, 1:
		w.dies(n)
	case 2:
		w.did["a node is closed"]++
		w.note("%v closes", n)
		w.lossy = time.Now() // what it gives back others find with the next pulse
		n.close()
		w.in(w.upTo(2*time.Second), w.begin)
	case 3, 4:
		while("a pause", some(), n.pause, n.goOn)
	case 5, 13: // its clock stands nearly still meanwhile
		while("a pause and a slow clock", 2700*time.Millisecond+w.upTo(4*time.Second), func() { n.slow = true; n.goes(-950_000); n.pause() }, func() { n.goes(0); n.goOn() })
	case 6:
		while("cut off from the bus", some(), func() { n.mute.Store(true) }, func() { n.mute.Store(false) })
	case 7:
		while("cut off from the database", some(), func() { n.blind.Store(true) }, func() { n.blind.Store(false) })
	case 8:
		while("cut off from both", some(), func() { n.mute.Store(true); n.blind.Store(true) }, func() { n.mute.Store(false); n.blind.Store(false) })
	case 9:
		while("a split", some(), func() { n.side = 1 }, func() { n.side = 0 })
	case 10:
		while("a bad bus", 2*some(), func() { w.bad = true }, func() { w.bad = w.seed%2 > 0 })
	case 11:
		w.did["calls with another fate"]++
		w.fails += 1 + w.rng.IntN(6)
		if w.chance(50) {
			while("a slow database", some(), func() { w.slow = 1200 * time.Millisecond }, func() { w.slow = 3 * time.Millisecond })
		}
	case 12:
		while("a failover", some()/2, func() { w.fails += 3; w.goesAway(true) }, func() { w.goesAway(false) })
	}
}

func (w *world) goesAway(so bool) {
	w.base.mu.Lock()
	defer w.base.mu.Unlock()
	w.base.away = so
}

// stops is that a node stops, in the middle of something. What it was about to wake others find with the next pulse.
func (w *world) stops() {
	for id := range w.idle {
		w.idle[id] = time.Now().Add(pulse)
	}
}

// dies is the end of a node.
func (w *world) dies(n *node) {
	w.did["a node dies"]++
	w.stops()
	n.kill("dies")
	w.in(w.upTo(3*time.Second), w.begin)
}

func (n *node) pause() {
	n.w.stops()
	n.paused, n.since = true, time.Now()
}

func (n *node) goOn() {
	if !n.paused {
		return
	}
	n.paused, n.woke = false, time.Now()
	n.w.note("%v goes on", n)
	waits := n.waits
	n.waits = nil
	for _, do := range waits {
		do()
	}
}

// heal ends all that is wrong.
func (w *world) heal() {
	w.note("it is calm")
	w.calm, w.bad, w.doubles, w.late, w.meets, w.noting, w.fails, w.slow = true, false, false, 0, nil, nil, 0, 3*time.Millisecond
	w.goesAway(false)
	for _, n := range w.nodes {
		n.side, n.lag = 0, 0
		n.mute.Store(false)
		n.dumb.Store(false)
		n.blind.Store(false)
		if n.lives() {
			n.goes(0)
			n.goOn()
		}
	}
	w.trouble, w.hush, w.delays = time.Now(), time.Time{}, nil
	for _, p := range w.people {
		for _, page := range p.pages {
			page.wants, page.holds = nil, false
		}
	}
	for _, p := range w.people[1:] { // some have gone for good
		if !w.chance(25) {
			continue
		}
		w.note("%s goes for good", p.name)
		for _, page := range p.pages {
			page.disconnect()
			page.left = true
		}
	}
}

// end is the end of all nodes: then nothing of them is left.
func (w *world) end() {
	fault := w.fault
	w.fault = ""
	w.calm, w.still = true, true
	w.over()
	for _, n := range w.nodes {
		n.paused = false
		if n.closed == nil {
			if fault != "" {
				n.kill("is put away")
			} else {
				n.close()
			}
		}
	}
	w.plans = nil
	closed := func() bool {
		return !slices.ContainsFunc(w.nodes, func(n *node) bool { return !isClosed(n.closed) })
	}
	for tries := 0; tries < 20 && !closed(); tries++ { // whatever is wrong with how they do
		w.until("all have closed", closed)
		fault, w.fault = cmp.Or(fault, w.fault), ""
	}
	for _, n := range w.nodes {
		if a := n.first(); a != nil {
			w.fail("%v has closed, and a timer runs", n)
		}
	}
	if fault != "" {
		w.fault = fault
	}
}

func (w *world) tail(n int) string { return strings.Join(w.trace[max(0, len(w.trace)-n):], "\n") }

// inBubble tells a story in a bubble of its own.
func inBubble(t *testing.T, seed uint64, s *scene) (w *world) {
	t.Helper()
	synctest.Test(t, func(*testing.T) { w = tell(seed, *lasts, s) })
	return w
}

// TestSame: one seed has one trace, on however many processors.
func TestSame(t *testing.T) {
	for seed := range uint64(len(scenes)) + some(6) {
		if testing.Short() && seed%10 > 0 { // TestScenes looks for races in the others
			continue
		}
		var s *scene
		if int(seed) < len(scenes) {
			s = &scenes[seed]
		}
		before := runtime.GOMAXPROCS(1)
		one := inBubble(t, seed, s)
		runtime.GOMAXPROCS(max(2, before))
		two := inBubble(t, seed, s)
		runtime.GOMAXPROCS(before)
		for i, line := range one.trace {
			if i >= len(two.trace) || two.trace[i] != line {
				t.Fatalf("seed %d goes two ways at line %d:\n%s\n\n%s", seed, i, strings.Join(one.trace[max(0, i-9):min(i+3, len(one.trace))], "\n"), strings.Join(two.trace[max(0, i-9):min(i+3, len(two.trace))], "\n"))
			}
		}
		if len(two.trace) != len(one.trace) {
			t.Fatalf("seed %d: %d lines, and then %d", seed, len(one.trace), len(two.trace))
		}
	}
}

func decode(text []byte, into any) error { return json.Unmarshal(text, into) }
