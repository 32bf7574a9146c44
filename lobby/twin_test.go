package lobby_test

import (
	"bytes"
	"caveau/lobby"
	"caveau/wire"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"caveau/match/matchtest"
	"caveau/store/storetest"
)

// Twin worlds: two games that differ in Ben's number alone, which nobody else has seen. Whatever Ana and a watcher are told
// is the same to the byte, refusals, presence and log included; so is what stands in the server's own log.
func TestTwinWorlds(t *testing.T) {
	one, two := world(t, "11"), world(t, "99")
	for name, told := range one {
		if !slices.EqualFunc(told, two[name], bytes.Equal) {
			t.Errorf("%s is told\n%s\nor\n%s", name, bytes.Join(told, []byte("\n")), bytes.Join(two[name], []byte("\n")))
		}
		if len(told) == 0 && name != "slog" {
			t.Errorf("%s is told nothing", name)
		}
	}
}

// world is a game in which Ben has that number: everything that everyone else was told.
func world(t *testing.T, number string) map[string][][]byte {
	told := make(map[string][][]byte)
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3, "remembering:keen"))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		synctest.Wait()
		h.lobby.Close()

		// The deal is in the log, and nowhere else.
		entries, err := h.log.Entries(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		h.log = &matchtest.Flaky{Log: storetest.Memory()}
		numbers := regexp.MustCompile(`"numbers":\[\d+,\d+,`)
		for _, e := range entries {
			e.Data = numbers.ReplaceAll(e.Data, fmt.Appendf(nil, `"numbers":[50,%s,`, number))
			if err := h.log.Append(t.Context(), id, e); err != nil {
				t.Fatal(err)
			}
		}
		var said bytes.Buffer
		opened, err := lobby.Open(t.Context(), lobby.Config{
			Log: h.log, Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(1), Slog: slog.New(slog.NewTextHandler(&said, nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		h.lobby = opened
		ana, ben = h.as("Ana", id), h.as("Ben", id)
		eve := h.as("Eve", id)
		listeners := map[string]*lobby.Session{}
		for _, p := range []*person{ana, eve} {
			listeners[p.name] = h.lobby.Connect(p.client.Who(), func() {})
			listeners[p.name].Do(wire.Command{ID: "1", Do: "watch", Table: id, Seq: 1})
		}
		ana.refused("not_a_move", wire.Command{Do: "play", Seat: "A", Seq: ana.frame.Seq, Move: "fly"})
		for range 2 {
			ana.play("keep")
			ben.read()
			ben.play("keep")
			time.Sleep(time.Second)
		}
		ben.client.Close()
		time.Sleep(time.Minute)
		for name, c := range listeners {
			messages, _ := c.Take(nil)
			for _, m := range messages {
				told[name] = append(told[name], m.Text)
			}
		}
		told["slog"] = [][]byte{said.Bytes()}
	})
	return told
}
