package lobby_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/limit"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/table"
	"caveau/wire"
)

// Where a match breaks in the middle of a command, whoever said it is told so; said again, it is done.
func TestABrokenMatchIsNoAnswer(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ben := &person{t: t, name: "Ben", client: h.lobby.Connect(visitor("Ben"), func() {}), table: id}
		h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault { panic("a bug") })
		ben.refused("storage", wire.Command{ID: "s", Do: "sit", Seat: "B"})
		h.log.Fail(nil)
		ben.ok(wire.Command{ID: "s", Do: "sit", Seat: "B"})
	})
}

// The start was written, and its answer lost: the log is read, so that it is known, and people have their five seconds.
func TestALostStartLeavesTimeForTheNumbers(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.seals()
		ben.seals()
		time.Sleep(time.Minute)
		h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault {
			return matchtest.Fault{Err: errors.New("the answer was lost"), Kept: true}
		})
		ana.ok(wire.Command{ID: "s", Do: "start"})
		h.log.Fail(nil)
		ana.ok(wire.Command{ID: "s", Do: "start"})
		ana.mustBe("open", game.NoSeat)
		ana.unseals()
		ben.unseals()
		finish(ana, ben)
		if v := h.verified(id); opened(v.Proof) != "AB" {
			t.Errorf("the numbers of the deal are %+v", v.Proof.Numbers)
		}
	})
}

// What another node wrote and this one cannot replay stops the table here: nothing is acknowledged upon it.
func TestNothingIsWrittenOnWhatCannotBeReplayed(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		a := ana.ok(wire.Command{Do: "start"})
		strange := fact.Entry{Seq: a.Seq + 1, At: time.Now(), Data: json.RawMessage(`{"kind":"move","fact":{"seat":"A","words":"fly"}}`)}
		if err := h.log.Append(t.Context(), id, strange); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			cleo := &person{t: t, name: "Ben", client: h.lobby.Connect(visitor("Ben"), func() {}), table: id}
			cleo.refused("storage", wire.Command{Do: "leave"})
		}
	})
}

// What somebody says is kept word for word, in the log and in memory, as long as the table stands: it is short.
func TestLongWordsAreRefused(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana := h.as("Ana", id)
		long := strings.Repeat("x", 65)
		for _, c := range []wire.Command{
			{Do: "leave", Move: long}, {Do: "leave", Seat: long}, {Do: "leave", Bot: long}, {Do: "leave", Bits: long},
		} {
			ana.refused("bad_command", c)
		}
		ana.mustHear("leave", 0)
		ana.ok(wire.Command{Do: "leave", Move: long[1:]})
	})
}

// Who has too many tables makes no more, by a rematch neither: who plays, breaks off and plays again fills a house as well. When
// they are over, he may again.
func TestARematchNeedsRoom(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.room = limit.NewPlaces(1000, 10)
		h.restart()
		id := h.make(toy(2, "first"))
		ana := h.as("Ana", id)
		ana.ok(wire.Command{Do: "start"})
		ana.ok(wire.Command{Do: "break"})
		var err error
		for n := 0; err == nil; n++ {
			_, err = h.lobby.Make(t.Context(), visitor("Ana"), toy(2))
		}
		if wire.AsError(err).Code != "too_many" {
			t.Fatal(err)
		}
		ana.refused("too_many", wire.Command{Do: "rematch"})
		time.Sleep(2 * time.Hour) // they are put away
		ana.ok(wire.Command{Do: "rematch"})
	})
}

// The host, and nobody else, closes a table that has not begun, and has room for another. Whoever waits there is told, and nobody can come to it any more.
func TestAHostClosesATableThatWaits(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.room = limit.NewPlaces(1000, 10)
		h.restart()
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		var err error
		for n := 0; err == nil && n < 1000; n++ {
			_, err = h.lobby.Make(t.Context(), visitor("Ana"), toy(2))
		}
		if wire.AsError(err).Code != "too_many" {
			t.Fatal(err)
		}
		ben.refused("not_host", wire.Command{Do: "close"})
		closed := wire.Command{ID: "closes", Do: "close"}
		ana.ok(closed)
		for _, p := range []*person{ana, ben} {
			if p.mustBe("over", game.NoSeat); p.frame.Outcome.Why != "closed" {
				t.Errorf("%s sees %+v", p.name, p.frame.Outcome)
			}
			p.refused("gone", wire.Command{Do: "watch"})
		}
		ana.ok(closed) // she has not heard that it is, and says it again
		ana.refused("gone", wire.Command{Do: "close"})
		running := h.as("Ana", h.make(toy(2, "first")))
		running.ok(wire.Command{Do: "start"})
		running.refused("started", wire.Command{Do: "close"})
	})
}

// Whoever hangs up while his table is made, and is not, has room for another.
func TestATableThatIsNotMadeTakesNoRoom(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.room = limit.NewPlaces(1000, 500) // one for an address
		h.restart()
		host := lobby.Visitor{Guest: guest("Ana"), From: "home"}
		gone, hangUp := context.WithCancel(t.Context())
		h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault {
			hangUp()
			return matchtest.Fault{Err: errors.New("the disk is full")}
		})
		if _, err := h.lobby.Make(gone, host, toy(2)); err == nil {
			t.Fatal("it is made on a full disk")
		}
		h.log.Fail(nil)
		if _, err := h.lobby.Make(t.Context(), host, toy(2)); err != nil {
			t.Error(err)
		}
	})
}

// A rematch takes a place of the household from which it is asked for: the owner of the table is told where that is.
func TestARematchIsOfItsAddress(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.room = limit.NewPlaces(1000, 500)
		h.restart()
		id := h.make(toy(2, "first"))
		from := func(address string) *person {
			p := &person{t: t, name: address, client: h.lobby.Connect(lobby.Visitor{Guest: guest("Ana"), From: address}, func() {}), table: id}
			p.ok(wire.Command{Do: "watch"})
			return p
		}
		for n := range 2 {
			if _, err := h.lobby.Make(t.Context(), lobby.Visitor{Guest: guest(fmt.Sprint(n)), From: "full"}, toy(2)); (err == nil) != (n == 0) {
				t.Fatalf("table %d of an address that may have one: %v", n, err)
			}
		}
		full, other := from("full"), from("other")
		full.ok(wire.Command{Do: "start"})
		full.ok(wire.Command{Do: "break"})
		full.refused("too_many", wire.Command{Do: "rematch"})
		other.ok(wire.Command{Do: "rematch"})
	})
}

// A closing log has the house closed as soon as a table is in it.
type closing struct {
	fact.Log
	close func()
}

func (c *closing) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	err := c.Log.Append(ctx, id, e)
	if c.close != nil && e.Seq == 1 {
		go c.close()
		synctest.Wait()
	}
	return err
}

// Who has a table made as the house closes is told that it is made, once it is written: else he would have another made afterwards. So is who wants to play again.
func TestATableIsMadeAsTheHouseCloses(t *testing.T) {
	for _, again := range []bool{false, true} {
		inHouse(t, func(t *testing.T, h *house) {
			log := &closing{Log: h.log}
			h.openWith(nil, log)
			id := h.make(toy(2, "first"))
			ana := h.as("Ana", id)
			ana.ok(wire.Command{Do: "start"})
			ana.ok(wire.Command{Do: "break"})
			log.close = func() { h.lobby.Close() }
			if !again {
				if id, err := h.lobby.Make(t.Context(), visitor("Ana"), toy(2)); err != nil || id == "" {
					t.Errorf("the table is %q (%v)", id, err)
				}
				return
			}
			ana.client.Do(wire.Command{ID: "again", Do: "rematch", Table: id})
			time.Sleep(time.Second)
			entries, err := h.log.Entries(t.Context(), id, 0)
			if err != nil {
				t.Fatal(err)
			}
			if last, _, _, _ := fact.Read(entries[len(entries)-1].Data); fmt.Sprintf("%T", last) != "*fact.Again" {
				t.Errorf("the last entry is %T", last)
			}
		})
	}
}

// A rule that goes round in circles costs its table, for as long as it does: whoever waits for the table is told to try again, and
// everybody else plays on. When it has come back, the table goes on.
func TestATableThatHangs(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, other := h.make(toy(2)), h.make(toy(2, "first"))
		ana, ben, told := h.as("Ana", id), h.as("Ana", other), make(chan time.Duration, 2)
		for _, span := range []time.Duration{time.Second, 10 * time.Minute} { // it is busy when it is asked for what it will not come back from, and for more
			go func() {
				if err := h.lobby.Look(t.Context(), id, func(*table.Table, wire.Card) { time.Sleep(span) }); span > time.Minute && wire.AsError(err).Code != "busy" {
					t.Errorf("whoever asked for what it does not come back from is told: %v", err)
				}
				told <- span
			}()
			synctest.Wait()
		}
		ana.client.Do(wire.Command{ID: "waits", Do: "sit", Table: id, Seat: "B"})
		time.Sleep(30 * time.Second)
		ana.read()
		if len(told) != 2 {
			t.Errorf("%d of two who look at it are told anything", len(told))
		}
		if n := len(ana.said); n == 0 || ana.said[n-1].Re != "waits" || ana.said[n-1].Error.Code != "busy" {
			t.Errorf("Ana waits, and was told %+v", ana.said)
		}
		for range 10 {
			before := time.Now()
			ana.refused("busy", wire.Command{Do: "sit", Seat: "B"})
			if _, err := h.lobby.Card(t.Context(), id); wire.AsError(err).Code != "busy" || time.Since(before) > 0 {
				t.Errorf("the table's sign: %v, after %v", err, time.Since(before))
			}
			ben.ok(wire.Command{Do: "bot", Seat: "B", Bot: "echo"})
			ben.ok(wire.Command{Do: "bot", Seat: "B", Bot: "first"})
		}
		if n := strings.Count(h.said.String(), "left alone"); n != 1 {
			t.Errorf("it was said %d times that a table hangs", n)
		}
		for line := range strings.Lines(h.said.String()) { // what it hangs in may be a secret of somebody's
			if strings.Contains(line, "left alone") && !strings.HasSuffix(line, ` table=`+string(id)+"\n") {
				t.Errorf("the log says more than which table hangs: %s", line)
			}
		}
		time.Sleep(10 * time.Minute)
		ana.ok(wire.Command{Do: "sit", Seat: "B"})
	})
}

// Who leaves a table that hangs has left it when it comes back, before that was noticed as well as after, and whatever he was refused; who was given another name meanwhile
// has it.
func TestWhoLeavesATableThatHangs(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben, eve := h.as("Ana", id), h.as("Ben", id), h.as("Eve", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		go h.lobby.Look(t.Context(), id, func(*table.Table, wire.Card) { time.Sleep(10 * time.Minute) })
		synctest.Wait()
		ben.client.Close()
		h.rename("id of Ben", "Benno")
		time.Sleep(30 * time.Second)
		eve.refused("busy", wire.Command{Do: "watch"})
		eve.client.Close()
		time.Sleep(10 * time.Minute)
		ana.read()
		if seat := ana.frame.Seats[1]; seat.Here || seat.Name != "Benno" || ana.frame.Watchers != 0 {
			t.Errorf("Ben and Eve have left, and Ben is called Benno: on B is %+v, and %d look on", seat, ana.frame.Watchers)
		}
	})
}

// A bot that has thought while its table hung is heard when the table comes back.
func TestABotAtATableThatHangs(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2, "pensive"))
		ana := h.as("Ana", id)
		ana.ok(wire.Command{Do: "start"})
		ana.play("keep")
		go h.lobby.Look(t.Context(), id, func(*table.Table, wire.Card) { time.Sleep(10 * time.Minute) })
		time.Sleep(20 * time.Minute)
		ana.read()
		if len(ana.frame.Moves) == 0 {
			t.Errorf("ten minutes later the bot has not moved: %+v", ana.frame)
		}
	})
}

// A house can be closed though a table hangs.
func TestAHouseWithATableThatHangsCloses(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		go h.lobby.Look(t.Context(), id, func(*table.Table, wire.Card) { time.Sleep(10 * time.Minute) })
		synctest.Wait()
		before := time.Now()
		h.lobby.Close()
		if took := time.Since(before); took != 30*time.Second {
			t.Errorf("it took %v", took)
		}
		time.Sleep(10 * time.Minute)
	})
}

// One address with as many names as it likes, then a thousand of them, make all the tables that they can: whoever comes from
// elsewhere makes his, and so does everybody after a restart, which knows no addresses any more.
func TestOneAddressDoesNotFillTheHouse(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.room = limit.NewPlaces(2000, 100)
		h.restart()
		fill := func(address string) (n int) {
			for ; ; n++ {
				_, err := h.lobby.Make(t.Context(), lobby.Visitor{Guest: guest(fmt.Sprint(address, n)), From: address}, toy(2))
				if err != nil {
					return n
				}
			}
		}
		if n := fill("one"); n > 20 {
			t.Errorf("one address made %d tables of 2000", n)
		}
		for i := range 100 {
			fill(fmt.Sprint("attacker ", i))
		}
		h.make(toy(2))
		h.room = limit.NewPlaces(2000, 100)
		h.restart()
		h.make(toy(2))
	})
}

// The server is killed at every write between the first seal and the deal, before the entry is in the log and after it. Who
// had no answer says it again; both numbers are in the deal, and the record proves it.
func TestCrashWhileItIsSealed(t *testing.T) {
	for _, kept := range []bool{false, true} {
		for at := 3; at <= 8; at++ {
			t.Run(fmt.Sprintf("entry %d, kept %t", at, kept), func(t *testing.T) {
				inHouse(t, func(t *testing.T, h *house) { crashSealed(t, h, at, kept) })
			})
		}
	}
}

func crashSealed(t *testing.T, h *house, at int, kept bool) {
	id := h.make(toy(2))
	people := []*person{h.as("Ana", id), h.as("Ben", id)}
	people[1].ok(wire.Command{Do: "sit", Seat: "B"})
	crashed := false
	h.log.Fail(func(_ wire.ID, e fact.Entry) matchtest.Fault {
		if e.Seq == at && !crashed {
			crashed = true
			return matchtest.Fault{Err: errors.New("the power is gone"), Kept: kept}
		}
		return matchtest.Fault{}
	})
	said := 0
	persist := func(i int, do, bits string) {
		said++
		c := wire.Command{ID: fmt.Sprint("c", said), Do: do, Bits: bits}
		if a := people[i].say(c); !a.OK {
			h.restart()
			people = []*person{h.as("Ana", id), h.as("Ben", id)}
			people[i].ok(c)
		}
	}
	for i, p := range people {
		p.read()
		persist(i, "seal", fair.Newest.SealNumber(p.frame.Seal.Seal, p.frame.You.String(), number(p)).String())
	}
	persist(0, "start", "")
	for i, p := range people {
		persist(i, "unseal", number(p).String())
	}
	time.Sleep(2 * time.Second) // in which a deal that could not be written is tried again
	people[0].mustBe("running", seatA)
	finish(people...)
	if v := h.verified(id); opened(v.Proof) != "AB" || !crashed {
		t.Errorf("the numbers of the deal are %+v; crashed: %t", v.Proof.Numbers, crashed)
	}
}
