package lobby_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"caveau/lobby"
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
		if _, err := h.lobby.Record(t.Context(), id); err != nil || strings.Count(h.said.String(), "a table broke") != 1 {
			t.Errorf("after that the record is %v; the house says\n%s", err, &h.said)
		}
	})
}
