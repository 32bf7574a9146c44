package lobby_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"caveau/fact"
	"caveau/game"
	"caveau/match/matchtest"
	"caveau/wire"
)

// ruled checks what whoever runs the house is answered; "": it is done.
func (h *house) ruled(err error, code string) {
	h.t.Helper()
	if (err == nil) != (code == "") || err != nil && wire.AsError(err).Code != code {
		h.t.Errorf("he is answered %v, not %q", err, code)
	}
}

// A game that whoever runs the house closes is over for everybody, nobody wins, and its record says why. The table is gone for whoever
// comes later, after a restart too, and there is no rematch.
func TestAGameIsClosed(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, _ := h.playing()
		eve := h.as("Eve", ana.table)
		ana.play("keep")
		ana.ok(wire.Command{Do: "break"})
		h.ruled(h.lobby.CloseTable(t.Context(), ana.table), "")
		for _, p := range []*person{ana, ben, eve} {
			p.mustBe("over", game.NoSeat)
			p.mustHear("rule-closed", 1)
			if o := p.frame.Outcome; o.Why != "closed" || len(o.Winners) > 0 || p.frame.Proposal != nil {
				t.Errorf("%s sees %+v, and is asked %+v", p.name, o, p.frame.Proposal)
			}
		}
		for range 2 {
			rec, err := h.lobby.Record(t.Context(), ana.table)
			if note := string(rec.Extra["table"]); err != nil || !strings.Contains(note, `"why":"closed"`) || len(rec.Moves) != 1 {
				t.Errorf("its record has %d moves and says %s (%v)", len(rec.Moves), note, err)
			}
			h.verified(ana.table)
			ben.refused("gone", wire.Command{Do: "rematch"})
			ana.refused("gone", wire.Command{Do: "watch"})
			ana.refused("gone", wire.Command{Do: "sit", Seat: "A"})
			h.ruled(h.lobby.CloseTable(t.Context(), ana.table), "")
			h.ruled(h.lobby.TurnOut(t.Context(), ana.table, "id of Ben"), "over")
			h.ruled(h.lobby.Unlist(t.Context(), ana.table), "over")
			h.restart()
			ana, ben = h.unwatching("Ana", ana.table), h.unwatching("Ben", ana.table)
		}
		entries, err := h.log.Entries(t.Context(), ana.table, 0)
		if err != nil {
			t.Fatal(err)
		}
		last := entries[len(entries)-1]
		if _, _, end, err := fact.Read(last.Data); err != nil || !last.Over || end == nil || end.Why != "closed" {
			t.Errorf("the log says at its end %+v (%v)", end, err)
		}
		if differs, _, done := h.checked(); len(differs) > 0 || !done {
			t.Errorf("replayed, it differs: %v", differs)
		}
	})
}

// unwatching is somebody who does not look at the table.
func (h *house) unwatching(name string, id wire.ID) *person {
	return &person{t: h.t, name: name, client: h.lobby.Connect(visitor(name), func() {}), table: id}
}

// A table that has not begun is closed before the eyes of those who wait there, and gives its place back.
func TestAnOpenTableIsClosed(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, ana, ben, _ := h.sitting() // the numbers are being opened
		h.ruled(h.lobby.TurnOut(t.Context(), id, "id of Ben"), "busy")
		h.ruled(h.lobby.CloseTable(t.Context(), id), "")
		for _, p := range []*person{ana, ben} {
			p.mustBe("over", game.NoSeat)
			p.mustHear("rule-closed", 1)
			if p.frame.Outcome.Why != "closed" {
				t.Errorf("%s sees %+v", p.name, p.frame.Outcome)
			}
		}
		if _, all, err := h.lobby.Unfinished(t.Context(), 0, 10); all != 0 || err != nil {
			t.Errorf("%d tables are not over (%v)", all, err)
		}
		h.ruled(h.lobby.CloseTable(t.Context(), "nowhere"), "no_table")
	})
}

// Whoever is turned out of a game has a bot that plays for him, and comes back if the others agree; before the start his seat is empty.
func TestAGuestIsTurnedOut(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ana, ben, cleo := h.playing()
		for range 3 { // the answer may be lost
			h.ruled(h.lobby.TurnOut(t.Context(), ana.table, "id of Ben"), "")
		}
		ben.mustHear("rule-free", 1)
		if seat := ben.frame.Seats[1]; !seat.Standin || seat.Name != "Ben" {
			t.Errorf("Ben sees his seat as %+v", seat)
		}
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		if ben.read(); ben.frame.Proposal == nil || !ben.frame.Seats[1].Standin {
			t.Error("Ben came back without being asked for")
		}
		agree(ana, cleo)
		if ben.read(); ben.frame.Seats[1].Standin {
			t.Error("all have agreed, and Ben is not back")
		}
		h.ruled(h.lobby.TurnOut(t.Context(), ana.table, "id of Eve"), "no_seat")

		open := h.make(toy(2))
		ben = h.as("Ben", open)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ben.seals()
		h.ruled(h.lobby.TurnOut(t.Context(), open, "id of Ben"), "")
		ben.mustHear("rule-free", 1)
		if seat := ben.frame.Seats[1]; seat.Name != "" || ben.frame.You != game.NoSeat || len(ben.frame.Seal.Numbers) > 0 {
			t.Errorf("Ben sees his seat as %+v, and there are the numbers %+v", seat, ben.frame.Seal.Numbers)
		}
	})
}

// A table that is taken from the list is nowhere in the lobby, after a restart too, and goes on; so does its rematch.
func TestATableIsTakenFromTheList(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		setup := toy(2, "first")
		setup.Listed = true
		ana := h.as("Ana", h.make(setup))
		max := h.unwatching("Max", "")
		max.ok(wire.Command{Do: "lobby"})
		if len(max.lobby) != 1 {
			t.Fatalf("Max sees %+v", max.lobby)
		}
		for range 2 {
			h.ruled(h.lobby.Unlist(t.Context(), ana.table), "")
			if list := h.lobby.Cards(); len(list) != 0 {
				t.Errorf("it is listed: %+v", list)
			}
		}
		ana.mustHear("rule-unlist", 1)
		ana.ok(wire.Command{Do: "start"})
		finish(ana)
		h.restart()
		ana = h.as("Ana", ana.table)
		ana.ok(wire.Command{Do: "rematch"})
		if list := h.lobby.Cards(); len(list) != 0 || ana.frame.Setup.Listed {
			t.Errorf("the rematch is listed: %+v", list)
		}
	})
}

// What he is told is done is written, and what is written he is told is done, though the log's answer was lost.
func TestARulingIsWritten(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		for _, kept := range []bool{false, true} {
			ana := h.as("Ana", h.make(toy(2)))
			h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault {
				return matchtest.Fault{Err: errors.New("the disk is full"), Kept: kept}
			})
			want := "storage"
			if kept {
				want = ""
			}
			h.ruled(h.lobby.CloseTable(t.Context(), ana.table), want)
			h.log.Fail(nil)
			ana.read()
			if over := ana.frame.State == "over"; over != kept {
				t.Errorf("it was kept: %t, and Ana sees the table as %s", kept, ana.frame.State)
			}
		}
	})
}

// He sees every table that is not over, listed or not, page by page, with the guests that its sign names; and nothing of what is over.
func TestAllTablesAreSeen(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		var made []wire.ID
		for range 5 {
			made = append(made, h.make(toy(2, "first")))
		}
		over := h.as("Ana", made[0])
		over.ok(wire.Command{Do: "start"})
		finish(over)
		h.restart()
		var seen []wire.ID
		for from := 0; from < 6; from += 2 {
			page, all, err := h.lobby.Unfinished(t.Context(), from, 2)
			if err != nil || all != 4 {
				t.Fatalf("there are %d (%v)", all, err)
			}
			for _, s := range page {
				if s.Err != nil || s.Host != "Ana" || s.HostID != "id of Ana" || !slices.Equal(s.Guests, []string{"id of Ana", ""}) || s.State != "open" {
					t.Errorf("he sees %+v", s)
				}
				seen = append(seen, s.Table)
			}
		}
		slices.Sort(seen)
		slices.Sort(made[1:])
		if !slices.Equal(seen, made[1:]) {
			t.Errorf("he sees %v, not %v", seen, made[1:])
		}
	})
}
