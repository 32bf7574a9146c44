package lobby_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/terms"
	"caveau/wire"
)

// called is a browser of the guest with that id, whose cookie says that name.
func (h *house) called(id, name string, table wire.ID) *person {
	h.t.Helper()
	p := &person{t: h.t, name: id, client: h.lobby.Connect(lobby.Visitor{Guest: wire.Guest{ID: id, Name: name}}, func() {}), table: table}
	p.ok(wire.Command{Do: "watch"})
	return p
}

func (h *house) rename(id, name string) {
	h.t.Helper()
	if err := h.lobby.Rename(h.t.Context(), wire.Guest{ID: id, Name: name}); err != nil {
		h.t.Fatal(err)
	}
	time.Sleep(time.Second) // changes are told soon, many at once
}

// mustName checks what the people on the seats are called, "" of whoever has no name, in frames, on the door sign and in the list of tables if it hangs there.
func (h *house) mustName(p *person, want ...string) {
	h.t.Helper()
	p.read()
	for i, name := range want {
		if c := p.frame.Seats[i]; c.Name != name || c.Nameless != (name == "" && c.Bot == "") {
			h.t.Errorf("seat %s is %+v, want %q", game.Seat(i), c, name)
		}
	}
	for _, c := range h.lobby.Cards() {
		h.mustSay(c, want)
	}
	card, err := h.lobby.Card(h.t.Context(), p.table)
	if err != nil {
		h.t.Fatal(err)
	}
	h.mustSay(card, want)
}

func (h *house) mustSay(card wire.Card, want []string) {
	h.t.Helper()
	for i, name := range want {
		if s := card.Seats[i]; s.Name != name || s.Nameless != (name == "" && s.Bot == "") || i == 0 && card.Host != name {
			h.t.Errorf("the door sign says %+v, want %q", card, want)
		}
	}
}

// named are the names in the log that a browser was told last: of whom it says what.
func (p *person) named() (list []string) {
	p.read()
	for _, f := range slices.Backward(p.frames) {
		if f.Log != nil {
			for _, e := range f.Log {
				if e.What != "" {
					list = append(list, e.Verb+" "+e.What)
				}
			}
			return list
		}
	}
	return nil
}

// listed is a table in the lobby, at which people may be gone for an hour.
func listed() terms.Setup {
	s := toy(2)
	s.Listed, s.AwayTime = true, 3600
	return s
}

// Whoever takes another name is called by it everywhere at once, wherever he is himself: in frames and their log, on door signs, at
// tables that nobody is at; after a restart, and in the record when it is written out. It is no entry, and makes no move late.
func TestAnotherName(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.rename("a", "Ana") // as POST /api/guest does
		h.rename("b", "Ben")
		h.rename("stranger", "Eve")
		id, err := h.lobby.Make(t.Context(), lobby.Visitor{Guest: wire.Guest{ID: "a", Name: "Ana"}}, listed())
		if err != nil {
			t.Fatal(err)
		}
		ana, ben := h.called("a", "Ana", id), h.called("b", "Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		seq := ana.frame.Seq
		ben.client.Close() // he is not there
		h.rename("b", "Benny")
		h.mustName(ana, "Ana", "Benny")
		if log := ana.named(); !slices.Equal(log, []string{"sit Benny", "start Ana"}) || ana.frame.Seq != seq {
			t.Errorf("Ana's log says %q, at entry %d after %d", log, ana.frame.Seq, seq)
		}
		frames := len(ana.frames)
		h.rename("b", "Benny") // as before
		h.rename("stranger", "Evi")
		if ana.read(); len(ana.frames) != frames {
			t.Errorf("nobody here has another name, and Ana is told %+v", ana.frame)
		}
		ana.ok(wire.Command{Do: "play", Seat: "A", Seq: seq, Move: "keep"})
		h.restart()
		ana = h.called("a", "Ana", id)
		h.mustName(ana, "Ana", "Benny")

		ana.client.Close()
		time.Sleep(10 * time.Minute) // the table is not in memory, and its sign hangs out
		if h.rests(id) == "" {
			t.Fatal("the table does not rest")
		}
		h.rename("b", "Benedict")
		for _, c := range h.lobby.Cards() {
			h.mustSay(c, []string{"Ana", "Benedict"})
		}
		ana, ben = h.called("a", "Ana", id), h.called("b", "what the cookie says is old", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		h.mustName(ben, "Ana", "Benedict")
		finish(ana, ben)
		ana.mustBe("over", game.NoSeat)
		h.rename("a", "Anna")
		h.mustName(ben, "Anna", "Benedict")
		if r, err := h.lobby.Record(t.Context(), id); err != nil || !slices.Equal(r.Players, []string{"Anna", "Benedict"}) {
			t.Errorf("the record has the players %v, %v", r.Players, err)
		}
	})
}

// unreadNames is a log whose names can be noted, and not read for so often.
type unreadNames struct {
	fact.Log
	times atomic.Int32
}

func (u *unreadNames) Names(ctx context.Context, guests ...string) (map[string]string, error) {
	if u.times.Add(-1) >= 0 {
		return nil, errors.New("the disk does not give it")
	}
	return u.Log.Names(ctx, guests...)
}

// A name that was noted, and could not be read just then, is told wherever its guest is when it can be, also on the doors of tables that
// sleep; nobody has to say it again.
func TestANameThatCouldNotBeRead(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.lobby.Close()
		log := &unreadNames{Log: h.log.Log}
		h.log.Log = log
		h.open()
		h.rename("a", "Ana")
		h.rename("b", "Ben")
		id, err := h.lobby.Make(t.Context(), lobby.Visitor{Guest: wire.Guest{ID: "a", Name: "Ana"}}, listed())
		if err != nil {
			t.Fatal(err)
		}
		ana, ben := h.called("a", "Ana", id), h.called("b", "Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		fails := func(id, name string) {
			t.Helper()
			log.times.Store(3)
			if err := h.lobby.Rename(t.Context(), wire.Guest{ID: id, Name: name}); wire.AsError(err).Code != wire.CodeStorage {
				t.Errorf("it cannot be read what %s is called, and that is answered with %v", id, err)
			}
		}
		fails("b", "Benny")
		fails("a", "Anna")
		h.mustName(ana, "Ana", "Ben")
		time.Sleep(30 * time.Second)
		h.mustName(ana, "Anna", "Benny")

		ana.client.Close()
		ben.client.Close()
		time.Sleep(10 * time.Minute)
		if h.rests(id) == "" {
			t.Fatal("the table does not rest")
		}
		fails("b", "Benedict")
		time.Sleep(30 * time.Second)
		for _, c := range h.lobby.Cards() {
			h.mustSay(c, []string{"Anna", "Benedict"})
		}
	})
}

// Who has had his cookie since before names were noted is called what it says, and after a restart too.
func TestTheNameInAnOldCookie(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, err := h.lobby.Make(t.Context(), lobby.Visitor{Guest: wire.Guest{ID: "a", Name: "Ana"}}, toy(2))
		if err != nil {
			t.Fatal(err)
		}
		ben := h.called("b", "Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		h.restart()
		h.mustName(h.called("", "", id), "Ana", "Ben")
	})
}

// meanwhile is a log at which another node writes just before this one notes who somebody is.
type meanwhile struct {
	fact.Log
	other func(guest string) error
}

func (m meanwhile) Introduce(ctx context.Context, guest, name string) error {
	if err := m.other(guest); err != nil {
		return err
	}
	return m.Log.Introduce(ctx, guest, name)
}

// Whoever sits down by an old cookie is called what he has called himself meanwhile at another node, and has no name if he was erased there.
func TestTheNameInAnOldCookieOfWhoeverIsElsewhere(t *testing.T) {
	for name, calls := range map[string]string{"renamed": "Benny", "erased": ""} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				h.lobby.Close()
				log := h.log.Log
				h.log.Log = meanwhile{log, func(guest string) error {
					if guest != "b" {
						return nil
					}
					return log.Name(t.Context(), guest, calls)
				}}
				h.open()
				id, err := h.lobby.Make(t.Context(), lobby.Visitor{Guest: wire.Guest{ID: "a", Name: "Ana"}}, toy(2))
				if err != nil {
					t.Fatal(err)
				}
				ben := h.called("b", "Ben", id)
				ben.ok(wire.Command{Do: "sit", Seat: "B"})
				h.mustName(ben, "Ana", calls)
				if names, err := log.Names(t.Context(), "b"); err != nil || names["b"] != calls {
					t.Errorf("he is called %q (%v), want %q", names["b"], err, calls)
				}
			})
		})
	}
}

// Whoever was erased stays it, also where somebody still has his cookie, with the name in it, and sits down by it.
func TestTheCookieOfWhoeverWasErased(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.rename("a", "Anastasia")
		h.rename("a", "")
		id := h.make(toy(2))
		ana := h.called("a", "Anastasia", id)
		ana.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.read()
		if chair := ana.frame.Seats[1]; chair.Name != "" || !chair.Nameless {
			t.Errorf("the seat is %+v", chair)
		}
	})
}

// Whoever is erased has no name any more, nowhere: not at the tables where he sits, proposes and is the host, not in their logs, on
// signs, in the record. The games go on. Nor did it ever stand in the log of a table.
func TestErased(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.rename("a", "Anastasia")
		h.rename("b", "Benedict")
		id, err := h.lobby.Make(t.Context(), lobby.Visitor{Guest: wire.Guest{ID: "a", Name: "Anastasia"}}, listed())
		if err != nil {
			t.Fatal(err)
		}
		ana, ben := h.called("a", "Anastasia", id), h.called("b", "Benedict", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.ok(wire.Command{Do: "start"})
		ana.play("show")
		ana.ok(wire.Command{Do: "break"})
		h.rename("a", "")
		ana.read()
		ben.read()
		ana.bytes, ben.bytes = nil, nil
		eve := h.called("", "", id)
		eve.ok(wire.Command{Do: "lobby"})
		h.mustName(ben, "", "Benedict")
		if p := ben.frame.Proposal; p == nil || p.Name != "" || p.By != seatA || ben.frame.Host != "" {
			t.Errorf("Ben is told of the host %q and the proposal %+v", ben.frame.Host, p)
		}
		ben.refused("not_host", wire.Command{Do: "break"})
		ana.ok(wire.Command{Do: "leave"})
		ana.ok(wire.Command{Do: "sit", Seat: "A"})
		h.restart()
		before := []*person{ana, ben, eve}
		ana, ben, eve = h.called("a", "Anastasia", id), h.called("b", "Benedict", id), h.called("", "", id)
		ben.ok(wire.Command{Do: "agree", Seq: ben.frame.Proposal.Seq})
		time.Sleep(time.Second)
		eve.mustBe("over", game.NoSeat)
		again := eve.ok(wire.Command{Do: "watch"})
		if log := eve.named(); again.Seq == 0 || !slices.Contains(log, "agree Benedict") {
			t.Errorf("the log names %q", log)
		}
		r, err := h.lobby.Record(t.Context(), id)
		if err != nil || !slices.Equal(r.Players, []string{"", "Benedict"}) {
			t.Errorf("the record has the players %q, %v", r.Players, err)
		}
		written, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		said := slices.Concat(written, h.said.Bytes(), wire.Message(h.lobby.Cards()))
		for _, p := range append(before, ana, ben, eve) {
			p.read()
			said = append(said, p.bytes...)
		}
		if i := bytes.Index(said, []byte("Anastasia")); i >= 0 {
			t.Errorf("whoever is erased is named: %s", said[max(0, i-300):i+20])
		}
		h.mustHaveNoNames(id, "Anastasia", "Benedict")
	})
}

// mustHaveNoNames searches the bytes of a table's log.
func (h *house) mustHaveNoNames(id wire.ID, names ...string) {
	h.t.Helper()
	entries, err := h.log.Entries(h.t.Context(), id, 0)
	if err != nil || len(entries) == 0 {
		h.t.Fatal(entries, err)
	}
	for _, e := range entries {
		for _, name := range names {
			if bytes.Contains(e.Data, []byte(name)) {
				h.t.Errorf("entry %d is %s", e.Seq, e.Data)
			}
		}
	}
}

// oldLog is of a game that was begun before names stood beside the log. Ben calls himself Benny since. Between them stands what a house
// of today wrote.
const oldLog = `
{"kind":"made","fact":{"setup":{"game":"toy","edition":"","seats":3,"first":"A","moveTime":0,"awayTime":120,"listed":true},
	"host":{"id":"a","name":"Anastasia"},"chairs":[{"guest":{"id":"a","name":"Anastasia"}},{"guest":{"id":"","name":""}},{"guest":{"id":"","name":""},"bot":"first"}]}}
{"kind":"sit","fact":{"seat":"B","guest":{"id":"b","name":"Ben"}},"by":{"guest":"b","id":"1","do":"sit","table":"old","seat":"B"}}
{"kind":"start","fact":{"deal":{"first":"A","numbers":[10,20,30]},"seeds":[1,2,3]}}
{"kind":"rename","fact":{"guest":{"id":"b","name":"Benny"}}}
{"kind":"move","fact":{"seat":"A","words":"show"}}
{"kind":"propose","fact":{"do":"free","guest":{"id":"a"},"seat":"B"}}
{"kind":"decline","fact":{"seat":"A"}}
{"kind":"propose","fact":{"do":"break","guest":{"id":"a","name":"Anastasia"},"seat":""}}
{"kind":"agree","fact":{"seat":"B"}}
{"kind":"break","fact":{"host":"Anastasia"},"end":{"revision":1,"winners":[],"why":"broken","final":"` + zeros + `"}}`

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

// A log of before is read for ever. The names in it count until something else stands beside it, and are not shown once they are erased.
func TestAnOldLog(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		lines := strings.Split(strings.ReplaceAll(oldLog[1:], "\n\t", ""), "\n")
		write := func(from, to int) { h.write("old", lines, from, to) }
		write(0, 7)
		h.restart()
		eve := h.called("", "", "old")
		h.mustName(eve, "Anastasia", "Benny")
		if log := eve.named(); !slices.Equal(log, []string{"sit Benny", "start Anastasia", "propose-free Anastasia", "withdraw Anastasia"}) {
			t.Errorf("the log names %q", log)
		}
		h.rename("b", "Bea")
		h.mustName(eve, "Anastasia", "Bea")
		h.rename("b", "")
		h.mustName(eve, "Anastasia", "")
		eve.client.Close()
		h.lobby.Close()
		write(7, len(lines))
		h.open()
		r, err := h.lobby.Record(t.Context(), "old")
		if err != nil || !slices.Equal(r.Players, []string{"Anastasia", "", "first"}) {
			t.Errorf("the record has the players %q, %v", r.Players, err)
		}
		eve = h.called("", "", "old")
		if log := eve.named(); !slices.Equal(log, []string{"start Anastasia", "propose-free Anastasia", "withdraw Anastasia", "propose-break Anastasia", "broken Anastasia"}) {
			t.Errorf("the log names %q", log)
		}
		h.rename("a", "")
		if log := eve.named(); len(log) > 0 {
			t.Errorf("the log names %q", log)
		}
		h.mustName(eve, "", "")
		h.rename("b", "Berta")
		h.shelf = matchtest.Shelf{Revised: true} // by rules that do not allow it, it has its record on paper
		h.restart()
		if r, err := h.lobby.Record(t.Context(), "old"); err != nil || !slices.Equal(r.Players, []string{"", "Berta", "first"}) {
			t.Errorf("the record has the players %q, %v", r.Players, err)
		}
	})
}

// Before people were asked a host broke a game off by himself, and the entry names him and does not say who he is.
func TestAnOlderLog(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		lines := strings.Split(strings.ReplaceAll(oldLog[1:], "\n\t", ""), "\n")
		lines = append(lines[:5], lines[len(lines)-1])
		h.write("older", lines, 0, len(lines))
		eve := h.called("", "", "older")
		if log := eve.named(); !slices.Contains(log, "broken Anastasia") {
			t.Errorf("the log names %q", log)
		}
		ana := h.called("a", "Anastasia", "older")
		ana.ok(wire.Command{Do: "rematch"}) // its log has no names, and is made of this one
		ana.read()
		again := h.called("", "", ana.frame.Next)
		h.mustName(again, "Anastasia", "Benny")
		h.mustHaveNoNames(ana.frame.Next, "Anastasia", "Benny")
		h.rename("a", "Anna")
		if log := eve.named(); !slices.Contains(log, "broken Anna") {
			t.Errorf("the log names %q", log)
		}
		h.mustName(again, "Anna", "Benny")
	})
}

// write has lines as entries in the log of a table, up to the last of which it is over.
func (h *house) write(id wire.ID, lines []string, from, to int) {
	h.t.Helper()
	for i := from; i < to; i++ {
		e := fact.Entry{Seq: i + 1, At: time.Now(), Data: json.RawMessage(lines[i]), Over: i+1 == len(lines)}
		if err := h.log.Append(h.t.Context(), id, e); err != nil {
			h.t.Fatal(err)
		}
	}
}

// A name that could not be noted is not acknowledged. Whether it is there all the same the log knows, and that is what everybody is told.
func TestRenamedWhileTheLogFails(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, err := h.lobby.Make(t.Context(), lobby.Visitor{Guest: wire.Guest{ID: "a", Name: "Ana"}}, toy(2))
		if err != nil {
			t.Fatal(err)
		}
		ana := h.called("a", "Ana", id)
		for _, f := range []struct {
			fault matchtest.Fault
			want  string
		}{
			{matchtest.Fault{Err: errors.New("the disk is full")}, "Ana"},
			{matchtest.Fault{Err: errors.New("the answer was lost"), Kept: true}, "Anna"},
		} {
			h.log.Fail(func(wire.ID, fact.Entry) matchtest.Fault { return f.fault })
			if err := h.lobby.Rename(t.Context(), wire.Guest{ID: "a", Name: "Anna"}); err == nil || wire.AsError(err).Code != wire.CodeStorage {
				t.Errorf("%v: the answer is %v", f.fault.Err, err)
			}
			time.Sleep(time.Second)
			h.mustName(ana, f.want)
		}
		ben := h.called("b", "Ben", id) // by an old cookie
		ben.refused(wire.CodeStorage, wire.Command{Do: "sit", Seat: "B"})
		if _, err := h.lobby.Make(t.Context(), lobby.Visitor{Guest: wire.Guest{ID: "c", Name: "Cleo"}}, toy(2)); err == nil || wire.AsError(err).Code != wire.CodeStorage {
			t.Errorf("a table is made by somebody whose name cannot be noted: %v", err)
		}
		h.log.Fail(nil)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		h.restart()
		h.mustName(h.called("", "", id), "Anna", "Ben")
	})
}
