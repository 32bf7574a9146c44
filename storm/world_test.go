// Package storm runs a whole house in virtual time, from one seed: lobby, tables, log, sockets, people and bots. Things go wrong in it
// as they do in the world, or more often: the log fails, is slow, is full, or loses its answer; the process is killed, stopped or
// begun anew, the power fails; lines break, stall and come back; people say everything twice, late and in another's name; the clock is
// set. All the while it is checked that nobody is harmed (check.go).
//
// A story (story.go) says what happens. One loop tells it, inside a bubble of testing/synctest: it does one thing, waits until nothing
// in the house moves any more, and looks at what was written and told. Whatever leaves the house stops at a gate (log.go, cable.go)
// until the loop lets it pass, so what the scheduler does decides nothing: the same story has the same trace, to the byte.
//
// Only what the World does may grow here; what is right stands in check.go, who acts in people.go, and what surrounds one process in
// process.go: several processes with one log are several of those.
package storm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/match/matchtest"
	"caveau/store"
	"caveau/store/disktest"
	"caveau/store/storetest"
	"caveau/table"
	"caveau/wire"
)

// A World is what there is besides the house, and the house.
type World struct {
	story      Story
	rand       func() *rand.Rand // all chance of the house
	log        storetest.Store   // what the disk has
	t          *testing.T
	disk       *disktest.Disk // nil: the log is in memory
	store      *store.Store   // that is open on it
	house      *process
	wall       wall
	latency    time.Duration // of the log
	people     []*person
	renames    int             // so far
	listed     bool            // the lobby has been looked at since it changed
	gone       []*person       // who were here, and are nobody any more
	erased     []string        // guests of a log of before whose names were taken away
	erasing    string          // whose name is being taken
	meanwhile  func()          // what else somebody says as he goes
	between    func()          // what happens before he says so again
	blotted    map[string]bool // guests who have had themselves erased
	letIn      map[string]bool // guests who were told who they are
	tables     []*evening
	news       chan struct{}
	life       int                       // how many processes there were
	born       time.Time                 // when the last of them began
	calls      int                       // of the log
	ran        time.Duration             // how long the house was open, as its players count it
	since      time.Time                 // when it was opened, or went on; zero while it is not
	untold     time.Duration             // until when, of that time, a name may be told that could not be read
	blind      time.Duration             // and when somebody did not read what he was told, or lost his line
	looked     int                       // how often somebody looked around, and all was well
	took       time.Duration             // how long the last call of the log did
	reading    bool                      // somebody looks up tables that sleep
	passing    *call                     // that the gate lets pass just now
	smooth     time.Duration             // how long it was open when something was wrong with the log, or with the process, for the last time
	breaks     int                       // and how often the house was not open for a while
	closed     []closing                 // and when
	unheard    []closing                 // when it could not be read that it was
	founded    map[wire.ID]time.Duration // how long it had been open when it was told that the first entry is written
	begun      time.Duration             // how long it had been open when it opened or went on for the last time
	noted      []fact.Outage             // in the log
	ahead      time.Duration             // how far the house's time is ahead of the machine's clock
	woke       bool                      // something was noted since they were read
	resumed    time.Duration             // and when it went on after it had been stopped, however shortly
	busy       busy
	dropped    time.Duration     // since when more bots think than tables wait for; 0 if they do not
	odd        time.Duration     // when it was first said of others than wait for a processor; 0 if it is not
	kept       map[string]string // what the house has noted for itself
	invited    []*invitation
	ways       []*way
	passkeys   []*passkey
	keepsakes  []*keepsake
	browsers   []*browser
	called     []called
	days       int                // how often people have played for days
	later      []time.Time        // when a service was too busy
	topics     map[string]subject // of which tables services bring the newest
	unreadable int                // how many calls of the log fail that want to read, when it does
	aged       bool               // half a year has gone by
	breaking   bool               // the rules of the next process do, at once
	opening    string             // what the log cannot say when the house opens for the first time
	full       bool               // the disk
	emptied    time.Time          // when it was full for the last time
	set        bool               // the clock has been set since the process began
	everSet    bool               // or before

	routines int   // there were when nobody was there
	room     []int // for everybody's lines, when nobody had any
	slowed   int   // how many lines wait for each other, as they say much at one address

	mu         sync.Mutex
	written    []writ            // and not looked at yet
	restsAt    map[wire.ID]int   // the entry after which a table was noted last to rest
	stalls     map[wire.ID]stall // of logs that did not take something
	deleted    []wire.ID         // likewise
	owned      []wire.ID         // likewise: tables that the house has made its own
	forsook    []string          // likewise: entries that nobody waited for
	calling    []called          // likewise: whom the house has called
	cries      []cry             // and what services were asked to bring
	service    error             // what they answer
	jammed     map[string]bool   // or those, by their browsers, that are busy
	lines      []string          // of the house's own log, not looked at yet
	introduced map[string]bool   // guests who were given a name

	trace bytes.Buffer
	looks int      // how often the loop has looked
	heard []phrase // since then
	acked []*said  // phrases that somebody was told he has said
	Told  Numbers
}

// Numbers are what went on in a world.
type Numbers struct {
	Steps, Entries, Messages, Lives, Over int
	Time                                  time.Duration // that went by
}

// An evening is what the world knows of a table: what the log has of it, and what follows from that.
type evening struct {
	id        wire.ID
	shadow    *table.Table
	paper     *paper
	log       []fact.Entry
	moved     int           // the last entry that brought a position
	ran       time.Duration // how long the house had been open then, at the least
	reached   time.Duration // and at the most
	newer     bool          // a later version has written to it
	deleted   bool
	at        time.Time // when the last entry was written
	found     int       // the last process that began with it in its log
	touched   time.Time // when somebody looked at it for the last time
	left      *left
	visits    visits
	sittings  [][]place        // the seats after each entry
	talks     map[string]*talk // by guest
	elsewhere map[int]bool     // the entries that another process wrote
	asks      int              // the entry in which he did
	called    time.Duration    // how long the house had been open when numbers were called
	made      time.Duration    // how long the house had been open when it was made
	dealt     int              // the entry by which its game began
	begun     time.Duration    // and how long the house had been open then
	behind    time.Duration    // how long somebody's going may have waited then behind what others had said
	calm      calm             // what it was like the last time that it was looked at
	since     time.Duration    // how long the house had been open when it became so
	seen      bool             // and it has been compared
	taken     map[string]bool  // which guests have taken it from their lists, or tried to
	wants     string           // the guest who proposed something last
	agreed    game.Seats       // who has agreed to it

	written time.Duration // how long the house had been open when the last entry was written
	loaded  time.Duration // and when it was read from the log
	again   time.Duration // and when its log took something again
	owed    owed
	givenUp bool // the house may have left it alone for a while, since it could not be read
}

// A writ is an entry that was written.
type writ struct {
	id    wire.ID
	entry fact.Entry
}

// A Fault is what is wrong with the house.
type Fault string

// Run tells a story, and is what was found wrong; "" for nothing. It belongs into a bubble of testing/synctest.
func Run(t *testing.T, s Story) (w *World, fault Fault) {
	w = &World{
		t: t, story: s, rand: matchtest.Rand(s.Seed), log: storetest.Memory(), latency: usualLatency, news: make(chan struct{}, 1), kept: map[string]string{}, topics: map[string]subject{}, restsAt: map[wire.ID]int{}, stalls: map[wire.ID]stall{}, founded: map[wire.ID]time.Duration{}, blotted: map[string]bool{}, letIn: map[string]bool{}, introduced: map[string]bool{},
	}
	began := time.Now()
	defer func() {
		r := recover()
		found, is := r.(Fault)
		if r != nil && !is {
			panic(r)
		}
		if is {
			fault = found
			w.note("FAULT %s", found)
			w.people = nil // whatever they are told now
			if w.passing != nil {
				w.passing.pass <- dead
			}
			w.kill(0, 1)
			time.Sleep(matchtest.Lost) // whoever does not come back comes back
		}
		w.house = nil
		w.Told.Time = time.Since(began)
		w.Told.Lives = w.life
		synctest.Wait()
	}()
	if s.Disk {
		w.disk = disktest.New(t, nil)
	}
	w.wall.set(0, 0)
	if s.Old {
		w.upgrade("testdata/before-names.jsonl")
	}
	w.begin()
	w.routines, _ = goroutines()
	w.come()
	for _, step := range s.Steps {
		w.Told.Steps++
		done.Add(1)
		w.do(step)
	}
	w.calm()
	return w, ""
}

const usualLatency = 2 * time.Millisecond

// Trace is all that was done, written and told, in order.
func (w *World) Trace() string { return w.trace.String() }

// fail ends the story.
func (w *World) fail(format string, args ...any) { panic(Fault(fmt.Sprintf(format, args...))) }

func (w *World) note(format string, args ...any) {
	fmt.Fprintf(&w.trace, "%s "+format+"\n", append([]any{time.Now().UTC().Format("15:04:05.000000")}, args...)...)
}

// stir has the loop look.
func (w *World) stir() {
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// wrote is called by the gate when an entry has been written.
func (w *World) wrote(id wire.ID, e fact.Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written = append(w.written, writ{id, e})
	w.stamped(e.At)
}

// stamped is that the house has written down that time: its own goes on from the latest, if somebody sets the clock. Under w.mu.
func (w *World) stamped(at time.Time) { w.ahead = max(w.ahead, at.Sub(w.wall.now())) }

// rested is that the log has taken it that a table rests after its last entry; rests is which that was.
func (w *World) rested(id wire.ID, seq int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.restsAt[id] = seq
}

func (w *World) rests(id wire.ID) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.restsAt[id]
}

// settle waits until nothing moves any more that the loop need not let pass, and looks at what came of it.
func (w *World) settle() {
	for n := 0; ; n++ {
		if n > 10_000 {
			w.fail("the house writes and reads, again and again")
		}
		synctest.Wait()
		w.look()
		if w.house.clock.stopped {
			return
		}
		c := w.house.gate.next()
		if c == nil {
			w.checkTimers()
			w.checkPages()
			return
		}
		if c.what != "delete" {
			w.calls++
		}
		w.took, w.passing = w.openSince(c.came), c
		w.precede(c)
		f := w.house.fate(c)
		w.note("log %s %s %d: %v", c.what, c.id, c.seq, f)
		if e := w.evening(c.id); e != nil && c.what == "read" && c.seq == 0 {
			w.loading(e, f)
		}
		if c.what == "append" && c.seq == 1 && f == answered {
			w.founded[c.id] = w.opened()
		}
		if w.house.armed == c.id && c.what == "append" {
			if w.house.after--; w.house.after < 0 {
				w.house.armed = ""
				w.house.brittle.Store(true)
			}
		}
		w.passing = nil
		c.pass <- f
	}
}

// look looks at what was written and told since it looked last.
func (w *World) look() {
	w.looks++
	for _, p := range w.people {
		for _, page := range p.pages {
			page.noteHere()
			page.listen()
		}
	}
	w.mu.Lock()
	written, deleted, owned, lines, besieged := w.written, w.deleted, w.owned, w.lines, w.house.besieged
	calling, cries, forsook := w.calling, w.cries, w.forsook
	w.calling, w.cries, w.forsook = nil, nil, nil
	w.written, w.deleted, w.owned, w.lines, w.house.besieged = nil, nil, nil, nil, ""
	w.mu.Unlock()
	for _, id := range owned {
		if e := w.evening(id); e != nil {
			w.load(e)
		}
	}
	if len(forsook) > 0 {
		w.fail("the log is given an entry, and nobody waits until it has taken it: %s", forsook[0])
	}
	if besieged != "" {
		w.fail("the bot %s is asked once more, and has not come back from what took it too long", besieged)
	}
	for _, one := range written { // the gate lets one pass at a time
		w.note("written %s %d at %s %s", one.id, one.entry.Seq, one.entry.At.Format(time.TimeOnly), one.entry.Data)
		w.checkEntry(one)
	}
	for _, id := range deleted {
		w.checkDeleted(id)
	}
	w.listens(calling, cries)
	slices.Sort(lines)
	for _, line := range lines {
		w.note("says %s", line)
		if strings.Contains(line, "a table broke") {
			if w.house.broken--; w.house.broken >= 0 {
				w.smooth = w.opened()
				continue
			}
			w.fail("the rules of a table broke: %s", line)
		}
	}
	for _, p := range w.people {
		for _, page := range p.pages {
			page.hear()
		}
	}
	w.checkHeard()
}

// wait has time go by.
func (w *World) wait(d time.Duration) {
	end := time.Now().Add(d)
	for {
		w.settle()
		left := time.Until(end)
		if left <= 0 {
			return
		}
		timer := time.NewTimer(left)
		select {
		case <-w.news:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// unknown tells whether the house knows nothing of the table, or nothing any more.
func (e *evening) unknown() bool { return e.newer || e.deleted }

func (w *World) newEvening(id wire.ID) *evening {
	e := &evening{id: id, elsewhere: map[int]bool{}, taken: map[string]bool{}, shadow: table.New(w.shelf()), talks: map[string]*talk{}, paper: &paper{changes: map[string]int{}, was: map[string]string{}}, visits: visits{asked: map[string]int{}, first: map[string]int{}, seated: map[string]int{}, unseated: map[string]int{}}}
	w.tables = append(w.tables, e)
	return e
}

// evening is the table of that name.
func (w *World) evening(id wire.ID) *evening {
	for _, e := range w.tables {
		if e.id == id {
			return e
		}
	}
	return nil
}

// spans are how much time goes by at once: mostly little.
var spans = []time.Duration{
	0, time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 300 * time.Millisecond, 700 * time.Millisecond, 700 * time.Millisecond,
	time.Second, time.Second, 2 * time.Second, 3 * time.Second, 3 * time.Second, 5 * time.Second, 10 * time.Second, 25 * time.Second, 40 * time.Second, 3 * time.Minute, 31 * time.Minute,
}

// do has a step happen.
func (w *World) do(s Step) {
	w.note("# %s", s)
	switch s.Who {
	case "time":
		w.passTime(s)
	case "log":
		w.trouble(s)
	case "house":
		w.harm(s)
	case "owner":
		w.ruling(s)
	case "people":
		if scene := scenes[s.Do]; scene != nil {
			scene(w, s.N)
			break
		}
		if s.Do == "meet" {
			w.meet(s.N)
			break
		}
		if s.Do == "vote" {
			w.vote(s.N)
			break
		}
		if s.Do == "call" {
			w.waitedFor(s.N)
			break
		}
		if s.Do == "spill" {
			w.spills(s.N)
			break
		}
		if s.Do == "still" {
			w.still(s.N)
			break
		}
		if s.Do == "crowd" {
			w.crowd(s.N)
			break
		}
		if s.Do == "sleep" { // so do the tables, and one of their guests takes another name
			// At a listed table it is somebody's turn, who has time: so it sleeps, and its sign hangs there.
			w.meet([]int{1000, 1001, 1003, 1004, 1006, 1007}[s.N/16%6])
			who := w.people[s.N%len(w.people)]
			for _, p := range w.people {
				if slices.ContainsFunc(w.tables, p.hangsOut) {
					who = p
				}
			}
			w.cutAll()
			w.wait(3 * time.Minute)
			who.rename(s.N)
			w.people[s.N/4%len(w.people)].pages[1].forgets()
			w.wait(10 * time.Second)
			break
		}
		if s.N%3 == 1 { // one after the other, and for good: their table sleeps, and wakes when the first of them has been away too long
			w.meet([]int{505, 506, 508, 509}[s.N/3%4])
			for _, p := range w.people[:len(names)] {
				for _, g := range p.pages {
					g.cut()
				}
				w.wait(4 * time.Minute)
			}
			w.wait(40 * time.Minute)
			break
		}
		// All at once, and for so long that tables are unloaded; somebody comes back just then.
		usual := w.latency
		w.latency = 2 * time.Second
		w.cutAll()
		w.wait(time.Minute + time.Duration(s.N%9)*300*time.Millisecond)
		w.people[s.N/9%len(w.people)].pages[0].dial()
		w.latency = usual
	default:
		name, second := strings.CutSuffix(s.Who, "2")
		i := slices.Index(names, name)
		if i < 0 {
			w.fail("the story has somebody called %q", s.Who)
		}
		page := 0
		if second {
			page = 1
		}
		w.people[i].pages[page].do(s.Do, s.N)
	}
	w.wait(time.Duration(s.N%7) * time.Millisecond)
}

func (w *World) passTime(s Step) {
	switch s.Do {
	case "wait":
		span := spans[s.N%len(spans)]
		w.wait(span + time.Duration(s.N%1000)*time.Microsecond)
	case "set":
		w.wall.set([]time.Duration{-time.Hour, -time.Minute, -3 * time.Second, 2 * time.Second, 20 * time.Second, 5 * time.Minute, 26 * time.Hour}[s.N%7], w.wall.drift)
		w.setClock()
	case "drift":
		w.wall.set(0, []int{0, 0, 300, -300, 5000, -5000}[s.N%6])
		w.setClock()
	}
}

// setClock is that the clock has been set: how much time is left at the positions of now nobody can say, in the next process either.
func (w *World) setClock() {
	w.set, w.everSet, w.smooth = true, true, w.opened()
	for _, e := range w.tables {
		e.ran, e.left = -1000*time.Hour, nil
	}
	for _, o := range w.ways { // nor how long links are good
		o.doubted = true
	}
}

// trouble is what the log does with the next who come to it.
func (w *World) trouble(s Step) {
	switch s.Do {
	case "fail":
		w.house.fail += 1 + s.N%3
	case "lose":
		if w.house.unread += s.N / 3 % 2; s.N/6%3 == 0 {
			w.house.loses += 1 + s.N%3
		} else {
			w.house.lose += 1 + s.N%3
		}
	case "blind": // it is written, and cannot be read
		w.house.lose++
		w.house.unread += 2 + s.N%3
	case "unread":
		w.house.unread += 1 + s.N%3
	case "other":
		w.house.others += 1 + s.N%4
		w.whileABotThinks(s.N / 4)
	case "slow":
		w.latency = []time.Duration{50 * time.Millisecond, time.Second, 15 * time.Second}[s.N%3]
	case "quick":
		w.latency = usualLatency
	case "full", "empty":
		w.fill(s.Do == "full")
	case "ail":
		w.ailsForAWhile(s.N)
	}
}

// whileABotThinks is that somebody says something where a bot is to move, which has moved elsewhere.
func (w *World) whileABotThinks(n int) {
	if n%2 == 0 || w.house.clock.stopped {
		return
	}
	for _, e := range w.tables {
		turn := e.shadow.Turn()
		if e.unknown() || turn == game.NoSeat || e.shadow.Sitter(turn).Bot == "" {
			continue
		}
		for _, p := range w.people[:len(names)] {
			if seat := e.paper.seatOf(p.guest); seat >= 0 && !e.paper.seats[seat].left {
				if g := p.at(e); g != nil {
					w.wait(time.Second)
					g.send(g.new(wire.Command{Table: e.id, Do: "leave"}))
					w.wait(50 * time.Millisecond)
				}
				return
			}
		}
	}
}

// ailsForAWhile is that one thing that the log is asked for, or told, fails for a while, and all else is well. Tables may be asleep; some people come
// to them meanwhile.
func (w *World) ailsForAWhile(n int) {
	if w.house.clock.stopped {
		return
	}
	if n>>17 > 4 {
		w.renamedMeanwhile(n)
		return
	}
	if n/64%2 == 0 {
		w.cutAll()
		w.wait(3 * time.Minute)
	}
	what := ofLog[n%len(ofLog)]
	w.note("%s ails", what)
	w.house.gate.ails(ailment{what: what, fate: failed})
	for i := range 2 {
		w.people[(n/8+i)%len(names)].pages[0].dial()
	}
	w.wait([]time.Duration{300 * time.Millisecond, 5 * time.Second, 12 * time.Second, 35 * time.Second}[n/128%4])
	w.heal()
}

// renamedMeanwhile is that somebody takes another name while tables are read from the log that have slept: what they hear that he is called is old by then.
func (w *World) renamedMeanwhile(n int) {
	w.cutAll()
	w.wait(3 * time.Minute)
	w.note("names come late")
	w.house.gate.ails(ailment{what: "Names", fate: late})
	g, who := w.people[n%len(names)].pages[0], w.people[n/4%len(names)]
	g.dial()
	for _, id := range g.order { // somebody who sits where he looks
		for _, s := range w0(w, id).paper.seats {
			if p := w.guest(s.guest); p != nil && slices.Contains(w.people[:len(names)], p) {
				who = p
			}
		}
	}
	w.wait(w.latency + 20*time.Millisecond)
	who.rename(3*(n/16) + 1)
	w.wait(2 * time.Second)
	w.heal()
	for range 4 { // so that it is seen what those are told who look
		w.wait(pulse / 2)
	}
}

// harm is what is done to the house.
func (w *World) harm(s Step) {
	switch s.Do {
	case "kill":
		w.kill(s.N, 1)
		w.wait(spans[s.N%len(spans)])
		w.begin()
	case "stumble": // it is hardly open again when it is killed again
		for i := range 3 {
			w.kill(s.N>>i, 1)
			w.wait(spans[(s.N+i)%len(spans)])
			w.begin()
			w.wait(spans[9+(s.N>>i)%7])
		}
	case "power":
		w.kill(s.N, float64(s.N%3)/2)
		w.wait(spans[s.N%len(spans)])
		w.begin()
	case "restart":
		w.end()
		w.wait(spans[s.N%9])
		w.begin()
	case "pause":
		span := []time.Duration{time.Second, 15 * time.Second, 50 * time.Second, 10 * time.Minute}[s.N%4]
		if what := []string{"", "Outages", "Woke"}[s.N/4%3]; what != "" { // when it goes on that fails, for a moment
			w.house.gate.ails(ailment{what: what, fate: failed})
			span = max(span, 50*time.Second)
		}
		w.house.pause(span)
		for range s.N / 64 % 3 { // once more, before it could be noted
			if w.house.gate.ailing() {
				w.closed[len(w.closed)-1].sick = true
				w.wait(3 * time.Second)
				w.house.pause(span + 20*time.Second)
			}
		}
		w.wait([]time.Duration{0, 300 * time.Millisecond, 12 * time.Second}[s.N/16%3])
		if n := len(w.closed); n > 0 && s.N/192%4 == 0 && w.house.gate.ailing() && !w.full { // it closes before that is noted; then whoever opens it notes it
			w.closed[n-1].sick = true
			w.closes()
			w.closed[len(w.closed)-1].orderly = false // time stood still meanwhile
			w.wait(spans[s.N/768%9])
			w.begin()
		}
		w.heal()
	case "sick": // it cannot be read at first what is in the log: then it does not open
		w.kill(s.N, 1)
		w.wait(spans[s.N%len(spans)])
		w.opening = []string{"LastAlive", "Woke", "Outages", "Due"}[s.N/32%4]
		if s.N/128%2 > 0 {
			w.begin()
			break
		}
		w.open() // nor can the tables be read that are awake, each once; and nobody comes
		due, err := w.log.Due(context.Background(), w.wall.now())
		if err != nil {
			w.fail("it cannot be read which tables are due: %v", err)
		}
		w.opening, w.unreadable = "", len(due)
		w.begin()
		w.wait(5 * time.Second)
		w.house.unread = 0
		w.wait(5 * time.Minute)
	case "newer":
		w.newerVersion(s.N)
	case "late": // somebody comes while it closes
		w.house.slow = 300 * time.Millisecond
		line := w.knock(s.N%len(names), handshake([]string{w.people[s.N%len(names)].shows(), ""}[s.N/4%2]))
		w.end()
		if _, gone := line.take(); !gone {
			w.fail("the house has closed, and whoever came meanwhile still has a line")
		}
		w.begin()
	}
}

// ruling is what whoever runs the house says of a table. What he is told is done is done.
func (w *World) ruling(s Step) {
	if s.Do == "invite" {
		w.party(s.N)
		return
	}
	if s.Do == "out" && s.N/64%2 == 0 {
		w.unnames(s.N)
		return
	}
	if len(w.tables) == 0 || w.house.clock.stopped {
		return
	}
	e := w.tables[s.N%len(w.tables)]
	seat := game.Seat(s.N / 8 % max(1, e.shadow.Seats()))
	guest := e.shadow.Sitter(seat).Guest
	house := w.house.lobby
	defer func() { e.touched = time.Now() }() // it is a visit
	switch s.Do {
	case "close":
		err := w.rules(func(ctx context.Context) error { return house.CloseTable(ctx, e.id) })
		if err == nil && e.shadow.State() != table.Over {
			w.fail("the owner has closed table %s, and it is %s", e.id, e.shadow.State())
		}
	case "unlist": // one that hangs in the lobby, if there is one; somebody looks at it there
		for i := range w.tables {
			if o := w.tables[(s.N+i)%len(w.tables)]; o.paper.listed && !o.unknown() && o.shadow.State() != table.Over {
				e = o
				break
			}
		}
		w.people[s.N/16%len(names)].pages[1].dial()
		w.wait(time.Second)
		err := w.rules(func(ctx context.Context) error { return house.Unlist(ctx, e.id) })
		if err == nil && e.shadow.Card(e.id, table.Present{}).Listed {
			w.fail("the owner has unlisted table %s, and it is listed", e.id)
		}
		w.wait(2 * time.Second)
	case "out":
		for i := range w.tables { // of a game, if there is one; or of those who have sealed a number for one
			o := w.tables[(s.N+i)%len(w.tables)]
			if o.unknown() || int(seat) >= len(o.paper.seats) || o.paper.seats[seat].guest == "" {
				continue
			}
			if o.shadow.State() == table.Running && s.N/128%2 == 0 || o.paper.seats[seat].seal != nil && !o.paper.dealt {
				e, guest = o, o.paper.seats[seat].guest
				break
			}
		}
		err := w.rules(func(ctx context.Context) error { return house.TurnOut(ctx, e.id, guest) })
		if still := e.shadow.SeatOf(guest); err == nil && still != game.Watcher && !e.shadow.Sitter(still).Left {
			w.fail("the owner has turned %s out of table %s, where he sits on %s", guest, e.id, still)
		}
	}
}

// rules is what the house answers to whoever runs it.
func (w *World) rules(word func(context.Context) error) (err error) {
	answered := make(chan struct{})
	ctx, hangUp := context.WithCancel(w.house.ctx)
	defer hangUp()
	go func() {
		defer close(answered)
		defer w.stir()
		err = word(ctx)
	}()
	for range 120 + 2*len(w.tables)*int(w.latency/time.Second) { // he may have to wait for all tables to be read
		synctest.Wait()
		select {
		case <-answered:
			w.settle()
			w.note("the owner is told %v", err)
			return err
		default:
			w.wait(time.Second)
		}
	}
	w.fail("whoever runs the house has no answer for minutes")
	return nil
}

// newerVersion is that a later version ran here for a moment, and wrote what this one does not know.
func (w *World) newerVersion(n int) {
	if len(w.tables) < 3 {
		return
	}
	e := w.tables[n%len(w.tables)]
	if e.newer || e.shadow.State() == table.Over {
		return
	}
	w.end()
	w.open()
	at, err := w.log.LastAlive(w.house.ctx)
	if err != nil {
		w.fail("the log does not know when it was alive: %v", err)
	}
	entry := fact.Entry{Seq: len(e.log) + 1, At: at, Data: []byte(`{"kind":"levitate","fact":{"seat":"A"}}`)}
	if err := w.log.Append(w.house.ctx, e.id, entry); err != nil {
		w.fail("the log does not take an entry of a later version: %v", err)
	}
	e.newer = true
	w.begin()
}

// upgrade is that an earlier version ran here: its log is there, a JSON object a line, and is all that is left of it.
func (w *World) upgrade(file string) {
	w.open()
	w.everSet = true // that was at another time
	text, err := os.ReadFile(file)
	must(w.t, err)
	for line := range strings.Lines(string(text)) {
		var one struct {
			Table wire.ID
			fact.Entry
		}
		must(w.t, json.Unmarshal([]byte(line), &one))
		must(w.t, w.log.Append(w.t.Context(), one.Table, one.Entry))
		e := w.evening(one.Table)
		if e == nil {
			e = w.newEvening(one.Table)
		}
		f, _, _, err := fact.Read(one.Data)
		must(w.t, err)
		w.write(e, f, one.Entry)
		_, e.moved = e.shadow.Reached()
		e.ran = -1000 * time.Hour // nobody knows
	}
}
