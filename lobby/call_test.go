package lobby_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"caveau/fact"
	"caveau/match"
	"caveau/match/matchtest"
	"caveau/wire"
)

// Calls are what those were told who did not look, each with when it was. What somebody was told is not told again: so it is kept.
type calls struct {
	mu   sync.Mutex
	all  []string
	last map[string]int
}

func (c *calls) hear(_ wire.ID, game string, call match.Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if call.N <= c.last[call.Guest] {
		return
	}
	if c.last == nil {
		c.last = make(map[string]int)
	}
	c.last[call.Guest] = call.N
	text := fmt.Sprintf("%s %s %s %d of %s", time.Since(start), strings.TrimPrefix(call.Guest, "id of "), call.Why, call.N, game)
	if !call.Until.IsZero() {
		text += " until " + call.Until.Sub(start).String()
	}
	c.all = append(c.all, text)
}

// were says which calls there were since it was asked last.
func (c *calls) were(t *testing.T, want ...string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Equal(c.all, want) {
		t.Errorf("they are called\n%q, not\n%q", c.all, want)
	}
	c.all = nil
}

// Whoever does not look is told that it begins, and that it is his turn, once, when he has not come back in a moment. Whoever looks finds out
// by himself, and whoever has looked for long has.
func TestWhoDoesNotLookIsCalled(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ben.client.Close()
		time.Sleep(time.Minute)
		h.calls.were(t) // nothing has begun
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(5 * time.Second)
		h.calls.were(t)
		time.Sleep(10 * time.Second)
		h.calls.were(t, "1m10s Ben begun 1 of toy")
		ana.play("keep") // at 1m15s
		time.Sleep(9 * time.Second)
		h.calls.were(t)
		time.Sleep(20 * time.Second)
		h.calls.were(t, "1m25s Ben turn 8 of toy")
		ben = h.as("Ben", id) // at 1m44s
		time.Sleep(time.Second)
		ben.client.Close()
		time.Sleep(15 * time.Second)
		h.calls.were(t) // he was told
		ben = h.as("Ben", id)
		ben.play("keep") // at 2m
		ana.client.Close()
		time.Sleep(8 * time.Second)
		ana = h.as("Ana", id) // she had it loaded again
		time.Sleep(time.Minute)
		h.calls.were(t)
		time.Sleep(2 * time.Minute)
		ana.client.Close() // and has thought about it for minutes
		time.Sleep(time.Minute)
		h.calls.were(t)
	})
}

// He is told that it begins also where the deal was written, and the answer of the log was lost.
func TestWhoDoesNotLookIsCalledToADealThatNobodyHeardOf(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ben.client.Close()
		time.Sleep(time.Minute)
		h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault {
			return matchtest.Fault{Err: errors.New("the answer was lost"), Kept: true}
		})
		ana.ok(wire.Command{Do: "start"})
		h.log.Fail(nil)
		time.Sleep(15 * time.Second)
		h.calls.were(t, "1m10s Ben begun 1 of toy")
	})
}

// Where a bot plays for somebody, nobody calls him.
func TestNobodyIsCalledForWhomABotPlays(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.AwayTime = 5
		id := h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		time.Sleep(3 * time.Minute)
		ben.client.Close()
		time.Sleep(6 * time.Second)
		ana.play("keep")
		time.Sleep(time.Minute)
		h.calls.were(t)
	})
}

const day = 24 * time.Hour

// overDays is a table where Ana and Ben have so many days for a move, and it is hers.
func overDays(h *house, days int) (id wire.ID, ana, ben *person) {
	setup := toy(2)
	setup.MoveTime = days * int(day/time.Second)
	id = h.make(setup)
	ana, ben = h.as("Ana", id), h.as("Ben", id)
	ben.ok(wire.Command{Do: "sit", Seat: "B"})
	ana.ok(wire.Command{Do: "start"})
	return id, ana, ben
}

// Over days everybody's page is closed most of the time: the host frees nobody for that by himself, before his time has run out at a move.
func TestNobodyIsFreedOverDaysBecauseHisPageIsClosed(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		_, ana, ben := overDays(h, 1)
		ben.client.Close()
		ana.play("keep")
		time.Sleep(time.Hour)
		ana.refused("nobody_there", wire.Command{Do: "free", Seat: "B"})
		time.Sleep(day) // a bot has made his move
		ana.play("keep")
		ana.ok(wire.Command{Do: "free", Seat: "B"})
		if ana.read(); !ana.frame.Seats[1].Standin {
			t.Errorf("Ben's seat is %+v", ana.frame.Seats[1])
		}
	})
}

// A game over days: nobody is away because his page is closed. The table rests meanwhile, whoever is asked is called when it is his turn and
// when his time is nearly over, and when it is a bot makes that one move.
func TestAGameOverDays(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, ana, ben := overDays(h, 3)
		ben.client.Close()
		time.Sleep(time.Minute)
		h.calls.were(t)
		ana.play("keep") // at 1m, and Ben has until 72h1m
		ana.client.Close()
		time.Sleep(10 * time.Minute)
		h.calls.were(t, "1m10s Ben turn 8 of toy until 72h1m0s")
		if until := h.rests(id); until != "60h1m0s" {
			t.Errorf("the table rests until %s", until)
		}
		time.Sleep(2*day + 11*time.Hour)
		h.calls.were(t)
		time.Sleep(2 * time.Hour)
		h.calls.were(t, "60h1m0s Ben late 9 of toy until 72h1m0s")
		if until := h.rests(id); until != "72h1m0s" {
			t.Errorf("the table rests until %s", until)
		}
		time.Sleep(10 * time.Hour) // to 71h11m
		eve := h.as("Eve", id)
		eve.mustBe("running", seatB)
		eve.mustHear("away", 0)
		eve.mustHear("host", 0)
		eve.client.Close()
		time.Sleep(time.Hour)
		h.calls.were(t, "72h1m10.25s Ana turn 10 of toy until 144h1m0.25s")
		eve = h.as("Eve", id)
		eve.mustBe("running", seatA)
		eve.mustHear("away", 0)
		ana = h.as("Ana", id)
		ana.play("keep")
		ben = h.as("Ben", id)
		ben.play("keep") // it was one move
	})
}

// Whoever was called is not called again because the house was closed, or the table was looked at; and what the house was closed is nobody's time.
func TestAHouseThatWasClosedForADay(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, ana, ben := overDays(h, 1)
		ana.play("keep")
		ana.client.Close()
		ben.client.Close()
		time.Sleep(time.Hour)
		h.calls.were(t, "10s Ben turn 8 of toy until 24h0m0s")
		if _, err := h.lobby.Card(t.Context(), id); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		h.lobby.Close()
		time.Sleep(2 * day)
		h.open() // at 50 h
		time.Sleep(time.Hour)
		h.calls.were(t)
		time.Sleep(20 * time.Hour) // to 71 h, of which the house was closed for 48
		h.calls.were(t, "68h0m10s Ben late 9 of toy until 72h0m3s")
		ben = h.as("Ben", id)
		ben.mustBe("running", seatB)
		ben.play("keep")
	})
}

// What a house was closed days ago is nobody's time, however often it is opened since.
func TestAnOutageOfDaysAgo(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, ana, ben := overDays(h, 7)
		ana.client.Close()
		ben.client.Close()
		time.Sleep(time.Hour)
		h.lobby.Close()
		time.Sleep(12 * time.Hour)
		h.open()
		time.Sleep(5 * day)
		h.restart()
		ana = h.as("Ana", id)
		if left := time.Duration(ana.frame.Clock.Left) * time.Millisecond; left < 2*day-time.Hour || left > 2*day-time.Hour+time.Minute {
			t.Errorf("of a week five days and an hour are over, in which the house was open, and Ana has %v", left)
		}
	})
}

// The time for a move is at most a week.
func TestAWeekForAMove(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		_, ana, ben := overDays(h, 7)
		ana.client.Close()
		ben.client.Close()
		time.Sleep(7*day + time.Minute)
		h.calls.were(t, "10s Ana turn 6 of toy until 168h0m0s", "140h0m0s Ana late 7 of toy until 168h0m0s", "168h0m10.25s Ben turn 8 of toy until 336h0m0.25s")
		setup := toy(2)
		setup.MoveTime = 7*int(day/time.Second) + 1
		if _, err := h.lobby.Make(t.Context(), visitor("Ana"), setup); wire.AsError(err).Code != wire.CodeBadCommand {
			t.Errorf("more than a week is %v", err)
		}
	})
}
