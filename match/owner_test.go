package match_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// All that an owner does by itself, in the order in which it is looked through, and the states in which it may. While something
// is on its way to the log, nothing is.
const timers = `
read on            unsure
clocks stood       called sealing asked botted thinking
tell who is there  over open called sealing asked botted thinking
seal the deal      open
deal               called
begin again        called
call again         sealing
put away           open
another host       open called sealing asked botted thinking
host is back       open called sealing asked botted thinking
all agree          asked botted thinking
nobody answers     asked botted thinking
back               asked botted thinking
away               asked botted thinking
ask a bot          botted
time is up         asked
bot's move         asked botted
call               asked botted thinking
unload             over asked botted thinking
`

func TestTimersAreOneTable(t *testing.T) {
	var all strings.Builder
	for _, line := range match.Timers() {
		fmt.Fprintf(&all, "%-18s %s\n", line[0], strings.Join(line[1:], " "))
	}
	if all.String() != timers[1:] {
		t.Errorf("the timers are\n%s", all.String())
	}
}

// A client writes down what he is told.
type client struct {
	match.Client
	told [][]byte
}

// come is one more of them.
func (w *world) come(g wire.Guest) {
	w.clients = append(w.clients, &client{Client: match.Client{Page: int64(len(w.clients)), Visitor: match.Visitor{Guest: g}}})
}

// tell tells one of them.
func (w *world) tell(to match.Client, message []byte) {
	c := w.clients[to.Page]
	c.told = append(c.told, message)
}

// A world is one table with its owner, people, bots and log, in one loop: nothing in it but the seed decides what happens.
type world struct {
	t     *testing.T
	rng   *rand.Rand
	owner *match.Owner
	now   time.Time
	log   []fact.Entry
	noted fact.Rest // when the table is to be woken
	sign  wire.Card
	trace strings.Builder
	asked *match.Ask
	n     int // commands said
	names map[string]string
	kinds map[string]bool // of facts

	waits   bool // for an answer of the log
	silent  bool // nobody says anything
	clients []*client
	others  *rivals // who write to the log as well; nil for nobody
}

func newWorld(t *testing.T, seed uint64) *world { return newWorldOf(t, seed, 60, nil) }

// newWorldOf is one with so many seconds for a move.
func newWorldOf(t *testing.T, seed uint64, moveTime int, with *rivals) *world {
	return newWorldWith(t, seed, with, terms.Setup{MoveTime: moveTime, AwayTime: 30})
}

// newWorldWith is one with the times of that setup.
func newWorldWith(t *testing.T, seed uint64, with *rivals, times terms.Setup) *world {
	w := &world{
		others: with,
		t:      t, rng: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC), names: map[string]string{}, kinds: map[string]bool{},
	}
	setup := terms.Setup{Game: "toy", Seats: 3, Bots: []string{"first"}, Sit: true, First: "A", MoveTime: times.MoveTime, AwayTime: times.AwayTime, BotTime: &[2]int{0, 4000}}
	founding, err := fact.Found(matchtest.Shelf{}, guest(0), setup)
	if err != nil {
		t.Fatal(err)
	}
	founding.Draw(w.rng)
	w.keep(founding.First(w.now))
	for i := range 3 {
		w.come(guest(i))
	}
	w.load()
	for i, cmd := range []wire.Command{{Do: "watch"}, {Do: "watch"}, {Do: "sit", Seat: "B"}} { // else most tables are put away before they begin
		cmd.ID, cmd.Table = fmt.Sprint("in ", i), "t"
		w.step(match.Said{Client: w.clients[min(i, 1)].Client, Command: cmd, Until: w.now})
	}
	return w
}

func guest(i int) wire.Guest {
	return wire.Guest{ID: fmt.Sprint("guest ", i), Name: people[i]}
}

var people, others = []string{"Ana", "Ben", "Eve"}, []string{"Zoe", "Ivo", "Lia"}

// load is a process that starts, and reads the table.
func (w *world) load() {
	w.asked, w.waits = nil, false
	w.others.begin()
	w.owner = match.NewOwner("t", w.read(), fact.Rest{}, match.Hours{Opened: w.now, Untouched: time.Hour, Shared: w.others != nil}, fair.Bits{7}, w.now)
	w.do(w.owner.Begin())
}

func (w *world) step(in match.Input) {
	fmt.Fprintf(&w.trace, "%s %T\n", w.now.Format(time.TimeOnly), in)
	if s, is := in.(match.Said); is {
		in = w.others.hear(s, len(w.log))
	}
	w.do(w.owner.Step(in, w.now))
}

// do does what the owner wants. The log fails now and then, with and without the entry in it.
func (w *world) do(effects []match.Effect) {
	var next match.Input
	for _, e := range effects {
		fmt.Fprintf(&w.trace, "  %s\n", describe(e))
		switch e := e.(type) {
		case match.Send:
			if e.Answer != nil {
				w.check(match.Send{To: e.To, Message: e.Answer})
				w.tell(e.To, e.Answer)
			}
			w.check(e)
			w.tell(e.To, e.Message)
		case match.Append:
			w.begin()
			w.elsewhere()
			next = match.Appended{Err: w.append(e.Entry)}
		case match.Confirm:
			w.begin()
			next = w.confirm()
		case match.Read:
			w.begin()
			next = match.ReadOn{Entries: slices.Clone(w.log[e.After:])}
			if w.rng.IntN(8) == 0 {
				next = match.ReadOn{Err: errors.New("the disk cannot be read")}
			}
		case match.Found:
			w.begin()
			next = match.Founded{ID: "next"}
		case match.Sleep:
			w.begin()
			err := w.others.fence()
			if err == nil && w.rng.IntN(2) == 0 {
				err = errors.New("the disk is full")
			}
			if err == nil {
				w.noted = e.Rest
			}
			next = match.Slept{Err: err}
		case match.Ask:
			w.asked = &e
		case match.Cancel:
			w.asked = nil
		case match.Sign:
			w.sign = e.Card
		}
	}
	if next == nil {
		return
	}
	for !w.silent && w.rng.IntN(4) == 0 { // something comes while the log is slow
		w.say()
	}
	w.elsewhere()
	w.waits = false
	w.step(next)
}

func (w *world) begin() {
	if w.waits {
		w.t.Fatal("the owner wants something of the log before it was answered")
	}
	w.waits = true
}

func (w *world) append(e fact.Entry) error {
	fault := w.rng.IntN(10)
	if err := w.others.fence(); err != nil {
		return err
	}
	if e.Seq != len(w.log)+1 {
		return fact.ErrConflict
	}
	if fault != 0 {
		w.keep(e)
	}
	if fault < 2 {
		return errors.New("the disk is full, or the answer was lost")
	}
	return nil
}

// keep has an entry in the log. It has nobody's name in it, and whoever it is about has none by chance.
func (w *world) keep(e fact.Entry) {
	w.log = append(w.log, e)
	for _, name := range slices.Concat(people, others) {
		if bytes.Contains(e.Data, []byte(name)) {
			w.t.Fatalf("%s stands in the log: %s", name, e.Data)
		}
	}
	f, _, _, err := fact.Read(e.Data)
	if err != nil {
		w.t.Fatal(err)
	}
	w.kinds[fmt.Sprintf("%T", f)] = true
}

// call has somebody called otherwise, or erased.
func (w *world) call() {
	who, name := guest(w.rng.IntN(3)).ID, append(others, "")[w.rng.IntN(4)]
	w.names[who] = name
	w.step(match.Named{Guest: who, Name: name})
}

// read is the table as whoever reads the log has it.
func (w *world) read() *table.Table { return w.readTo(len(w.log)) }

func (w *world) readTo(seq int) *table.Table {
	t := table.New(matchtest.Shelf{})
	for _, e := range w.log[:seq] {
		if err := t.Replay(e); err != nil {
			w.t.Fatal(err)
		}
	}
	for guest, name := range w.names {
		t.Call(guest, name)
	}
	return t
}

// check: nothing is told that is not written, and nothing is refused by a table that does not know what is.
func (w *world) check(s match.Send) {
	var m struct {
		Seq   int
		Error wire.Error
		Frame *struct{ Seq int }
	}
	if err := json.Unmarshal(s.Message, &m); err != nil {
		w.t.Fatal(err)
	}
	if m.Seq > len(w.log) || m.Frame != nil && m.Frame.Seq > len(w.log) {
		w.t.Fatalf("%s is told %s, and the log has %d entries", s.To.Who().Name, s.Message, len(w.log))
	}
	if w.others != nil {
		w.judge(s)
		return
	}
	if seq := w.owner.Table().Seq(); m.Error.Code != "" && m.Error.Code != wire.CodeStorage && seq != len(w.log) {
		w.t.Fatalf("%s is told %s by a table at entry %d, and the log has %d", s.To.Who().Name, s.Message, seq, len(w.log))
	}
}

func describe(e match.Effect) string {
	switch e := e.(type) {
	case match.Send:
		return fmt.Sprintf("Send %s %s %s", e.To.Who().Name, e.Answer, e.Message)
	case match.Append:
		return fmt.Sprintf("Append %d %s %s", e.Entry.Seq, e.Entry.At, e.Entry.Data)
	}
	text, err := json.Marshal(e)
	return fmt.Sprintf("%T %s %v", e, text, err)
}

// say has somebody say something that comes to mind.
func (w *world) say() {
	i := w.rng.IntN(3)
	c := w.clients[i]
	switch w.rng.IntN(13) {
	case 0:
		w.step(match.Gone{Client: c.Client})
	case 1, 2:
		w.n++
		w.step(match.Said{Client: c.Client, Command: wire.Command{ID: fmt.Sprint(w.n), Table: "t", Do: "watch"}, Until: w.now.Add(time.Minute)})
	default:
		w.step(match.Said{Client: c.Client, Command: w.wish(w.owner.Table(), i), Until: w.now.Add(time.Minute)})
	}
}

// wish is what somebody might say at a table.
func (w *world) wish(t *table.Table, i int) wire.Command {
	w.n++
	cmd := wire.Command{ID: fmt.Sprint(w.n), Table: "t"}
	switch w.rng.IntN(10) {
	case 0:
		cmd.Do, cmd.Seat = "sit", string("AB"[i%2])
	case 1:
		cmd.Do = "start"
	case 2:
		cmd.Do, cmd.Seat = []string{"leave", "rematch", "free", "break"}[w.rng.IntN(4)], string("AB"[w.rng.IntN(2)])
	case 3:
		cmd.Do, cmd.Seq = []string{"agree", "agree", "decline"}[w.rng.IntN(3)], t.Seq()
	case 4, 5: // a number for the deal: sealed, or opened, if it comes in time
		sealed, number := t.Card("t", table.Present{}).Seal, fair.Bits{byte(i)}
		cmd.Do, cmd.Bits = "unseal", number.String()
		if !sealed.Called {
			cmd.Do, cmd.Bits = "seal", sealed.Version.SealNumber(sealed.Seal, string("AB"[i%2]), number).String()
		}
	default:
		cmd.Do, cmd.Seat, cmd.Seq, cmd.Move = "play", string("AB"[i%2]), t.Seq(), []string{"keep", "show", "peek"}[w.rng.IntN(3)]
	}
	return cmd
}

// run lives for a while.
func (w *world) run(steps int) {
	for range steps {
		switch n := w.rng.IntN(20); {
		case n == 0:
			w.load() // the process was killed
		case n < 4 && w.asked != nil:
			w.step(match.Answered{N: w.asked.N, Words: "keep"})
		case n < 5:
			w.call()
		case n < 10:
			w.pass()
		default:
			w.say()
		}
	}
}

// pass lets time pass, to the next thing that the owner does by itself, but no more than a minute: a table that waits for people is put
// away after an hour, and they would have no time to come.
func (w *world) pass() {
	at, ok := w.owner.Alarm()
	if !ok {
		return
	}
	if at.After(w.now) {
		w.now = w.now.Add(min(at.Sub(w.now), time.Minute))
	}
	w.step(match.Tick{})
}

// The owner is a function: the same inputs at the same times have the same effects, to the byte. Whatever the log does, nothing is
// told that is not written, and no second thing is wanted of it before it has answered.
func TestTheOwnerIsAFunction(t *testing.T) {
	over, again, kinds := 0, 0, map[string]bool{}
	for seed := range uint64(200) {
		one, two := newWorld(t, seed), newWorld(t, seed)
		one.run(150)
		two.run(150)
		if one.trace.String() != two.trace.String() {
			t.Fatalf("seed %d: one and the same game goes two ways", seed)
		}
		if one.owner.Table().State() == table.Over {
			over++
		}
		if strings.Contains(one.trace.String(), `{"kind":"anew"`) {
			again++
		}
		maps.Copy(kinds, one.kinds)
	}
	for _, f := range []fact.Any{&fact.Made{}, &fact.Sat{}, &fact.Proposed{}, &fact.Broke{}} {
		if !kinds[fmt.Sprintf("%T", f)] {
			t.Errorf("in 200 games there is no %T, in which somebody stands", f)
		}
	}
	if over < 20 || again < 20 {
		t.Errorf("of 200 games only %d are played to the end, and %d ceremonies begin again: that shows little", over, again)
	}
}

// leave is that everybody goes at once.
func (w *world) leave() {
	for n := 0; !w.owner.Left(); n++ {
		if n == 500 {
			w.t.Fatal("everybody goes at once, and the table stays")
		}
		for _, c := range w.clients { // also whoever came while the log was slow
			w.step(match.Gone{Client: c.Client})
		}
		if asked := w.asked; asked != nil {
			w.asked = nil
			w.step(match.Answered{N: asked.N, Words: "keep"})
		} else {
			w.pass()
		}
	}
}

// When all have gone, and there is nothing to do for long, a table is unloaded; but not before the log knows when it is to be woken, however often
// that cannot be noted: nobody else would wake it; nor with an old name on its sign.
func TestNobodyLeavesATableThatNobodyWakes(t *testing.T) {
	rested, failed := 0, 0
	for seed := range uint64(100) {
		w := newWorldOf(t, seed, 3*24*60*60, nil)
		w.run(40)
		if w.owner.Table().State() != table.Running {
			continue
		}
		w.leave()
		w.call() // before the house has noticed
		w.leave()
		if sign := w.owner.Card(); !reflect.DeepEqual(w.sign, sign) {
			t.Fatalf("seed %d: a table is left, and its sign says %+v, not %+v", seed, w.sign, sign)
		}
		if w.owner.Table().Finished() {
			continue // nothing is to be done there, ever
		}
		if w.noted.Seq != len(w.log) {
			t.Fatalf("seed %d: a table at entry %d is left, and the log's note is %v", seed, len(w.log), w.noted)
		}
		rested++
		failed += strings.Count(w.trace.String(), "Sleep") - 1
	}
	if rested < 20 || failed < 20 {
		t.Errorf("of 100 tables %d rest, and their notes fail %d times: that shows little", rested, failed)
	}
}

// A bot that has to wait until a processor is free is said to wait as long as it does, and no longer than it is wanted.
func TestABotWaitsForAProcessor(t *testing.T) {
	waited, ended := 0, 0
	for seed := range uint64(20) {
		w := newWorld(t, seed)
		w.come(wire.Guest{ID: "eyes", Name: "Zoe"})
		var owner *match.Owner
		var last match.Waits
		waits := func() bool { return w.owner.State() == match.Thinking && last == match.Waits{N: w.asked.N, So: true} }
		for n := range 150 {
			if owner != w.owner { // another process
				owner, last = w.owner, match.Waits{}
				w.step(match.Said{Client: w.clients[3].Client, Until: w.now, Command: wire.Command{ID: "look", Table: "t", Do: "watch"}})
			}
			before := w.waiting()
			if w.owner.State() == match.Thinking {
				last = match.Waits{N: w.asked.N, So: w.rng.IntN(3) > 0}
				w.step(last)
				w.pass()
			}
			if turn := w.owner.Table().Turn(); w.rng.IntN(4) == 0 && turn < 2 { // his time is up, and he moves all the same
				play := wire.Command{ID: fmt.Sprint("at last ", n), Table: "t", Do: "play", Seq: w.owner.Table().Seq(), Seat: turn.String(), Move: "keep"}
				w.step(match.Said{Client: w.clients[turn].Client, Until: w.now.Add(time.Minute), Command: play})
			} else {
				w.run(1)
			}
			if owner != w.owner {
				continue
			}
			for range 20 { // it is told, once the log is well
				if w.waiting() != waits() {
					w.pass()
				}
			}
			told := w.waiting()
			if told != waits() {
				t.Fatalf("seed %d, step %d: that a bot waits is %t, and it is told that this is %t", seed, n, waits(), told)
			}
			if told {
				waited++
			} else if before {
				ended++
			}
		}
	}
	if waited < 50 || ended < 20 {
		t.Errorf("in 20 games a bot was said to wait %d times and not any more %d times: that shows little", waited, ended)
	}
}

// Who measures when a bot moves for somebody whose time was up learns only how often its pause has gone by meanwhile.
func TestNobodyMeasuresWhoMovesInstead(t *testing.T) {
	moved := 0
	for seed := range uint64(100) {
		w := newWorld(t, seed)
		for range 150 {
			thought := w.owner.State() == match.Thinking
			w.run(1)
			turn := w.owner.Table().Turn()
			if thought || w.owner.State() != match.Thinking || w.asked == nil {
				continue
			}
			if c := w.owner.Table().Sitter(turn); c.Bot != "" || c.Away || c.Left {
				continue
			}
			asked := w.now
			w.now = w.now.Add(match.Overtime * 8 / 5)
			w.owner.Step(match.Answered{N: w.asked.N, Words: "keep"}, w.now)
			for w.owner.State() == match.Asked { // there may be something else to do before
				w.now, _ = w.owner.Alarm()
				for _, e := range w.owner.Step(match.Tick{}, w.now) {
					if a, writes := e.(match.Append); !writes || !strings.Contains(string(a.Entry.Data), `"kind":"move"`) {
						continue
					}
					if took := w.now.Sub(asked); took != 2*match.Overtime {
						t.Fatalf("seed %d: a bot has thought for somebody, and says so after %v", seed, took)
					}
					moved++
				}
			}
			break
		}
	}
	if moved < 10 {
		t.Errorf("in 100 games a bot moves for somebody %d times: that shows little", moved)
	}
}

// Somebody's time is up, a bot has said what it would do for him, and before that is done he moves himself. What the bot has said is not moved for whoever is asked next,
// whether it is known at once that his move is written or not.
func TestABotMovesForWhomItWasAsked(t *testing.T) {
	moved, readOn := 0, 0
	for seed := range uint64(300) {
		w := newWorld(t, seed)
		for range 150 {
			thought := w.owner.State() == match.Thinking
			w.run(1)
			turn := w.owner.Table().Turn()
			if thought || w.owner.State() != match.Thinking || w.asked == nil || turn > 1 {
				continue
			}
			if c := w.owner.Table().Sitter(turn); c.Bot != "" || c.Away || c.Left {
				continue
			}
			w.now = w.now.Add(match.Overtime / 4)
			w.step(match.Answered{N: w.asked.N, Words: "keep"})
			had, before := len(w.log), w.trace.Len()
			w.now = w.now.Add(match.Overtime / 4)
			play := wire.Command{ID: "at last", Table: "t", Do: "play", Seq: w.owner.Table().Seq(), Seat: turn.String(), Move: "keep"}
			w.step(match.Said{Client: w.clients[turn].Client, Until: w.now.Add(time.Minute), Command: play})
			if !w.moved(had, turn, fact.ByPerson) {
				break
			}
			if moved++; strings.Contains(w.trace.String()[before:], "match.ReadOn") {
				readOn++
			}
			for until := w.now.Add(10 * time.Second); ; {
				at, any := w.owner.Alarm()
				if !any || at.After(until) {
					break
				}
				w.now = at
				w.step(match.Tick{})
			}
			if w.moved(had, 1-turn, fact.ByClock) {
				t.Fatalf("seed %d: %s has moved, and what a bot said for him is moved for who is asked next", seed, turn)
			}
			break
		}
	}
	if moved < 30 || readOn < 3 {
		t.Errorf("in 300 games somebody moves %d times after a bot has answered for him, and %d times nobody knows whether that is written: that shows little", moved, readOn)
	}
}

// moved tells whether the log has a move of a seat after so many entries that was made so.
func (w *world) moved(after int, seat game.Seat, by string) bool {
	return slices.ContainsFunc(w.log[after:], func(e fact.Entry) bool {
		f, _, _, _ := fact.Read(e.Data)
		m, is := f.(*fact.Moved)
		return is && m.Seat == seat && m.By == by
	})
}

// A table at which a bot thinks is not put away, however long nobody looks and though there is time until anything else is due: what the bot says is moved.
func TestATableAtWhichABotThinksIsKept(t *testing.T) {
	thought := 0
	for seed := range uint64(40) {
		w := newWorldWith(t, seed, nil, terms.Setup{AwayTime: 1800})
		w.step(match.Said{Client: w.clients[0].Client, Command: wire.Command{ID: "start", Table: "t", Do: "start"}, Until: w.now.Add(time.Minute)})
		for n := range 20 {
			if turn := w.owner.Table().Turn(); turn < 2 && w.owner.State() != match.Thinking {
				play := wire.Command{ID: fmt.Sprint("move ", n), Table: "t", Do: "play", Seq: w.owner.Table().Seq(), Seat: turn.String(), Move: "keep"}
				w.step(match.Said{Client: w.clients[turn].Client, Until: w.now.Add(time.Minute), Command: play})
			}
			if w.owner.State() == match.Thinking {
				break
			}
			w.pass()
		}
		if w.owner.State() != match.Thinking {
			continue
		}
		for _, c := range w.clients {
			w.step(match.Gone{Client: c.Client})
		}
		entries, before, until := len(w.log), w.trace.Len(), w.now.Add(5*time.Minute)
		for at, any := w.owner.Alarm(); any && !at.After(until); at, any = w.owner.Alarm() {
			w.now = later(w.now, at)
			w.step(match.Tick{})
		}
		if strings.Contains(w.trace.String()[before:], "match.Sleep") {
			t.Fatalf("seed %d: a bot thinks, and the table is put to rest", seed)
		}
		if w.asked == nil { // somebody has ended the game
			continue
		}
		thought++
		w.now = until
		turn := w.owner.Table().Turn()
		for range 20 {
			if w.owner.State() == match.Thinking { // asked again, where the log has failed
				w.step(match.Answered{N: w.asked.N, Words: "keep"})
			}
			w.pass()
		}
		if !w.moved(entries, turn, fact.ByBot) {
			t.Errorf("seed %d: a bot has said what it does, and it is not done", seed)
		}
	}
	if thought < 20 {
		t.Errorf("in 40 games a bot thinks %d times: that shows little", thought)
	}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// waiting tells whether the one who looks on was told last that a bot waits for a processor.
func (w *world) waiting() bool {
	for _, message := range slices.Backward(w.clients[3].told) {
		var m struct{ Frame *wire.Frame }
		if err := json.Unmarshal(message, &m); err == nil && m.Frame != nil && m.Frame.About != nil {
			return m.Frame.About.Waits
		}
	}
	return false
}

// What the log has is what the owner has: whoever reads it anew knows the same.
func TestTheLogIsTheTruth(t *testing.T) {
	for seed := range uint64(100) {
		w := newWorld(t, seed)
		w.run(120)
		for range 20 { // in which it finds out what became of its entries
			w.pass()
		}
		again := w.read()
		if w.owner.State() == match.Unsure {
			continue
		}
		here := table.Present{}
		told := w.owner.Table().Frames("t", here, 0, true, w.now).WithLog(0, true)
		read := again.Frames("t", here, 0, true, w.now).WithLog(0, true)
		if string(told) != string(read) {
			t.Fatalf("seed %d: the owner has\n%s\nand the log\n%s", seed, told, read)
		}
	}
}
