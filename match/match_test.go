package match_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/game"
	"caveau/match"
	"caveau/match/matchtest"
)

const (
	seatA game.Seat = iota
	seatB
)

// Two people sit down, play, and the one who showed has won.
func TestAGame(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(2))
		ana, ben, eve := h.as("Ana", table), h.as("Ben", table), h.as("Eve", table)
		ana.refused("not_full", match.Command{Do: "start"})
		ben.refused("seat_taken", match.Command{Do: "sit", Seat: "A"})
		ben.refused("no_seat", match.Command{Do: "sit", Seat: "C"})
		ben.refused("not_started", match.Command{Do: "play", Seat: "A", Move: "keep"})
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ben.refused("not_host", match.Command{Do: "start"})
		ana.ok(match.Command{Do: "start"})
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
		ana.refused("over", match.Command{Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"})
	})
}

// Every audience gets a frame for every entry, with nothing in it that is another's.
func TestFrames(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(2))
		ana, ben, eve := h.as("Ana", table), h.as("Ben", table), h.as("Eve", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
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
				var shown matchtest.ToyShown
				if err := json.Unmarshal(f.Shown, &shown); err != nil {
					t.Fatal(err)
				}
				mine = shown.Mine
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
		table := h.make(toy(2))
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
		ben.read()
		move := match.Command{ID: "m", Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"}
		first, second := ana.ok(move), ana.ok(move)
		if first.Seq != second.Seq {
			t.Errorf("one command made entries %d and %d", first.Seq, second.Seq)
		}
		ben.play("peek")
		h.restart()
		ana = h.as("Ana", table)
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
		table := h.make(toy(2))
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
		seq := ana.frame.Seq
		ben.ok(match.Command{Do: "leave"})
		ana.ok(match.Command{Do: "play", Seat: "A", Seq: seq, Move: "keep"})
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
	table := h.make(toy(2, "remembering:keen"))
	ana := h.as("Ana", table)
	crashed := false
	h.log.Fail(func(_ match.ID, e match.Entry) matchtest.Fault {
		if e.Seq == at && !crashed {
			crashed = true
			return matchtest.Fault{Err: errors.New("the power is gone"), Kept: kept}
		}
		return matchtest.Fault{}
	})
	acknowledged := 0
	persist := func(c match.Command) {
		a := ana.say(c)
		if !a.OK {
			if a.Error.Code != "storage" {
				t.Fatalf("%+v was refused: %v", c, a.Error)
			}
			before := ana.frame
			h.restart()
			ana = h.as("Ana", table)
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
	persist(match.Command{ID: "start", Do: "start"})
	for i := range 3 {
		time.Sleep(2 * time.Second) // in which a bot whose write failed has tried again
		ana.mustBe("running", seatA)
		persist(match.Command{ID: fmt.Sprint("m", i), Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"})
	}
	time.Sleep(2 * time.Second)
	ana.mustBe("over", game.NoSeat)
	r, err := h.lobby.Record(t.Context(), table)
	if err != nil || len(r.Moves) != 6 || r.Moves[4] != "A keep" {
		t.Errorf("%v, %v", r.Moves, err)
	}
}

// Replay gives the same table at every entry: what people are shown does not depend on when the server was restarted.
func TestReplay(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(3, "remembering:keen"))
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
		for range 3 {
			ana.play("keep")
			ben.play("peek")
			ana.read()
			before := ana.frame
			h.restart()
			ana, ben = h.as("Ana", table), h.as("Ben", table)
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
		table := h.make(toy(2, "first"))
		ana := h.as("Ana", table)
		ana.ok(match.Command{Do: "start"})
		full := func(match.ID, match.Entry) matchtest.Fault {
			return matchtest.Fault{Err: errors.New("no space left on device")}
		}
		h.log.Fail(full)
		before := ana.frame
		ana.refused("storage", match.Command{ID: "x", Do: "play", Seat: "A", Seq: before.Seq, Move: "keep"})
		if ana.read(); ana.frame.Seq != before.Seq {
			t.Errorf("something was told that is not written: %+v", ana.frame)
		}
		if _, err := h.lobby.Make(t.Context(), guest("Ana"), toy(2)); match.AsError(err).Code != "storage" {
			t.Errorf("a table was made on a full disk: %v", err)
		}
		h.log.Fail(nil)
		ana.ok(match.Command{ID: "x", Do: "play", Seat: "A", Seq: before.Seq, Move: "keep"})
		ana.mustBe("running", seatA)
		h.log.Fail(func(_ match.ID, e match.Entry) matchtest.Fault {
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
		table := h.make(toy(2))
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
		elsewhere := &house{t: t, log: h.log, seed: 100}
		elsewhere.open()
		defer elsewhere.lobby.Close()
		there := elsewhere.as("Ana", table)
		there.play("show")
		// Here nobody knows of that yet; to write is to find out.
		ana.refused("late", match.Command{Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "keep"})
		ben.mustBe("running", seatB)
		ben.mustHear("show", 1)
		ben.play("keep")
		if a := there.play("show"); a.Error.Code != "not_asked" {
			t.Errorf("Ana, elsewhere, was answered %+v", a)
		}
		ana.play("keep")
		there.refused("not_asked", match.Command{Do: "play", Seat: "A", Seq: there.frame.Seq, Move: "keep"})
	})
}

// When the time for a move runs out, a bot makes that one move, and the log says so. The clock does not run while the
// server is down.
func TestTimeout(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.MoveTime = 60
		table := h.make(setup)
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
		time.Sleep(59 * time.Second)
		ana.mustBe("running", seatA)
		h.restart()
		ana, ben = h.as("Ana", table), h.as("Ben", table)
		if c := ana.frame.Clock; c == nil || c.Left != 60_000 || c.Of != 60_000 {
			t.Errorf("after a restart the clock is %+v", c)
		}
		time.Sleep(61 * time.Second)
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
		table := h.make(toy(2))
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
		time.Sleep(time.Hour)
		ana.ok(match.Command{Do: "free", Seat: "B"})
		eve := &person{t: t, name: "Eve", client: h.lobby.Connect(guest("Eve")), table: table}
		eve.ok(match.Command{Do: "sit", Seat: "B"})
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
		table := h.make(setup)
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
		goes := func(p *person, seat string) {
			p.ok(match.Command{Do: "leave"})
			p.ok(match.Command{Do: "sit", Seat: seat})
		}
		time.Sleep(50 * time.Second)
		goes(ben, "B")
		time.Sleep(11 * time.Second)
		ana.mustBe("running", seatB)
		time.Sleep(50 * time.Second)
		goes(ben, "B")
		if ben.read(); ben.frame.Clock.Left != 9000 {
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
		table := h.make(toy(2))
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		tab := h.as("Ana", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
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
		ana = h.as("Ana", table)
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
		table := h.make(toy(3))
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		cleo := h.as("Cleo", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		cleo.ok(match.Command{Do: "sit", Seat: "C"})
		ana.ok(match.Command{Do: "start"})
		ben.client.Close()
		time.Sleep(3 * time.Minute)
		h.restart()
		ana = h.as("Ana", table)
		if s := ana.frame.Seats; !s[1].Standin || s[2].Standin {
			t.Errorf("after the restart: %+v", s)
		}
		time.Sleep(3 * time.Minute)
		if ana.read(); !ana.frame.Seats[2].Standin {
			t.Errorf("Cleo did not come back: %+v", ana.frame.Seats)
		}
	})
}

// Somebody leaves, a bot plays for him, he sits down again; the host frees his seat, and somebody else takes it.
func TestLeaveAndFree(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(2))
		ana, ben, eve := h.as("Ana", table), h.as("Ben", table), h.as("Eve", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
		ana.play("keep")
		ben.ok(match.Command{Do: "leave"})
		ana.mustBe("running", seatA)
		ben.refused("not_your_seat", match.Command{Do: "play", Seat: "B", Seq: ana.frame.Seq, Move: "keep"})
		eve.refused("seat_taken", match.Command{Do: "sit", Seat: "B"})
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.play("keep")
		ben.mustBe("running", seatB)
		ben.refused("not_host", match.Command{Do: "free", Seat: "A"})
		ana.ok(match.Command{Do: "free", Seat: "B"})
		ana.mustBe("running", seatA)
		if s := ana.frame.Seats[1]; s.Name != "" || !s.Standin {
			t.Errorf("the freed seat is %+v", s)
		}
		eve.ok(match.Command{Do: "sit", Seat: "B"})
		ben.refused("seat_taken", match.Command{Do: "sit", Seat: "B"})
		if ben.read(); ben.frame.You != game.NoSeat {
			t.Errorf("Ben lost his seat and still sees it: %q", ben.frame.You)
		}
		ana.play("keep")
		if eve.mustBe("running", seatB); len(eve.frame.Moves) == 0 {
			t.Error("Eve sits on B and is not asked")
		}
	})
}

// Before the start people come and go, change seats, and bots fill up; a host who leaves is followed by somebody else.
func TestBeforeTheStart(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(3))
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ben.ok(match.Command{Do: "sit", Seat: "C"})
		ben.refused("not_host", match.Command{Do: "bot", Seat: "B", Bot: "first"})
		ana.refused("bad_command", match.Command{Do: "bot", Seat: "B", Bot: "nobody"})
		ana.refused("seat_taken", match.Command{Do: "bot", Seat: "C", Bot: "first"})
		ana.ok(match.Command{Do: "bot", Seat: "B", Bot: "first"})
		ana.ok(match.Command{Do: "bot", Seat: "B", Bot: ""})
		ana.ok(match.Command{Do: "leave"})
		ana.refused("not_host", match.Command{Do: "start"})
		ben.ok(match.Command{Do: "bot", Seat: "A", Bot: "first"})
		ben.ok(match.Command{Do: "bot", Seat: "B", Bot: "first"})
		if ben.read(); !ben.frame.Seats[2].Host || ben.frame.Seats[1].Bot != "first" {
			t.Errorf("the seats are %+v", ben.frame.Seats)
		}
		ben.ok(match.Command{Do: "start"})
		ben.mustBe("running", game.Seat(2))
		ben.refused("started", match.Command{Do: "start"})
	})
}

// Whoever takes another name is called by it where he sits, from his next connection on, and after a restart; nothing else
// changes. A record has the names of those who began, and what is over stays as it was.
func TestAnotherName(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(2))
		named := func(name, other string) *person {
			p := &person{t: t, name: name, client: h.lobby.Connect(match.Guest{ID: guest(name).ID, Name: other}), table: table}
			p.ok(match.Command{Do: "watch"})
			return p
		}
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.client.Close()
		ana = named("Ana", "Anna")
		if ana.read(); ana.frame.Seats[0].Name != "Anna" || !ana.frame.Seats[0].Host {
			t.Errorf("Anna sees %+v", ana.frame.Seats)
		}
		if card, err := h.lobby.Card(t.Context(), table); err != nil || card.Host != "Anna" || card.Seats[0].Name != "Anna" {
			t.Errorf("the sign says %+v, %v", card, err)
		}
		seq := ana.frame.Seq
		named("Ana", "Anna").client.Close()
		named("Eve", "Evi").client.Close()
		if ana.read(); ana.frame.Seq != seq {
			t.Errorf("nobody has another name, and there is an entry: %+v", ana.frame)
		}
		ana.ok(match.Command{Do: "start"})
		ben.client.Close()
		named("Ben", "Benny")
		ana.read()
		ana.ok(match.Command{Do: "play", Seat: "A", Seq: ana.frame.Seq - 1, Move: "keep"}) // a name makes no move late
		h.restart()
		ana, ben = named("Ana", "Anna"), named("Ben", "Benny")
		if ana.frame.Seats[1].Name != "Benny" {
			t.Errorf("after a restart %+v", ana.frame.Seats)
		}
		finish(ana, ben)
		ben.client.Close()
		ben = named("Ben", "Benjamin")
		if ben.frame.Seats[1].Name != "Benny" || ben.frame.State != "over" {
			t.Errorf("what is over has changed: %+v", ben.frame)
		}
		if r, err := h.lobby.Record(t.Context(), table); err != nil || !slices.Equal(r.Players, []string{"Anna", "Ben"}) {
			t.Errorf("the record has the players %v, %v", r.Players, err)
		}
	})
}

// A host who does not come back is followed by somebody who is there.
func TestHostGone(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(2))
		ana, ben := h.as("Ana", table), h.as("Ben", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.client.Close()
		time.Sleep(121 * time.Second)
		ben.ok(match.Command{Do: "free", Seat: "A"})
		ben.mustHear("host", 1)
	})
}

// After the end whoever sat there asks for another game: the same people, the next seat begins, one table however often
// it is asked for.
func TestRematch(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(3, "first"))
		ana, ben, eve := h.as("Ana", table), h.as("Ben", table), h.as("Eve", table)
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		ana.ok(match.Command{Do: "start"})
		ana.refused("running", match.Command{Do: "rematch"})
		finish(ana, ben)
		eve.refused("not_your_seat", match.Command{Do: "rematch"})
		ben.ok(match.Command{Do: "rematch"})
		ana.ok(match.Command{Do: "rematch"})
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
		ben.ok(match.Command{Do: "start"})
		ben.mustBe("running", seatB)
	})
}

// A slow reader is cut off, alone, and catches up with the frame that it had.
func TestSlowReader(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2, "first")
		setup.Edition = "endless"
		table := h.make(setup)
		ana, eve := h.as("Ana", table), h.as("Eve", table)
		ana.ok(match.Command{Do: "start"})
		seen := eve.frame.Seq
		for ana.frame.State == "running" {
			ana.play("keep")
		}
		select {
		case <-eve.client.Cut():
		default:
			t.Fatal("Eve read nothing and was not cut off")
		}
		eve.client.Close()
		eve = h.as("Eve", table)
		eve.ok(match.Command{Do: "watch", Seq: eve.frame.Seq - 2})
		if n := len(eve.frame.Events); n != 2 || eve.frame.Seq <= seen {
			t.Errorf("Eve was told %d events: %+v", n, eve.frame)
		}
	})
}

// A game that does not end is stopped, with nobody as the winner.
func TestStopped(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2, "first", "first")
		setup.Edition, setup.Sit = "endless", false
		table := h.make(setup)
		ana := h.as("Ana", table)
		ana.client.Do(t.Context(), match.Command{ID: "s", Do: "start", Table: table})
		synctest.Wait()
		ana = h.as("Ana", table) // nobody reads so fast as those two play
		if o := ana.frame.Outcome; !o.Over || o.Why != "stopped" || len(o.Winners) != 0 {
			t.Errorf("the outcome is %+v", o)
		}
		r, err := h.lobby.Record(t.Context(), table)
		if err != nil || len(r.Moves) != 300 {
			t.Errorf("%d moves, %v", len(r.Moves), err)
		}
	})
}

// Whatever is wrong with a bot harms nobody: the first legal move is played.
func TestBadBots(t *testing.T) {
	for _, bot := range []string{"mad", "frail", "slow"} {
		inHouse(t, func(t *testing.T, h *house) {
			table := h.make(toy(2, bot))
			ana := h.as("Ana", table)
			ana.ok(match.Command{Do: "start"})
			for range 3 {
				ana.play("keep")
				time.Sleep(6 * time.Second)
			}
			ana.mustBe("over", game.NoSeat)
			ana.mustHear("keep", 6)
		})
	}
}

// Bots take a human time, drawn between the least and the most; nobody waits for bots alone.
func TestBotTime(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2, "first")
		setup.BotTime = &[2]int{1000, 3000}
		table := h.make(setup)
		ana := h.as("Ana", table)
		ana.ok(match.Command{Do: "start"})
		ana.play("keep")
		time.Sleep(999 * time.Millisecond)
		ana.mustBe("running", seatB)
		time.Sleep(2002 * time.Millisecond)
		ana.mustBe("running", seatA)
		ana.ok(match.Command{Do: "free", Seat: "A"})
		ana.client.Close()
		synctest.Wait()
		ana = h.as("Ana", table)
		ana.mustBe("over", game.NoSeat)
	})
}

// someDay is later than everything that is due.
var someDay = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// A table that nobody comes to is put away after an hour, and only then.
func TestShut(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.Listed = true
		table := h.make(setup)
		if cards := h.lobby.Cards(); len(cards) != 1 || cards[0].Table != table || cards[0].Host != "Ana" {
			t.Errorf("the lobby lists %+v", cards)
		}
		time.Sleep(59 * time.Minute)
		ana := h.as("Ana", table)
		time.Sleep(59 * time.Minute)
		ana.client.Close()
		time.Sleep(61 * time.Minute)
		if cards := h.lobby.Cards(); len(cards) != 0 {
			t.Errorf("the lobby lists %+v", cards)
		}
		ben := &person{t: t, name: "Ben", client: h.lobby.Connect(guest("Ben")), table: table}
		ben.refused("gone", match.Command{Do: "sit", Seat: "B"})
		if running, _ := h.log.Due(t.Context(), someDay); len(running) != 0 {
			t.Errorf("%v would be woken again", running)
		}
	})
}

// The lobby says when a listed table changes, and does not speak of others.
func TestLobby(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ben := &person{t: t, name: "Ben", client: h.lobby.Connect(guest("Ben"))}
		ben.ok(match.Command{Do: "lobby"})
		h.make(toy(2))
		setup := toy(2)
		setup.Listed = true
		table := h.make(setup)
		time.Sleep(time.Second)
		ben.read()
		if len(ben.lobby) != 1 || ben.lobby[0].Table != table || ben.lobby[0].Seats[0].Name != "Ana" {
			t.Errorf("Ben is told of %+v", ben.lobby)
		}
		ben.table = table
		ben.ok(match.Command{Do: "sit", Seat: "B"})
		time.Sleep(time.Second)
		if ben.read(); ben.lobby[0].Seats[1].Name != "Ben" {
			t.Errorf("Ben is told of %+v", ben.lobby)
		}
	})
}

// A finished table is forgotten by the server, and there again for whoever has its link.
func TestFinishedTables(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(2, "first"))
		ana := h.as("Ana", table)
		if _, err := h.lobby.Record(t.Context(), table); match.AsError(err).Code != "not_started" {
			t.Errorf("a record before the start: %v", err)
		}
		ana.ok(match.Command{Do: "start"})
		if _, err := h.lobby.Record(t.Context(), table); match.AsError(err).Code != "running" {
			t.Errorf("a record of a running game: %v", err)
		}
		finish(ana)
		ana.client.Close()
		time.Sleep(10 * time.Minute)
		ben := h.as("Ben", table)
		ben.mustBe("over", game.NoSeat)
		r, err := h.lobby.Record(t.Context(), table)
		if err != nil || !slices.Equal(r.Players, []string{"Ana", "first"}) || len(r.Extra["table"]) == 0 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// What is wrong with a set-up is said, and no table is made.
func TestBadSetups(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		for fault, spoil := range map[string]func(*match.Setup){
			"no game called": func(s *match.Setup) { s.Game = "chess" },
			"no edition":     func(s *match.Setup) { s.Edition = "1904" },
			"seats":          func(s *match.Setup) { s.Seats = 5 },
			"too many":       func(s *match.Setup) { s.Bots = []string{"first", "first"} },
			"nobody is":      func(s *match.Setup) { s.Bots = []string{"deep blue"} },
			"first":          func(s *match.Setup) { s.First = "C" },
			"aid":            func(s *match.Setup) { s.Aid = "notes" },
			"moveTime":       func(s *match.Setup) { s.MoveTime = -1 },
			"awayTime":       func(s *match.Setup) { s.AwayTime = -1 },
			"botTime":        func(s *match.Setup) { s.BotTime = &[2]int{5, 1} },
			"bare":           func(s *match.Setup) { s.Bare = []string{"a1"} },
			"options":        func(s *match.Setup) { s.Options = map[string]int{"maxVampires": 6} },
		} {
			setup := toy(2)
			spoil(&setup)
			_, err := h.lobby.Make(t.Context(), guest("Ana"), setup)
			if told := match.AsError(err); told.Code != "bad_command" || !strings.Contains(told.Message, fault) {
				t.Errorf("%s: %v", fault, err)
			}
		}
	})
}

// Unknown tables, unknown commands and people without a name get an answer, and nothing else happens.
func TestBadCommands(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		table := h.make(toy(2))
		ana := h.as("Ana", table)
		ana.refused("no_table", match.Command{Do: "sit", Table: "nowhere", Seat: "A"})
		ana.refused("no_table", match.Command{Do: "watch", Table: "nowhere"})
		ana.refused("bad_command", match.Command{Do: "cheat"})
		nobody := &person{t: t, name: "", client: h.lobby.Connect(match.Guest{}), table: table}
		nobody.ok(match.Command{ID: "1", Do: "watch"})
		nobody.refused("no_guest", match.Command{ID: "2", Do: "sit", Seat: "B"})
		nobody.ok(match.Command{ID: "3", Do: "ping"})
		nobody.ok(match.Command{ID: "4", Do: "unwatch"})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		nobody.client.Do(ctx, match.Command{ID: "5", Do: "watch", Table: table})
	})
}

// The visible log of a game of memory forgets what was seen, unless the table agreed to remember.
func TestLogFades(t *testing.T) {
	for aid, kept := range map[game.Aid]bool{game.AidNone: false, game.AidMarks: false, game.AidAll: true} {
		inHouse(t, func(t *testing.T, h *house) {
			setup := toy(2, "first")
			setup.Aid = aid
			table := h.make(setup)
			ana := h.as("Ana", table)
			ana.ok(match.Command{Do: "start"})
			ana.play("show")
			eve := h.as("Eve", table)
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
