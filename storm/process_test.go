package storm

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing/synctest"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"caveau/crier"
	"caveau/fact"
	"caveau/game"
	"caveau/limit"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/owner"
	"caveau/server"
	"caveau/server/servertest"
	"caveau/slots"
	"caveau/store"
	"caveau/store/disktest"
	"caveau/table"
	"caveau/wire"
)

// A process is one run of caveau serve: a lobby over the log, a server, and its connections.
type process struct {
	w      *World
	life   int
	ctx    context.Context
	clock  *clock
	gate   *gate
	lobby  *lobby.Lobby
	places *limit.Places // for tables
	server *server.Server
	http   *http.Server
	door   *servertest.Porch

	fail, lose, unread int // how many calls of the log from now on have that fate
	others             int // and how often somebody else writes first
	loses              int // how many entries that the house writes by itself are written, and not answered

	noting  fate          // of what the house notes next for itself
	slow    time.Duration // how long a handshake takes
	armed   wire.ID       // the table whose rules break when it has written something more, after so many entries
	after   int
	brittle atomic.Bool // the next rules that are asked break
	hangs   atomic.Bool // or do not come back for a while
	frail   frailty
	broken  int // tables that broke so, as the house says

	thoughts map[string][]*thought // by bot
	besieged string                // a bot that was asked, and had not come back from what took it too long; "" for none
	closing  bool                  // it has been told to
	hanging  bool                  // the rules of a table do not come back
	paused   bool                  // the process has been stopped: then bots are not called back in time

	crier  *crier.Crier
	owner  *owner.Owner
	keeper string // the cookie of whoever runs the house
}

// troubled tells whether something is wrong with the process or its log.
func (p *process) troubled() bool {
	return p.fail+p.lose+p.loses+p.unread > 0 || p.w.latency != usualLatency || p.w.full || p.clock.stopped || p.hanging || p.gate.slow() || p.gate.ailing()
}

// untouched is how long an open table waits, keepPlayed how long one is kept that is over.
const (
	untouched  = 40 * time.Minute
	keepPlayed = 2 * time.Hour
)

// limits are the usual ones, in a small house; newPlaces are those of its tables.
var limits = server.Limits{Commands: limit.Rate{AtOnce: mostAtOnce, PerSecond: 20}, Flood: 50, Sockets: 1500}

const mostAtOnce = 200

// mostLines is how many somebody gets of them in an empty house, of his own and without a name.
const mostLines = 29

func newPlaces() *limit.Places { return limit.NewPlaces(20_000, 100) }

// origin is the house, by a name for which browsers make passkeys.
const origin = "http://localhost:8080"

// begin starts a process.
func (w *World) begin() {
	w.life, w.born = w.life+1, time.Now()
	w.reopens()
	w.note("a process begins")
	w.open()
	p := &process{w: w, life: w.life, ctx: context.Background(), clock: &clock{wall: &w.wall}, door: servertest.NewPorch(), places: newPlaces(), thoughts: map[string][]*thought{}}
	p.unread, w.unreadable = w.unreadable, 0
	p.brittle.Store(w.breaking)
	w.breaking = false
	w.house, w.set, w.smooth, w.ahead = p, w.wall.drift != 0, w.opened(), 0
	p.gate = &gate{Log: w.log, w: w}
	for _, e := range w.tables {
		e.found = w.life
	}
	log := slog.New(slog.NewTextHandler(hearing{w, p}, &slog.HandlerOptions{Level: slog.LevelInfo, ReplaceAttr: known}))
	var err error
	config := lobby.Config{Log: p.gate, Shelf: brittle{w.shelf(), p}, Clock: p.clock, Rand: w.rand, Untouched: untouched, KeepPlayed: keepPlayed, Tables: p.places, Thinking: 1, Call: p.hears, Slog: log}
	p.crier = crier.New(crier.Config{Keeper: keeper{w.log, p.gate}, Send: p.brings, Games: w.shelf().Games(), Slog: log})
	if w.opening != "" {
		p.gate.ails(ailment{what: w.opening, fate: failed})
		early, err := lobby.Open(p.ctx, config)
		if err == nil {
			early.Close()
			w.fail("%s fails, and the house opens all the same", w.opening)
		}
		if _, running := p.clock.counts(); running > 0 {
			w.fail("%s fails, so the house does not open, and %d timers run", w.opening, running)
		}
		w.opening = ""
		w.heal()
	}
	p.lobby, err = lobby.Open(p.ctx, config)
	if err != nil {
		w.fail("the house does not open: %v", err)
	}
	p.owner, err = owner.New(p.ctx, owner.Config{
		Secret: []byte(keyOfTheHouse), Notes: notes{w, p.gate}, Lobby: p.lobby, Now: p.clock.Now, Random: w.random(), Origin: origin, Slog: log,
		TurnOut: func(ctx context.Context, guest string) error { return p.server.TurnOut(ctx, guest) }, Sockets: func() int { return p.server.Sockets() },
	})
	if err != nil {
		w.fail("it cannot be read who may come: %v", err)
	}
	secret, older := w.secrets()
	p.server, err = server.New(server.Config{
		Lobby: p.lobby, Owner: p.owner, Keeper: keeper{w.log, p.gate}, Secret: secret, Older: older, Origin: origin, Random: w.random(), Version: "storm", Slog: log,
		Ready: func(context.Context) error { return nil }, Limits: limits, Push: p.sender(nil).Key(),
	})
	if err != nil {
		w.fail("the server does not open: %v", err)
	}
	p.crier.Go(p.lobby, p.lobby.Clock())
	p.http = &http.Server{
		Handler: slowly{p.server, p}, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
	}
	go p.http.Serve(p.door)
	w.settle()
}

// shelf is what is played: the toy and its twin, or the games of the house.
func (w *World) shelf() slots.Shelf {
	if w.story.Real {
		return realShelf
	}
	return twins{}
}

// twins are the toy, and the same game by another name. It has bots of the same names, as the games of a house have, and those of them that do
// not behave at the one play as they should at the other.
type twins struct{ matchtest.Shelf }

const twin = "twin"

func (t twins) Game(name string) (game.Game, bool) {
	if name == twin {
		toy, _ := t.Shelf.Game("toy")
		return renamed{toy}, true
	}
	return t.Shelf.Game(name)
}

func (t twins) Games() []game.Info { return append(t.Shelf.Games(), renamed{matchtest.Toy}.Info()) }

func (t twins) Bot(game, name string) (slots.Bot, bool) {
	if game == twin && !behaves("toy", name) {
		return contrary{}, true
	}
	return t.Shelf.Bot(game, name)
}

type renamed struct{ game.Game }

func (r renamed) Info() game.Info {
	info := r.Game.Info()
	info.Name = twin
	return info
}

// contrary is a bot that says the last of what it could say: what a bot that is not asked is taken to have said is the first.
type contrary struct{}

func (contrary) Move(_ context.Context, seen table.Seen) string { return seen.Moves[len(seen.Moves)-1] }

// random is where the ids of guests come from.
func (w *World) random() io.Reader {
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], w.story.Seed)
	seed[31] = byte(w.life)
	return rand.NewChaCha8(seed)
}

// hearing writes down what the house says of itself.
type hearing struct {
	w *World
	p *process
}

func (h hearing) Write(line []byte) (int, error) {
	h.w.mu.Lock()
	defer h.w.mu.Unlock()
	if !h.p.gate.isDead() {
		said := string(bytes.TrimSpace(line))
		if h.w.disk != nil {
			said = strings.ReplaceAll(said, h.w.disk.Path(), "caveau.db")
		}
		h.w.lines = append(h.w.lines, fmt.Sprintf("%s (%d) %s", time.Now().UTC().Format("05.000000"), h.p.life, said))
	}
	return len(line), nil
}

// known leaves out what is another at every run.
func known(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey || a.Key == "stack" {
		return slog.Attr{}
	}
	return a
}

// fate is what becomes of a call.
func (p *process) fate(c *call) fate {
	switch {
	case c.what == "read" && p.unread > 0:
		p.unread--
		return failed
	case c.what == "read":
		return answered
	case p.fail > 0:
		p.fail--
		return failed
	case p.lose > 0:
		p.lose--
		return lost
	case p.loses > 0 && c.own:
		p.loses--
		return lost
	}
	return answered
}

// precede has another process, which has the same log, write to a table just before this one does, some things in a row.
func (w *World) precede(c *call) {
	e := w.evening(c.id)
	if w.house.others == 0 || c.what == "read" || c.what == "delete" || e == nil || e.unknown() || w.full || w.wasUnnoted() { // with another's entry the house was open then
		return
	}
	for range 1 + len(e.log)%3 {
		if w.house.others == 0 || !w.writes(e) {
			return
		}
		w.house.others--
	}
}

// writes is that another process writes what somebody says there; false if nobody says anything.
func (w *World) writes(e *evening) bool {
	d := w.elsewhere(e)
	if d == nil {
		return false
	}
	at := w.wall.now().Add(w.ahead)
	if last := e.log[len(e.log)-1].At; last.After(at) {
		at = last
	}
	entry := e.shadow.Entry(d, at)
	if err := w.log.Append(w.house.ctx, e.id, entry); err != nil {
		w.fail("the log does not take an entry of another process: %v", err)
	}
	w.note("another process writes")
	e.elsewhere[entry.Seq] = true
	w.wrote(e.id, entry)
	w.look()
	return true
}

// elsewhere is what somebody says, or a bot, who is connected to another process; nil for nothing.
func (w *World) elsewhere(e *evening) *table.Decision {
	turn := e.shadow.Turn()
	c := wire.Command{Do: "sit", Table: e.id, Seat: "B"}
	p := w.people[len(e.log)%len(w.people)]
	if turn != game.NoSeat {
		who, moves := e.shadow.Sitter(turn), e.shadow.Seen(turn).Moves
		if who.Bot != "" && behaves(e.shadow.Game(), who.Bot) {
			d, _ := e.shadow.Moved(turn, w.says(e, who.Bot), fact.ByBot)
			return d
		}
		c.Do, c.Seat, c.Seq, c.Move = "play", turn.String(), e.shadow.Seq(), moves[len(e.log)%len(moves)]
		p = w.guest(who.Guest)
	}
	if p == nil {
		return nil
	}
	s := p.pages[0].new(c)
	d, err := e.shadow.Decide(s.command, wire.Guest{ID: p.guest}, 0)
	if d == nil || err != nil {
		s.times = 0 // he has not said it
		return nil
	}
	s.times, s.ok = 1, true
	return d
}

// kill kills the process: nothing that it does from now on is seen by anybody. Of what was on its way to the log some is written,
// as n will have it; what was written and not synced is still there with that chance: 1 where the power stays on.
func (w *World) kill(n int, survives float64) {
	p := w.house
	w.note("the process is killed")
	w.interrupt()
	w.took = 0
	for i, c := range p.gate.kill() {
		f := dead
		if n>>(i%16)&1 == 1 {
			f, w.took = lost, max(w.took, w.openSince(c.came)) // it is written, and nobody hears of it
		}
		w.note("log %s %s %d: %v", c.what, c.id, c.seq, f)
		c.pass <- f
		synctest.Wait()
	}
	w.cutAll()
	p.goOn()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		p.close()
	}()
	patience := time.NewTimer(2 * time.Minute)
	defer patience.Stop()
	select {
	case <-closed:
	case <-patience.C:
		w.fail("something of a process that was killed does not end")
	}
	w.look()
	w.leaveDisk(survives)
}

// open opens the log.
func (w *World) open() {
	if w.disk == nil || w.store != nil {
		return
	}
	s, err := store.Open(context.Background(), w.disk.Path())
	if err != nil {
		w.fail("the log cannot be opened: %v", err)
	}
	w.store, w.log = s, s
}

// leaveDisk leaves the disk as it is found when the process that had it is dead.
func (w *World) leaveDisk(chance float64) {
	if w.store == nil {
		return
	}
	files := w.disk.Survivors(w.rand(), chance)
	w.store.Close() // it is of no effect, and fails
	w.store, w.disk = nil, disktest.New(w.t, files)
}

// end closes the house as its owner would, when nothing is wrong with its log.
func (w *World) end() {
	w.calmLog()
	w.closes()
}

// closes closes it as it is.
func (w *World) closes() {
	w.note("the house closes")
	w.house.closing = true
	unnoted := false // perhaps that it was stopped a moment ago: then whoever opens it notes it
	if n := len(w.closed); n > 0 && w.closed[n-1].from.After(w.born) && time.Since(w.closed[n-1].to) < pulse {
		unnoted, w.closed[n-1].sick = true, true
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer w.stir()
		w.house.close()
	}()
	for range 60 {
		w.wait(time.Second)
		select {
		case <-done:
			w.interrupt()
			last := &w.closed[len(w.closed)-1]
			last.orderly, last.sick = !unnoted, last.sick || unnoted
			for _, c := range w.house.gate.kill() { // it has not waited for the log: with the process ends whatever does
				c.pass <- dead
			}
			w.cutAll()
			w.settle()
			w.shut()
			return
		default:
		}
	}
	w.fail("the house does not close within a minute")
}

// shut closes the log.
func (w *World) shut() {
	if w.store == nil {
		return
	}
	if err := w.store.Close(); err != nil {
		w.fail("the log cannot be closed: %v", err)
	}
	w.store = nil
}

// calmLog ends all trouble of the log.
func (w *World) calmLog() {
	p := w.house
	w.latency, p.fail, p.lose, p.loses, p.unread, p.others = usualLatency, 0, 0, 0, 0, 0
	w.heal()
	w.fill(false)
}

// opened is how long the house has been open.
func (w *World) opened() time.Duration {
	if w.since.IsZero() {
		return w.ran
	}
	return w.ran + time.Since(w.since)
}

// openSince is how much of the time since then the house has been open.
func (w *World) openSince(at time.Time) time.Duration {
	open := time.Since(at)
	for _, c := range w.closed {
		from := c.from
		if from.Before(at) {
			from = at
		}
		if c.to.After(from) {
			open -= c.to.Sub(from)
		}
	}
	return open
}

// interrupt is that the house is not open for a while. If it could not note lately that it is, all the time since it could is given back
// to the players.
func (w *World) interrupt() {
	if !w.since.IsZero() {
		w.closed = append(w.closed, closing{from: time.Now(), sick: w.unnoted() || w.wasUnnoted()}) // what could not be noted before is noted with this
	}
	w.ran, w.since = w.opened(), time.Time{}
	w.breaks++
	if w.unnoted() {
		w.givesBack()
	}
}

// unnoted tells whether it could not be noted lately that the house is open.
func (w *World) unnoted() bool { return w.full || w.openSince(w.emptied) < 2*gift }

// wasUnnoted tells whether it may not be noted yet that the house was closed.
func (w *World) wasUnnoted() bool {
	n := len(w.closed)
	return n > 0 && w.closed[n-1].sick && time.Since(w.closed[n-1].to) < 2*gift
}

// givesBack is that players get time back.
func (w *World) givesBack() {
	for _, e := range w.tables {
		e.left = nil
	}
}

// fill has the disk be full, or not any more.
func (w *World) fill(full bool) {
	if w.full && !full {
		if w.emptied = time.Now(); len(w.closed) > 0 && w.closed[len(w.closed)-1].sick { // what could not be noted is noted now
			w.givesBack()
		}
	}
	w.full = full
	if w.disk == nil {
		w.house.gate.fill(full)
		return
	}
	var fault func(string) int32
	if full {
		fault = func(change string) int32 {
			if change == "write" || change == "create" {
				return sqlite3.SQLITE_FULL
			}
			return sqlite3.SQLITE_OK
		}
	}
	w.disk.SetFault(fault)
}

// reopens is that the house is open from now on.
func (w *World) reopens() {
	w.since, w.begun = time.Now(), w.ran
	if n := len(w.closed); n > 0 {
		w.closed[n-1].to = w.since
	}
}

// close is what caveau serve does at its end. A process that did not open has nothing to close but its log. What it has
// counted names nobody.
func (p *process) close() {
	if p.http == nil {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	p.http.Shutdown(ctx) // whoever is still connected then is cut off
	p.http.Close()
	for code := range p.server.Answers() {
		if !isCode(code) {
			p.w.fail("answers are counted by %q", code)
		}
	}
	p.server.Close()
	p.lobby.Close()
	p.crier.Close()
}

// pause stops the process for so long, as the system does. A moment is no interruption: clocks run on.
func (p *process) pause(d time.Duration) {
	w := p.w
	w.note("the process is stopped")
	if d > 30*time.Second {
		w.interrupt()
	}
	w.mu.Lock()
	p.paused = true
	w.mu.Unlock()
	p.clock.pause()
	w.wait(d)
	p.goOn()
}

// goOn has it go on.
func (p *process) goOn() {
	p.w.note("the process goes on")
	if p.w.since.IsZero() && !p.gate.isDead() {
		p.w.reopens()
	}
	p.clock.goOn()
	p.w.smooth, p.w.resumed = p.w.opened(), p.w.opened()
	for _, person := range p.w.people {
		for _, page := range person.pages {
			page.deliver()
		}
	}
}

// cutAll breaks every line.
func (w *World) cutAll() {
	for _, p := range w.people {
		for _, page := range p.pages {
			page.cut()
		}
	}
}

// isCode tells whether something is a word of the program, which says nothing of who was told it.
func isCode(code string) bool {
	return code != "" && strings.Trim(code, "abcdefghijklmnopqrstuvwxyz_") == ""
}
