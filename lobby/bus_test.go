package lobby_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"caveau/bus"
	"caveau/fact"
	"caveau/game"
	"caveau/limit"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/wire"
)

// A side is a node's way to the others, and to the log. Once it is dead nothing that it says arrives.
type side struct {
	*bus.Home
	fact.Log
	name  string
	deeds *register
	dead  atomic.Bool            // it writes nothing
	mute  atomic.Bool            // and nobody hears it
	gone  atomic.Bool            // it knows that the bus is away
	blind atomic.Bool            // it cannot read
	slow  atomic.Int64           // how long it takes to read, in nanoseconds
	late  atomic.Int64           // how long it takes to hear of what it has written, in nanoseconds
	lost  atomic.Int64           // of how many letters one arrives; 0: all
	then  atomic.Pointer[func()] // is done once, after it has been read which tables are due
	n     [3]atomic.Int64        // letters so far, each kind for itself: else it might be always the same that is lost
}

func (s *side) arrives(kind int) bool {
	every := s.lost.Load()
	return !s.mute.Load() && (every == 0 || s.n[kind].Add(1)%every == 0)
}

func (s *side) There() bool { return !s.gone.Load() }

func (s *side) Send(l bus.Letter) {
	kind := 0 // an Ask, or a Roll in the place of many
	switch l.(type) {
	case bus.Told, bus.Present:
		kind = 1
	case bus.News:
		kind = 2
	}
	if s.arrives(kind) {
		s.Home.Send(l)
	}
}

func (s *side) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	if s.dead.Load() {
		return fact.ErrEpoch
	}
	err := s.Log.Append(ctx, id, e)
	time.Sleep(time.Duration(s.late.Load()))
	return err
}

func (s *side) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	if s.blind.Load() {
		return nil, errors.New("nobody answers")
	}
	time.Sleep(time.Duration(s.slow.Load()))
	return s.Log.Entries(ctx, id, after)
}

// Delete refuses what another has.
func (s *side) Due(ctx context.Context, by time.Time) ([]wire.ID, error) {
	all, err := s.Log.Due(ctx, by)
	if then := s.then.Swap(nil); then != nil {
		(*then)()
	}
	return all, err
}

func (s *side) Delete(ctx context.Context, id wire.ID) error {
	if owner := s.deeds.owns(id); owner != "" && owner != s.name {
		return fact.ErrAnothers
	}
	return s.Log.Delete(ctx, id)
}

// Nodes are houses with one log, over one bus.
type nodes struct {
	*house
	deeds *register
	home  bus.Home
	sides []*side
	rooms []*limit.Places
}

// room is for how many tables each has places.
const room = 100

func inNodes(t *testing.T, test func(t *testing.T, n *nodes, here, there *house)) {
	inHouse(t, func(t *testing.T, h *house) {
		n := &nodes{house: h, deeds: newRegister()}
		here, there := n.node("here"), n.node("there")
		defer here.lobby.Close()
		defer there.lobby.Close()
		test(t, n, here, there)
	})
}

// node is one more of them.
func (n *nodes) node(name string) *house {
	n.t.Helper()
	s := &side{Home: &n.home, Log: n.log, name: name, deeds: n.deeds}
	n.sides = append(n.sides, s)
	n.rooms = append(n.rooms, limit.NewPlaces(room, 1))
	n.deeds.lend(name)
	n.deeds.mu.Lock()
	n.deeds.nodes = append(n.deeds.nodes, name)
	n.deeds.mu.Unlock()
	l, err := lobby.Open(n.t.Context(), lobby.Config{
		Log: s, Bus: s, Node: int64(len(n.sides)), Deeds: &node{n.deeds, name, n.log}, Shelf: n.shelf, Clock: matchtest.Clock{}, Rand: matchtest.Rand(uint64(len(n.sides))),
		Call: n.calls.hear, Tables: n.rooms[len(n.rooms)-1], Untouched: time.Hour, Slog: slog.New(slog.NewTextHandler(&n.said, nil)),
	})
	if err != nil {
		n.t.Fatal(err)
	}
	return &house{t: n.t, lobby: l, log: n.log}
}

// moves are how many he was told of.
func (p *person) moves() int {
	return len(slices.DeleteFunc(p.heard(), func(v string) bool { return v != "keep" && v != "show" }))
}

// mustFollow checks that he was told of so many moves.
func (p *person) mustFollow(want int) {
	p.t.Helper()
	if n := p.moves(); n != want {
		p.t.Errorf("%s heard of %d moves, want %d: %v", p.name, n, want, p.heard())
	}
}

// While a node lives, and is not heard, nobody who may be there is taken for away, nor is he for the time in which it was not. Whoever has gone is.
func TestNobodyIsAwayWhileANodeIsNotHeard(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(toy(2))
		ana, ben := here.as("Ana", id), there.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		mustBeAway := func(what string, away bool) {
			t.Helper()
			if ana.read(); ana.frame.Seats[1].Standin != away {
				t.Errorf("%s: Ben's seat is %+v", what, ana.frame.Seats[1])
			}
		}
		mustHear := func(living, heard int) {
			t.Helper()
			if c := here.lobby.Counts(); c.Living != living || c.Heard != heard {
				t.Errorf("of %d nodes %d are heard, and it should be %d of %d", c.Living, c.Heard, heard, living)
			}
		}
		time.Sleep(time.Minute)
		mustHear(2, 2)
		n.sides[1].mute.Store(true)
		time.Sleep(10 * time.Minute)
		mustHear(2, 1)
		mustBeAway("his node is not heard", false)
		ben.client.Close()
		n.sides[1].mute.Store(false)
		time.Sleep(119 * time.Second)
		mustBeAway("it is heard, and he has gone", false)
		time.Sleep(5 * time.Second)
		mustBeAway("he has been gone for long", true)
		for _, says := range []string{"a node lives, and is not heard", "every node that lives is heard"} {
			if times := strings.Count(n.said.String(), says); times != 1 {
				t.Errorf("%q stands %d times in the log", says, times)
			}
		}
		n.sides[0].gone.Store(true)
		mustHear(2, 0)
	})
}

// Whoever watches two tables of another node, and closes his page, has gone from both.
func TestWhoeverWatchesTwoElsewhereGoesFromBoth(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		one, two := here.make(toy(2)), here.make(toy(2))
		ana, again, eve := here.as("Ana", one), here.as("Ana", two), there.as("Eve", one)
		eve.ok(wire.Command{Do: "watch", Table: two})
		for _, watch := range []int{1, 0} {
			time.Sleep(time.Second)
			for _, p := range []*person{ana, again} {
				if p.read(); p.frame.Watchers != watch {
					t.Errorf("%s is told that %d look on, and %d do", p.name, p.frame.Watchers, watch)
				}
			}
			eve.client.Close()
		}
	})
}

// A page at one node plays at a table at another; a ruling goes there too.
func TestAGameAcrossNodes(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(toy(2))
		ana, ben, eve := here.as("Ana", id), there.as("Ben", id), there.as("Eve", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		for _, move := range []string{"keep", "keep", "keep"} {
			for _, p := range []*person{ana, ben} {
				if a := p.play(move); !a.OK {
					t.Fatalf("%s: %+v", p.name, a)
				}
			}
		}
		for _, p := range []*person{ana, ben, eve} {
			p.mustBe("over", game.NoSeat)
			p.mustFollow(6)
		}
	})
}

// later says something that is answered when it is, and reads the answer.
func (p *person) later(c wire.Command, within time.Duration) told {
	p.t.Helper()
	c.ID, c.Table = p.name+time.Now().String(), p.table
	p.read()
	before := len(p.said)
	p.client.Do(c)
	for end := time.Now().Add(within); len(p.said) == before && time.Now().Before(end); time.Sleep(bus.Beat / 5) {
		p.read()
	}
	if len(p.said) != before+1 || p.said[before].Re != c.ID {
		p.t.Fatalf("%s said %+v and was answered %+v", p.name, c, p.said[before:])
	}
	return p.said[before]
}

func (p *person) mustBeThere() {
	p.t.Helper()
	if _, cut := p.client.Take(nil); cut {
		p.t.Errorf("%s was cut off", p.name)
	}
}

// The owner's node dies in the middle of a game. Another has the table within five seconds, nobody at a node that lives is cut off, and nobody misses
// a move or is told one twice: neither what was written and not told, nor what was said and not written.
func TestAnOwnersNodeDies(t *testing.T) {
	for _, written := range []bool{false, true} {
		inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
			id := here.make(toy(2))
			ana, ben, eve := here.as("Ana", id), there.as("Ben", id), there.as("Eve", id)
			ben.ok(wire.Command{Do: "sit", Seat: "B"})
			ana.ok(wire.Command{Do: "start"})
			ana.play("keep")
			if written {
				ben.play("keep")
			}
			ben.read()
			eve.read()
			had, told := eve.frame.Seq, eve.moves()
			n.sides[0].mute.Store(true)
			if written {
				ana.play("keep")
			}
			go func() {
				time.Sleep(time.Second)
				n.sides[0].dead.Store(true)
				n.deeds.end("here") // the lease is over
			}()
			if written {
				time.Sleep(5 * time.Second)
				ben.mustBe("running", seatB)
			}
			if a := ben.later(wire.Command{Do: "play", Seat: "B", Seq: ben.frame.Seq, Move: "keep"}, 5*time.Second); !a.OK {
				t.Fatalf("Ben's move: %+v", a)
			}
			if owner := n.deeds.owns(id); owner != "there" {
				t.Errorf("the table is owned by %q", owner)
			}
			again := there.as("Ana", id)
			finish(again, ben)
			for _, p := range []*person{ben, eve} {
				p.mustBe("over", game.NoSeat)
				p.mustFollow(6)
				p.mustBeThere()
			}
			reloaded := &person{t: t, name: "Eve", client: there.lobby.Connect(visitor("Eve"), func() {}), table: id}
			reloaded.ok(wire.Command{Do: "watch", Seq: had}) // what she had she was told elsewhere
			reloaded.mustFollow(6 - told)
		})
	}
}

// The node that takes a table cannot read it: nobody goes on telling those who watch, so they have to come again.
func TestATableThatNobodyCanRead(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		ben := there.as("Ben", here.make(toy(2)))
		n.sides[0].mute.Store(true)
		n.deeds.end("here")
		n.sides[1].blind.Store(true)
		time.Sleep(5 * time.Second)
		if _, cut := ben.client.Take(nil); !cut {
			t.Error("Ben waits for ever")
		}
	})
}

// Where nobody answers for a table, and nobody can take it, whoever has said something is told so.
func TestNobodyAnswers(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(toy(2))
		ben := there.as("Ben", id)
		n.sides[0].mute.Store(true)
		if a := ben.later(wire.Command{Do: "sit", Seat: "B"}, 11*time.Second); a.Error.Code != wire.CodeBusy {
			t.Errorf("Ben is told %+v", a)
		}
		eve := &person{t: t, name: "Eve", client: there.lobby.Connect(visitor("Eve"), func() {}), table: id}
		if a := eve.later(wire.Command{Do: "watch"}, 11*time.Second); a.Error.Code != wire.CodeBusy {
			t.Errorf("Eve is told %+v", a)
		}
		n.sides[0].mute.Store(false)
		time.Sleep(time.Second)
		ben.mustBe("open", game.NoSeat)
		if ben.read(); ben.frame.Seats[1].Name != "Ben" || ben.frame.Watchers != 0 {
			t.Errorf("Ben is told of %+v and %d who look on", ben.frame.Seats, ben.frame.Watchers)
		}
	})
}

// Of all letters one in three arrives, and the game is played all the same: slower, and nobody misses anything.
func TestLettersAreLost(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		for _, s := range n.sides {
			s.lost.Store(3)
		}
		id := here.make(toy(2))
		ana := here.as("Ana", id)
		ben := &person{t: t, name: "Ben", client: there.lobby.Connect(visitor("Ben"), func() {}), table: id}
		for _, c := range []wire.Command{{Do: "watch"}, {Do: "sit", Seat: "B"}} {
			if a := ben.later(c, 9*time.Second); !a.OK {
				t.Fatalf("%+v: %+v", c, a)
			}
		}
		ana.ok(wire.Command{Do: "start"})
		for range 3 {
			if a := ana.play("keep"); !a.OK {
				t.Fatalf("Ana: %+v", a)
			}
			time.Sleep(6 * bus.Beat)
			ben.read()
			if a := ben.later(wire.Command{Do: "play", Seat: "B", Seq: ben.frame.Seq, Move: "keep"}, 9*time.Second); !a.OK {
				t.Fatalf("Ben: %+v", a)
			}
		}
		time.Sleep(6 * bus.Beat)
		ben.mustBe("over", game.NoSeat)
		ben.mustFollow(6)
	})
}

// Whoever goes while his node tries in vain to take the table is not there when it has it.
func TestWhoGoesWhileATableIsTaken(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(toy(2))
		ana, ben := there.as("Ana", id), there.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		n.deeds.mu.Lock()
		n.deeds.late, n.deeds.fails = 3*time.Second, errors.New("nobody answers")
		n.deeds.mu.Unlock()
		n.sides[0].mute.Store(true)
		n.sides[0].dead.Store(true)
		time.Sleep(3 * time.Second) // it is being asked since one and a half
		ben.client.Close()
		time.Sleep(2 * time.Second)
		n.deeds.mu.Lock()
		n.deeds.fails = nil
		n.deeds.mu.Unlock()
		n.deeds.end("here")
		time.Sleep(10 * time.Second)
		if owner := n.deeds.owns(id); owner != "there" {
			t.Fatalf("the table is owned by %q", owner)
		}
		if ana.read(); !ana.frame.Seats[0].Here || ana.frame.Seats[1].Here {
			t.Errorf("Ana sees %+v", ana.frame.Seats)
		}
	})
}

// Who is there is known across nodes: whoever comes, goes, or is at a node that is not heard any more.
func TestWhoIsThereAcrossNodes(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(toy(2))
		ana, ben, eve := here.as("Ana", id), there.as("Ben", id), there.as("Eve", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		mustSee := func(what string, ben bool, watchers int) {
			t.Helper()
			time.Sleep(time.Second)
			ana.read()
			if f := ana.frame; f.Seats[1].Here != ben || f.Watchers != watchers {
				t.Errorf("%s: Ben is there %t, and %d look on", what, f.Seats[1].Here, f.Watchers)
			}
		}
		mustSee("all are there", true, 1)
		eve.client.Close()
		mustSee("Eve has gone", true, 0)
		ben.ok(wire.Command{Do: "unwatch"})
		mustSee("Ben looks away", false, 0)
		ben.ok(wire.Command{Do: "watch"})
		mustSee("Ben is back", true, 0)
		n.sides[1].mute.Store(true)
		time.Sleep(3 * time.Second)
		mustSee("nobody hears of his node", false, 0)
		n.sides[1].mute.Store(false)
		mustSee("his node is back", true, 0)
		ben.mustBeThere()
		if err := there.lobby.CloseTable(t.Context(), id); err != nil {
			t.Errorf("the table is closed from elsewhere: %v", err)
		}
		ben.mustBe("over", game.NoSeat)
	})
}

// However long it takes until whoever has a table next has read it, that is nobody's time.
func TestReadingTakesNobodysTime(t *testing.T) {
	upAfter := func(reads time.Duration) (d time.Duration) {
		inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
			setup := toy(2)
			setup.MoveTime = 60
			id := here.make(setup)
			ana, ben := here.as("Ana", id), there.as("Ben", id)
			ben.ok(wire.Command{Do: "sit", Seat: "B"})
			ana.ok(wire.Command{Do: "start"})
			there.as("Ana", id) // by another page: her clock stands for nothing else
			time.Sleep(10 * time.Second)
			n.sides[1].slow.Store(int64(reads))
			n.sides[0].mute.Store(true)
			n.sides[0].dead.Store(true)
			n.deeds.mu.Lock()
			n.deeds.lapsed = time.Now()
			n.deeds.mu.Unlock()
			n.deeds.end("here")
			time.Sleep(2 * time.Minute)
			entries, err := n.log.Entries(t.Context(), id, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if f, _, _, err := fact.Read(e.Data); err == nil && d == 0 {
					if _, moved := f.(*fact.Moved); moved {
						d = e.At.Sub(start)
					}
				}
			}
		})
		return d
	}
	var at, slow time.Duration
	const often = 8 // nodes find out what has become of a table a little sooner or later
	for range often {
		at, slow = at+upAfter(0)/often, slow+upAfter(3*time.Second)/often
	}
	if slow-at < 1500*time.Millisecond || at < time.Minute {
		t.Errorf("Ana's time is up after %v, and after %v where it took three seconds to read the table", at, slow)
	}
}

// A table that is closed as its node dies is closed for whoever watches at another, who has not heard of it.
func TestATableIsClosedAsItsNodeDies(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(toy(2))
		ben := there.as("Ben", id)
		n.sides[0].mute.Store(true)
		if err := here.lobby.CloseTable(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		n.sides[0].dead.Store(true)
		n.deeds.end("here")
		time.Sleep(10 * time.Second)
		ben.mustBe("over", game.NoSeat)
	})
}

// Whoever is led to another node watches there before he goes where he was: nobody sees him away, be it the table's own node or, where the hint was wrong, another or the same.
func TestWhoIsLedIsThereAllTheWhile(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		third := n.node("third")
		defer third.lobby.Close()
		id := here.make(toy(2))
		ana, ben := here.as("Ana", id), there.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		time.Sleep(time.Second)
		ana.read()
		for to, at := range []*house{there, third, here} {
			seen := len(ana.frames)
			next := at.as("Ben", id)
			ben.client.Close()
			ben = next
			time.Sleep(time.Second)
			ana.read()
			for _, f := range ana.frames[seen:] {
				if !f.Seats[1].Here || f.Watchers > 0 {
					t.Errorf("way %d: Ana sees %+v, and %d look on", to, f.Seats[1], f.Watchers)
				}
			}
			ben.mustBe("open", game.NoSeat)
		}
	})
}

// While a node is not heard nobody is called who may look there. As soon as all are heard whoever does not look is called, however long that was.
func TestWhoIsCalledAfterALongSilence(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, _ *house) {
		_, ana, ben := overDays(here, 1)
		time.Sleep(time.Minute)
		ben.client.Close()
		time.Sleep(time.Hour)
		mute := func(so bool) {
			for _, s := range n.sides {
				s.mute.Store(so)
			}
		}
		mute(true)
		time.Sleep(time.Minute)
		ana.play("keep")
		time.Sleep(5 * time.Minute)
		n.calls.were(t)
		mute(false)
		time.Sleep(time.Minute)
		if n.calls.mu.Lock(); len(n.calls.all) != 1 || !strings.Contains(n.calls.all[0], "Ben turn") {
			t.Errorf("they are called %q", n.calls.all)
		}
		n.calls.mu.Unlock()
	})
}

// Who is called otherwise for a moment, and takes that back as nobody hears of it, is called what he was at all nodes.
func TestANameThatIsTakenBackUnheard(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		here.rename("a", "Ana")
		id, err := there.lobby.Make(t.Context(), lobby.Visitor{Guest: wire.Guest{ID: "a", Name: "Ana"}}, listed())
		if err != nil {
			t.Fatal(err)
		}
		ana := there.called("a", "Ana", id)
		time.Sleep(12 * time.Second)
		there.mustName(ana, "Ana")
		here.rename("a", "Anna")
		there.mustName(ana, "Anna")
		n.sides[0].mute.Store(true)
		here.rename("a", "Ana")
		time.Sleep(6 * time.Second)
		n.sides[0].mute.Store(false)
		time.Sleep(15 * time.Second)
		there.mustName(ana, "Ana")
	})
}

// A table that is deleted before anybody has it after its node is no table any more: whoever watched comes again, and whoever says something of it is told so.
func TestATableIsDeletedAsItsNodeDies(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(toy(2))
		ben, eve := there.as("Ben", id), there.as("Eve", here.make(toy(2)))
		if err := here.lobby.CloseTable(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		n.sides[0].mute.Store(true)
		n.sides[0].dead.Store(true)
		n.deeds.end("here")
		if err := n.log.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		eve.table = id
		if a := eve.later(wire.Command{Do: "watch"}, 8*time.Second); a.Error.Code != wire.CodeNoTable {
			t.Errorf("Eve is answered %+v", a)
		}
		if _, cut := ben.client.Take(nil); !cut {
			t.Error("Ben looks at a table that is not there")
		}
	})
}

// Whoever finds out that a table is another node's has none of its bots think on: that would be a slot that others wait for.
func TestABotDoesNotThinkOnForAnotherNode(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(toy(2, "slow"))
		ana := here.as("Ana", id)
		ana.ok(wire.Command{Do: "start"})
		ana.play("keep")
		time.Sleep(time.Second)
		if c := here.lobby.Counts(); c.Thinking != 1 {
			t.Fatalf("before that: %+v", c)
		}
		n.deeds.mu.Lock()
		n.deeds.last++
		n.deeds.owner[id], n.deeds.term[id] = "there", n.deeds.last
		n.deeds.mu.Unlock()
		ana.client.Do(wire.Command{ID: "x", Do: "play", Table: id, Seat: "A", Seq: ana.frame.Seq, Move: "keep"}) // it is not her turn
		time.Sleep(time.Second)
		if c := here.lobby.Counts(); c.Thinking != 0 {
			t.Errorf("the table is of %q: %+v", n.deeds.owns(id), c)
		}
	})
}

// A node that takes tables from one that has died goes on speaking to the others meanwhile, however late the database answers: else they would take those who look there for gone.
func TestANodeSpeaksWhileItTakesTables(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		for range 3 {
			there.as("Ben", here.make(toy(2)))
		}
		n.deeds.mu.Lock()
		n.deeds.late = 10 * time.Second // longer than this test looks
		n.deeds.mu.Unlock()
		n.sides[0].mute.Store(true)
		n.sides[0].dead.Store(true)
		n.deeds.end("here")
		time.Sleep(4 * time.Second) // it takes them
		said := func() int64 { return n.sides[1].n[0].Load() }
		n.sides[1].lost.Store(1) // none is, and all are counted
		before := said()
		time.Sleep(4 * time.Second)
		if beats := said() - before; beats < int64(4*time.Second/bus.Beat)-1 {
			t.Errorf("it speaks %d times in four seconds", beats)
		}
	})
}
