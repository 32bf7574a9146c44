package bus

import (
	"slices"
	"testing"
	"time"

	"caveau/match"
	"caveau/wire"
)

// aLine is one of the first node's, at which nothing was said.
func aLine() *line {
	n := int64(0)
	return newLine(1, "t", func() int64 { n++; return n }, time.Time{})
}

// Whoever has said that he wants to watch, and went before anybody answered, is not there when the table has come to his own node. Who has stayed is.
func TestWhoHasGoneIsNotThereAtHome(t *testing.T) {
	l := aLine()
	gone, stays := match.Client{Page: 1}, match.Client{Page: 2}
	for _, c := range []match.Client{gone, stays} {
		l.say(match.Said{Client: c, Command: wire.Command{Do: "watch"}})
	}
	l.gone(gone)
	there := map[match.Client]bool{}
	for _, in := range l.home() {
		switch in := in.(type) {
		case match.Said:
			there[in.Client] = true
		case match.Gone:
			delete(there, in.Client)
		}
	}
	if there[gone] || !there[stays] {
		t.Errorf("there are %v", there)
	}
}

// For how long somebody still waits is counted from when his word is on its way, whenever the line was asked before.
func TestHowLongSomebodyStillWaits(t *testing.T) {
	l, now := aLine(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l.ask(now.Add(-20 * time.Second))
	l.say(match.Said{Client: match.Client{Page: 1}, Command: wire.Command{Do: "leave"}, Until: now.Add(10 * time.Second)})
	for _, later := range []time.Duration{0, 4 * time.Second} {
		if within := l.ask(now.Add(later)).Said[0].Within; within != 10*time.Second-later {
			t.Errorf("after %v he waits for %v yet", later, within)
		}
	}
}

// Who may not watch asks no more. Whoever watches already, and is refused what he says twice, watches on.
func TestWhoMayNotWatchAsksNoMore(t *testing.T) {
	l := aLine()
	watch := match.Said{Client: match.Client{Page: 1}, Command: wire.Command{Do: "watch"}}
	heard := 0
	tells := func(re int64, seq int, text string) {
		l.hear(Told{Line: l.id, Term: 1, First: heard + 1, Lines: []Line{{Pages: []int64{1}, Re: re, Seq: seq, Message: []byte(text)}}}, time.Time{})
		heard++
	}
	said := func() int64 { return l.said[len(l.said)-1].N }
	l.say(watch)
	tells(said(), 0, `{"re": "1", "error": {"code": "no_table"}}`)
	if !l.idle() {
		t.Errorf("who was refused asks for %v", l.ask(time.Time{}))
	}
	l.say(watch)
	tells(said(), 0, `{"re": "2", "ok": true}`)
	tells(0, 3, `{"frame": {}}`)
	l.say(watch)
	tells(said(), 0, `{"re": "3", "error": {"code": "busy"}}`)
	if w := l.watcher(1); w == nil || w.Since != 3 {
		t.Errorf("who watched is %+v", w)
	}
}

// Whoever says it once more while he waits for the first is not forgotten with that: he watches until the second has taken too long.
func TestAWatchThatIsSaidTwice(t *testing.T) {
	n, now := int64(0), time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	l := newLine(1, "t", func() int64 { n++; return n }, now)
	for _, after := range []time.Duration{10 * time.Second, 15 * time.Second} {
		l.say(match.Said{Client: match.Client{Page: 1}, Command: wire.Command{Do: "watch"}, Until: now.Add(after)})
	}
	for _, want := range []struct {
		after    time.Duration
		late     int
		watchers int
	}{{10 * time.Second, 0, 1}, {11 * time.Second, 1, 1}, {16 * time.Second, 1, 0}} {
		if late := l.late(now.Add(want.after)); len(late) != want.late || len(l.watchers) != want.watchers {
			t.Errorf("after %v %d are told that it took too long, and %d watch; want %+v", want.after, len(late), len(l.watchers), want)
		}
	}
}

// Who begins to watch a table elsewhere is told by which node he comes to it, if that has a name, before he sees the table; whoever may not watch is not.
func TestByWhichNodeOneComes(t *testing.T) {
	const ok, no = `{"re":"1","ok":true}`, `{"re":"1","error":{"code":"no_table"}}`
	for _, c := range []struct {
		name, do, answer string
		from             int64
		want             []string
	}{
		{"a watch", "watch", ok, 2, []string{`{"table":"t","node":"b"}`, ok}},
		{"of a table that another has", "watch", ok, 4, []string{`{"table":"t","node":"d"}`, ok}},
		{"of a node without a name", "watch", ok, 3, []string{ok}},
		{"that is refused", "watch", no, 2, []string{no}},
		{"a move", "play", ok, 2, []string{ok}},
	} {
		a := newAsker()
		a.says(c.do)
		a.told = nil
		a.hears(c.from, 1, Line{Re: a.asked().Said[0].N, Message: []byte(c.answer)})
		if !slices.Equal(a.told, c.want) {
			t.Errorf("%s: one is told %q, want %q", c.name, a.told, c.want)
		}
	}
}

// Whoever watches already, and asks once more, is not led away in the middle of a game, whoever has the table by then.
func TestWhoWatchesStays(t *testing.T) {
	a := newAsker()
	a.says("watch")
	a.hears(2, 1, Line{Re: a.asked().Said[0].N, Message: []byte(`{"re":"1","ok":true}`)})
	a.hears(2, 1, Line{Seq: 3, Message: []byte(`{"frame":{}}`)})
	a.told = nil
	a.says("watch")
	a.hears(2, 1, Line{Re: a.asked().Said[0].N, Message: []byte(`{"re":"2","ok":true}`)})
	a.says("watch")
	a.hears(4, 2) // another has it, and does not know this line
	a.first = 1
	a.hears(4, 2, Line{Re: a.asked().Said[0].N, Message: []byte(`{"re":"3","ok":true}`)})
	if want := []string{`{"re":"2","ok":true}`, `{"re":"3","ok":true}`}; !slices.Equal(a.told, want) {
		t.Errorf("one is told %q, want %q", a.told, want)
	}
}

// An asker is a node, 1, with one page, and a bus on which it is heard. Nodes 2 and 4 are called b and d.
type asker struct {
	Bus   // none of it but Send is called
	x     *Exchange
	page  match.Client
	asks  []Ask
	told  []string
	first int // the number of the line that it hears next
}

func newAsker() *asker {
	a := &asker{first: 1}
	a.x = New(1, a, func() time.Time { return time.Time{} })
	a.x.Read(News{From: 2, N: 1, Name: "b"})
	a.x.Read(News{From: 4, N: 1, Name: "d"})
	a.page = a.x.Open(match.Visitor{}, a)
	return a
}

func (a *asker) says(do string) {
	a.x.Pass("t", match.Said{Client: a.page, Command: wire.Command{Do: do}})
}

func (a *asker) asked() Ask { return a.asks[len(a.asks)-1] }

// hears is what an owner says to the page.
func (a *asker) hears(from, term int64, lines ...Line) {
	for i := range lines {
		lines[i].Pages = []int64{a.page.Page}
	}
	ask := a.asked()
	a.x.Read(Told{From: from, To: 1, Ask: ask.N, Table: "t", Term: term, Line: ask.Line, First: a.first, Lines: lines})
	a.first += len(lines)
}

func (a *asker) Send(l Letter) {
	if ask, is := l.(Ask); is {
		a.asks = append(a.asks, ask)
	}
}
func (a *asker) Tell(m []byte, _ ...[]byte) { a.told = append(a.told, string(m)) }
func (a *asker) Cut()                       {}

// Who has gone and looks again is told first that he does: what was on its way to him as he went nobody passes on to him, nor to whoever has gone for good.
func TestWhoLooksAgainIsToldFirstThatHeDoes(t *testing.T) {
	l := aLine()
	one, two := match.Client{Page: 1}, match.Client{Page: 2}
	for _, c := range []match.Client{one, two} {
		l.say(match.Said{Client: c, Command: wire.Command{Do: "watch"}})
		l.gone(c)
	}
	l.said = nil // both were answered before
	l.say(match.Said{Client: one, Command: wire.Command{Do: "watch"}})
	told := func(first int, m Line) int {
		pass, _ := l.hear(Told{Line: l.id, Term: 1, First: first, Lines: []Line{m}}, time.Time{})
		return len(pass)
	}
	if k := told(1, Line{Pages: []int64{1, 2}, Seq: 3, Message: []byte(`{"frame": {}}`)}); k > 0 {
		t.Errorf("%d are told what happened while they were gone", k)
	}
	if k := told(2, Line{Pages: []int64{1}, Re: l.said[0].N, Message: []byte(`{"re": "1", "ok": true}`)}); k != 1 {
		t.Errorf("that he looks he is told %d times", k)
	}
	if k := told(3, Line{Pages: []int64{1}, Seq: 4, Message: []byte(`{"frame": {}}`)}); k != 1 {
		t.Errorf("and then what happens, %d times", k)
	}
}

// Who was silent for so long that another may have the table is not believed what he said before that, be it the first that is heard now: what he refuses the
// other may have done.
func TestWhoWasSilentIsAskedAgain(t *testing.T) {
	n := int64(0)
	now := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	l := newLine(1, "t", func() int64 { n++; return n }, now)
	page := match.Client{Page: 7}
	l.say(match.Said{Client: page, Command: wire.Command{ID: "s", Do: "sit"}, Until: now.Add(time.Minute)})
	first := l.ask(now)
	answer := func(a Ask, term int64, text string) []match.Send {
		pass, _ := l.hear(Told{From: 2, Ask: a.N, Line: a.Line, Term: term, First: 1, Lines: []Line{{Pages: []int64{7}, Re: a.Said[0].N, Message: []byte(text)}}}, now)
		return pass
	}
	now = now.Add(quietTime)
	again := l.ask(now)
	if pass := answer(first, 1, "refused"); len(pass) > 0 {
		t.Errorf("he is told %q by an owner who is no longer one, perhaps", pass[0].Message)
	}
	older, _ := l.hear(Told{Line: l.id, Term: 1, First: 1, Lines: []Line{{Pages: []int64{7}, Re: first.Said[0].N, Message: []byte("done")}}}, now)
	if len(older) != 1 {
		t.Error("an owner of a version that does not say what he has heard is not believed")
	}
	l.id, l.heard, l.since = l.number(), 0, again.N
	l.say(match.Said{Client: page, Command: wire.Command{ID: "t", Do: "sit"}, Until: now.Add(time.Minute)})
	if pass := answer(l.ask(now), 2, "done"); len(pass) != 1 || string(pass[0].Message) != "done" {
		t.Errorf("by the next owner he is told %v", pass)
	}
}
