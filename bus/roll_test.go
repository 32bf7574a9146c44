package bus

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"caveau/match"
	"caveau/wire"
)

// A counted bus counts letters by what they are, and brings them when it is told to.
type counted struct {
	nodes   map[int64]*Exchange
	letters map[string]int
	waiting []func()
}

type countedWay struct {
	*counted
	node int64
}

func (countedWay) Join(context.Context, *Exchange) {}
func (countedWay) Own(int64, wire.ID)              {}
func (countedWay) Disown(int64, wire.ID)           {}
func (countedWay) There() bool                     { return true }

func (w countedWay) Send(l Letter) {
	w.letters[fmt.Sprintf("%T", l)]++
	w.waiting = append(w.waiting, func() {
		for node, x := range w.nodes {
			if to := addressee(l); node != w.node && (to == 0 || to == node) {
				x.Read(l)
			}
		}
	})
}

func addressee(l Letter) int64 {
	switch l := l.(type) {
	case Told:
		return l.To
	case Roll:
		return l.To
	case Present:
		return l.To
	}
	return 0
}

func (c *counted) deliver() {
	for len(c.waiting) > 0 {
		bring := c.waiting[0]
		c.waiting = c.waiting[1:]
		bring()
	}
}

// However many tables there are at which nothing happens: of them two nodes say to each other as much as of one. And somebody who goes, or a table that
// does, is heard of as ever.
func TestACalmHouse(t *testing.T) {
	const tables = 100
	h := newCalmHouse(t, tables)
	owner, asker := h.nodes[1], h.nodes[2]
	if h.told != 2*tables || len(h.there) != tables {
		t.Fatalf("the page is told %d times, and is at %d tables", h.told, len(h.there))
	}
	h.beats(20)
	if want := map[string]int{"bus.Roll": 20, "bus.Present": 20}; fmt.Sprint(h.letters) != fmt.Sprint(want) {
		t.Errorf("in ten seconds in which nothing happens there are %v, want %v", h.letters, want)
	}

	owner.Tell("t7", []match.Send{{To: h.there["t7"], Seq: 4, Message: []byte(`{"frame": {}}`)}})
	h.waiting = nil // and the letter is lost
	h.beats(1)
	if h.told != 2*tables+1 {
		t.Errorf("what a lost letter told is told %d times", h.told-2*tables)
	}

	asker.Reach("t8", match.Gone{Client: h.page})
	h.waiting = nil
	h.beats(int(silence / Beat))
	if _, is := h.there["t8"]; is || len(h.there) != tables-1 {
		t.Errorf("the page has left one table, and is at %d of %d", len(h.there), tables)
	}

	owner.Disown("t9", 1)
	h.nodes[3].Own("t9", 2, func(in match.Input) error {
		if in, is := in.(match.Again); is && in.Since == 3 {
			h.there["t9"] = match.Client{}
		}
		return nil
	})
	delete(h.there, "t9")
	h.beats(1)
	if _, is := h.there["t9"]; !is {
		t.Error("the page does not watch at the next owner, half a second after he has it")
	}
}

// Whoever has lost the database may have lost his tables: he says of none that it is there, and the next owner is found by whoever asks.
func TestAnOwnerInDoubt(t *testing.T) {
	h := newCalmHouse(t, 2)
	sure := true
	h.nodes[1].Doubt(func() bool { return sure })
	heard := map[wire.ID]int{}
	h.nodes[3].Own("t1", 2, func(in match.Input) error {
		if in, is := in.(match.Again); is {
			heard["t1"] = in.Since
		}
		return nil
	})
	h.beats(3)
	if len(heard) > 0 {
		t.Fatal("an owner who is sure of it is not believed") // and this test shows nothing
	}
	sure = false
	h.beats(1)
	if heard["t1"] != 3 {
		t.Error("half a second after the owner is in doubt the page is not at the table’s next owner")
	}
	if h.there["t0"] == (match.Client{}) || h.nodes[2].lines["t0"].quiet(h.now) {
		t.Error("whom the owner in doubt has yet is not there, or not heard")
	}
}

// However sure an owner is: the table is asked for after a while, and whoever has it hears that.
func TestWhoeverIsCalledIsAskedForToo(t *testing.T) {
	h := newCalmHouse(t, 1)
	heard := false
	h.nodes[3].Own("t0", 2, func(match.Input) error { heard = true; return nil })
	h.beats(int(askTime / Beat))
	if !heard {
		t.Errorf("%v after another has the table he does not know of the page", askTime)
	}
}

// Whoever is told that it took too long does not watch, and the owner knows; though another page of his node watches.
func TestAWatchThatTookTooLong(t *testing.T) {
	h := newCalmHouse(t, 1)
	h.silent = true
	late := h.nodes[2].Open(match.Visitor{}, ear(func([]byte) {}))
	h.nodes[2].Pass("t0", match.Said{Client: late, Command: wire.Command{Do: "watch"}, Until: h.now.Add(5 * time.Second)})
	h.beats(5)
	if h.there["t0"].Page != late.Page {
		t.Fatal("the owner has not heard of it")
	}
	h.beats(7)
	if _, is := h.there["t0"]; is {
		t.Error("the page is there, and was told that it is not")
	}
}

// A table of which nobody wants anything any more is not called, and its line ends.
func TestWhoWantsNothingCallsNobody(t *testing.T) {
	h := newCalmHouse(t, 1)
	h.silent = true
	h.nodes[2].Pass("t1", match.Said{Client: h.page, Command: wire.Command{Do: "sit"}, Until: h.now.Add(5 * time.Second)})
	h.nodes[1].Own("t1", 1, func(match.Input) error { return nil })
	h.beats(9)
	if h.nodes[2].lines["t1"] == nil {
		t.Fatal("what was said is not said again")
	}
	h.beats(3)
	if h.nodes[2].lines["t1"] != nil {
		t.Error("what was said took too long, and the table is called yet")
	}
}

// A node that has just begun says something soon: before it could, nobody doubts who is there.
func TestANodeThatHasJustBegun(t *testing.T) {
	now := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	x := New(1, new(Home), func() time.Time { return now })
	if unheard := x.Lives([]int64{1, 2}); unheard != 2 {
		t.Errorf("a node that may have lived for long is not heard, and %d is said to be", unheard)
	}
	x.Read(News{From: 2, N: 1})
	for _, want := range []struct {
		after   time.Duration
		unheard int64
	}{{0, 0}, {doubtTime - time.Millisecond, 0}, {doubtTime, 3}} {
		now = time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC).Add(want.after)
		x.Read(News{From: 2, N: 2 + int64(want.after)})
		if unheard := x.Lives([]int64{1, 2, 3}); unheard != want.unheard {
			t.Errorf("%v after the third began %d is not heard, want %d", want.after, unheard, want.unheard)
		}
	}
}

// Of a node that has gone the tables hear for a moment: its people are on their way. While another lives, and is not heard, it is that what they hear of.
func TestANodeThatHasJustGone(t *testing.T) {
	began := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	now := began
	x := New(1, new(Home), func() time.Time { return now })
	x.Lives([]int64{1, 2, 3})
	x.Read(News{From: 2, N: 1})
	for n, want := range []struct {
		after       time.Duration
		lives       []int64
		doubt, gone bool
	}{
		{doubtTime - time.Millisecond, []int64{1, 3}, false, false},
		{doubtTime, []int64{1, 3}, true, true},
		{goneTime - time.Millisecond, []int64{1, 3}, true, true},
		{goneTime, []int64{1, 3}, false, false},
		{goneTime + doubtTime, []int64{1, 3}, true, false}, // it is heard no more then
		{goneTime + doubtTime + Beat, []int64{1}, true, true},
		{2 * goneTime, []int64{1}, false, false},
	} {
		if now = began.Add(want.after); want.after <= goneTime {
			x.Read(News{From: 3, N: int64(n) + 1})
		}
		if x.Lives(want.lives); !x.unheard.Since.IsZero() != want.doubt || x.unheard.Gone != want.gone {
			t.Errorf("%v after the second was heard last tables hear %+v", want.after, x.unheard)
		}
	}
}

// Where an owner's node is not heard any more its tables are missed as soon as if each were asked for: nobody answers for them.
func TestARollThatNobodyAnswers(t *testing.T) {
	h := newCalmHouse(t, 3)
	h.beats(3)
	delete(h.nodes, 1)
	for beat := time.Duration(0); ; beat += Beat {
		h.now = h.now.Add(Beat)
		quiet := h.nodes[2].Beat()
		h.deliver()
		if want := beat+Beat >= quietTime; len(quiet) > 0 != want || want && len(quiet) != 3 {
			t.Fatalf("%v after the node was heard nobody answers for %v", beat+Beat, quiet)
		} else if want {
			return
		}
	}
}

// What a call is answered, by what the owner knows of the line.
func TestCalls(t *testing.T) {
	now, last := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC), int64(0)
	number := func() int64 { last++; return last }
	ask := Ask{From: 2, Table: "t", Line: 5, N: 7, Watch: []Watcher{{Client: match.Client{Page: 1}, Since: 3}}}
	is := Call{Table: "t", Term: 4, Line: 5, Ask: 7}
	for _, c := range []struct {
		name   string
		change func(d *desk, from, n *int64, c *Call)
		want   int
	}{
		{"all is so", func(*desk, *int64, *int64, *Call) {}, isHere},
		{"a later letter was quicker", func(_ *desk, _, n *int64, _ *Call) { *n = 7 }, overtaken},
		{"another owner is meant", func(_ *desk, _, _ *int64, c *Call) { c.Term = 3 }, isGone},
		{"another line is meant", func(_ *desk, _, _ *int64, c *Call) { c.Line = 4 }, isGone},
		{"an Ask was lost", func(_ *desk, _, _ *int64, c *Call) { c.Ask = 8 }, isGone},
		{"that node has never asked", func(_ *desk, from, _ *int64, _ *Call) { *from = 3 }, isGone},
		{"that node was not heard for too long", func(d *desk, _, _ *int64, _ *Call) { d.miss(now.Add(silence)) }, isGone},
		{"something was lost", func(d *desk, _, _ *int64, _ *Call) {
			d.tell([]match.Send{{To: match.Client{Page: 1, Way: d.nodes[2].way}, Seq: 4, Message: []byte("{}")}})
		}, isBehind},
	} {
		d := newDesk("t", 4, number)
		d.hear(ask, now)
		from, n, call := int64(2), int64(8), is
		c.change(d, &from, &n, &call)
		if got, told := d.call(from, n, call, now); got != c.want || (got == isBehind) != (len(told.Lines) == 1) {
			t.Errorf("%s: the call is answered %d, with %+v, want %d", c.name, got, told, c.want)
		}
	}
}

// An answer to a call of another line, or of one that has been asked for since, is of no use to this one.
func TestAnAnswerThatComesLate(t *testing.T) {
	n, now := int64(0), time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	l := newLine(1, "t", func() int64 { n++; return n }, now)
	l.watchers = []Watcher{{Client: match.Client{Page: 1}, Since: 3}}
	first := l.ask(now)
	l.hear(Told{From: 2, Ask: first.N, Line: first.Line, Term: 1, First: 1}, now)
	call := l.call()
	if !l.called(call) || !l.stands(now) {
		t.Fatal("the line does not stand that the owner has answered")
	}
	second := l.ask(now)
	l.hear(Told{From: 2, Ask: first.N, Line: first.Line, Term: 1, First: 1}, now)
	if l.called(call) || l.stands(now) {
		t.Error("the line stands, and the owner has not heard the second Ask")
	}
	for _, other := range []Call{{Term: 2, Line: l.id, Ask: second.N}, {Term: 1, Line: l.id + 1, Ask: second.N}} {
		if l.called(other) {
			t.Errorf("%+v is not what was called", other)
		}
	}
}

// Whose word an owner does not take, who has too much to do, is told so at once: the next beat brings it no more.
func TestAnOwnerWithTooMuchToDo(t *testing.T) {
	h := newCalmHouse(t, 1)
	said := 0
	h.nodes[1].Disown("t0", 1)
	h.nodes[1].Own("t0", 2, func(in match.Input) error {
		if s, is := in.(match.Said); is && s.Command.Do == "play" {
			said++
			return match.ErrBusy
		}
		return nil
	})
	h.beats(1)
	before := h.told
	h.nodes[2].Pass("t0", match.Said{Client: h.page, Command: wire.Command{ID: "1", Do: "play"}, Until: h.now.Add(time.Minute)})
	h.deliver()
	if h.told != before+1 || !strings.Contains(h.heard, wire.CodeBusy) {
		t.Errorf("the page is told %d times, last %s", h.told-before, h.heard)
	}
	if h.beats(3); said != 1 || h.told != before+1 {
		t.Errorf("the owner hears it %d times, and the page hears of it %d times", said, h.told-before)
	}
}

// BenchmarkACalmHouse: what a beat takes where a page watches a thousand tables that another node has, both nodes together, without a bus between them.
func BenchmarkACalmHouse(b *testing.B) {
	const tables = 1000
	h := newCalmHouse(b, tables)
	for b.Loop() {
		h.beats(1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*tables), "ns/table")
}

// A calmHouse has three nodes. The first owns tables, and a page at the second watches all of them.
type calmHouse struct {
	testing.TB
	*counted
	now    time.Time
	there  map[wire.ID]match.Client // whom the owners know
	page   match.Client
	told   int    // how often it was told something
	heard  string // what last
	silent bool   // the owners hear, and answer nothing
}

func newCalmHouse(t testing.TB, tables int) *calmHouse {
	h := &calmHouse{TB: t, counted: &counted{nodes: map[int64]*Exchange{}, letters: map[string]int{}}, there: map[wire.ID]match.Client{}}
	h.now = time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	for node := range int64(3) {
		h.nodes[node+1] = New(node+1, countedWay{h.counted, node + 1}, func() time.Time { return h.now })
	}
	h.page = h.nodes[2].Open(match.Visitor{}, ear(func(message []byte) { h.told, h.heard = h.told+1, string(message) }))
	for i := range tables {
		id := wire.ID(fmt.Sprint("t", i))
		h.nodes[1].Own(id, 1, func(in match.Input) error { h.hears(id, in); return nil })
		h.nodes[2].Pass(id, match.Said{Client: h.page, Command: wire.Command{Do: "watch"}, Until: h.now.Add(time.Minute)})
	}
	h.beats(2)
	return h
}

// hears is what an owner does with what comes to him.
func (h *calmHouse) hears(id wire.ID, in match.Input) {
	switch in := in.(type) {
	case match.Said:
		if h.there[id] = in.Client; h.silent {
			return
		}
		h.waiting = append(h.waiting, func() { // he answers when the exchange has let him go
			h.nodes[1].Tell(id, []match.Send{{To: in.Client, Re: in.N, Message: []byte(`{"ok": true}`)}, {To: in.Client, Seq: 3, Message: []byte(`{"frame": {}}`)}})
		})
	case match.Gone:
		if h.there[id] == in.Client {
			delete(h.there, id)
		}
	}
}

// beats has so many go by, and counts their letters.
func (h *calmHouse) beats(n int) {
	h.letters = map[string]int{}
	for range n {
		h.now = h.now.Add(Beat)
		for node := range int64(3) {
			if quiet := h.nodes[node+1].Beat(); len(quiet) > 0 {
				h.Fatalf("nobody answers for %v", quiet)
			}
			h.deliver()
		}
	}
}

type ear func(message []byte)

func (e ear) Tell(message []byte, more ...[]byte) {
	for _, m := range append([][]byte{message}, more...) {
		e(m)
	}
}
func (ear) Cut() {}

// An owner who calls no rolls, since his node is of an older version, is asked.
func TestAnOlderOwnerIsAsked(t *testing.T) {
	n, now := int64(0), time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	l := newLine(1, "t", func() int64 { n++; return n }, now)
	l.watchers = []Watcher{{Client: match.Client{Page: 1}, Since: 3}}
	for from, want := range map[int64]bool{0: false, 2: true} {
		a := l.ask(now)
		l.hear(Told{From: from, Ask: a.N, Line: a.Line, Term: 1, First: 1}, now)
		if stands := l.stands(now.Add(Beat)); stands != want {
			t.Errorf("the owner’s node says that it is %d, and the line stands: %t", from, stands)
		}
	}
}
