package lobby_test

import (
	"testing"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/match/matchtest"
	"caveau/wire"
)

// breakOff is what the host and everybody else who is there agree to.
func breakOff(host *person, others ...*person) {
	host.t.Helper()
	host.ok(wire.Command{Do: "break"})
	agree(others...)
}

// agree has people agree to what they are asked.
func agree(people ...*person) {
	for _, p := range people {
		p.t.Helper()
		p.read()
		if p.frame.Proposal == nil {
			p.t.Fatalf("%s is asked nothing", p.name)
		}
		p.ok(wire.Command{Do: "agree", Seq: p.frame.Proposal.Seq})
	}
}

// playing is a table of three at which a game runs.
func (h *house) playing() (ana, ben, cleo *person) {
	h.t.Helper()
	id := h.make(toy(3))
	ana, ben, cleo = h.as("Ana", id), h.as("Ben", id), h.as("Cleo", id)
	ben.ok(wire.Command{Do: "sit", Seat: "B"})
	cleo.ok(wire.Command{Do: "sit", Seat: "C"})
	ana.ok(wire.Command{Do: "start"})
	return ana, ben, cleo
}

// A seat whose player is there is freed if everybody else agrees, and he comes back if they agree to that.
func TestWhoeverIsThereIsFreedByAll(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		ana.ok(wire.Command{Do: "free", Seat: "B"})
		cleo.read()
		p := cleo.frame.Proposal
		if p == nil || p.Do != "free" || p.Seat != seatB || p.Name != "Ana" || p.By != seatA || len(p.Asked) != 1 || p.Asked[0] != game.Seat(2) {
			t.Fatalf("Cleo is asked %+v", p)
		}
		ben.refused("not_your_seat", wire.Command{Do: "agree", Seq: p.Seq})
		ben.refused("not_your_seat", wire.Command{Do: "decline", Seq: p.Seq})
		ana.refused("not_your_seat", wire.Command{Do: "agree", Seq: p.Seq})
		cleo.refused("late", wire.Command{Do: "agree", Seq: p.Seq - 1})
		ana.play("keep")
		ben.play("keep") // nothing has happened yet
		agree(cleo)
		if ben.read(); !ben.frame.Seats[1].Standin || ben.frame.Seats[1].Name != "Ben" || ben.frame.Proposal != nil {
			t.Errorf("all have agreed, and the seat is %+v", ben.frame.Seats[1])
		}
		ben.ok(wire.Command{Do: "watch"})
		if ben.read(); ben.frame.Own != nil || ben.frame.You != seatB {
			t.Errorf("the seat was taken from Ben, and he is shown %s at %v", ben.frame.Own, ben.frame.You)
		}
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		if ben.read(); !ben.frame.Seats[1].Standin {
			t.Error("Ben came back without being asked for")
		}
		agree(ana, cleo)
		if ben.read(); ben.frame.Seats[1].Standin {
			t.Error("all have agreed, and Ben is not back")
		}
		if ben.ok(wire.Command{Do: "watch"}); ben.frame.Own == nil {
			t.Error("Ben is back, and is not shown his hand")
		}
	})
}

// Whoever was turned out and looks on is nobody's host, and asks for no other game.
func TestWhoeverWasTurnedOutIsNoHost(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		ana.ok(wire.Command{Do: "free", Seat: "B"})
		agree(cleo)
		cleo.ok(wire.Command{Do: "leave"})
		ana.client.Close()
		time.Sleep(time.Hour)
		if ben.read(); !ben.frame.Seats[1].Standin || ben.frame.Host != "Ana" {
			t.Fatalf("Ben sits at %+v, and the host is %q", ben.frame.Seats, ben.frame.Host)
		}
		ben.refused("not_host", wire.Command{Do: "break"})
		ana = h.as("Ana", ana.table)
		ana.mustBe("over", game.NoSeat) // the bots have played it to its end
		ben.refused("not_your_seat", wire.Command{Do: "rematch"})
		ana.ok(wire.Command{Do: "rematch"})
	})
}

// One who does not agree is enough, and so is one who takes back what he proposed. What nobody answers lapses.
func TestOneWhoDoesNotAgree(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		for verb, answer := range map[string]func(seq int){
			"decline":  func(seq int) { cleo.ok(wire.Command{Do: "decline", Seq: seq}) },
			"withdraw": func(seq int) { ana.ok(wire.Command{Do: "decline", Seq: seq}) },
			"lapse":    func(int) { time.Sleep(5*time.Minute + time.Second) },
		} {
			ana.ok(wire.Command{Do: "break"})
			ana.read()
			seq := ana.frame.Proposal.Seq
			ana.ok(wire.Command{Do: "break"}) // again is nothing new
			ana.refused("busy", wire.Command{Do: "free", Seat: "B"})
			agree(ben)
			answer(seq)
			ana.read()
			if ana.frame.Proposal != nil || ana.frame.State != "running" {
				t.Errorf("the table is %s, and asks %+v", ana.frame.State, ana.frame.Proposal)
			}
			if last := ana.frame.Events[len(ana.frame.Events)-1]; last.Verb != verb {
				t.Errorf("the log says %s, want %s", last.Verb, verb)
			}
			ben.refused("late", wire.Command{Do: "agree", Seq: seq})
		}
	})
}

// Bots and whoever is away are not asked, and whoever goes while he is asked is not waited for, unless he has only lost his line for
// a moment.
func TestWhoIsNotThereIsNotAsked(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		cleo.client.Close()
		time.Sleep(31 * time.Second)
		ana.ok(wire.Command{Do: "break"})
		ben.read()
		if p := ben.frame.Proposal; p == nil || len(p.Asked) != 1 {
			t.Fatalf("Ben is asked %+v", p)
		}
		ben.client.Close()
		time.Sleep(29 * time.Second)
		ana.mustBe("running", seatA)
		time.Sleep(2 * time.Second)
		ana.mustBe("over", game.NoSeat)
	})
	inHouse(t, func(t *testing.T, h *house) { // one after the other
		ana, ben, cleo := h.playing()
		ana.ok(wire.Command{Do: "break"})
		ben.client.Close()
		time.Sleep(20 * time.Second)
		cleo.client.Close()
		time.Sleep(29 * time.Second)
		ana.mustBe("running", seatA)
		time.Sleep(2 * time.Second)
		ana.mustBe("over", game.NoSeat)
	})
}

// Who had gone for a moment when the house was stopped has that moment afterwards, as whoever is asked has his time.
func TestAnOutageIsNoTimeToBeGone(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		clock, _, ana, ben := h.jumps()
		ana.ok(wire.Command{Do: "start"})
		ben.client.Close()
		time.Sleep(5 * time.Second)
		clock.by.Store(int64(3 * time.Minute))
		ana.ok(wire.Command{Do: "break"})
		time.Sleep(20 * time.Second)
		ana.mustBe("running", seatA)
		time.Sleep(20 * time.Second)
		ana.mustBe("over", game.NoSeat)
	})
}

// Nor is he called for that: he comes back as soon as he can.
func TestAnOutageCallsNobody(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		clock, _, ana, ben := h.jumps()
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(time.Second)
		ben.client.Close()
		time.Sleep(time.Second)
		ana.play("keep")
		time.Sleep(5 * time.Second)
		clock.by.Store(int64(3 * time.Minute))
		ana.ok(wire.Command{Do: "watch"}) // the table looks at the clock
		time.Sleep(4 * time.Second)
		h.calls.were(t)
		time.Sleep(10 * time.Second)
		h.calls.mu.Lock()
		defer h.calls.mu.Unlock()
		if n := len(h.calls.all); n != 1 {
			t.Errorf("he does not come, and is called %d times", n)
		}
	})
}

// Ana has two browsers. She does not get to see the hand of somebody who is there, nor of somebody who has gone for a moment or
// for long: his seat is his.
func TestAHostSeesNoOtherHand(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		other := h.as("Ana at another browser", id)
		tries := func(when string) {
			ana.say(wire.Command{Do: "free", Seat: "B"})
			other.say(wire.Command{Do: "sit", Seat: "B"})
			if ana.read(); ana.frame.Proposal != nil {
				ana.say(wire.Command{Do: "agree", Seq: ana.frame.Proposal.Seq})
			}
			time.Sleep(6 * time.Minute)
			if other.read(); other.frame.You != game.NoSeat {
				t.Errorf("%s, she sits on %s", when, other.frame.You)
			}
		}
		tries("while he is there")
		ben.client.Close()
		tries("when he has gone")
		time.Sleep(time.Hour)
		tries("when he has gone for an hour")
		h.restart()
		ana, other = h.as("Ana", id), h.as("Ana at another browser", id)
		tries("after a restart")
		ben = h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		if ben.read(); ben.frame.Seats[1].Standin || ben.frame.You != seatB {
			t.Errorf("Ben is back, and sees %+v", ben.frame.Seats)
		}
	})
}

// Somebody who has to go hands his seat on: he stands up, another asks for it, and all agree, he first of all.
func TestASeatIsHandedOn(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		eve := h.as("Eve", ana.table)
		eve.refused("seat_taken", wire.Command{Do: "sit", Seat: "B"})
		ben.ok(wire.Command{Do: "leave"})
		eve.ok(wire.Command{Do: "sit", Seat: "B"})
		agree(ana, cleo)
		if eve.read(); eve.frame.You != game.NoSeat {
			t.Error("Ben has not agreed, and Eve has his seat")
		}
		agree(ben)
		if eve.read(); eve.frame.You != seatB || eve.frame.Seats[1].Name != "Eve" {
			t.Errorf("all have agreed, and Eve sits on %q of %+v", eve.frame.You, eve.frame.Seats)
		}
		if ben.read(); ben.frame.You != game.NoSeat {
			t.Errorf("Ben has given his seat away and sees it: %q", ben.frame.You)
		}
	})
}

// Whoever takes the seat that is asked has all the time for his move, and is shown that.
func TestWhoeverTakesTheSeatThatIsAskedHasAllHisTime(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(3)
		setup.MoveTime, setup.BotTime = 60, &[2]int{50_000, 50_000}
		ana := h.as("Ana", h.make(setup))
		ben, cleo, eve := h.as("Ben", ana.table), h.as("Cleo", ana.table), h.as("Eve", ana.table)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		cleo.ok(wire.Command{Do: "sit", Seat: "C"})
		ana.ok(wire.Command{Do: "start"})
		ana.ok(wire.Command{Do: "leave"})
		time.Sleep(20 * time.Second)
		eve.ok(wire.Command{Do: "sit", Seat: "A"})
		agree(ana, ben, cleo)
		if eve.read(); eve.frame.You != seatA || eve.frame.Clock == nil || eve.frame.Clock.Left != 60_000 {
			t.Errorf("Eve sits on %q, and her clock is %+v", eve.frame.You, eve.frame.Clock)
		}
	})
}

// Whoever agrees in time has agreed, if the disk is so slow that the time is up when it is written: what all have agreed to does not lapse.
func TestWhatIsAgreedInTimeIsDone(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		breakOff(ana, ben)
		time.Sleep(5*time.Minute - time.Second)
		h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault {
			time.Sleep(3 * time.Second)
			return matchtest.Fault{}
		})
		ana.read()
		cleo.later(wire.Command{Do: "agree", Seq: ana.frame.Proposal.Seq}, 10*time.Second)
		time.Sleep(5 * time.Second) // so is what follows
		ana.mustBe("over", game.NoSeat)
	})
}

// What was asked is asked still after a crash, and who agreed has agreed.
func TestACrashWhileAllAgree(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, _, _ := h.playing()
		ana.ok(wire.Command{Do: "break"})
		restarted := func() (people []*person) {
			h.restart()
			for _, name := range []string{"Ana", "Ben", "Cleo"} {
				people = append(people, h.as(name, ana.table))
			}
			return people
		}
		agree(restarted()[1])
		people := restarted()
		if p := people[0].frame.Proposal; p == nil || len(p.Agreed) != 1 {
			t.Fatalf("after the restart %+v is asked", p)
		}
		agree(people[2])
		people[0].mustBe("over", game.NoSeat)
	})
}

// Whoever takes a seat over is told what its player was told from when he came himself; what was shown before, nobody shows again, whatever
// frame he says he had.
func TestWhoeverTakesASeatOverHasNotSeenWhatWasShown(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		ana.play("show")
		ben.play("show")
		cleo.play("keep")
		zed := h.as("Zed", ana.table)
		ben.ok(wire.Command{Do: "leave"})
		zed.ok(wire.Command{Do: "sit", Seat: "B"})
		agree(ana, ben, cleo)
		if zed.read(); zed.frame.You != seatB {
			t.Fatalf("Zed sits at %v", zed.frame.You)
		}
		for _, seq := range []int{1, 2, zed.frame.Seq - 6} {
			zed.ok(wire.Command{Do: "watch", Seq: seq})
			for _, e := range zed.frame.Events {
				if e.Verb == "show" || e.Verb == "start" {
					t.Errorf("Zed says that he had frame %d, and is told %+v", seq, e)
				}
			}
		}
	})
}

// Whoever comes too late with a move is told the newest frame, and no older ones, whatever he says he had.
func TestWhoeverIsLateIsToldNothingTwice(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		ana.play("show")
		ben.play("show")
		cleo.play("keep")
		ana.read()
		newest := len(ana.frame.Events)
		ana.refused("late", wire.Command{Do: "play", Seat: "A", Seq: 1, Move: "keep"})
		if ana.read(); len(ana.frame.Events) != newest {
			t.Errorf("after a late move Ana is told %+v", ana.frame.Events)
		}
	})
}

// Nobody looks on unseen, whether he has a name or not.
func TestEverybodyWhoLooksOnIsCounted(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, _, _ := h.playing()
		for n, guest := range []string{"e", ""} {
			h.called(guest, guest, ana.table)
			time.Sleep(time.Second)
			if ana.read(); ana.frame.Watchers != n+1 {
				t.Errorf("%d people look on, and Ana is told of %d", n+1, ana.frame.Watchers)
			}
		}
	})
}
