package lobby_test

import (
	"caveau/fact"
	"caveau/terms"
	"caveau/wire"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/game"
	"caveau/match/matchtest"
	"caveau/store/storetest"
)

// played is a table of two at which these moves were said, by A and B in turn; "break" breaks it off.
func (h *house) played(moves ...string) wire.ID {
	h.t.Helper()
	id := h.make(toy(2))
	ana, ben := h.as("Ana", id), h.as("Ben", id)
	ben.ok(wire.Command{Do: "sit", Seat: "B"})
	ana.ok(wire.Command{Do: "start"})
	for i, move := range moves {
		who := []*person{ana, ben}[i%2]
		if move == "break" {
			breakOff(ana, ben)
		} else if a := who.play(move); !a.OK {
			h.t.Fatalf("%s: %+v", move, a)
		}
	}
	ana.client.Close()
	ben.client.Close()
	return id
}

// checked is what the server's log says when the archive is replayed: of each table that would differ what, and the last line.
func (h *house) checked() (differs map[wire.ID]string, last string, done bool) {
	h.t.Helper()
	synctest.Wait()
	h.said.Reset()
	h.lobby.CheckArchive(func() { done = true })
	time.Sleep(time.Minute)
	synctest.Wait()
	differs = make(map[wire.ID]string)
	lines := strings.Split(strings.TrimSpace(h.said.String()), "\n")
	for _, line := range lines[:len(lines)-1] {
		words := regexp.MustCompile(`level=WARN msg="a finished game would go another way" table=(\S+) what="(.*)" (revision=\d)$`).FindStringSubmatch(line)
		if words == nil {
			h.t.Errorf("the server says %s", line)
			continue
		}
		differs[wire.ID(words[1])] = words[2] + ", " + words[3]
	}
	_, last, _ = strings.Cut(lines[len(lines)-1], "msg=")
	return differs, last, done
}

// bots is a game of so many bots that always keep, in that edition, which ends while nobody looks.
func (h *house) bots(edition string, seats int) wire.ID {
	h.t.Helper()
	setup := toy(seats, slices.Repeat([]string{"first"}, seats)...)
	setup.Edition = edition
	return h.ended(setup)
}

// ended is a game of bots alone.
func (h *house) ended(setup terms.Setup) wire.ID {
	h.t.Helper()
	setup.Sit = false
	id := h.make(setup)
	ana := h.as("Ana", id)
	ana.ok(wire.Command{Do: "start"})
	ana.client.Close()
	return id
}

// After an upgrade the finished games are replayed, and each that would go another way is named, with what would differ and
// nothing that was hidden. By the rules that they were played by, none is.
func TestTheArchiveIsReplayed(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		shown, longer := h.played("show", "show", "keep", "keep", "keep", "keep"), h.bots("", 4)
		closed := h.make(toy(2))
		won := h.as("Eve", shown).frame.Outcome.Winners
		want := map[wire.ID]string{
			h.played("show", "keep", "keep", "keep", "keep", "keep"): "",
			shown:  "the winners would be [",
			longer: "it would not be over, revision=1",
			h.played("peek", "keep", "keep", "keep", "keep", "keep"): "the final position would be another, revision=1",
			h.played("peek", "break"):                                "the final position would be another, revision=1",
			h.played("peek", "keep", "keep", "keep", "peek", "keep"): "move 5: not allowed: peeked_already (3), revision=1",
			h.played("show", "keep", "keep", "keep", "peek", "keep"): "the rules break down after move 4, revision=1",
			h.bots("", 3):        "the deal is not accepted, revision=1",
			h.bots("endless", 2): "",
			h.ended(from(recordOf(50, 60, "A peek", "B keep", "A peek", "B keep", "A keep"), 5, "first", "first")): "move 3: not allowed: peeked_already (3), revision=1",
			closed: "", // nobody comes, and it is closed
		}
		time.Sleep(2 * time.Hour)
		running := map[wire.ID]string{
			h.played("peek", "keep", "peek"): `"a table cannot be replayed"`,
			h.played("show", "keep", "peek"): `"a table broke"`,
		}
		if differs, last, done := h.checked(); len(differs) > 0 || last != `"archive replayed" games=10 differ=0` || !done {
			t.Errorf("by the same rules: %v; %s, %v", differs, last, done)
		}
		before := make(map[wire.ID][]byte)
		for id := range want {
			if id != closed {
				before[id] = h.written(id)
			}
		}

		h.shelf.Revised = true
		h.restart()
		for id, text := range before {
			if now := h.written(id); string(now) != string(text) {
				t.Errorf("after the upgrade the record is another:\n%s\n%s", text, now)
			}
		}
		time.Sleep(time.Minute) // those that cannot be woken are tried a few times
		synctest.Wait()
		for id, words := range running {
			if _, err := h.lobby.Record(t.Context(), id); err == nil {
				t.Error("a game that runs has a record")
			}
			eve := &person{t: t, name: "Eve", client: h.lobby.Connect(visitor("Eve"), func() {})}
			h.said.Reset()
			eve.refused("storage", wire.Command{Do: "watch", Table: id})
			if said := h.said.String(); !strings.Contains(said, "msg="+words+" table="+string(id)) {
				t.Errorf("of a game that runs is said %s", said)
			}
		}
		h.as("Ana", h.make(toy(2, "first"))).ok(wire.Command{Do: "start"})         // the house is open all the same
		for id, winners := range map[wire.ID][]game.Seat{longer: {}, shown: won} { // what is over stays over, as it ended
			eve := h.as("Eve", id)
			if o := eve.frame.Outcome; !o.Over || !slices.Equal(o.Winners, winners) {
				t.Errorf("after the upgrade the outcome is %+v, not %v", o, winners)
			}
			time.Sleep(10 * time.Minute)
			eve.mustBe("over", game.NoSeat)
		}
		differs, last, done := h.checked()
		if last != `"archive replayed" games=10 differ=8` || !done {
			t.Errorf("%s, %v", last, done)
		}
		for id, words := range want {
			if !strings.Contains(differs[id], words) || (words == "") != (differs[id] == "") {
				t.Errorf("of a game is said that it differs: %q, not %q", differs[id], words)
			}
		}
	})
}

// Of a game that was played before the log kept endings, only its moves can be told to differ, and that it is over.
func TestOldGamesAreReplayedAsFarAsIsKnown(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		want := map[wire.ID]string{
			h.played("show", "show", "keep", "keep", "keep", "keep"): "",
			h.played("peek", "keep", "peek", "keep", "keep", "keep"): "entry 6: move 3: not allowed: peeked_already (3), revision=0",
			h.bots("", 4): "it would not be over, revision=0",
		}
		synctest.Wait()
		h.lobby.Close()
		old := storetest.Memory()
		for id := range want {
			entries, err := h.log.Entries(t.Context(), id, 0)
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range entries {
				data := regexp.MustCompile(`,"end":\{.*\}\}$`).ReplaceAll(e.Data, []byte("}"))
				if (len(data) < len(e.Data)) != (i == len(entries)-1) {
					t.Errorf("entry %d of %d is %s", i+1, len(entries), e.Data)
				}
				e.Data = data
				if err := old.Append(t.Context(), id, e); err != nil {
					t.Fatal(err)
				}
			}
		}
		h.log, h.shelf.Revised = &matchtest.Flaky{Log: old}, true
		h.open()
		if differs, last, _ := h.checked(); len(differs) != 2 || last != `"archive replayed" games=3 differ=2` {
			t.Errorf("%v; %s", differs, last)
		} else {
			for id, words := range want {
				if differs[id] != words {
					t.Errorf("of a game is said that it differs: %q, not %q", differs[id], words)
				}
			}
		}
	})
}

// unreadable is a log in which one match cannot be read, or once cannot.
type unreadable struct {
	fact.Log
	id   wire.ID
	once bool
}

func (u *unreadable) Entries(ctx context.Context, id wire.ID, after int) ([]fact.Entry, error) {
	if id == u.id {
		if u.once {
			u.id = ""
		}
		return nil, errors.New("the disk is broken there")
	}
	return u.Log.Entries(ctx, id, after)
}

// Of a table that is not there, and cannot be read at first, there is no record.
func TestNoRecordOfWhatIsNotThere(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		h.log.Log = &unreadable{Log: h.log.Log, id: "nothing", once: true}
		h.open()
		if _, err := h.lobby.Record(t.Context(), "nothing"); wire.AsError(err).Code != wire.CodeStorage {
			t.Errorf("it is answered %v", err)
		}
	})
}

// A replay that was interrupted, or could not read everything, is not done: the next start begins it anew.
func TestAnArchiveThatWasNotReadIsReplayedAgain(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.played("show", "keep", "keep", "keep", "keep", "keep")
		broken := h.played("keep", "keep", "keep", "keep", "keep", "keep")
		synctest.Wait()
		h.lobby.CheckArchive(func() { t.Error("it is done at once") })
		h.lobby.Close()
		h.lobby.CheckArchive(func() { t.Error("it is done although the house is closed") })
		h.log.Log = &unreadable{Log: h.log.Log, id: broken}
		h.said.Reset()
		h.open()
		h.lobby.CheckArchive(func() { t.Error("it is done although a game was not read") })
		time.Sleep(time.Minute)
		synctest.Wait()
		if said := h.said.String(); !strings.Contains(said, "games=1 differ=0") || !strings.Contains(said, "a table cannot be read") {
			t.Errorf("the server says %s", said)
		}
	})
}
