package lobby_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/table"
	"caveau/wire"
)

// What is told of a table that sleeps is told from its log: nobody wakes it, and it is what its owner would say.
func TestReadingIsNotOwning(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2)
		setup.AwayTime = 3600
		over, id := h.bots("", 2), h.make(setup)
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.play("keep")
		type all struct {
			Card   wire.Card
			Mine   wire.Mine
			Advice string
		}
		told := func() (is all) {
			var errs [3]error
			var ok bool
			is.Card, errs[0] = h.lobby.Card(t.Context(), id)
			is.Mine, ok, errs[1] = h.lobby.Mine(t.Context(), id, "id of Ben")
			is.Advice, errs[2] = h.lobby.Advice(t.Context(), id, "id of Ben")
			if errs != [3]error{} || !ok || is.Card.Seats[1].Name != "Ben" || is.Mine.You.String() != "B" {
				t.Errorf("of the table is told %+v, %v", is, errs)
			}
			return is
		}
		ana.client.Close()
		ben.client.Close()
		synctest.Wait()
		awake := told()
		h.counts(map[string]int{table.Running: 1, table.Over: 1})
		time.Sleep(2 * time.Minute)
		h.counts(map[string]int{lobby.Resting: 1})
		if asleep := told(); string(wire.Message(asleep)) != string(wire.Message(awake)) {
			t.Errorf("of the table that sleeps is told %+v, and of the one awake %+v", asleep, awake)
		}
		if r, err := h.lobby.Record(t.Context(), over); err != nil || len(r.Moves) == 0 {
			t.Errorf("the record of a game that is over: %v, %v", r, err)
		}
		if s := h.lobby.Sight(t.Context(), id); s.Err != nil || s.Awake || s.Guests[1] != "id of Ben" {
			t.Errorf("whoever runs the house sees %+v", s)
		}
		h.counts(map[string]int{lobby.Resting: 1})
	})
}

// Rules that go round in circles cost one processor where a table is read too, however many ask; and where they break, whoever asks is told.
func TestATableThatHangsWhileItIsRead(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.bots("", 2)
		time.Sleep(2 * time.Minute)
		var read atomic.Int64
		look := func(*table.Table, wire.Card) { read.Add(1); time.Sleep(10 * time.Minute) }
		go h.lobby.Read(t.Context(), id, look)
		time.Sleep(30 * time.Second)
		for range 5 {
			before := time.Now()
			if err := h.lobby.Read(t.Context(), id, look); wire.AsError(err).Code != "busy" || time.Since(before) > 0 || read.Load() != 1 {
				t.Errorf("whoever asks is told %v after %v, and %d read", err, time.Since(before), read.Load())
			}
		}
		time.Sleep(10 * time.Minute)
		if _, err := h.lobby.Record(t.Context(), id); err != nil || read.Load() != 1 {
			t.Errorf("when the rules have come back the record is %v; %d have read", err, read.Load())
		}
		if err := h.lobby.Read(t.Context(), id, func(*table.Table, wire.Card) { panic("a bug") }); wire.AsError(err).Code != "storage" {
			t.Errorf("rules that break: %v", err)
		}
		if _, err := h.lobby.Record(t.Context(), id); err != nil || strings.Count(h.said.String(), "a table broke") != 1 || !strings.Contains(h.said.String(), " read_test.go:") || strings.Contains(h.said.String(), "a bug") {
			t.Errorf("after that the record is %v; the house says\n%s", err, &h.said)
		}
	})
}

// replays counts how often a table is read from its first entry.
type replays struct {
	fact.Log
	n atomic.Int64
}

func (r *replays) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	if after == 0 {
		r.n.Add(1)
	}
	return r.Log.Entries(ctx, id, after)
}

// Who asks again within a minute has the table replayed no more, and is told what is true at that moment: it was written elsewhere, somebody is called otherwise,
// it was deleted, or made anew. So many tables are remembered, and no more.
func TestATableThatWasReadIsRemembered(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		log := &replays{Log: h.log.Log}
		h.log.Log = log
		h.open()
		setup := toy(2)
		setup.AwayTime = 3600
		id, kept := h.make(setup), h.keepFor("Ana", ofDevice())
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.client.Close()
		ben.client.Close()
		time.Sleep(2 * time.Minute)
		read := func(id wire.ID, replays int64) (c wire.Card) {
			t.Helper()
			before := log.n.Load()
			c, err := h.lobby.Card(t.Context(), id)
			if n := log.n.Load() - before; err != nil || n != replays {
				t.Errorf("the table is replayed %d times, not %d (%v)", n, replays, err)
			}
			return c
		}
		read(id, 1)
		for range 3 {
			time.Sleep(59 * time.Second)
			read(id, 0)
		}
		time.Sleep(61 * time.Second)
		read(id, 1)
		if err := h.log.Name(t.Context(), "id of Ben", "Zoe"); err != nil { // as another node does
			t.Fatal(err)
		}
		if c := read(id, 0); c.State != table.Running || c.Seats[1].Name != "Zoe" {
			t.Errorf("of the table is told %+v", c)
		}
		there, err := lobby.Open(t.Context(), lobby.Config{Log: h.log.Log, Shelf: h.shelf, Clock: matchtest.Clock{}, Rand: matchtest.Rand(9), Slog: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		if err := there.CloseTable(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		there.Close()
		if c := read(id, 0); c.State != table.Over {
			t.Errorf("it was closed elsewhere, and is %s", c.State)
		}
		if err := h.log.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if _, err := h.lobby.Card(t.Context(), id); wire.AsError(err).Code != "no_table" {
			t.Errorf("it was deleted: %v", err)
		}
		was, err := h.lobby.Card(t.Context(), kept)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if err := h.lobby.Drop(t.Context(), kept, guest("Ana").ID); err != nil {
			t.Fatal(err)
		}
		h.keepFor("Ana", ofDevice())
		if is, err := h.lobby.Card(t.Context(), kept); err != nil || !is.Made.After(was.Made) {
			t.Errorf("a game that is kept again was made at %s, and before that at %s (%v)", is.Made, was.Made, err)
		}
		many := make([]wire.ID, lobby.MostLinger+2)
		for i := range many {
			many[i] = h.make(toy(2))
			if err := h.lobby.CloseTable(t.Context(), many[i]); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(2 * time.Minute)
		for _, id := range many {
			read(id, 1)
		}
		for i, id := range many {
			read(id, int64(i/lobby.MostLinger))
		}
	})
}
