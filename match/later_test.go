package match_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/match"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// What some node of the house could not read is refused, and the log is well: nothing is read again, and the next is written at once.
func TestWhatIsNotYetToBeWrittenIsRefused(t *testing.T) {
	w := newWorld(t, 1)
	if w.owner.State() != match.Open {
		t.Fatalf("the table is %s", w.owner.State())
	}
	leave := func(id string) []match.Effect {
		command := wire.Command{ID: id, Table: "t", Do: "leave"}
		return w.owner.Step(match.Said{Client: w.clients[1].Client, Command: command, Until: w.now.Add(time.Minute)}, w.now)
	}
	appends := func(effects []match.Effect) bool {
		for _, e := range effects {
			if _, is := e.(match.Append); is {
				return true
			}
		}
		return false
	}
	if !appends(leave("one")) {
		t.Fatal("nothing is to be written")
	}
	before := w.owner.State()
	effects := w.owner.Step(match.Appended{Err: wire.ErrNotYet}, w.now)
	refused := len(effects) == 1
	if refused {
		send, is := effects[0].(match.Send)
		refused = is && strings.Contains(string(send.Message), wire.CodeBusy) && send.To == w.clients[1].Client
	}
	if before != match.Writing || !refused || w.owner.State() != match.Open {
		t.Errorf("the owner was %s, is %s, and wants %v", before, w.owner.State(), effects)
	}
	if !appends(leave("two")) {
		t.Error("then nothing is written")
	}
}

// For how long nobody had a table that has not begun nobody need know: no clock ran there, also when it begins afterwards.
func TestNoGapIsWrittenOfAnOpenTable(t *testing.T) {
	begun := 0
	for seed := range uint64(20) {
		w := newWorld(t, seed)
		gap := fact.Idle{From: w.now, To: w.now.Add(time.Minute)}
		w.now = gap.To
		w.step(match.Idle{Idle: gap})
		w.step(match.Said{Client: w.clients[0].Client, Command: wire.Command{ID: "start", Table: "t", Do: "start"}, Until: w.now.Add(time.Minute)})
		for range 5 {
			w.pass()
		}
		if w.kinds["*fact.Idle"] {
			t.Errorf("seed %d: a gap is written", seed)
		}
		if w.owner.Table().State() == table.Running {
			begun++
		}
	}
	if begun < 10 {
		t.Errorf("of 20 games %d begin: that shows little", begun)
	}
}

// Whoever waits for an answer when it is found that the table is another's comes again, though he does not watch and his word is on its way.
func TestWhoWaitsIsStranded(t *testing.T) {
	w := newWorld(t, 1)
	visitor := w.clients[1].Client.Visitor
	waits, behind := match.Client{Page: 98, Visitor: visitor}, match.Client{Page: 99, Visitor: visitor}
	for i, c := range []match.Client{waits, behind} {
		command := wire.Command{ID: string(rune('a' + i)), Table: "t", Do: "leave"}
		w.owner.Step(match.Said{Client: c, Command: command, Until: w.now.Add(time.Minute)}, w.now)
	}
	w.owner.Step(match.Appended{Err: fact.ErrEpoch}, w.now)
	all := w.owner.Stranded()
	if !w.owner.Disowned() || !slices.Contains(all, waits) || !slices.Contains(all, behind) {
		t.Errorf("it is lost: %t, and %v come again", w.owner.Disowned(), all)
	}
}

// A standby that has taken over without the last moves takes no next one: the table is read again from there, and nobody's word is refused for ever.
func TestALogThatHasForgottenIsReadAgain(t *testing.T) {
	w := newWorld(t, 1)
	waits := w.clients[1].Client
	w.owner.Step(match.Said{Client: waits, Command: wire.Command{ID: "one", Table: "t", Do: "leave"}, Until: w.now.Add(time.Minute)}, w.now)
	w.owner.Step(match.Appended{Err: fact.ErrConflict}, w.now)
	for _, e := range w.owner.Step(match.ReadOn{}, w.now) {
		if s, is := e.(match.Send); is {
			t.Errorf("he is told %s", s.Message)
		}
	}
	if !w.owner.Disowned() || !slices.Contains(w.owner.Stranded(), waits) {
		t.Errorf("it is lost: %t, and %v come again", w.owner.Disowned(), w.owner.Stranded())
	}
}

// What is in the log is not refused, however late that is known: the answer of the log was lost, and it was read when nobody waited any more.
func TestWhatIsDoneIsNotRefused(t *testing.T) {
	for _, there := range []bool{false, true} {
		w := newWorld(t, 1)
		command := wire.Command{ID: "one", Table: "t", Do: "leave"}
		var entries []fact.Entry
		for _, e := range w.owner.Step(match.Said{Client: w.clients[1].Client, Command: command, Until: w.now.Add(10 * time.Second)}, w.now) {
			if a, is := e.(match.Append); is && there {
				entries = append(entries, a.Entry)
			}
		}
		w.owner.Step(match.Appended{Err: errors.New("the answer was lost")}, w.now)
		answers := 0
		for _, e := range w.owner.Step(match.ReadOn{Entries: entries}, w.now.Add(11*time.Second)) {
			if s, is := e.(match.Send); is && strings.Contains(string(s.Message), `"re":"one"`) {
				answers++
				if done := strings.Contains(string(s.Message), `"ok":true`); done != there {
					t.Errorf("it is there: %t, and he is told %s", there, s.Message)
				}
			}
		}
		if answers != 1 {
			t.Errorf("he is answered %d times", answers)
		}
	}
}

// Who watches on at another node is told what happened since, and where he has taken a seat meanwhile nothing that its player before him saw there.
func TestWhoWatchesOnSeesNothingOfBefore(t *testing.T) {
	took, was := 0, 0
	for seed := range uint64(60) {
		w := newWorld(t, seed)
		say := func(i int, cmd wire.Command) {
			w.n++
			cmd.ID, cmd.Table = fmt.Sprint(w.n), "t"
			w.step(match.Said{Client: w.clients[i].Client, Command: cmd, Until: w.now.Add(time.Minute)})
		}
		say(0, wire.Command{Do: "start"})
		for range 30 {
			w.pass()
		}
		say(1, wire.Command{Do: "leave"})
		say(2, wire.Command{Do: "watch"})
		say(2, wire.Command{Do: "sit", Seat: "B"})
		for seq, i := w.owner.Table().Seq(), 0; i < 2; i++ {
			say(i, wire.Command{Do: "agree", Seq: seq})
		}
		w.pass()
		for seat := range game.Seat(w.owner.Table().Seats()) {
			sitter := w.owner.Table().Sitter(seat)
			i := slices.IndexFunc(w.clients, func(c *client) bool { return c.Who().ID == sitter.Guest })
			if sitter.Since == 0 || i < 0 {
				continue
			}
			took++
			told := func(since int) (message string) {
				for _, e := range w.owner.Step(match.Again{Client: w.clients[i].Client, Since: since}, w.now) {
					if s, is := e.(match.Send); is && s.To == w.clients[i].Client {
						message = string(s.Message)
					}
				}
				return message
			}
			if of, begins := told(1), told(sitter.Since); of == "" || of != begins {
				t.Errorf("seed %d: who has taken %s with entry %d is told\n%s\nand not\n%s", seed, seat, sitter.Since, of, begins)
			}
			late := func(seq int) (message string) { // who says something of a frame of before is told what he has missed
				play := wire.Command{ID: "late", Table: "t", Do: "play", Seat: seat.String(), Seq: seq, Move: "keep"}
				for _, e := range w.owner.Step(match.Said{Client: w.clients[i].Client, Command: play, Until: w.now.Add(time.Minute)}, w.now) {
					if s, is := e.(match.Send); is && s.To == w.clients[i].Client {
						_, message, _ = strings.Cut(string(s.Message), `"frame":`)
					}
				}
				return message
			}
			for range 6 {
				say(0, wire.Command{Do: "play", Seat: "A", Seq: w.owner.Table().Seq(), Move: "keep"})
				say(i, wire.Command{Do: "play", Seat: seat.String(), Seq: w.owner.Table().Seq(), Move: "keep"})
				w.pass()
			}
			if w.owner.Table().Sitter(seat) == sitter && sitter.Since < w.owner.Table().Seq() {
				was++
				if of, begins := late(1), late(sitter.Since); of == "" || of != begins {
					t.Errorf("seed %d: who has taken %s with entry %d, and is late, is told\n%s\nand not\n%s", seed, seat, sitter.Since, of, begins)
				}
			}
		}
	}
	if took < 10 || was < 5 {
		t.Errorf("%d seats are taken, and %d times somebody is late there: that shows little", took, was)
	}
}

// For how long nobody had a table is written before anybody who watched is told how much time is left.
func TestAGapIsWrittenFirst(t *testing.T) {
	ran := 0
	for seed := range uint64(20) {
		w := newWorld(t, seed)
		for n := 0; n < 40 && w.owner.State() != match.Asked && w.owner.State() != match.Botted; n++ {
			w.run(5)
		}
		if s := w.owner.State(); s != match.Asked && s != match.Botted {
			continue
		}
		ran++
		gap := fact.Idle{From: w.now, To: w.now.Add(time.Minute)}
		effects := w.owner.Step(match.Idle{Idle: gap}, gap.To)
		if len(effects) == 0 {
			t.Fatalf("seed %d: nothing is done", seed)
		}
		if a, is := effects[0].(match.Append); !is || len(effects) > 1 || !strings.Contains(string(a.Entry.Data), `"idle"`) {
			t.Errorf("seed %d: what is done is %+v", seed, effects)
		}
	}
	if ran < 5 {
		t.Errorf("of 20 games %d go on: that shows little", ran)
	}
}

// While the log takes nothing, or cannot be read either, nobody's time runs: whoever comes is told what was left, and for how long clocks stood is the first thing that is written then.
func TestNoTimeRunsWhileTheLogTakesNothing(t *testing.T) {
	ran := 0
	for seed := range uint64(40) {
		w := newWorld(t, seed)
		for n := 0; n < 40 && w.owner.State() != match.Asked; n++ {
			w.run(5)
		}
		began, limit := w.owner.Table().Clock()
		left := w.owner.Table().Deadline(began, limit).Sub(w.now)
		if w.owner.State() != match.Asked || left < 20*time.Second || left > limit {
			continue
		}
		ran++
		var written []string
		full, frame, said := errors.New("the disk is full"), "", 0
		step := func(next match.Input) {
			for next != nil {
				effects := w.owner.Step(next, w.now)
				next = nil
				for _, e := range effects {
					switch e := e.(type) {
					case match.Append:
						if next = (match.Appended{Err: full}); full != nil {
							w.now = w.now.Add(2 * time.Second)
						} else {
							written = append(written, string(e.Entry.Data))
						}
					case match.Read:
						read := match.ReadOn{Err: full}
						if seed%2 == 0 {
							read.Err = nil
						}
						next = read
					case match.Ask:
						t.Errorf("seed %d: a bot is to move for somebody who cannot", seed)
					case match.Send:
						frame = string(e.Message)
					case match.Report:
						said++
					}
				}
			}
		}
		say := func(c int, cmd wire.Command) {
			cmd.ID, cmd.Table = fmt.Sprint("full ", w.n), "t"
			step(match.Said{Client: w.clients[c].Client, Command: cmd, Until: w.now.Add(time.Minute)})
		}
		tick := func() {
			at, _ := w.owner.Alarm()
			if w.now.Before(at) {
				w.now = at
			}
			step(match.Tick{})
		}
		turn := w.owner.Table().Turn()
		asked := slices.IndexFunc(w.clients, func(c *client) bool { return c.Visitor.ID == w.owner.Table().Sitter(turn).Guest })
		say(asked, wire.Command{Do: "play", Seat: turn.String(), Seq: w.owner.Table().Seq(), Move: "keep"})
		for n, until := 0, w.now.Add(2*limit); n < 1000 && w.now.Before(until); n++ {
			tick()
		}
		say(asked, wire.Command{Do: "watch"})
		if !strings.Contains(frame, fmt.Sprintf(`"left":%d`, left.Milliseconds())) {
			t.Errorf("seed %d: %v are left; whoever comes is told %s", seed, left, frame)
		}
		if said == 0 || said > 2 {
			t.Errorf("seed %d: the server's log is told %d times that something is wrong", seed, said)
		}
		full = nil
		for n := 0; n < 50 && len(written) == 0; n++ {
			tick()
		}
		began, limit = w.owner.Table().Clock()
		if after := w.owner.Table().Deadline(began, limit).Sub(w.now); len(written) == 0 || !strings.Contains(written[0], `"kind":"idle"`) || after > left+fact.Grace || after < left {
			t.Errorf("seed %d: %v were left, and it is %v; written is %s", seed, left, after, written)
		}
	}
	if ran < 5 {
		t.Errorf("of 40 games %d ask somebody: that shows little", ran)
	}
}

// Whoever may be at a page of a node that is not heard cannot move: his clock stands meanwhile, and goes on a while after it, as after any outage; nearly as much also where the table changes
// owners before that. That of somebody who is here goes on, whoever goes and comes again has not had back what he had used, nor has whoever is cut off when another node has not been heard for long.
func TestTheClockOfWhoIsCutOffStands(t *testing.T) {
	const cut, silence = 5 * time.Minute, 3 * time.Second
	told := make(map[string]int)
	for seed := range uint64(300) {
		w := newWorldWith(t, seed, nil, terms.Setup{MoveTime: 60, AwayTime: 1800})
		turn := w.toSomebodysTurn()
		if turn == game.NoSeat {
			continue
		}
		story := []string{"is here", "is cut off", "is cut off, and the owner dies", "had gone before", "is cut off later"}[seed%5]
		var page match.Client
		for _, c := range w.clients {
			w.step(match.Gone{Client: c.Client})
			if c.Who().ID == w.owner.Table().Sitter(turn).Guest {
				page = c.Client
			}
		}
		if w.step(match.Again{Client: page}); story == "had gone before" {
			w.step(match.Gone{Client: page})
		}
		due, had := w.owner.Table().Deadline(w.owner.Table().Clock()), len(w.log)
		if w.owner.State() != match.Asked || w.now.After(due) {
			continue
		}
		told[story]++
		w.silent = true // from now on; but the log fails now and then, and then no clock runs
		unheard := w.now.Add(time.Second)
		w.until(unheard)
		w.step(match.Unheard{Since: unheard, Till: unheard.Add(silence)})
		soonest, latest := due.Add(cut+fact.Grace), due.Add(cut+time.Minute)
		if story == "is cut off later" {
			late := due.Sub(w.now) / 2
			w.until(w.now.Add(late))
			soonest, latest = soonest.Add(-late), due.Add(cut-late+silence+fact.Grace+5*time.Second)
		}
		if strings.HasPrefix(story, "is cut off") {
			w.step(match.Gone{Client: page, Missed: true})
		}
		switch story {
		case "is here":
			w.until(w.now.Add(40 * time.Second))
			w.step(match.Gone{Client: page})
			w.until(w.now.Add(100 * time.Millisecond))
			w.step(match.Again{Client: page})
			if w.until(due.Add(25 * time.Second)); !w.moved(had, turn, fact.ByClock) {
				t.Errorf("seed %d: whoever is waited for goes and comes again, and has more time than he had", seed)
			}
			continue
		case "had gone before":
			if w.until(due.Add(25 * time.Second)); !w.moved(had, turn, fact.ByClock) {
				t.Errorf("seed %d: whoever is waited for had gone before, and his time is not up", seed)
			}
			continue
		case "is cut off, and the owner dies":
			w.until(w.now.Add(100 * time.Second))
			w.load()
			w.step(match.Unheard{Since: w.now, Till: w.now.Add(silence)})
			soonest = soonest.Add(-time.Minute)
		}
		w.until(unheard.Add(cut))
		if w.owner.Left() || w.noted != (fact.Rest{}) {
			t.Errorf("seed %d: whoever is waited for %s, and the table is put away", seed, story)
		}
		w.step(match.Unheard{})
		w.until(soonest.Add(-time.Second))
		early := w.moved(had, turn, fact.ByClock)
		if w.until(latest); early || !w.moved(had, turn, fact.ByClock) {
			t.Errorf("seed %d: whoever is waited for %s, and his time is up too early (%v), or too late", seed, story, early)
		}
	}
	if len(told) < 5 || slices.Min(slices.Collect(maps.Values(told))) < 20 {
		t.Errorf("of 300 games these are told: %v; that shows little", told)
	}
}

// Whoever may be at a page of a node that is not heard cannot open his number for the deal: half a minute is waited for it, and no longer.
func TestNumbersOfWhoIsCutOffAreWaitedFor(t *testing.T) {
	waited := 0
	for seed := range uint64(100) {
		w := newWorld(t, seed)
		for range 60 {
			if w.run(1); w.owner.State() == match.Called && w.owner.Table().Ceremony().Waits {
				break
			}
		}
		if wait := w.owner.Table().Ceremony(); w.owner.State() != match.Called || !wait.Waits || w.now.After(wait.Since.Add(time.Second)) {
			continue
		}
		waited++
		w.silent = true
		cut, had := w.now, len(w.log)
		w.step(match.Unheard{Since: cut})
		if w.until(cut.Add(26 * time.Second)); w.owner.State() != match.Called || w.kept("*fact.Anew", had) {
			t.Errorf("seed %d: a number is waited for, from a node that is not heard, and the table goes on without it after %v", seed, w.now.Sub(cut))
		}
		if w.until(cut.Add(time.Minute)); w.owner.State() == match.Called && !w.kept("*fact.Anew", had) {
			t.Errorf("seed %d: a number is waited for, from a node that is not heard, for a minute", seed)
		}
	}
	if waited < 10 {
		t.Errorf("in 100 games a number is waited for %d times: that shows little", waited)
	}
}

// Whoever is away is taken for it as soon where nodes go one after the other, as in an upgrade: who is not here is at none of their pages.
func TestWhoIsAwayWhileNodesGo(t *testing.T) {
	away := 0
	for seed := range uint64(100) {
		w := newWorldWith(t, seed, nil, terms.Setup{AwayTime: 120})
		turn := w.toSomebodysTurn()
		if turn == game.NoSeat {
			continue
		}
		w.silent = true
		for _, c := range w.clients {
			if w.step(match.Again{Client: c.Client}); w.owner.Table().SeatOf(c.Who().ID) == turn {
				w.step(match.Gone{Client: c.Client})
			}
		}
		had, limit := len(w.log), w.owner.Table().Away()
		for gone := w.now; w.now.Before(gone.Add(limit + 20*time.Second)); {
			w.step(match.Unheard{Since: w.now, Till: w.now.Add(time.Second), Gone: true})
			w.until(w.now.Add(2 * time.Second))
			w.step(match.Unheard{})
			w.until(w.now.Add(8 * time.Second))
		}
		if away++; !w.kept("*fact.Missed", had) {
			t.Errorf("seed %d: whoever is waited for has been gone for longer than %v, and is not taken for away", seed, limit)
		}
	}
	if away < 20 {
		t.Errorf("in 100 games somebody is away %d times: that shows little", away)
	}
}

// Whoever had gone for some time before a node is not heard is not asked whether he agrees, though nobody knows who is at its pages.
func TestWhoHadGoneIsNotAsked(t *testing.T) {
	broken := 0
	for seed := range uint64(200) {
		w := newWorldWith(t, seed, nil, terms.Setup{MoveTime: 0, AwayTime: 1800})
		if w.toSomebodysTurn() == game.NoSeat {
			continue
		}
		sits := func(c *client) bool {
			seat := w.owner.Table().SeatOf(c.Who().ID)
			return seat < 2 && w.owner.Table().Sitter(seat).Bot == "" && !w.owner.Table().Sitter(seat).Left
		}
		a, b := w.clients[0], w.clients[1]
		if _, _, asked := w.owner.Table().Proposed(0); asked || !sits(a) || !sits(b) {
			continue
		}
		w.silent = true
		for _, c := range w.clients {
			w.step(match.Again{Client: c.Client})
		}
		w.step(match.Gone{Client: b.Client})
		w.until(w.now.Add(40 * time.Second))
		w.step(match.Unheard{Since: w.now})
		had := len(w.log)
		command := wire.Command{ID: "enough", Table: "t", Do: "break", Seq: w.owner.Table().Seq()}
		w.step(match.Said{Client: a.Client, Until: w.now.Add(time.Minute), Command: command})
		w.until(w.now.Add(10 * time.Second))
		if len(w.log) == had { // it could not be written
			continue
		}
		if broken++; !w.kept("*fact.Broke", had) {
			t.Errorf("seed %d: somebody had gone before a node was not heard, and is asked whether he agrees", seed)
		}
	}
	if broken < 5 {
		t.Errorf("in 200 games somebody wants to break off %d times: that shows little", broken)
	}
}

// kept tells whether the log has a fact of a kind after so many entries.
func (w *world) kept(kind string, after int) bool {
	return slices.ContainsFunc(w.log[after:], func(e fact.Entry) bool {
		f, _, _, _ := fact.Read(e.Data)
		return fmt.Sprintf("%T", f) == kind
	})
}

// toSomebodysTurn goes on until a person is waited for at the table, who is there; a seat that is none where that does not come.
func (w *world) toSomebodysTurn() game.Seat {
	for range 150 {
		w.run(1)
		turn := w.owner.Table().Turn()
		if w.owner.State() != match.Asked || turn > 1 {
			continue
		}
		if c := w.owner.Table().Sitter(turn); c.Bot == "" && !c.Away && !c.Left {
			return turn
		}
	}
	return game.NoSeat
}

// until does all that the owner does by itself until then.
func (w *world) until(then time.Time) {
	for {
		if asked := w.asked; asked != nil {
			w.asked = nil
			w.step(match.Answered{N: asked.N, Words: "keep"})
		}
		at, any := w.owner.Alarm()
		if !any || at.After(then) {
			w.now = later(w.now, then)
			return
		}
		w.now = later(w.now, at)
		w.step(match.Tick{})
	}
}

// A table whose rest is refused since it is another's is given up, and not put to rest again and again.
func TestATableThatCannotRestHere(t *testing.T) {
	for err, givenUp := range map[error]bool{fact.ErrAnothers: true, fact.ErrEpoch: true, errors.New("the disk is full"): false} {
		w := newWorld(t, 1)
		if w.owner.Step(match.Slept{Err: err}, w.now); w.owner.Disowned() != givenUp {
			t.Errorf("%v: it is given up: %t, want %t", err, !givenUp, givenUp)
		}
	}
}
