// Package lobby is where tables are found: those that are played at, and, by their link, those that are over. It wakes their
// owners (package match) and lets them go, founds tables, knows who is connected, and keeps the house's time.
package lobby

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/limit"
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
	config Config
	ctx    context.Context // ends with the lobby
	stop   context.CancelFunc
	work   sync.WaitGroup
	slots  *slots.Slots
	news   chan struct{} // the signs have changed
	opened time.Time
	alive  atomic.Int64 // when the house was last known to be open, in Unix nanoseconds

	// mu guards what follows. Nothing is read, written or waited for while it is held.
	mu         sync.Mutex
	runners    map[wire.ID]*runner.Runner
	readers    map[wire.ID]*runner.Runner // of tables that sleep, and are looked at
	states     map[wire.ID]string         // what the last sign of a table said that has a runner
	unfinished map[wire.ID]Visitor        // every table that is not over, awake or not, and whose place it has
	signs      map[wire.ID]sign
	looking    map[*Session]bool // who looks at the lobby
	deleting   wire.ID           // the table that is being deleted; "" for none
	outages    []fact.Outage

	lapse   sync.Mutex    // held while an outage is noted, and guards what follows
	unnoted time.Duration // how long outages were that could not be noted; 0 for none
	asked   time.Time     // the time, last, while there are some
	woke    bool          // they are noted, and could not be read
	naming  sync.RWMutex  // held by many who note names, or by one who has to know that nobody does
}

// A sign hangs on the door of a table, and may name those guests.
type sign struct {
	wire.Card
	guests []string
}

// Open opens a lobby: it notes the time in which the house was closed, and wakes the tables that were awake when the last
// one closed. It fails if the log does.
func Open(ctx context.Context, c Config) (*Lobby, error) {
	last, err := c.Log.LastAlive(ctx)
	if err != nil {
		return nil, err
	}
	if behind := last.Sub(c.Clock.Now()); behind > 0 {
		c.Slog.Warn("the machine's clock is behind the log; the house's time goes on from there", "behind", behind)
	}
	if c.Deeds == nil {
		c.Deeds = new(alone)
	}
	c.Untouched, c.Clock = cmp.Or(c.Untouched, usualUntouched), &steady{Clock: c.Clock, latest: last}
	l := &Lobby{
		config: c, slots: slots.New(cmp.Or(c.Thinking, max(2, runtime.GOMAXPROCS(0))), c.Shelf, c.Clock.Timer, c.Slog), news: make(chan struct{}, 1), opened: c.Clock.Now(),
		runners: make(map[wire.ID]*runner.Runner), readers: make(map[wire.ID]*runner.Runner), states: make(map[wire.ID]string), unfinished: make(map[wire.ID]Visitor),
		signs: make(map[wire.ID]sign), looking: make(map[*Session]bool),
	}
	if err := l.readLog(ctx); err != nil {
		return nil, err
	}
	l.ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.work.Go(l.announce)
	l.work.Go(l.pulse)
	l.work.Go(l.alarms)
	l.work.Go(l.watchSteps)
	if c.KeepPlayed > 0 {
		l.work.Go(l.sweep)
	}
	return l, nil
}

// readLog notes that the house is open, and reads what is unfinished.
func (l *Lobby) readLog(ctx context.Context) error {
	if err := l.noteOutage(ctx, l.opened); err != nil {
		return err
	}
	all, err := l.config.Log.Due(ctx, l.opened.Add(always))
	for _, id := range all {
		l.unfinished[id] = before
		l.config.Tables.Hold(before.From, "")
	}
	return err
}

const usualUntouched = 30 * 24 * time.Hour

// before is whoever made a table before the house was opened: the log does not know where from.
var before = Visitor{From: "before"}

// always is later than anything rests.
const always = 100 * 365 * 24 * time.Hour

// closeTime is how long the lobby waits for its tables when it closes. Only one that hangs takes so long.
const closeTime = 30 * time.Second

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
	now := l.config.Clock.Now()
	if l.lapsed(now) {
		return // the outage would be forgotten; whoever opens the house notes it
	}
	if err := l.config.Log.Alive(context.WithoutCancel(l.ctx), now); err != nil {
		l.config.Slog.Error("it cannot be noted when the house closed", "err", err)
	}
}

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

// wake has a table owned here, and waits until it is.
func (l *Lobby) wake(ctx context.Context, id wire.ID) error {
	return l.visit(id, func(r *runner.Runner) (bool, error) { return r.Look(ctx, func(*table.Table, wire.Card) {}) })
}

// Make makes a table. What cannot be played is refused with the code bad_command.
func (l *Lobby) Make(ctx context.Context, host Visitor, s terms.Setup) (wire.ID, error) {
	f, err := fact.Found(l.config.Shelf, host.Guest, s)
	if err != nil {
		return "", err
	}
	id, err := l.found(ctx, host, f)
	if err != nil {
		return "", err
	}
	return id, l.wake(ctx, id) // until it is in the lobby
}

// found writes the first entry of a new table, which takes a place of its maker's, and wakes it.
func (l *Lobby) found(ctx context.Context, maker Visitor, f fact.Founding) (wire.ID, error) {
	if !l.config.Tables.Take(maker.From, maker.Guest.ID) {
		return "", wire.Refuse(wire.CodeTooMany, "you have too many tables whose games are not over: end one of them first")
	}
	f.Draw(l.config.Rand())
	id := l.newID()
	err := l.introduce(ctx, f.Guests())
	if err == nil {
		err = l.config.Log.Append(ctx, id, f.First(house{l}.Now()))
	}
	if err != nil {
		l.config.Tables.Give(maker.From, maker.Guest.ID)
		if ctx.Err() == nil { // else whoever wanted it has gone
			l.config.Slog.Error("a table cannot be made", "err", err)
		}
		return "", wire.AsError(err)
	}
	l.mu.Lock()
	l.unfinished[id] = maker
	l.mu.Unlock()
	_, err = l.runner(id, nil)
	return id, err
}

// letters are those of the names of tables.
const letters = "abcdefghjkmnpqrstuvwxyz023456789"

// newID draws a name that nobody can guess: 100 bits.
func (l *Lobby) newID() wire.ID {
	rng := l.config.Rand()
	return nameBy(func(int) int { return rng.IntN(len(letters)) })
}

func nameBy(letter func(i int) int) wire.ID {
	id := make([]byte, 20)
	for i := range id {
		id[i] = letters[letter(i)]
	}
	return wire.ID(id)
}

// KeepsPlayed is how long a table is kept that is over; 0: for ever.
func (l *Lobby) KeepsPlayed() time.Duration { return l.config.KeepPlayed }

// Games is what there is to play, Bots are the names of a game's players.
func (l *Lobby) Games() []game.Info            { return l.config.Shelf.Games() }
func (l *Lobby) Bots(gameName string) []string { return l.config.Shelf.Bots(gameName) }

// mostListed is how many tables a list has room for.
const mostListed = 100

// Cards are the door signs of the listed tables: first those where a seat may be free, the newest first.
func (l *Lobby) Cards() []wire.Card {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cards()
}

// cards is Cards. The caller holds mu.
func (l *Lobby) cards() []wire.Card {
	list := make([]wire.Card, 0, len(l.signs))
	for _, c := range l.signs {
		list = append(list, c.Card)
	}
	slices.SortFunc(list, func(a, b wire.Card) int {
		return cmp.Or(cmp.Compare(a.State, b.State), b.Made.Compare(a.Made), cmp.Compare(a.Table, b.Table))
	})
	return list[:min(len(list), mostListed)]
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
		l.begin(c.Table)
		switch {
		case !c.Listed:
			delete(l.signs, c.Table)
		case hung && reflect.DeepEqual(old, c):
			return
		default:
			l.signs[c.Table] = c
		}
	}
	if _, hangs := l.signs[c.Table]; !hung && !hangs {
		return
	}
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// begin counts a table as unfinished that nobody here has made: the log kept it, and could not say so. The caller holds mu.
func (l *Lobby) begin(id wire.ID) {
	if _, known := l.unfinished[id]; !known {
		l.unfinished[id] = before
		l.config.Tables.Hold(before.From, before.Guest.ID)
	}
}

// finish gives back the place of a table that is over. The caller holds mu.
func (l *Lobby) finish(id wire.ID) {
	if maker, unfinished := l.unfinished[id]; unfinished {
		delete(l.unfinished, id)
		l.config.Tables.Give(maker.From, maker.Guest.ID)
	}
}

// newsTime is how long changes of the signs are collected: somebody who is renamed is so on many of them. It is a little longer than
// tables collect who comes and goes, so that what several of them hang out for one reason is in one list, and never half of it.
const newsTime = 250 * time.Millisecond

// announce tells whoever looks at the lobby soon after it has changed, a few times a second at most.
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
		for s := range l.looking {
			s.Tell(list)
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
