package lobby_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/game"
	"caveau/match/matchtest"
	"caveau/record"
	"caveau/wire"
)

// ofDevice is the record of a toy for two that was played on a device; with these moves A wins.
func ofDevice(moves ...string) json.RawMessage {
	if moves == nil {
		moves = []string{"A show", "B keep", "A keep", "B keep", "A keep", "B keep"}
	}
	return bytes.Replace(recordOf(50, 60, moves...), []byte(`"aid": "all"`), []byte(`"aid": "all", "device": true`), 1)
}

// anywhere there is room for any table.
func anywhere(wire.ID) error { return nil }

// keep has a game kept for somebody.
func (h *house) keepFor(name string, rec []byte) wire.ID {
	h.t.Helper()
	id, err := h.lobby.Keep(h.t.Context(), guest(name), rec, anywhere)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

// A game that was played on a device is kept as what it is, once however often it is said, over a restart too. Its keeper finds it among his
// own, and nobody else does; who sat around the device is known by what the record calls them.
func TestAGameOfADeviceIsKept(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.keepFor("Ana", ofDevice())
		time.Sleep(time.Hour)
		if again := h.keepFor("Ana", ofDevice()); again != id {
			t.Errorf("it is kept as %s and as %s", id, again)
		}
		if bens := h.keepFor("Ben", ofDevice()); bens == id {
			t.Error("Ben's is Ana's")
		}
		h.restart()
		p, mine, err := h.lobby.Played(t.Context(), id, guest("Ana").ID)
		if err != nil || !mine || !p.Device || p.You != game.Watcher || p.Host != "" || len(p.Outcome.Winners) != 1 || p.Outcome.Winners[0] != seatA || p.Outcome.Why != "" {
			t.Errorf("Ana finds %+v (%v, %v)", p, mine, err)
		}
		if p.Seats[0].Name != "Xaver" || p.Seats[1].Name != "Yvonne" {
			t.Errorf("it was played by %+v", p.Seats)
		}
		for _, other := range []string{"Ben", "Xaver"} {
			if _, his, err := h.lobby.Played(t.Context(), id, guest(other).ID); his || err != nil {
				t.Errorf("it is a game of %s's (%v)", other, err)
			}
		}
		if s := h.lobby.Sight(t.Context(), id); s.Err != nil || s.HostID != "" || s.Guests[0] != "" || s.Guests[1] != "" {
			t.Errorf("whoever runs the house could take %+v for guests", s)
		}
		eve := h.as("Eve", id)
		eve.mustBe("over", game.NoSeat)
		if f := eve.frame; !f.Setup.Device || f.Host != "" {
			t.Errorf("she is shown %+v", f)
		}
		eve.refused("over", wire.Command{Do: "sit", Seat: "A"})
		eve.refused("not_your_seat", wire.Command{Do: "rematch"})
		var want bytes.Buffer
		if err := json.Compact(&want, ofDevice()); err != nil {
			t.Fatal(err)
		}
		if rec, _ := record.Read(want.Bytes()); !bytes.Equal(h.written(id), must(json.Marshal(rec))) {
			t.Errorf("its record is\n%s", h.written(id))
		}
		if len(h.lobby.Cards()) != 0 {
			t.Error("it is listed")
		}
	})
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// A name that a house would not show is not shown; the game is kept all the same.
func TestUnfitNamesOfADevice(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		long := strings.Repeat("x", 30)
		id := h.keepFor("Ana", bytes.Replace(ofDevice(), []byte("Xaver"), []byte(long), 1))
		if p, _, err := h.lobby.Played(t.Context(), id, guest("Ana").ID); err != nil || p.Seats[0].Name != "" || !p.Seats[0].Nameless || p.Seats[1].Name != "Yvonne" {
			t.Errorf("%+v sat there (%v)", p.Seats, err)
		}
	})
}

// What is no record of a whole game of a device is refused, and nothing is kept.
func TestWhatIsNotKept(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		replaced := func(old, new string) []byte { return bytes.Replace(ofDevice(), []byte(old), []byte(new), 1) }
		for fault, rec := range map[string][]byte{
			"JSON":                     []byte(`{`),
			"is a JSON object":         []byte(`null`),
			"played on a device":       recordOf(50, 60, "A show", "B keep", "A keep", "B keep", "A keep", "B keep"),
			"cannot be made":           replaced(`"toy"`, `"chess"`),
			"the deal is not accepted": replaced(`[50, 60]`, `[50]`),
			"move 3":                   ofDevice("A show", "B keep", "A show"),
			"is not over":              ofDevice("A show", "B keep"),
			"did not end as":           replaced(`"device": true`, `"device": true, "why": "broken"`),
			"aid":                      replaced(`"all"`, `"notes"`),
			"proof":                    replaced(`"notes"`, `"proof": {}, "notes"`),
			"table: json: cannot":      replaced(`"device": true`, `"device": 1`),
		} {
			_, err := h.lobby.Keep(t.Context(), guest("Ana"), rec, anywhere)
			if told := wire.AsError(err); err == nil || told.Code != "bad_command" || !strings.Contains(told.Message, fault) {
				t.Errorf("%s: %v", fault, err)
			}
		}
		if all, err := h.log.Finished(t.Context(), time.Now().Add(time.Hour)); len(all) != 0 || err != nil {
			t.Errorf("kept are %v (%v)", all, err)
		}
	})
}

// A game that was broken off is kept as that.
func TestABrokenGameOfADevice(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.keepFor("Ana", bytes.Replace(ofDevice("A show"), []byte(`"device": true`), []byte(`"device": true, "why": "broken"`), 1))
		if p, mine, err := h.lobby.Played(t.Context(), id, guest("Ana").ID); err != nil || !mine || p.Outcome.Why != "broken" || len(p.Outcome.Winners) != 0 {
			t.Errorf("Ana finds %+v (%v)", p, err)
		}
		h.lobby.CheckArchive(func() {})
		synctest.Wait()
		if strings.Contains(h.said.String(), "go another way") {
			t.Errorf("of the archive the house says\n%s", &h.said)
		}
	})
}

// Its keeper deletes it, for everybody; nobody else does, and nothing else is deleted so. He may have it kept again.
func TestAKeptGameIsDropped(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, other := h.keepFor("Ana", ofDevice()), h.bots("", 2)
		cut := false
		eve := &person{t: t, name: "Eve", client: h.lobby.Connect(visitor("Eve"), func() { cut = true }), table: id}
		eve.ok(wire.Command{Do: "watch"})
		for who, table := range map[string]wire.ID{"Ben": id, "Ana": other} {
			if err := h.lobby.Drop(t.Context(), table, guest(who).ID); err != nil || !h.there(table) {
				t.Errorf("%s has deleted it (%v)", who, err)
			}
		}
		if err := h.log.Delete(t.Context(), id); err != nil { // and the answer was lost
			t.Fatal(err)
		}
		for range 2 {
			if err := h.lobby.Drop(t.Context(), id, guest("Ana").ID); err != nil || h.there(id) {
				t.Errorf("it is there (%v)", err)
			}
		}
		synctest.Wait()
		if !cut {
			t.Error("who looks at it goes on looking")
		}
		if strings.Contains(h.said.String(), "level=WARN") {
			t.Errorf("that is nothing to worry about, and the house says\n%s", &h.said)
		}
		eve = &person{t: t, name: "Eve", client: h.lobby.Connect(visitor("Eve"), func() {}), table: id}
		eve.refused("no_table", wire.Command{Do: "watch"})
		h.keepFor("Ana", ofDevice())
		synctest.Wait()
		if !h.there(id) {
			t.Error("it is not there again")
		}
	})
}

// A game that somebody looks at by another node is deleted by that. Whose log cannot be read is told so in the words of the protocol, by whichever node; and
// whom nobody answers, that he may try again.
func TestAKeptGameIsLookedAtElsewhere(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.keepFor("Ana", ofDevice())
		eve := there.as("Eve", id)
		drops := func(code string) {
			t.Helper()
			err, is := here.lobby.Drop(t.Context(), id, guest("Ana").ID).(*wire.Error)
			if !is || err.Code != code || !here.there(id) {
				t.Errorf("want %s: %+v", code, err)
			}
		}
		n.sides[0].mute.Store(true)
		drops("busy")
		n.sides[0].mute.Store(false)
		if strings.Contains(n.said.String(), "deleted") {
			t.Errorf("of what somebody may try again the house says\n%s", &n.said)
		}
		for _, side := range n.sides {
			side.blind.Store(true)
			drops("storage")
			side.blind.Store(false)
		}
		if strings.Count(n.said.String(), "cannot be kept or deleted") != len(n.sides) {
			t.Errorf("the house says\n%s", &n.said)
		}
		if err := here.lobby.Drop(t.Context(), id, guest("Ben").ID); err != nil || !here.there(id) {
			t.Errorf("Ben has deleted it (%v)", err)
		}
		for range 2 {
			if err := here.lobby.Drop(t.Context(), id, guest("Ana").ID); err != nil || here.there(id) {
				t.Errorf("it is there: %v", err)
			}
		}
		synctest.Wait()
		if _, cut := eve.client.Take(nil); !cut {
			t.Error("Eve looks at a game that is not there")
		}
	})
}

// The record is to be had though the rules of today would have it otherwise.
func TestAKeptGameByOtherRules(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		rec := bytes.Replace(ofDevice("A peek", "B keep", "A peek", "B keep", "A keep", "B keep"), []byte("\n"), nil, -1)
		id := h.keepFor("Ana", rec)
		h.shelf = matchtest.Shelf{Revised: true}
		h.restart()
		if got, err := h.lobby.Record(t.Context(), id); err != nil || len(got.Moves) != 6 {
			t.Errorf("the record is %+v (%v)", got, err)
		}
	})
}
