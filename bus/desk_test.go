package bus

import (
	"testing"
	"time"

	"caveau/match"
	"caveau/wire"
)

// A watch whose answer was lost with its line is begun anew, and its answer comes with a frame, and not before.
func TestAWatchIsBegunAnew(t *testing.T) {
	d, now := calledDesk()
	a := watching(1, 1)
	all, _, _ := d.hear(a, now)
	said := all[0].(match.Said)
	d.tell([]match.Send{{To: said.Client, Re: said.N, Message: []byte("done")}, {To: said.Client, Seq: 3, Message: []byte("frame")}})
	a.Line, a.N = 2, 3
	all, told, _ := d.hear(a, now)
	if len(told.Lines) != 0 {
		t.Errorf("at the new line stands %s already", told.Lines[0].Message)
	}
	if len(all) != 2 {
		t.Fatalf("the owner hears %v", all)
	}
	again, gone := all[0].(match.Said), all[1].(match.Gone)
	if again.Command != said.Command || again.Client == said.Client || gone.Client != said.Client {
		t.Errorf("after %v the owner hears %v", said, all)
	}
}

// Of an answer whose frame was lost with its line nobody believes that it has shown what happened: it is a frame's number that says so.
func TestAnAnswerIsNoFrame(t *testing.T) {
	for _, late := range []bool{false, true} { // it comes to the line before, which has ended by then
		d, now := calledDesk()
		a := watching(1, 1)
		a.Said[0].Command.Do = "play"
		all, _, _ := d.hear(a, now)
		said := all[0].(match.Said)
		moved := []match.Send{{To: said.Client, Re: said.N, Seq: 5, Answer: []byte("done"), Message: []byte("frame")}}
		if !late {
			d.tell(moved)
		}
		a.Line, a.N = 2, 2
		_, told, _ := d.hear(a, now)
		if late {
			told = d.tell(moved)[0]
		}
		if len(told.Lines) != 1 || string(told.Lines[0].Message) != "done" || told.Lines[0].Answer != nil || told.Lines[0].Seq != 0 {
			t.Errorf("late: %t, the new line is told %+v", late, told.Lines)
		}
	}
}

// A node that is not heard is told nothing any more, until it begins another line: its lines have no numbers.
func TestALostNodeBeginsAnotherLine(t *testing.T) {
	d, now := calledDesk()
	a := watching(1, 1)
	all, _, _ := d.hear(a, now)
	page := all[0].(match.Said).Client
	frame := []match.Send{{To: page, Seq: 3, Message: []byte("frame")}}
	if told := d.tell(frame); len(told) != 1 || told[0].First != 1 {
		t.Errorf("the node is told %v", told)
	}
	if gone := d.miss(now.Add(silence)); len(gone) != 1 {
		t.Errorf("nobody is missed, or too many: %v", gone)
	}
	if told := d.tell(frame); len(told) != 0 {
		t.Errorf("the lost node is told %v", told)
	}
	a.N = 2
	if all, told, _ := d.hear(a, now); len(all) != 0 || !told.Anew {
		t.Errorf("the node that was lost says it again, and is told %+v; the owner hears %v", told, all)
	}
}

// A node that is heard and hears nothing itself is lost before what waits for it fills the memory.
func TestANodeThatHearsNothingIsLost(t *testing.T) {
	d, now := calledDesk()
	all, _, _ := d.hear(watching(1, 1), now)
	page := all[0].(match.Said).Client
	for n := range int64(mostLines + 1) {
		d.tell([]match.Send{{To: page, Seq: int(n), Message: []byte("frame")}})
		if answer, _ := d.call(2, n+2, Call{Term: 1, Line: 1, Ask: 1}, now); answer != isBehind {
			t.Fatalf("after %d lines its call is answered %d", n+1, answer)
		}
		if gone := d.miss(now); (len(gone) > 0) != (n == mostLines) {
			t.Fatalf("after %d lines %v is missed", n+1, gone)
		}
	}
	if left := len(d.nodes[2].lines); left != 0 {
		t.Errorf("%d lines wait for it yet", left)
	}
}

func calledDesk() (*desk, time.Time) {
	n := int64(0)
	return newDesk("t", 1, func() int64 { n++; return n }), time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
}

// watching is what a node wants whose page has said that it wants to watch.
func watching(line, n int64) Ask {
	page := match.Client{Page: 7}
	return Ask{From: 2, Table: "t", Line: line, N: n, Watch: []Watcher{{Client: page}}, Said: []Said{{N: 1, Client: page, Command: wire.Command{ID: "w", Do: "watch"}, Within: time.Second}}}
}

// However many lines a node begins, the desk remembers a few: of those an answer still finds its way.
func TestADeskForgetsOldLines(t *testing.T) {
	d, now := calledDesk()
	var pages []match.Client
	for line := range int64(100) {
		a := watching(line+1, line+1)
		a.Said[0].N, a.Said[0].Command.Do = line+1, "leave"
		all, _, _ := d.hear(a, now)
		pages = append(pages, all[0].(match.Said).Client)
	}
	if len(d.ways) != mostWays {
		t.Errorf("after a hundred lines the desk knows %d", len(d.ways))
	}
	for i, want := range map[int]int{len(pages) - mostWays: 1, len(pages) - 1: 1, 0: 0} {
		if told := d.tell([]match.Send{{To: pages[i], Re: int64(i) + 1, Message: []byte("done")}}); len(told) != want {
			t.Errorf("what was said at line %d is answered by %d letters", i+1, len(told))
		}
	}
}

// What two pages of a node are told is sent there once if it is one message, and else to each his own, though it be as long and of the same entry.
func TestPagesAreToldTogetherOnlyWhatIsOne(t *testing.T) {
	for _, x := range []struct {
		to    [2]string
		one   bool
		lines int
	}{{[2]string{"for both", "for both"}, true, 1}, {[2]string{"for Ana", "for Ben"}, false, 2}, {[2]string{"the same", "the same"}, false, 2}} {
		d, now := calledDesk()
		a := watching(1, 1)
		a.Watch = append(a.Watch, Watcher{Client: match.Client{Page: 8}})
		a.Said = append(a.Said, Said{N: 2, Client: match.Client{Page: 8}, Command: a.Said[0].Command, Within: time.Second})
		all, _, _ := d.hear(a, now)
		sends := make([]match.Send, 2)
		for i := range sends {
			sends[i] = match.Send{To: all[i].(match.Said).Client, Seq: 3, Message: []byte(x.to[i])}
		}
		if x.one {
			sends[1].Message = sends[0].Message
		}
		told := d.tell(sends)
		if len(told) != 1 || len(told[0].Lines) != x.lines {
			t.Fatalf("of %q the node is told %+v", x.to, told)
		}
		heard := map[int64]string{}
		for _, l := range told[0].Lines {
			for _, page := range l.Pages {
				heard[page] += string(l.Message)
			}
		}
		if len(heard) != 2 || heard[7] != x.to[0] || heard[8] != x.to[1] {
			t.Errorf("of %q the pages hear %v", x.to, heard)
		}
	}
}
