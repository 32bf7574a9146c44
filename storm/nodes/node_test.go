package nodes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"caveau/bus"
	"caveau/limit"
	"caveau/lobby"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/wire"
)

// A node is one process of the house, from its beginning to its end.
type node struct {
	w      *world
	number int64
	name   string        // by which pages may ask for it; "" for none
	lobby  *lobby.Lobby  // nil until it is open
	opened chan struct{} // closed when it is, or cannot be
	closed chan struct{} // nil while it is not asked to close
	closes time.Time     // since when it does, by itself; the zero time where it has died, or has been looked at
	dead   atomic.Bool   // nothing is heard of it any more
	blind  atomic.Bool   // nobody answers it at the database
	mute   atomic.Bool   // the bus brings it nothing, and nothing from it
	dumb   atomic.Bool   // the bus brings nothing from it
	side   int           // of the bus, where that is split
	old    bool          // its letters are those of a version before, which does not say who tells something, nor what he has heard
	paused bool
	since  time.Time // it is paused
	spoke  time.Time // when another last heard it
	woke   time.Time // when it went on last
	begun  time.Time
	slow   bool                                                 // its clock went much too slowly, ever
	lag    time.Duration                                        // by how much its answers from the database are late
	fenced map[wire.ID]bool                                     // where it was told by the log that it has nothing to write
	looker *lobby.Session                                       // somebody who looks at the list there
	list   []byte                                               // as he was told it last
	hung   []bus.Sign                                           // there, as it said last
	waits  []func()                                             // what came from pages while it was paused
	places *limit.Places                                        // for tables
	spends func(what, address, guest string)                    // hears what somebody had made elsewhere; nil where nobody listens
	far    func(what string, id wire.ID, do func() error) error // its way to the database in a house without a loop; else nil

	mu     sync.Mutex // guards what follows
	x      *bus.Exchange
	owns   map[wire.ID]bool  // is asked for
	terms  map[wire.ID]int64 // for which it has tables, as far as it knows
	alarms []*alarm
	calls  []*call
	posts  []*letter
	cries  []cry
	looked map[string]time.Time // when it looked last what has changed of whom
	said   []string
	shown  time.Time     // the latest time that it has said
	wrong  time.Duration // by how much its clock is wrong, at that time
	sets   time.Duration // by how much somebody has set it
	at     time.Time
	drift  int64 // parts of a million
}

// An alarm is a timer.
type alarm struct {
	at    time.Time
	d     time.Duration
	fires chan time.Time
}

// begin begins a node; it is open later.
func (w *world) begin() {
	w.made++
	n := &node{w: w, number: w.made, opened: make(chan struct{}), owns: map[wire.ID]bool{}, terms: map[wire.ID]int64{}, fenced: map[wire.ID]bool{}, looked: map[string]time.Time{}, begun: time.Now(), at: time.Now(), places: w.rooms()}
	n.name = w.free()
	n.wrong, n.drift = w.upTo(4*time.Second)-2*time.Second, w.rng.Int64N(200)-100
	if w.chance(30) {
		n.wrong *= 100 // nobody has ever set it
	}
	var keeps time.Duration
	if w.scene != nil && w.scene.brief {
		n.wrong, n.drift, keeps = 0, 0, 1
	}
	w.nodes = append(w.nodes, n)
	w.base.lend(n.number)
	w.note("node %d begins as %q, wrong by %v", n.number, n.name, n.wrong)
	g := gate{w.base, n}
	go func() {
		defer close(n.opened)
		l, err := lobby.Open(context.Background(), lobby.Config{
			Log: g, Deeds: g, Bus: n, Node: n.number, Shelf: matchtest.Shelf{}, Clock: n, Rand: n.rand, Untouched: time.Hour, KeepPlayed: keeps, Thinking: 16, Call: n.call, Tables: n.places,
			Slog: slog.New(slog.NewTextHandler(n, &slog.HandlerOptions{ReplaceAttr: known})),
		})
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.lobby = l; err != nil {
			n.said = append(n.said, "it does not open: "+err.Error())
			return
		}
		l.Heed(n.look)
	}()
}

func (n *node) String() string { return fmt.Sprint("node ", n.number) }

// rand follows from when it is asked for, so that it does not matter who asks first.
func (n *node) rand() *rand.Rand {
	return rand.New(rand.NewPCG(n.w.seed, uint64(n.number)<<56|uint64(time.Since(n.w.start))))
}

// known leaves out what is another at every run.
func known(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey || a.Key == "stack" {
		return slog.Attr{}
	}
	return a
}

// Write is what the node says of itself.
func (n *node) Write(line []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said = append(n.said, string(bytes.TrimSpace(line)))
	return len(line), nil
}

// Now is what its clock shows.
func (n *node) Now() time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.shows(time.Now())
}

func (n *node) shows(now time.Time) time.Time {
	return now.Round(0).Add(n.wrong + time.Duration(now.Sub(n.at).Microseconds()*n.drift/1e6)*time.Microsecond)
}

// goes has its clock go so fast from now on.
func (n *node) goes(drift int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now()
	n.wrong, n.at, n.drift = n.shows(now).Sub(now.Round(0)), now, drift
}

// set has it show another time from now on.
func (n *node) set(by time.Duration) {
	n.w.set = time.Now()
	n.w.note("the clock of %v is set", n)
	n.shift(by)
}

func (n *node) shift(by time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.wrong, n.sets = n.wrong+by, n.sets+by
}

// Elapsed is for how long it has run, by a clock that nobody sets.
func (n *node) Elapsed() time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.shows(time.Now()).Sub(n.begun) - n.sets + time.Hour // however wrong it is
}

// Timer is rung by the loop.
func (n *node) Timer(d time.Duration) (<-chan time.Time, func() bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	a := &alarm{time.Now().Add(d), d, make(chan time.Time, 1)}
	n.alarms = append(n.alarms, a)
	return a.fires, func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		i := slices.Index(n.alarms, a)
		if i >= 0 {
			n.alarms = slices.Delete(n.alarms, i, i+1)
		}
		return i >= 0
	}
}

// first is the alarm that rings first.
func (n *node) first() (first *alarm) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, a := range n.alarms {
		if first == nil || cmp.Or(a.at.Compare(first.at), cmp.Compare(a.d, first.d)) < 0 {
			first = a
		}
	}
	return first
}

// ring rings it, and those that were set with it.
func (n *node) ring(first *alarm) {
	n.mu.Lock()
	var now []*alarm
	n.alarms = slices.DeleteFunc(n.alarms, func(a *alarm) bool {
		is := a.at.Equal(first.at) && a.d == first.d
		if is {
			now = append(now, a)
		}
		return is
	})
	n.mu.Unlock()
	for _, a := range now {
		a.fires <- n.Now()
	}
}

// ask notes a call; false if the node is dead.
func (w *world) ask(c *call) bool {
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	if c.n.dead.Load() {
		return false
	}
	c.n.calls = append(c.n.calls, c)
	return true
}

// A letter is on its way.
type letter struct {
	at       time.Time
	from, to int64 // to: 0 for whoever owns the table, or for all
	table    wire.ID
	kind     string
	is       bus.Letter
	told     bus.Told
	line     int64 // of an Ask
	spent    spending
}

// A lineOf is whose line it is, and to which table.
type lineOf struct {
	node  int64
	table wire.ID
}

func (n *node) Join(ctx context.Context, x *bus.Exchange) {
	n.mu.Lock()
	n.x = x
	n.mu.Unlock()
	<-ctx.Done()
	n.mu.Lock()
	n.x = nil
	n.mu.Unlock()
}

func (n *node) exchange() *bus.Exchange {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.x
}

func (n *node) Own(_ int64, id wire.ID)    { n.own(id, true) }
func (n *node) Disown(_ int64, id wire.ID) { n.own(id, false) }

func (n *node) own(id wire.ID, so bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.owns[id] = so
}

func (n *node) isAsked(id wire.ID) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.owns[id]
}

// There is false where it cannot reach anybody. One that is on another side than all others does not know.
func (n *node) There() bool { return !n.mute.Load() }

func (n *node) Send(one bus.Letter) {
	l := &letter{is: one}
	switch is := one.(type) {
	case bus.Ask:
		l.kind, l.table, l.line = "ask", is.Table, is.Line
	case bus.Told:
		if n.old {
			is.From, is.Ask = 0, 0
			l.is = is
		}
		l.kind, l.to, l.table, l.told = "told", is.To, is.Table, is
	case bus.Roll:
		l.kind, l.to = "roll", is.To
	case bus.Present:
		l.kind, l.to = "present", is.To
	case bus.News:
		is.Name = n.name
		l.kind, l.is = "news", is
	}
	n.post(l)
}

func (n *node) post(l *letter) {
	n.mu.Lock()
	defer n.mu.Unlock()
	l.from = n.number
	n.posts = append(n.posts, l)
}

// A cry is that somebody is told, who does not look, that a table waits for him.
type cry struct {
	id  wire.ID
	why match.Call
}

func (n *node) call(id wire.ID, _ string, why match.Call) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cries = append(n.cries, cry{id, why})
}

// look is what a server does when something has changed of a guest, at whatever node: it looks whether his sessions have ended.
func (n *node) look(_ context.Context, guest string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.looked[guest] = time.Now()
}

// lookedAt is when it did so last.
func (n *node) lookedAt(guest string) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.looked[guest]
}

// cried is whom it has called since.
func (n *node) cried() (all []cry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	all, n.cries = n.cries, nil
	slices.SortStableFunc(all, func(a, b cry) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.why.Guest, b.why.Guest), cmp.Compare(a.why.N, b.why.N))
	})
	return all
}

// collect is what the node has asked, sent and said since, in an order that is no accident.
func (n *node) collect() (calls []*call, posts []*letter, said []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	calls, posts, said = n.calls, n.posts, n.said
	n.calls, n.posts, n.said = nil, nil, nil
	slices.SortStableFunc(calls, func(a, b *call) int {
		return cmp.Or(cmp.Compare(a.what, b.what), cmp.Compare(a.id, b.id), cmp.Compare(a.seq, b.seq))
	})
	slices.SortStableFunc(posts, func(a, b *letter) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.kind, b.kind), cmp.Compare(a.to, b.to))
	})
	slices.Sort(said)
	return calls, posts, said
}

// kill ends a node: nothing of it is heard any more, and its pages hear nothing.
func (n *node) kill(why string) {
	n.w.note("%v %s", n, why)
	n.dead.Store(true)
	n.w.calls = slices.DeleteFunc(n.w.calls, func(c *call) bool {
		if c.n == n {
			c.answer <- errDead
		}
		return c.n == n
	})
	n.close()
}

// close has a node end; what it still asks is answered.
func (n *node) close() {
	n.paused, n.waits = false, nil
	n.w.leave(n)
	synctest.Wait() // else it would be an accident what of that its tables still hear
	if n.closed = make(chan struct{}); !n.dead.Load() {
		n.closes = time.Now()
	}
	go func() {
		defer close(n.closed)
		<-n.opened
		if l := n.house(); l != nil {
			l.Close()
		}
	}()
}

// house is its lobby, if it is open.
func (n *node) house() *lobby.Lobby {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.lobby
}

// lists has somebody look at the list there, and take what he is told.
func (n *node) lists() {
	if n.looker == nil {
		n.looker = n.house().Connect(lobby.Visitor{}, func() {})
		n.looker.Do(wire.Command{ID: "list", Do: "lobby"})
	}
	for all, cut := n.looker.Take(nil); len(all) > 0 || cut; all, cut = n.looker.Take(nil) {
		for _, m := range all {
			var told struct{ Lobby json.RawMessage }
			if decode(m.Text, &told) == nil && told.Lobby != nil {
				n.list = told.Lobby
			}
		}
		if cut {
			n.looker = nil
			return
		}
	}
}

// unlisted tells whether he was told another list than hangs there.
func (n *node) unlisted() bool {
	list, err := json.Marshal(n.house().Cards())
	return err != nil || !bytes.Equal(list, n.list)
}

func (n *node) lives() bool { return !n.dead.Load() && n.closed == nil && n.house() != nil }

// failed tells whether it could not be opened.
func (n *node) failed() bool {
	select {
	case <-n.opened:
		return n.house() == nil && n.closed == nil
	default:
		return false
	}
}

// ended tells whether it has lost its lease, deaf whether it is to close because others hear each other, and not it.
func (n *node) ended() bool { return isClosed(n.house().Ended()) }
func (n *node) deaf() bool  { return isClosed(n.house().Deaf()) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
