package lobby_test

import (
	"caveau/fact"
	"caveau/lobby"
	"caveau/wire"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/game"
	"caveau/match/matchtest"
)

// TestFaults plays whole games while faults are injected, each from one seed: writes fail, with and without the entry in the log;
// the server is killed; people hang up, come back, leave, and take too long. Whatever was acknowledged is in the record
// once, and nothing else that a person is said to have done.
func TestFaults(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				w := &faulty{house: h, rng: rand.New(rand.NewPCG(seed, 0))}
				w.begin()
				for range 80 {
					w.step()
				}
				w.calm()
			})
		})
	}
}

type faulty struct {
	*house
	rng          *rand.Rand
	id           wire.ID
	people       [2]*person
	commands     int
	acknowledged int
}

var names = [2]string{"Ana", "Ben"}

func (w *faulty) begin() {
	setup := toy(3, "remembering:keen")
	setup.MoveTime, setup.AwayTime = 60, 30
	setup.BotTime = &[2]int{0, 3000}
	w.id = w.make(setup)
	w.comeBack()
	w.people[1].ok(wire.Command{Do: "sit", Seat: "B"})
	w.people[0].ok(wire.Command{Do: "start"})
	faults := rand.New(rand.NewPCG(w.rng.Uint64(), 1)) // asked by other goroutines than ours
	w.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault {
		switch faults.IntN(6) {
		case 0:
			return matchtest.Fault{Err: errors.New("the disk is full")}
		case 1:
			return matchtest.Fault{Err: errors.New("the answer was lost"), Kept: true}
		}
		return matchtest.Fault{}
	})
}

// comeBack opens a browser for everyone who has none.
func (w *faulty) comeBack() {
	for i, p := range w.people {
		if p == nil {
			w.people[i] = w.as(names[i], w.id)
		}
	}
}

func (w *faulty) step() {
	i := w.rng.IntN(2)
	switch p := w.people[i]; w.rng.IntN(12) {
	case 0:
		w.restart()
		w.people = [2]*person{}
	case 1:
		time.Sleep(time.Duration(w.rng.IntN(90)) * time.Second)
	case 2:
		if p != nil {
			p.client.Close()
			w.people[i] = nil
		}
	case 3:
		w.insist(i, wire.Command{Do: "leave"})
		w.insist(i, wire.Command{Do: "sit", Seat: "AB"[i : i+1]})
	case 4, 5:
		w.comeBack()
	default:
		time.Sleep(time.Second)
		w.play(i)
	}
}

func (w *faulty) play(i int) {
	p := w.people[i]
	if p == nil {
		return
	}
	if p.read(); len(p.frame.Moves) == 0 {
		return
	}
	move := p.frame.Moves[w.rng.IntN(len(p.frame.Moves))]
	if w.insist(i, wire.Command{Do: "play", Seat: p.frame.You.String(), Seq: p.frame.Seq, Move: move}) {
		w.acknowledged++
	}
}

// insist says a command until it is done, or refused for another reason than an injected fault; the server may be killed in
// between. Sometimes it is said again though it was done.
func (w *faulty) insist(i int, c wire.Command) (done bool) {
	w.commands++
	c.ID = fmt.Sprint("c", w.commands)
	for {
		w.comeBack()
		a := w.people[i].say(c)
		if a.OK || a.Error.Code != "storage" {
			done = a.OK
			break
		}
		if w.rng.IntN(3) == 0 {
			w.restart()
			w.people = [2]*person{}
		}
	}
	if done && w.rng.IntN(4) == 0 {
		w.people[i].say(c)
	}
	return done
}

// calm ends the game without faults and compares the record with what was acknowledged.
func (w *faulty) calm() {
	w.log.Fail(nil)
	w.comeBack()
	time.Sleep(time.Hour)
	w.people[0].mustBe("over", game.NoSeat)
	r, err := w.lobby.Record(w.t.Context(), w.id)
	if err != nil {
		w.t.Fatal(err)
	}
	var note struct{ ByBot, ByClock []int }
	if err := json.Unmarshal(r.Extra["table"], &note); err != nil {
		w.t.Fatal(err)
	}
	if n := len(r.Moves) - len(note.ByBot) - len(note.ByClock); len(r.Moves) != 9 || n != w.acknowledged {
		w.t.Errorf("%d moves of people were acknowledged, %d of %v are in the record: %+v", w.acknowledged, n, r.Moves, note)
	}
}

// A table whose log cannot be read any more does not hang out a sign that leads nowhere, and does not keep the house from closing in
// peace.
func TestATableThatCannotBeReadHasNoSign(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.Listed = true
		id := h.make(setup)
		ana := h.as("Ana", id)
		seq := ana.frame.Seq
		if err := h.log.Append(t.Context(), id, fact.Entry{Seq: seq + 1, At: time.Now(), Data: []byte(`{"kind":"wink","fact":{}}`)}); err != nil {
			t.Fatal(err)
		}
		ana.client.Do(wire.Command{ID: "1", Do: "leave", Table: id}) // the entry is found, and nobody understands it
		synctest.Wait()
		if _, err := h.lobby.Card(t.Context(), id); wire.AsError(err).Code != "storage" {
			t.Errorf("the table is read: %v", err)
		}
		time.Sleep(15 * time.Second) // in which the house tries to wake it
		if cards := h.lobby.Cards(); len(cards) != 0 {
			t.Errorf("its sign hangs there: %+v", cards)
		}
	})
}

// asleep is a log that answers no question before whoever asks gives up.
type asleep struct{ fact.Log }

func (asleep) Entries(ctx context.Context, _ wire.ID, _ int) ([]fact.Entry, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// A house that closes while it reads tells of no fault: there is none.
func TestAHouseThatClosesWhileItReads(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.make(toy(2))
		h.lobby.Close()
		log := slog.New(slog.NewTextHandler(&h.said, nil))
		opened, err := lobby.Open(t.Context(), lobby.Config{
			Log: asleep{h.log}, Shelf: h.shelf, Clock: matchtest.Clock{}, Rand: matchtest.Rand(7), Slog: log,
		})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		opened.Close()
		if strings.Contains(h.said.String(), "level=ERROR") {
			t.Errorf("the house says\n%s", &h.said)
		}
	})
}

// Another game has one table, though it could not be written at first, or not that there is one, or nobody knows whether it was; and though the house was opened again since.
func TestARematchThatCannotBeWritten(t *testing.T) {
	full, unheard := matchtest.Fault{Err: errors.New("the disk is full")}, matchtest.Fault{Err: errors.New("nobody answers"), Kept: true}
	for what, c := range map[string]struct {
		founding, restarts bool
		fault              matchtest.Fault
	}{
		"not founded":                        {founding: true, fault: full},
		"founded, not answered":              {founding: true, fault: unheard},
		"founded, not answered, and a start": {founding: true, fault: unheard, restarts: true},
		"not written":                        {fault: full},
		"not written, and a start":           {fault: full, restarts: true},
		"not answered":                       {fault: unheard},
	} {
		inHouse(t, func(t *testing.T, h *house) {
			id := h.make(toy(2, "first"))
			ana := h.as("Ana", id)
			ana.ok(wire.Command{Do: "start"})
			finish(ana)
			fails := true
			h.log.Fail(func(at wire.ID, _ fact.Entry) matchtest.Fault {
				if !fails || at == "" || (at != id) != c.founding {
					return matchtest.Fault{}
				}
				fails = false
				return c.fault
			})
			again := wire.Command{ID: "again", Do: "rematch"}
			if a := ana.say(again); a.OK != (c.fault.Kept && !c.founding) {
				t.Fatalf("%s: %+v", what, a)
			}
			if c.restarts {
				h.restart()
				ana = h.as("Ana", id)
			}
			ana.ok(again)
			_, all, err := h.lobby.Unfinished(t.Context(), 0, 10)
			if next := ana.nextTable(); all != 1 || err != nil || !h.there(next) {
				t.Errorf("%s: another game is at %s, and there are %d tables: %v", what, next, all, err)
			}
		})
	}
}

// A table that was written, and whose maker was told that it could not be, is one like others: it is closed when nobody has come for long.
func TestATableThatNobodyKnowsOfIsClosed(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		var id wire.ID
		h.log.Fail(func(at wire.ID, _ fact.Entry) matchtest.Fault {
			if id != "" || at == "" {
				return matchtest.Fault{}
			}
			id = at
			return matchtest.Fault{Err: errors.New("nobody answers"), Kept: true}
		})
		if _, err := h.lobby.Make(t.Context(), visitor("Ana"), toy(2)); err == nil {
			t.Fatal("she is told that there is a table")
		}
		for after, want := range []int{1, 2} {
			if entries, err := h.log.Entries(t.Context(), id, 0); err != nil || len(entries) != want || entries[want-1].Over != (after == 1) {
				t.Errorf("after %d hours there are %d entries, want %d: %v", after, len(entries), want, err)
			}
			time.Sleep(time.Hour + time.Minute)
		}
	})
}

// A table that is made is made, though it cannot be read at once.
func TestATableIsMadeThatCannotBeRead(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		h.log.Log = unreadableNow{h.log.Log, map[time.Duration]time.Duration{0: time.Minute}}
		h.open()
		id := h.make(toy(2))
		time.Sleep(2 * time.Minute)
		h.as("Ana", id).mustBe("open", game.NoSeat)
	})
}
