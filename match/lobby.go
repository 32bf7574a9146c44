package match

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"

	"caveau/game"
	"caveau/record"
)

// A Clock tells the time and wakes.
type Clock interface {
	Now() time.Time
	// Timer sends the time once, after d; stop it when it is not needed any more.
	Timer(d time.Duration) (fires <-chan time.Time, stop func() bool)
}

// A Config is all that a lobby is handed.
type Config struct {
	Log   Log
	Shelf Shelf
	Clock Clock
	// Rand makes a new source of chance, unguessable and unlike any other. Every deal has one of its own, so that one game
	// tells nothing about another. It is called from many goroutines.
	Rand func() *rand.Rand
	Slog *slog.Logger
}

// A Lobby is where all the matches are found: those that run, and, by their link, those that are over.
type Lobby struct {
	Config

	ctx   context.Context
	stop  context.CancelFunc
	work  sync.WaitGroup
	minds chan struct{} // a place for each bot that thinks
	news  chan struct{} // the signs have changed

	// mu guards what follows. Nothing is read, written or waited for while it is held.
	mu      sync.Mutex
	matches map[ID]*match
	signs   map[ID]Card
	ears    map[*Client]bool
}

// distant is after everything that is due.
var distant = time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)

// Open opens a lobby and wakes the matches that were running when the last one closed. It fails if the log does.
func Open(ctx context.Context, c Config) (*Lobby, error) {
	running, err := c.Log.Due(ctx, distant)
	if err != nil {
		return nil, err
	}
	l := &Lobby{
		Config: c, minds: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))), news: make(chan struct{}, 1),
		matches: make(map[ID]*match), signs: make(map[ID]Card), ears: make(map[*Client]bool),
	}
	l.ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.work.Go(func() { l.wake(running) })
	l.work.Go(l.announce)
	return l, nil
}

// Close stops every match where it is; all of it is in the log.
func (l *Lobby) Close() {
	l.mu.Lock() // nothing is begun after this
	l.stop()
	l.mu.Unlock()
	l.work.Wait()
}

// wake wakes matches one by one, so that a great many of them do not keep anybody waiting. Those that cannot be read are
// tried again a few times: a database may be busy for a moment.
func (l *Lobby) wake(ids []ID) {
	for range 5 {
		var again []ID
		for _, id := range ids {
			if err := l.visit(l.ctx, id, func(*match) func() { return func() {} }); err != nil {
				again = append(again, id)
			}
		}
		if ids = again; len(ids) == 0 || !l.sleep(10*time.Second) {
			return
		}
	}
	l.Slog.Error("some tables could not be woken", "tables", ids)
}

// sleep waits; false if the lobby closes meanwhile.
func (l *Lobby) sleep(d time.Duration) bool {
	over, stop := l.Clock.Timer(d)
	defer stop()
	select {
	case <-over:
		return true
	case <-l.ctx.Done():
		return false
	}
}

// match is the owner of the match, woken if it was not.
func (l *Lobby) match(id ID) *match {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.matches[id]
	if m == nil {
		m = l.newMatch(id)
		l.matches[id] = m
		if l.ctx.Err() == nil {
			l.work.Go(m.run)
		} else {
			close(m.gone)
		}
	}
	return m
}

// forget is called by an owner that goes home.
func (l *Lobby) forget(m *match) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.matches[m.id] == m {
		delete(l.matches, m.id)
	}
}

// visit has the owner of a match do something, and waits until it is done.
func (l *Lobby) visit(ctx context.Context, id ID, do func(*match) func()) error {
	for {
		m := l.match(id)
		err := m.post(ctx, do(m))
		if !errors.Is(err, errGone) {
			return err
		}
		if l.ctx.Err() != nil {
			return refuse(CodeBusy, "the server is stopping, try again in a moment")
		}
	}
}

// Make makes a table. What cannot be played is refused with the code bad_command.
func (l *Lobby) Make(ctx context.Context, host Guest, s Setup) (ID, error) {
	s, came, err := s.opened(l.Shelf)
	if err != nil {
		return "", err
	}
	if host.ID == "" {
		return "", refuse(CodeNoGuest, "say who you are first: POST /api/guest")
	}
	f := &made{Setup: s, Host: host, Chairs: make([]chair, s.Seats), Imported: came}
	l.chance(f)
	if s.Sit {
		f.Chairs[0].Guest = host
	}
	for i, name := range s.Bots {
		f.Chairs[s.Seats-len(s.Bots)+i].Bot = name
	}
	f.Setup.Bots, f.Setup.Sit = nil, false
	id, err := l.found(ctx, f)
	if err != nil {
		return "", err
	}
	return id, l.visit(ctx, id, func(*match) func() { return func() {} })
}

// mostTables is how many tables may be awake before no more are made.
const mostTables = 20_000

func (l *Lobby) crowded() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.matches) >= mostTables
}

// found writes the first entry of a new match.
func (l *Lobby) found(ctx context.Context, f *made) (ID, error) {
	if l.crowded() {
		return "", refuse(CodeBusy, "there are too many tables, try again later")
	}
	id := l.newID()
	e := Entry{Seq: 1, At: l.Clock.Now(), Data: writeFact(f, receipt{}, nil)}
	if err := l.Log.Append(ctx, id, e); err != nil {
		l.Slog.Error("a table cannot be made", "err", err)
		return "", AsError(err)
	}
	l.match(id)
	return id, nil
}

// newID draws a name that nobody can guess: 100 bits.
func (l *Lobby) newID() ID {
	const letters = "abcdefghjkmnpqrstuvwxyz023456789"
	rng := l.Rand()
	id := make([]byte, 20)
	for i := range id {
		id[i] = letters[rng.IntN(len(letters))]
	}
	return ID(id)
}

// Card is a table's door sign.
func (l *Lobby) Card(ctx context.Context, id ID) (c Card, err error) {
	err = l.look(ctx, id, func(m *match) { c = m.card() })
	return c, err
}

// Record is the game as a record. Before the end it is refused with the code running: a record has no secrets. A game that
// today's rules do not allow has one too: it is as it was played.
func (l *Lobby) Record(ctx context.Context, id ID) (r record.Record, err error) {
	var refused error
	err = l.look(ctx, id, func(m *match) { r, refused = m.table.record() })
	if err != nil && AsError(err).Code == CodeStorage {
		if entries, unread := l.Log.Entries(ctx, id, 0); unread == nil {
			if kept, ok := onPaper(l.Shelf, entries); ok {
				return kept, nil
			}
		}
	}
	return r, cmp.Or(err, refused)
}

// look has the owner answer a question.
func (l *Lobby) look(ctx context.Context, id ID, at func(*match)) error {
	return l.visit(ctx, id, func(m *match) func() { return func() { at(m) } })
}

// mostListed is how many tables a list has room for.
const mostListed = 100

// Cards are the door signs of the listed tables: first those where a seat may be free, the newest first.
func (l *Lobby) Cards() []Card {
	l.mu.Lock()
	list := make([]Card, 0, len(l.signs))
	for _, c := range l.signs {
		list = append(list, c)
	}
	l.mu.Unlock()
	slices.SortFunc(list, func(a, b Card) int {
		return cmp.Or(cmp.Compare(a.State, b.State), b.Made.Compare(a.Made), cmp.Compare(a.Table, b.Table))
	})
	return list[:min(len(list), mostListed)]
}

// hang hangs a door sign, or takes it away when the table is over.
func (l *Lobby) hang(c Card) {
	if !c.Listed {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	old, ok := l.signs[c.Table]
	switch {
	case c.State == stateOver && !ok, ok && reflect.DeepEqual(old, c):
		return
	case c.State == stateOver:
		delete(l.signs, c.Table)
	default:
		l.signs[c.Table] = c
	}
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// announce tells whoever looks at the lobby when it has changed, a few times a second at most.
func (l *Lobby) announce() {
	for {
		select {
		case <-l.news:
		case <-l.ctx.Done():
			return
		}
		list := l.list()
		l.mu.Lock()
		for c := range l.ears {
			c.tell(list)
		}
		l.mu.Unlock()
		if !l.sleep(stirTime) {
			return
		}
	}
}

func (l *Lobby) list() []byte {
	return message(struct {
		Lobby []Card `json:"lobby"`
	}{l.Cards()})
}

func (l *Lobby) watch(c *Client) {
	l.mu.Lock()
	l.ears[c] = true
	l.mu.Unlock()
	c.tell(l.list())
}

func (l *Lobby) unwatch(c *Client) {
	l.mu.Lock()
	delete(l.ears, c)
	l.mu.Unlock()
}

// Games is what there is to play.
func (l *Lobby) Games() []game.Info { return l.Shelf.Games() }
