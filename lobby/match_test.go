package lobby_test

import (
	"caveau/fact"
	"caveau/terms"
	"caveau/wire"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/game"
	"caveau/lobby"
	"caveau/match/matchtest"
)

const (
	seatA game.Seat = iota
	seatB
)

// Two people sit down, play, and the one who showed has won.
func TestAGame(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben, eve := h.as("Ana", id), h.as("Ben", id), h.as("Eve", id)
		ana.refused("not_full", wire.Command{Do: "start"})
		ben.refused("seat_taken", wire.Command{Do: "sit", Seat: "A"})
		ben.refused("no_seat", wire.Command{Do: "sit", Seat: "C"})
		ben.refused("not_started", wire.Command{Do: "play", Seat: "A", Move: "keep"})
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ben.refused("not_host", wire.Command{Do: "start"})
		ana.ok(wire.Command{Do: "start"})
		eve.mustBe("running", seatA)
		if len(eve.frame.Moves) != 0 || eve.frame.Asked != "keep" || eve.frame.You != game.NoSeat {
			t.Errorf("a watcher sees %+v", eve.frame)
		}
		ben.read()
		if a := ben.play("keep"); a.Error.Code != "not_asked" || a.Error.Rule != "1" {
			t.Errorf("Ben was answered %+v", a)
		}
		if a := ana.play("fly"); a.Error.Code != "not_a_move" {
			t.Errorf("Ana was answered %+v", a)
		}
		ana.play("show")
		if a := ana.play("keep"); a.Error.Code != "not_asked" {
			t.Errorf("Ana was answered %+v", a)
		}
		finish(ana, ben)
		for _, p := range []*person{ana, ben, eve} {
			p.mustBe("over", game.NoSeat)
			if o := p.frame.Outcome; !slices.Equal(o.Winners, []game.Seat{seatA}) || o.Why != "" {
				t.Errorf("%s sees the outcome %+v", p.name, o)
			}
			p.mustHear("show", 1)
			p.mustHear("keep", 5)
		}
		ana.refused("over", wire.Command{Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"})
	})
}

// Every audience gets a frame for every entry, with nothing in it that is another's.
func TestFrames(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben, eve := h.as("Ana", id), h.as("Ben", id), h.as("Eve", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		finish(ana, ben)
		numbers := map[uint8]bool{}
		for _, p := range []*person{ana, ben, eve} {
			p.read()
			seq, mine := 0, uint8(0)
			for _, f := range p.frames {
				if f.Seq > seq+1 && seq > 0 {
					t.Errorf("%s got frame %d after %d", p.name, f.Seq, seq)
				}
				seq = f.Seq
				if f.Own == nil {
					continue
				}
				var own matchtest.ToyOwn
				if err := json.Unmarshal(f.Own, &own); err != nil {
					t.Fatal(err)
				}
				mine = own.Mine
			}
			numbers[mine] = true
		}
		if len(numbers) != 3 || !numbers[0] {
			t.Errorf("Ana, Ben and Eve should have seen their own numbers, and Eve none: %v", numbers)
		}
	})
}

// A command that is sent twice counts once, also if the server was killed in between; one for an older position is late,
// and the newest frame comes with the refusal.
func TestTwiceAndLate(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ben.read()
		move := wire.Command{ID: "m", Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"}
		first, second := ana.ok(move), ana.ok(move)
		if first.Seq != second.Seq {
			t.Errorf("one command made entries %d and %d", first.Seq, second.Seq)
		}
		ben.play("peek")
		h.restart()
		ana = h.as("Ana", id)
		if again := ana.ok(move); again.Seq != first.Seq+1 {
			t.Errorf("after a restart the command was answered %+v", again)
		}
		ana.read()
		frames := len(ana.frames)
		move.ID = "n"
		ana.refused("late", move)
		if len(ana.frames) != frames+1 || ana.frame.Seq != first.Seq+1 {
			t.Errorf("no newest frame came with the refusal: %+v", ana.frame)
		}
		ana.mustBe("running", seatA)
	})
}

// What is about people does not make a move late: the position is the same.
func TestNotLate(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		seq := ana.frame.Seq
		ben.ok(wire.Command{Do: "leave"})
		ana.ok(wire.Command{Do: "play", Seat: "A", Seq: seq, Move: "keep"})
	})
}

// The server is killed at every write, before it and after it. Whoever had no answer says it again: it counts once, and
// what was acknowledged is there.
func TestCrashAtEveryWrite(t *testing.T) {
	for _, kept := range []bool{false, true} {
		for at := 2; at <= 12; at++ {
			t.Run(fmt.Sprintf("entry %d, kept %t", at, kept), func(t *testing.T) {
				inHouse(t, func(t *testing.T, h *house) { crashAt(t, h, at, kept) })
			})
		}
	}
}

func crashAt(t *testing.T, h *house, at int, kept bool) {
	id := h.make(toy(2, "remembering:keen"))
	ana := h.as("Ana", id)
	crashed := false
	h.log.Fail(func(_ wire.ID, e fact.Entry) matchtest.Fault {
		if e.Seq == at && !crashed {
			crashed = true
			return matchtest.Fault{Err: errors.New("the power is gone"), Kept: kept}
		}
		return matchtest.Fault{}
	})
	acknowledged := 0
	persist := func(c wire.Command) {
		a := ana.say(c)
		if !a.OK {
			if a.Error.Code != "storage" {
				t.Fatalf("%+v was refused: %v", c, a.Error)
			}
			before := ana.frame
			h.restart()
			ana = h.as("Ana", id)
			if kept == false && before.Seq != ana.frame.Seq {
				t.Errorf("a failed write changed frame %d to %d", before.Seq, ana.frame.Seq)
			}
			a = ana.ok(c)
		}
		if a.Seq < acknowledged {
			t.Errorf("entry %d was acknowledged, and now there are %d", acknowledged, a.Seq)
		}
		acknowledged = a.Seq
	}
	persist(wire.Command{ID: "start", Do: "start"})
	for i := range 3 {
		time.Sleep(2 * time.Second) // in which a bot whose write failed has tried again
		ana.mustBe("running", seatA)
		persist(wire.Command{ID: fmt.Sprint("m", i), Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"})
	}
	time.Sleep(2 * time.Second)
	ana.mustBe("over", game.NoSeat)
	r, err := h.lobby.Record(t.Context(), id)
	if err != nil || len(r.Moves) != 6 || r.Moves[4] != "A keep" {
		t.Errorf("%v, %v", r.Moves, err)
	}
}

// Replay gives the same table at every entry: what people are shown does not depend on when the server was restarted.
func TestReplay(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3, "remembering:keen"))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		for range 3 {
			ana.play("keep")
			ben.play("peek")
			ana.read()
			before := ana.frame
			h.restart()
			ana, ben = h.as("Ana", id), h.as("Ben", id)
			time.Sleep(time.Second)
			ana.read()
			if string(before.Shown) != string(ana.frame.Shown) || before.Seq != ana.frame.Seq || !slices.Equal(before.Moves, ana.frame.Moves) {
				t.Errorf("before the restart %+v, after it %+v", before, ana.frame)
			}
		}
	})
}

// A full disk changes nothing and is told; when there is room again, the game goes on, and so do its bots.
func TestStorage(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2, "first"))
		ana := h.as("Ana", id)
		ana.ok(wire.Command{Do: "start"})
		full := func(wire.ID, fact.Entry) matchtest.Fault {
			return matchtest.Fault{Err: errors.New("no space left on device")}
		}
		h.log.Fail(full)
		before := ana.frame
		ana.refused("storage", wire.Command{ID: "x", Do: "play", Seat: "A", Seq: before.Seq, Move: "keep"})
		if ana.read(); ana.frame.Seq != before.Seq {
			t.Errorf("something was told that is not written: %+v", ana.frame)
		}
		if _, err := h.lobby.Make(t.Context(), visitor("Ana"), toy(2)); wire.AsError(err).Code != "storage" {
			t.Errorf("a table was made on a full disk: %v", err)
		}
		h.log.Fail(nil)
		ana.ok(wire.Command{ID: "x", Do: "play", Seat: "A", Seq: before.Seq, Move: "keep"})
		ana.mustBe("running", seatA)
		h.log.Fail(func(_ wire.ID, e fact.Entry) matchtest.Fault {
			if strings.Contains(string(e.Data), `"bot"`) {
				return full("", e)
			}
			return matchtest.Fault{}
		})
		ana.play("keep")
		time.Sleep(time.Minute)
		ana.mustBe("running", seatB)
		h.log.Fail(nil)
		time.Sleep(2 * time.Second)
		ana.mustBe("running", seatA)
	})
}

// Two nodes host one match: what the other wrote is replayed, and then it is decided again.
func TestConflict(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		elsewhere := &house{t: t, log: h.log, seed: 100}
		elsewhere.open()
		defer elsewhere.lobby.Close()
		there := elsewhere.as("Ana", id)
		there.play("show")
		// Here nobody knows of that yet; to write is to find out.
		ana.refused("late", wire.Command{Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"})
		ben.mustBe("running", seatB)
		ben.mustHear("show", 1)
		ben.play("keep")
		if a := there.play("show"); a.Error.Code != "not_asked" {
			t.Errorf("Ana, elsewhere, was answered %+v", a)
		}
		ana.play("keep")
		there.refused("not_asked", wire.Command{Do: "play", Seat: "A", Seq: there.frame.Seq, Move: "keep"})
	})
}

// When the time for a move runs out, a bot makes that one move, and the log says so. The clock does not run while the
// server is down, and goes on where it was.
func TestTimeout(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.MoveTime = 60
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(59 * time.Second)
		ana.mustBe("running", seatA)
		h.lobby.Close()
		time.Sleep(time.Hour)
		h.open()
		ana, ben = h.as("Ana", id), h.as("Ben", id)
		if c := ana.frame.Clock; c == nil || c.Left != 1000 || c.Of != 60_000 {
			t.Errorf("after a restart the clock is %+v", c)
		}
		time.Sleep(3 * time.Second) // in which browsers find the way back
		ben.mustBe("running", seatA)
		time.Sleep(2 * time.Second)
		ben.mustBe("running", seatB)
		ben.mustHear("timeout", 1)
		if ben.frame.Clock.Left != 60_000 {
			t.Errorf("the clock is %+v", ben.frame.Clock)
		}
		ben.play("keep")
		ben.mustBe("running", seatA)
		ben.mustHear("timeout", 1)
	})
}

// Whoever sits down before he watches is not away at once.
func TestSitBeforeWatch(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		time.Sleep(time.Hour)
		ana.ok(wire.Command{Do: "free", Seat: "B"})
		eve := &person{t: t, name: "Eve", client: h.lobby.Connect(visitor("Eve"), func() {}), table: id}
		eve.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(119 * time.Second)
		ana.mustHear("away", 0)
		time.Sleep(2 * time.Second)
		ana.mustHear("away", 1)
	})
}

// Nobody has more time because he or somebody else stands up and sits down again.
func TestComingAndGoingBuysNoTime(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.MoveTime, setup.BotTime = 60, &[2]int{55_000, 55_000}
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		goes := func(p *person, seat string) {
			p.ok(wire.Command{Do: "leave"})
			p.ok(wire.Command{Do: "sit", Seat: seat})
		}
		time.Sleep(50 * time.Second)
		goes(ben, "B")
		time.Sleep(11 * time.Second)
		ana.mustBe("running", seatB)
		time.Sleep(50 * time.Second)
		goes(ben, "B")
		if ben.read(); ben.frame.Clock.Left != 9250 { // the bot that moved for Ana had a quarter of a second
			t.Errorf("Ben came back, and his clock is %+v", ben.frame.Clock)
		}
		time.Sleep(10 * time.Second)
		ben.mustBe("running", seatA)
		ben.mustHear("timeout", 2)
	})
}

// A bot plays for somebody who is gone longer than the table allows, until he is back; two browsers are one person.
func TestAwayAndBack(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		tab := h.as("Ana", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.client.Close()
		time.Sleep(time.Hour)
		ben.mustBe("running", seatA)
		tab.client.Close()
		time.Sleep(119 * time.Second)
		if ben.mustBe("running", seatA); ben.frame.Seats[0].Here || ben.frame.Seats[0].Standin {
			t.Errorf("Ana's seat is %+v", ben.frame.Seats[0])
		}
		time.Sleep(2 * time.Second)
		if ben.mustBe("running", seatB); !ben.frame.Seats[0].Standin {
			t.Errorf("Ana's seat is %+v", ben.frame.Seats[0])
		}
		ben.mustHear("away", 1)
		ana = h.as("Ana", id)
		ben.mustHear("back", 1)
		ben.play("keep")
		ana.mustBe("running", seatA)
		if len(ana.frame.Moves) == 0 {
			t.Errorf("Ana is back, and not asked: %+v", ana.frame)
		}
	})
}

// Whoever is away when the server stops is still away when it starts again; whoever was there has his time.
func TestAwayOverRestart(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		cleo := h.as("Cleo", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		cleo.ok(wire.Command{Do: "sit", Seat: "C"})
		ana.ok(wire.Command{Do: "start"})
		ben.client.Close()
		time.Sleep(3 * time.Minute)
		h.restart()
		ana = h.as("Ana", id)
		if s := ana.frame.Seats; !s[1].Standin || s[2].Standin {
			t.Errorf("after the restart: %+v", s)
		}
		time.Sleep(3 * time.Minute)
		if ana.read(); !ana.frame.Seats[2].Standin {
			t.Errorf("Cleo did not come back: %+v", ana.frame.Seats)
		}
	})
}

// Somebody leaves, a bot plays for him, he sits down again. He goes away and the host frees his seat: a bot plays at once, and it
// still is his to come back to.
func TestLeaveAndFree(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.play("keep")
		ben.ok(wire.Command{Do: "leave"})
		ana.mustBe("running", seatA)
		ben.refused("not_your_seat", wire.Command{Do: "play", Seat: "B", Seq: ana.frame.Seq, Move: "keep"})
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.play("keep")
		ben.mustBe("running", seatB)
		ben.refused("not_host", wire.Command{Do: "free", Seat: "A"})
		ben.client.Close()
		time.Sleep(31 * time.Second)
		ana.ok(wire.Command{Do: "free", Seat: "B"})
		ana.mustBe("running", seatA)
		if s := ana.frame.Seats[1]; s.Name != "Ben" || !s.Standin {
			t.Errorf("the freed seat is %+v", s)
		}
		ben = h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.play("keep")
		if ben.mustBe("running", seatB); len(ben.frame.Moves) == 0 {
			t.Error("Ben is back on B and is not asked")
		}
	})
}

// Before the start people come and go, change seats, and bots fill up; a host who stands up stays the host.
func TestBeforeTheStart(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ben.ok(wire.Command{Do: "sit", Seat: "C"})
		ben.refused("not_host", wire.Command{Do: "bot", Seat: "B", Bot: "first"})
		ana.refused("bad_command", wire.Command{Do: "bot", Seat: "B", Bot: "nobody"})
		ana.refused("seat_taken", wire.Command{Do: "bot", Seat: "C", Bot: "first"})
		ana.ok(wire.Command{Do: "bot", Seat: "B", Bot: "first"})
		ana.ok(wire.Command{Do: "bot", Seat: "B", Bot: ""})
		ana.ok(wire.Command{Do: "leave"})
		ben.refused("not_host", wire.Command{Do: "start"})
		ana.ok(wire.Command{Do: "bot", Seat: "A", Bot: "first"})
		ana.ok(wire.Command{Do: "bot", Seat: "B", Bot: "first"})
		ana.read()
		if ben.read(); ben.frame.Frame.Host || ben.frame.Host != "Ana" || ben.frame.Seats[1].Bot != "first" {
			t.Errorf("Ben sees the host %q and the seats %+v", ben.frame.Host, ben.frame.Seats)
		}
		if !ana.frame.Frame.Host || ana.frame.You != game.NoSeat {
			t.Errorf("Ana is told %+v", ana.frame)
		}
		ana.ok(wire.Command{Do: "start"})
		ben.mustBe("running", game.Seat(2))
		ana.refused("started", wire.Command{Do: "start"})
	})
}

// Somebody who is there stands in for a host who does not come back. When he does, he is the host.
func TestHostGone(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.client.Close()
		time.Sleep(121 * time.Second)
		ben.ok(wire.Command{Do: "free", Seat: "A"})
		ben.mustHear("host", 1)
		if !ben.frame.Frame.Host || ben.frame.Host != "Ben" {
			t.Errorf("the host is %q", ben.frame.Host)
		}
		ana = h.as("Ana", id)
		ben.mustHear("host", 2)
		ben.refused("not_host", wire.Command{Do: "bot", Seat: "A", Bot: "first"})
		ana.ok(wire.Command{Do: "bot", Seat: "A", Bot: "first"})
		if ana.read(); !ana.frame.Frame.Host || ana.frame.Host != "Ana" {
			t.Errorf("the host is %q", ana.frame.Host)
		}
	})
}

// A program that sits there stands in for nobody: a table needs a person.
func TestAProgramStandsInForNoHost(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3))
		ana, cleo := h.as("Ana", id), h.as("Cleo", id)
		robot := &person{t: t, name: "Robot", client: h.lobby.Connect(lobby.Visitor{Guest: wire.Guest{ID: wire.Program + "robot", Name: "Robot"}}, func() {}), table: id}
		robot.ok(wire.Command{Do: "watch"})
		robot.ok(wire.Command{Do: "sit", Seat: "B"})
		cleo.ok(wire.Command{Do: "sit", Seat: "C"})
		ana.client.Close()
		time.Sleep(121 * time.Second)
		if cleo.read(); !cleo.frame.Frame.Host || cleo.frame.Host != "Cleo" {
			t.Errorf("the host is %q", cleo.frame.Host)
		}
	})
}

// After the end whoever sat there asks for another game: the same people, the next seat begins, one table however often
// it is asked for.
func TestRematch(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3, "first"))
		ana, ben, eve := h.as("Ana", id), h.as("Ben", id), h.as("Eve", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.refused("running", wire.Command{Do: "rematch"})
		finish(ana, ben)
		eve.refused("not_your_seat", wire.Command{Do: "rematch"})
		ben.ok(wire.Command{Do: "rematch"})
		ana.ok(wire.Command{Do: "rematch"})
		ana.read()
		ben.read()
		if ana.frame.Next == "" || ana.frame.Next != ben.frame.Next {
			t.Fatalf("next tables are %q and %q", ana.frame.Next, ben.frame.Next)
		}
		next := ana.frame.Next
		ana, ben = h.as("Ana", next), h.as("Ben", next)
		if ana.frame.You != seatA || ana.frame.Seats[2].Bot != "first" || !ana.frame.Seats[1].Host {
			t.Errorf("the next table is %+v", ana.frame)
		}
		ben.ok(wire.Command{Do: "start"})
		ben.mustBe("running", seatB)
	})
}

// The host of a table on a big screen keeps his office without a chair: he seats bots, begins, sees what everybody sees, and has them play again.
func TestAHostWithoutASeat(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(3)
		setup.Sit = false
		id := h.make(setup)
		ana, ben, cleo := h.as("Ana", id), h.as("Ben", id), h.as("Cleo", id)
		ben.ok(wire.Command{Do: "sit", Seat: "A"})
		cleo.ok(wire.Command{Do: "sit", Seat: "B"})
		ben.refused("not_host", wire.Command{Do: "bot", Seat: "C", Bot: "first"})
		ana.ok(wire.Command{Do: "bot", Seat: "C", Bot: "first"})
		ana.ok(wire.Command{Do: "start"})
		if ana.read(); ana.frame.You != game.NoSeat || !ana.frame.Frame.Host || ana.frame.Own != nil || ana.frame.Moves != nil || ana.frame.Watchers != 1 {
			t.Errorf("the host without a seat is told %+v", ana.frame.Frame)
		}
		finish(ben, cleo)
		ana.ok(wire.Command{Do: "rematch"})
		ben.read()
		ben.mustHear("rematch", 1)
		next := ben.frame.Next
		ana, ben = h.as("Ana", next), h.as("Ben", next)
		if !ana.frame.Frame.Host || ana.frame.You != game.NoSeat || ben.frame.You != seatA || ben.frame.Seats[2].Bot != "first" {
			t.Errorf("the next table is %+v", ana.frame)
		}
		ana.ok(wire.Command{Do: "start"})
		ben.mustBe("running", seatB)
	})
}

// A game that is over hides nothing from anybody, however it ended, and no sooner.
func TestInTheEndNothingIsHidden(t *testing.T) {
	for how, end := range map[string]func(ana, ben, cleo *person){
		"played": func(ana, ben, cleo *person) { finish(ana, ben, cleo) },
		"broken": func(ana, ben, cleo *person) { breakOff(ana, ben, cleo) },
	} {
		t.Run(how, func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				ana, ben, cleo := h.playing()
				open := func(p *person) int {
					var shown matchtest.ToyShown
					if p.read(); json.Unmarshal(p.frame.Shown, &shown) != nil {
						t.Fatalf("%s sees %s", p.name, p.frame.Shown)
					}
					return len(shown.Nums)
				}
				ana.play("show")
				if n := open(h.as("Eve", ana.table)); n != 1 {
					t.Errorf("one number of three was shown, and Eve sees %d", n)
				}
				end(ana, ben, cleo)
				for _, p := range []*person{ana, cleo, h.as("Max", ana.table)} {
					if n := open(p); n != 3 {
						t.Errorf("it is over, and %s sees %d numbers of three", p.name, n)
					}
				}
			})
		})
	}
}

// Whoever comes late is told what happens from then on, whichever frame he says he had; who has been there is told what he missed.
func TestWhoComesLateSeesNothingOfBefore(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		watch := func(p *person, had int) int {
			p.read()
			p.frames = nil
			p.ok(wire.Command{Do: "watch", Seq: had})
			return len(p.heard())
		}
		eve := h.as("Eve", ana.table)
		stranger := func() *person {
			return &person{t: t, name: "a stranger", client: h.lobby.Connect(lobby.Visitor{From: "192.0.2.1"}, func() {}), table: ana.table}
		}
		watch(stranger(), 0)
		for _, p := range []*person{ana, ben, cleo} {
			p.play("show")
		}
		if n := watch(stranger(), 1); n != 0 {
			t.Errorf("some stranger has been there, and whoever comes late and is another one is told of %d events", n)
		}
		max := &person{t: t, name: "Max", client: h.lobby.Connect(visitor("Max"), func() {}), table: ana.table}
		if n := watch(max, 1); n != 0 {
			t.Errorf("Max comes late and is told of %d events", n)
		}
		for _, unwatched := range []bool{false, true} { // refused, he is told the newest frame again
			if unwatched {
				max.ok(wire.Command{Do: "unwatch"})
			}
			max.frames = nil
			if max.refused("late", wire.Command{Do: "agree", Seq: max.frame.Seq}); len(max.frames) != 1 || len(max.heard()) != 0 {
				t.Errorf("Max is refused, and is told of %d events in %d frames", len(max.heard()), len(max.frames))
			}
		}
		if n := watch(eve, 1); n != 3 {
			t.Errorf("Eve has seen three moves, and is told of %d events", n)
		}
		ben.client.Close()
		ana.play("show")
		ben = &person{t: t, name: "Ben", client: h.lobby.Connect(visitor("Ben"), func() {}), table: ana.table}
		if n := watch(ben, ana.frame.Seq-1); n != 1 {
			t.Errorf("Ben has missed one move, and is told of %d events", n)
		}
		h.restart()
		eve = &person{t: t, name: "Eve", client: h.lobby.Connect(visitor("Eve"), func() {}), table: ana.table}
		if n := watch(eve, 1); n != 0 {
			t.Errorf("after a restart Eve is told of %d events", n)
		}
	})
}

// Whoever takes a seat in the middle of a game is told what happens from then on, whether he has looked on before or not: what was told to who sat there is not his.
func TestWhoTakesASeatSeesNothingOfBefore(t *testing.T) {
	for _, looks := range []bool{false, true} {
		inHouse(t, func(t *testing.T, h *house) {
			ana, ben, cleo := h.playing()
			line := func() *person {
				return &person{t: t, name: "Eve", client: h.lobby.Connect(visitor("Eve"), func() {}), table: ana.table}
			}
			eve := line()
			if looks {
				eve.ok(wire.Command{Do: "watch"})
			}
			for _, p := range []*person{ana, ben, cleo} {
				p.play("show")
			}
			ben.ok(wire.Command{Do: "leave"})
			eve.ok(wire.Command{Do: "sit", Seat: "B"})
			agree(ana, cleo, ben)
			for moves := range 2 {
				again := line()
				if again.ok(wire.Command{Do: "watch", Seq: 1}); again.frame.You != seatB || len(again.heard()) != moves {
					t.Errorf("she sits on %q, and after %d moves (looks on before: %t) she is told of %v", again.frame.You, moves, looks, again.heard())
				}
				if moves == 0 {
					ana.read()
					ana.play(ana.frame.Moves[0])
				}
			}
		})
	}
}

// Who changes something about the table without end has to wait, and nobody else does; moves are not counted.
func TestWhoChangesMuchHasToWait(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		said := 0
		for ; said < 1000; said++ {
			seat := string("BC"[said%2])
			if a := ben.say(wire.Command{ID: fmt.Sprint(said), Do: "sit", Seat: seat}); !a.OK {
				if a.Error.Code != "too_many" {
					t.Fatal(a.Error)
				}
				break
			}
		}
		if said < 50 || said > 100 {
			t.Errorf("Ben changed seats %d times", said)
		}
		ana.ok(wire.Command{Do: "leave"})
		ana.ok(wire.Command{Do: "sit", Seat: "A"})
		for range 100 { // whoever takes his time may for ever
			time.Sleep(2 * time.Second)
			ben.ok(wire.Command{ID: fmt.Sprint(said), Do: "sit", Seat: string("BC"[said%2])})
			said++
		}
	})
}

// A slow reader is cut off, alone, and catches up with the frame that it had.
func TestSlowReader(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2, "first")
		setup.Edition = "endless"
		id := h.make(setup)
		ana, eve := h.as("Ana", id), h.as("Eve", id)
		ana.ok(wire.Command{Do: "start"})
		seen := eve.frame.Seq
		for ana.frame.State == "running" {
			ana.play("keep")
		}
		if _, cut := eve.client.Take(nil); !cut {
			t.Fatal("Eve read nothing and was not cut off")
		}
		eve.client.Close()
		eve = h.as("Eve", id)
		eve.ok(wire.Command{Do: "watch", Seq: eve.frame.Seq - 2})
		if n := len(eve.frame.Events); n != 2 || eve.frame.Seq <= seen {
			t.Errorf("Eve was told %d events: %+v", n, eve.frame)
		}
	})
}

// Whoever moves is told the answer and the frame in one go, in this order; everybody else the frame alone.
func TestAnswerAndFrame(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2, "first")
		setup.Edition = "endless"
		id := h.make(setup)
		ana, eve := h.as("Ana", id), h.as("Eve", id)
		ana.ok(wire.Command{Do: "start"})
		ana.read()
		eve.read()
		ana.client.Do(wire.Command{ID: "m", Do: "play", Table: id, Seat: "A", Seq: ana.frame.Seq, Move: "keep"})
		synctest.Wait()
		goes := func(p *person) (list string) {
			messages, _ := p.client.Take(nil)
			for _, m := range messages {
				list += fmt.Sprintf("%.6s %t, ", m.Text, m.More)
			}
			return list
		}
		if got, want := goes(ana), `{"re": true, {"tabl false, `; !strings.HasPrefix(got, want) {
			t.Errorf("Ana is told %s: not first %s", got, want)
		}
		if got, want := goes(eve), `{"tabl false, `; !strings.HasPrefix(got, want) {
			t.Errorf("Eve is told %s: not first %s", got, want)
		}
	})
}

// A game that does not end is stopped, with nobody as the winner.
func TestStopped(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2, "first", "first")
		setup.Edition, setup.Sit = "endless", false
		id := h.make(setup)
		ana := h.as("Ana", id)
		ana.client.Do(wire.Command{ID: "s", Do: "start", Table: id})
		synctest.Wait()
		ana = h.as("Ana", id) // nobody reads so fast as those two play
		if o := ana.frame.Outcome; !o.Over || o.Why != "stopped" || len(o.Winners) != 0 {
			t.Errorf("the outcome is %+v", o)
		}
		r, err := h.lobby.Record(t.Context(), id)
		if err != nil || len(r.Moves) != 300 {
			t.Errorf("%d moves, %v", len(r.Moves), err)
		}
	})
}

// Whatever is wrong with a bot harms nobody: the first legal move is played.
func TestBadBots(t *testing.T) {
	for _, bot := range []string{"mad", "frail", "slow"} {
		inHouse(t, func(t *testing.T, h *house) {
			id := h.make(toy(2, bot))
			ana := h.as("Ana", id)
			ana.ok(wire.Command{Do: "start"})
			for range 3 {
				ana.play("keep")
				time.Sleep(6 * time.Second)
			}
			ana.mustBe("over", game.NoSeat)
			ana.mustHear("keep", 6)
			if strings.Contains(h.said.String(), "fly") {
				t.Errorf("the log has what the bot said, which might name what it holds: %s", h.said.String())
			}
		})
	}
}

// A bot thinks while it takes its time, so nobody learns how long it thought.
func TestNobodyLearnsHowLongABotThought(t *testing.T) {
	for _, bot := range []string{"first", "pensive"} {
		inHouse(t, func(t *testing.T, h *house) {
			setup := toy(2, bot)
			setup.BotTime = &[2]int{1000, 1000}
			ana := h.as("Ana", h.make(setup))
			ana.ok(wire.Command{Do: "start"})
			ana.play("keep")
			time.Sleep(time.Millisecond) // her own move
			ana.read()
			time.Sleep(998 * time.Millisecond)
			if told, _ := ana.client.Take(nil); len(told) > 0 {
				t.Errorf("while %s thinks Ana is told %s", bot, told[0].Text)
			}
			ana.mustBe("running", seatB)
			time.Sleep(time.Millisecond)
			ana.mustBe("running", seatA)
		})
	}
}

// Bots take a human time, drawn between the least and the most; nobody waits for bots alone.
func TestBotTime(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2, "first")
		setup.BotTime = &[2]int{1000, 3000}
		id := h.make(setup)
		ana := h.as("Ana", id)
		ana.ok(wire.Command{Do: "start"})
		ana.play("keep")
		time.Sleep(999 * time.Millisecond)
		ana.mustBe("running", seatB)
		time.Sleep(2002 * time.Millisecond)
		ana.mustBe("running", seatA)
	})
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2, "first", "first")
		setup.BotTime, setup.Sit = &[2]int{1000, 3000}, false
		id := h.make(setup)
		ana := h.as("Ana", id)
		ana.ok(wire.Command{Do: "start"})
		ana.client.Close()
		synctest.Wait()
		ana = h.as("Ana", id)
		ana.mustBe("over", game.NoSeat)
	})
}

// A table that nobody comes to is put away after the time that the house says, here an hour, and only then.
func TestShut(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.Listed = true
		id := h.make(setup)
		if cards := h.lobby.Cards(); len(cards) != 1 || cards[0].Table != id || cards[0].Host != "Ana" {
			t.Errorf("the lobby lists %+v", cards)
		}
		time.Sleep(59 * time.Minute)
		ana := h.as("Ana", id)
		time.Sleep(59 * time.Minute)
		ana.client.Close()
		time.Sleep(61 * time.Minute)
		if cards := h.lobby.Cards(); len(cards) != 0 {
			t.Errorf("the lobby lists %+v", cards)
		}
		ben := &person{t: t, name: "Ben", client: h.lobby.Connect(visitor("Ben"), func() {}), table: id}
		ben.refused("gone", wire.Command{Do: "sit", Seat: "B"})
		if running, _ := h.log.Due(t.Context(), time.Time{}); len(running) != 0 {
			t.Errorf("%v would be woken again", running)
		}
	})
}

// A restart does not make a table younger that nobody has touched; but whoever sat before it has a minute to come back.
func TestShutAfterARestart(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.Listed = true
		h.make(setup)
		time.Sleep(20 * time.Minute)
		h.restart()
		time.Sleep(20 * time.Minute)
		h.lobby.Close()
		time.Sleep(30 * time.Minute)
		h.open()
		time.Sleep(50 * time.Second)
		if cards := h.lobby.Cards(); len(cards) != 1 {
			t.Errorf("the lobby lists %+v before anybody could come back", cards)
		}
		time.Sleep(30 * time.Second)
		if cards := h.lobby.Cards(); len(cards) != 0 {
			t.Errorf("the lobby lists %+v", cards)
		}
	})
}

// Whoever looks at the lobby is told a list that is another, and no list again: he would know that somebody came and went again, or that something is done elsewhere.
func TestNobodyIsToldTheSameListAgain(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.Listed = true
		ana := h.as("Ana", h.make(setup))
		time.Sleep(time.Minute)
		eve := &person{t: t, name: "Eve", client: h.lobby.Connect(visitor("Eve"), func() {})}
		eve.ok(wire.Command{Do: "lobby"})
		eve.read()
		ben := h.as("Ben", ana.table)
		time.Sleep(time.Minute)
		eve.client.Take(nil)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ben.ok(wire.Command{Do: "leave"})
		time.Sleep(time.Minute)
		if told, _ := eve.client.Take(nil); len(told) > 0 {
			t.Errorf("Ben has sat down and left, and Eve is told %s", told[0].Text)
		}
	})
}

// The lobby says when a listed table changes, and does not speak of others.
func TestLobby(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ben := &person{t: t, name: "Ben", client: h.lobby.Connect(visitor("Ben"), func() {})}
		ben.ok(wire.Command{Do: "lobby"})
		h.make(toy(2))
		setup := toy(2)
		setup.Listed = true
		id := h.make(setup)
		time.Sleep(time.Second)
		ben.read()
		if len(ben.lobby) != 1 || ben.lobby[0].Table != id || ben.lobby[0].Seats[0].Name != "Ana" {
			t.Errorf("Ben is told of %+v", ben.lobby)
		}
		ben.table = id
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		time.Sleep(time.Second)
		if ben.read(); ben.lobby[0].Seats[1].Name != "Ben" {
			t.Errorf("Ben is told of %+v", ben.lobby)
		}
	})
}

// A finished table is forgotten by the server, and there again for whoever has its link.
func TestFinishedTables(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2, "first"))
		ana := h.as("Ana", id)
		if _, err := h.lobby.Record(t.Context(), id); wire.AsError(err).Code != "not_started" {
			t.Errorf("a record before the start: %v", err)
		}
		ana.ok(wire.Command{Do: "start"})
		if _, err := h.lobby.Record(t.Context(), id); wire.AsError(err).Code != "running" {
			t.Errorf("a record of a running game: %v", err)
		}
		finish(ana)
		ana.client.Close()
		time.Sleep(10 * time.Minute)
		ben := h.as("Ben", id)
		ben.mustBe("over", game.NoSeat)
		r, err := h.lobby.Record(t.Context(), id)
		if err != nil || !slices.Equal(r.Players, []string{"Ana", "first"}) || len(r.Extra["table"]) == 0 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// What is wrong with a set-up is said, and no table is made.
func TestBadSetups(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		for fault, spoil := range map[string]func(*terms.Setup){
			"no game called":   func(s *terms.Setup) { s.Game = "chess" },
			"no edition":       func(s *terms.Setup) { s.Edition = "1904" },
			"seats":            func(s *terms.Setup) { s.Seats = 5 },
			"too many":         func(s *terms.Setup) { s.Bots = []string{"first", "first"} },
			"nobody is":        func(s *terms.Setup) { s.Bots = []string{"deep blue"} },
			"first":            func(s *terms.Setup) { s.First = "C" },
			"aid":              func(s *terms.Setup) { s.Aid = "notes" },
			"moveTime":         func(s *terms.Setup) { s.MoveTime = -1 },
			"awayTime":         func(s *terms.Setup) { s.AwayTime = -1 },
			"botTime":          func(s *terms.Setup) { s.BotTime = &[2]int{5, 1} },
			"bare":             func(s *terms.Setup) { s.Choices = map[string][]string{"bare": {"a1"}} },
			"options":          func(s *terms.Setup) { s.Options = map[string]int{"maxVampires": 6} },
			"language":         func(s *terms.Setup) { s.Language = "xx" },
			"neither sit":      func(s *terms.Setup) { s.Places = map[string]string{"B": "first"} },
			"is no seat \"C\"": func(s *terms.Setup) { s.Sit, s.Places = false, map[string]string{"C": "first"} },
			"is no seat \"\"":  func(s *terms.Setup) { s.Sit, s.Places = false, map[string]string{"": "first"} },
			"on both A and B":  func(s *terms.Setup) { s.Sit, s.Places = false, map[string]string{"A": "me", "B": "me"} },
			"called \"Ben\"":   func(s *terms.Setup) { s.Sit, s.Places = false, map[string]string{"B": "Ben"} },
		} {
			setup := toy(2)
			spoil(&setup)
			_, err := h.lobby.Make(t.Context(), visitor("Ana"), setup)
			if told := wire.AsError(err); told.Code != "bad_command" || !strings.Contains(told.Message, fault) {
				t.Errorf("%s: %v", fault, err)
			}
		}
	})
}

// Whoever founds a table says who sits where from the first; the seats that he does not name are free, and nothing of it stays in what
// the table agreed on.
func TestPlaces(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(3)
		setup.Sit, setup.Places = false, map[string]string{"B": terms.Me, "C": "first"}
		id := h.make(setup)
		ana := h.as("Ana", id)
		if s := ana.frame.Seats; s[0].Name+s[0].Bot != "" || s[1].Name != "Ana" || s[2].Bot != "first" || ana.frame.You != seatB {
			t.Errorf("Ana is told %+v", ana.frame)
		}
		if !h.as("Ben", id).frame.Seats[1].Host {
			t.Error("Ben does not see that Ana is the host")
		}
		ana.refused("not_full", wire.Command{Do: "start"})
	})
}

// Unknown tables, unknown commands and people without a name get an answer, and nothing else happens.
func TestBadCommands(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana := h.as("Ana", id)
		ana.refused("no_table", wire.Command{Do: "sit", Table: "nowhere", Seat: "A"})
		ana.refused("no_table", wire.Command{Do: "watch", Table: "nowhere"})
		ana.refused("bad_command", wire.Command{Do: "cheat"})
		nobody := &person{t: t, name: "", client: h.lobby.Connect(lobby.Visitor{}, func() {}), table: id}
		nobody.ok(wire.Command{ID: "1", Do: "watch"})
		nobody.refused("no_guest", wire.Command{ID: "2", Do: "sit", Seat: "B"})
		nobody.ok(wire.Command{ID: "3", Do: "ping"})
		nobody.ok(wire.Command{ID: "4", Do: "unwatch"})
	})
}

// The visible log of a game of memory forgets what was seen, unless the table agreed to remember.
func TestLogFades(t *testing.T) {
	for aid, kept := range map[game.Aid]bool{game.AidNone: false, game.AidMarks: false, game.AidAll: true} {
		inHouse(t, func(t *testing.T, h *house) {
			setup := toy(2, "first")
			setup.Aid = aid
			id := h.make(setup)
			ana := h.as("Ana", id)
			ana.ok(wire.Command{Do: "start"})
			ana.play("show")
			eve := h.as("Eve", id)
			i := slices.IndexFunc(eve.frame.Log, func(e game.Event) bool { return e.Verb == "show" })
			if i < 0 || (eve.frame.Log[i].What != "") != kept {
				t.Errorf("aid %q: the log is %+v", aid, eve.frame.Log)
			}
			if len(eve.frame.Events) != 0 {
				t.Errorf("Eve, who came late, is told %+v", eve.frame.Events)
			}
			if s := eve.frame.Log[0]; s.Verb != "start" || s.What != "Ana" {
				t.Errorf("the table's own events are no secret: %+v", s)
			}
		})
	}
}
