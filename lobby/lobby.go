// Package lobby is where tables are found: those that are played at, and, by their link, those that are over. It wakes their
// owners (package match) and lets them go, founds tables, knows who is connected, and keeps the house's time.
package lobby

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"caveau/bus"
	"caveau/fact"
	"caveau/game"
	"caveau/limit"
	"caveau/lobby/daybook"
	"caveau/match"
	"caveau/match/runner"
	"caveau/slots"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// A Config is all that a lobby is handed.
type Config struct {
	Log   fact.Log
	Deeds fact.Deeds // of this node; nil: it is alone with its log
	Bus   bus.Bus    // to the other nodes; nil: there are none
	Node  int64      // the number of this one there, which no other has, nor this one in another life
	Shelf slots.Shelf
	Clock runner.Clock
	// Rand makes a new source of chance, unguessable and unlike any other. Every deal has one of its own, so that one game
	// tells nothing about another. It is called from many goroutines.
	Rand func() *rand.Rand
	// Untouched is how long a table that has not begun stands there when nobody comes; 0: thirty days.
	Untouched time.Duration
	// KeepPlayed is how long a table is kept that is over; 0: for ever.
	KeepPlayed time.Duration
	// Tables are the places for tables that are not over; nil: as many as one likes.
	Tables *limit.Places
	// Thinking is how many bots think at once; 0: one on each processor, and two at least.
	Thinking int
	// Call has a guest told, wherever he is, that a table waits for him which he does not look at; it must not block. Nil: nobody is.
	Call func(id wire.ID, game string, c match.Call)
	Slog *slog.Logger
}

// A Lobby is where all tables are found.
type Lobby struct {
	config   Config
	ctx      context.Context // ends with the lobby
	stop     context.CancelFunc
	work     sync.WaitGroup
	slots    *slots.Slots
	news     chan struct{}  // the signs have changed
	lease    *runner.Lease  // nil where the house is alone with its log, and so is
	common   *runner.Common // its clock
	opened   time.Time
	doubtful atomic.Bool // a table may be there of which nobody knows
	pages    *bus.Exchange
	book     *daybook.Book

	// mu guards what follows. Nothing is read, written or waited for while it is held.
	mu         sync.Mutex
	runners    map[wire.ID]*runner.Runner
	readers    map[wire.ID]*runner.Runner // of tables that sleep, and are looked at
	states     map[wire.ID]string         // what the last sign of a table said that has a runner
	taken      map[wire.ID]bool           // those that some node has, as far as is known; none where the house is alone
	unfinished map[wire.ID]Visitor        // every table that is not over, awake or not, and whose place it has
	signs      map[wire.ID]sign           // that hang here
	looking    map[*Session]string        // who looks at the lobby, and what he was told last
	deleting   wire.ID                    // the table that is being deleted; "" for none
	untold     []string                   // guests who are called otherwise, perhaps: that could not be read
	heard      []string                   // guests of whom another node has said something since the last pulse

	called map[string]string // those who are at tables here, as it was read last; belongs to alarms
	naming sync.RWMutex      // held by many who note names, or by one who has to know that nobody does
}

// A sign hangs on the door of a table, and may name those guests.
type sign struct {
	bus.Sign
	guests []string
}

// Open opens a lobby: it notes the time in which the house was closed, and wakes the tables that were awake when the last one closed. It fails if the log does.
func Open(ctx context.Context, c Config) (*Lobby, error) {
	last, err := c.Log.LastAlive(ctx)
	if err != nil {
		return nil, err
	}
	if behind := last.Sub(c.Clock.Now()); behind > 0 {
		c.Slog.Warn("the machine's clock is behind the log; the house's time goes on from there", "behind", behind)
	}
	if c.Deeds == nil {
		c.Deeds = new(runner.Alone)
	}
	c.Untouched, c.Clock = cmp.Or(c.Untouched, 30*24*time.Hour), runner.Steady(c.Clock, last)
	machine, common := c.Clock, (*runner.Common)(nil)
	shared, several := c.Deeds.(fact.Shared)
	if several {
		if common, err = runner.NewCommon(ctx, machine, last, shared.Now); err != nil {
			return nil, err
		}
		c.Clock = common
	}
	l := &Lobby{
		config: c, slots: slots.New(cmp.Or(c.Thinking, max(2, runtime.GOMAXPROCS(0))), c.Shelf, c.Clock.Timer, c.Slog), news: make(chan struct{}, 1), opened: c.Clock.Now(),
		runners: make(map[wire.ID]*runner.Runner), readers: make(map[wire.ID]*runner.Runner), states: make(map[wire.ID]string), unfinished: make(map[wire.ID]Visitor),
		signs: make(map[wire.ID]sign), looking: make(map[*Session]string), pages: bus.New(c.Node, c.Bus, c.Clock.Now), common: common,
	}
	if err := l.readLog(ctx); err != nil {
		return nil, err
	}
	if several { // not before: until it is kept it lasts for as long as a node takes to open
		if l.lease, err = runner.NewLease(ctx, shared, c.Node, machine); err != nil {
			return nil, err
		}
	}
	l.ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.work.Go(l.announce)
	l.work.Go(l.pulse)
	l.work.Go(l.alarms)
	l.work.Go(l.watchSteps)
	l.work.Go(l.sweep)
	if l.lease != nil {
		l.work.Go(func() { l.lease.Keep(l.ctx, c.Slog, l.wakeFree, l.pages) })
		l.work.Go(func() { common.Follow(l.ctx) })
	}
	if c.Bus != nil {
		l.pages.Hear(l.hear)
		l.pages.Count("tables from", c.Tables.Addresses()) // whose they are, each node has counted
		l.pages.Doubt(l.lease.Sure)
		l.work.Go(func() { c.Bus.Join(l.ctx, l.pages) })
		l.work.Go(l.speak)
	}
	return l, nil
}

// readLog notes that the house is open, and reads what is unfinished.
func (l *Lobby) readLog(ctx context.Context) (err error) {
	if l.book, err = daybook.Open(ctx, l.config.Log, l.config.Clock.Now, l.config.Slog, l.tellOutage); err != nil {
		return err
	}
	all, err := l.config.Log.Due(ctx, l.opened.Add(always))
	for _, id := range all {
		l.begin(id, before)
	}
	return err
}

const (
	always    = 100 * 365 * 24 * time.Hour // later than anything rests
	closeTime = 30 * time.Second           // how long the lobby waits for its tables when it closes: only one that hangs takes so long
	watchTime = 5 * time.Second            // how often it is looked whether a table hangs in its rules
	mostRead  = 100                        // of how many tables of before it is read with one pulse whose they are
)

// before is whoever made a table that this house has not; count reads who. Where from, the log does not know.
var before = Visitor{From: "before", Guest: wire.Guest{Name: "not read"}}

// Close stops every table where it is; all of it is in the log.
func (l *Lobby) Close() {
	l.mu.Lock() // nothing is begun after this
	l.stop()
	l.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		l.work.Wait()
		close(ended)
	}()
	late, stop := l.config.Clock.Timer(closeTime)
	defer stop()
	select {
	case <-ended:
	case <-late:
		l.config.Slog.Error("the house closes without waiting any longer for a table that hangs")
	}
	l.book.Close(context.WithoutCancel(l.ctx))
}

// Ended is closed when this node has lost its lease, for good: nothing goes on here any more. Deaf is, when it is to close because the others hear more of each other. Clock shows the house's time, the same at all nodes.
func (l *Lobby) Ended() <-chan struct{} { return l.lease.Ended() }
func (l *Lobby) Deaf() <-chan struct{}  { return l.lease.Deaf() }
func (l *Lobby) Clock() runner.Clock    { return l.config.Clock }

// now is the time, and every table knows of every outage before it.
func (l *Lobby) now() time.Time { return l.book.Now(l.ctx) }

// sleep waits; false if the lobby closes meanwhile.
func (l *Lobby) sleep(d time.Duration) bool {
	over, stop := l.config.Clock.Timer(d)
	defer stop()
	select {
	case <-over:
		return true
	case <-l.ctx.Done():
		return false
	}
}

// runner is the runner of a table, begun if there was none; after one that has gone, a new one.
func (l *Lobby) runner(id wire.ID, gone *runner.Runner) (*runner.Runner, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.closed(id); err != nil {
		return nil, err
	}
	r := l.runners[id]
	if r == nil || r == gone {
		r = runner.New(house{l}, id)
		l.runners[id] = r
		l.work.Go(func() {
			r.Run(l.ctx)
			l.forget(id, r)
		})
	}
	return r, nil
}

// awake is the runner of a table that has one; else nil.
func (l *Lobby) awake(id wire.ID) *runner.Runner {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.runners[id]; r != nil && !r.Closed() {
		return r
	}
	return nil
}

// closed is why nothing may be begun at a table now. The caller holds mu.
func (l *Lobby) closed(id wire.ID) error {
	switch {
	case l.ctx.Err() != nil:
		return wire.Refuse(wire.CodeBusy, "the server is stopping, try again in a moment")
	case l.deleting != "" && id == l.deleting:
		return wire.Refuse(wire.CodeBusy, "the table is being put away, try again in a moment")
	}
	return nil
}

// forget is for a runner that has gone.
func (l *Lobby) forget(id wire.ID, r *runner.Runner) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runners[id] == r {
		delete(l.runners, id)
		delete(l.states, id)
	}
}

// visit hands something to a table's runner, woken if it was not; do tells whether it was taken.
func (l *Lobby) visit(id wire.ID, do func(*runner.Runner) (taken bool, err error)) (err error) {
	var r *runner.Runner
	for taken := false; !taken; {
		if r, err = l.runner(id, r); err != nil {
			return err
		}
		if taken, err = do(r); err != nil {
			return err
		}
	}
	return nil
}

// say hands what somebody says to a table, here or at another node.
func (l *Lobby) say(s match.Said, id wire.ID) error {
	s.Until = l.config.Clock.Now().Add(patience)
	if l.awake(id) == nil && l.pages.Reach(id, s) {
		return nil
	}
	return l.visit(id, func(r *runner.Runner) (bool, error) { return r.Post(s) })
}

// speak goes on speaking to the other nodes, and tries to take the tables that nobody answers for.
func (l *Lobby) speak() {
	for l.sleep(bus.Beat) {
		for _, id := range l.pages.Beat() {
			l.runner(id, nil) // if it cannot be had, that is tried again with the next beat
		}
		l.mu.Lock()
		l.report()
		l.mu.Unlock()
	}
}

// wake has a table owned here, and waits until it is.
func (l *Lobby) wake(ctx context.Context, id wire.ID) error {
	return l.visit(id, func(r *runner.Runner) (bool, error) { return r.Look(ctx, func(*table.Table, wire.Card) {}) })
}

// wakeFree has tables go on here whose nodes have died, a few at a time, for people are to have a processor meanwhile. What cannot be woken is due, and tried again.
func (l *Lobby) wakeFree(tables []wire.ID) {
	l.work.Go(func() {
		var wakes errgroup.Group
		wakes.SetLimit(4)
		for _, id := range tables {
			wakes.Go(func() error { return l.wake(l.ctx, id) })
		}
		wakes.Wait()
	})
}

// Make makes a table. What cannot be played is refused with the code bad_command.
func (l *Lobby) Make(ctx context.Context, host Visitor, s terms.Setup) (wire.ID, error) {
	f, err := fact.Found(l.config.Shelf, host.Guest, s)
	if err != nil {
		return "", err
	}
	rng := l.config.Rand()
	id := wire.NewID(func(_, of int) int { return rng.IntN(of) }) // 100 bits that nobody can guess
	if err := (house{l}).Found(ctx, id, f, host); err != nil {
		return "", err
	}
	l.wake(ctx, id) // then it is in the lobby; whatever keeps it from that, it is made, and is woken later
	return id, nil
}

// Found writes the first entry of a new table, which takes a place of its maker's, and wakes it; unless it is there, as a rematch may be of which its table knows nothing.
func (h house) Found(ctx context.Context, id wire.ID, f fact.Founding, maker Visitor) error {
	if !h.config.Tables.Take(maker.From, maker.Guest.ID) {
		return wire.Refuse(wire.CodeTooMany, "you have too many tables whose games are not over: end one of them first")
	}
	f.Draw(h.config.Rand())
	err := h.introduce(ctx, f.Guests())
	if err == nil {
		err = h.config.Log.Append(ctx, id, f.First(h.now()))
	}
	if err != nil {
		h.doubtful.Store(true)
		h.config.Tables.Give(maker.From, maker.Guest.ID)
		if errors.Is(err, fact.ErrConflict) {
			return nil
		}
		if ctx.Err() == nil { // else whoever wanted it has gone
			h.config.Slog.Error("a table cannot be made", "err", err)
		}
		return wire.AsError(err)
	}
	h.mu.Lock()
	h.finish(id) // whoever has looked into the log meanwhile has counted it as nobody's
	h.unfinished[id] = maker
	h.mu.Unlock()
	h.runner(id, nil) // if the house closes it is made all the same, and whoever heard otherwise would make another
	return nil
}

// KeepsPlayed is how long a table is kept that is over; 0: for ever.
func (l *Lobby) KeepsPlayed() time.Duration { return l.config.KeepPlayed }

// Games is what there is to play, Bots are the names of a game's players.
func (l *Lobby) Games() []game.Info            { return l.config.Shelf.Games() }
func (l *Lobby) Bots(gameName string) []string { return l.config.Shelf.Bots(gameName) }

// Cards are the door signs of the listed tables: first those where a seat may be free, the newest first.
func (l *Lobby) Cards() []wire.Card {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cards()
}

// cards is Cards. The caller holds mu.
func (l *Lobby) cards() []wire.Card { return l.pages.List(l.hung()) }

// hung are the signs that hang here. The caller holds mu.
func (l *Lobby) hung() []bus.Sign {
	all := make([]bus.Sign, 0, len(l.signs))
	for id, s := range l.signs {
		s.Awake = l.runners[id] != nil
		all = append(all, s.Sign)
	}
	return all
}

// hang hangs a door sign, or takes it away when the table is over or cannot be read.
func (l *Lobby) hang(c sign) {
	l.mu.Lock()
	defer l.mu.Unlock()
	old, hung := l.signs[c.Table]
	l.states[c.Table] = c.State
	switch c.State {
	case table.Over:
		l.finish(c.Table)
		delete(l.signs, c.Table)
	case runner.Unread: // it is still there, and may be read another time
		delete(l.signs, c.Table)
	default:
		if l.begin(c.Table, before); !c.Listed {
			delete(l.signs, c.Table)
			break
		}
		l.signs[c.Table] = c
		if old.Term = c.Term; hung && reflect.DeepEqual(old, c) {
			return
		}
	}
	if _, hangs := l.signs[c.Table]; hung || hangs {
		l.rehung()
	}
}

// rehung has whoever looks at the lobby told.
func (l *Lobby) rehung() {
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// begin counts a table as unfinished that nobody here has made, or the log kept it, and could not say so. The caller holds mu.
func (l *Lobby) begin(id wire.ID, maker Visitor) {
	if _, known := l.unfinished[id]; !known {
		l.unfinished[id] = maker
		l.config.Tables.Hold(maker.From, maker.Guest.ID)
	}
}

// finish gives back the place of a table that is over. The caller holds mu.
func (l *Lobby) finish(id wire.ID) {
	if maker, unfinished := l.unfinished[id]; unfinished {
		delete(l.unfinished, id)
		l.config.Tables.Give(maker.From, maker.Guest.ID)
	}
}

// newsTime is how long changes of the signs are collected: a little longer than tables collect who comes and goes, so that what several hang out for one reason is in one list.
const newsTime = 250 * time.Millisecond

// announce tells whoever looks at the lobby soon after it has changed; and never the same again, which would tell him that something happens at a table that is not on it.
func (l *Lobby) announce() {
	for {
		select {
		case <-l.news:
		case <-l.ctx.Done():
			return
		}
		if !l.sleep(newsTime) {
			return
		}
		l.mu.Lock()
		list := l.list()
		for s, last := range l.looking {
			if string(list) != last {
				l.looking[s] = string(list)
				s.Tell(list)
			}
		}
		l.mu.Unlock()
	}
}

// list is what whoever looks at the lobby is told. The caller holds mu until it is told, so that no older list comes after a newer one.
func (l *Lobby) list() []byte {
	return wire.Message(struct {
		Lobby []wire.Card `json:"lobby"`
	}{l.cards()})
}
