package lobby_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/match/matchtest"
	"caveau/record"
	"caveau/store/storetest"
	"caveau/wire"
)

// number is what somebody gives to the deal: another one at each attempt.
func number(p *person) (n fair.Bits) {
	copy(n[:], fmt.Sprint(p.name, len(p.frame.Seal.Failed)))
	return n
}

// seals seals his number for the seat on which he sits.
func (p *person) seals() {
	p.t.Helper()
	p.read()
	seal := p.frame.Seal.Version.SealNumber(p.frame.Seal.Seal, p.frame.You.String(), number(p))
	p.ok(wire.Command{Do: "seal", Bits: seal.String()})
}

func (p *person) unseals() {
	p.t.Helper()
	p.ok(wire.Command{Do: "unseal", Bits: number(p).String()})
}

// written is the table's record, as the server gives it.
func (h *house) written(id wire.ID) []byte {
	h.t.Helper()
	rec, err := h.lobby.Record(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	text, err := json.Marshal(rec)
	if err != nil {
		h.t.Fatal(err)
	}
	return text
}

// verified is what the table's record proves; it must prove all of it.
func (h *house) verified(id wire.ID) record.Verdict {
	h.t.Helper()
	v := record.Verify(h.written(id), matchtest.Shelf{})
	if !v.OK() {
		h.t.Errorf("the record proves %+v", v.Checks)
	}
	return v
}

// opened are the seats that gave a number to the deal.
func opened(p fair.Proof) (seats string) {
	for _, n := range p.Numbers {
		if n.Number != nil {
			seats += n.Seat
		}
	}
	return seats
}

// Everybody seals, then everybody opens, then it is dealt; at the end all of it is in the record, which fits what was seen
// before the game. The secret is in no frame before the end.
func TestTheDealIsSealed(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(3, "first"))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ana.seals()
		ben.refused("not_your_seat", wire.Command{Do: "seal", Bits: strings.Repeat("0", 64)})
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ben.refused("bad_command", wire.Command{Do: "seal", Bits: "0"})
		ben.seals()
		ben.seals() // again, as a page does that was loaded again
		ana.refused("not_started", wire.Command{Do: "unseal", Bits: number(ana).String()})
		ana.ok(wire.Command{Do: "start"})
		ana.refused("started", wire.Command{Do: "start"})
		ben.mustBe("open", game.NoSeat)
		if s := ben.frame.Seal; !s.Called || len(s.Numbers) != 2 || s.Numbers[0].Number != nil {
			t.Errorf("after the start was said, the seal says %+v", s)
		}
		ana.refused("busy", wire.Command{Do: "free", Seat: "B"})
		ana.refused("started", wire.Command{Do: "seal", Bits: strings.Repeat("0", 64)})
		ben.refused("bad_command", wire.Command{Do: "unseal", Bits: number(ana).String()})
		ben.unseals()
		ben.mustBe("open", game.NoSeat)
		ana.unseals()
		ana.mustBe("running", seatA)
		if n := ana.frame.Seal.Numbers; len(n) != 0 {
			t.Errorf("while the game runs the numbers are told: %+v", n)
		}
		ana.unseals() // it was heard, and is again
		finish(ana, ben)
		v := h.verified(id)
		if opened(v.Proof) != "AB" || v.Proof.First != "A" || v.Outcome.Over != true || v.Proof.Claim().Case != fair.Unchosen {
			t.Errorf("the record proves %+v", v)
		}
		for _, f := range slices.Concat(ana.frames, ben.frames) {
			if f.Seal.Seal != v.Proof.Seal {
				t.Errorf("frame %d shows the seal %s, the record %s", f.Seq, f.Seal.Seal, v.Proof.Seal)
			}
			if secret := f.Seal.Secret; (secret != nil) != (f.State == "over") || secret != nil && *secret != v.Proof.Secret {
				t.Errorf("frame %d, %s, shows the secret %v", f.Seq, f.State, secret)
			}
		}
	})
}

// Two tables of one server have two secrets, and whoever gives another number has another deal.
func TestEveryNumberChangesTheDeal(t *testing.T) {
	deals := map[string]bool{}
	for _, name := range []string{"Ana", "Bea", "Cleo"} {
		inHouse(t, func(t *testing.T, h *house) {
			id := h.make(toy(3, "first", "first"))
			ana := h.as("Ana", id)
			ana.name = name // her number is her name
			ana.seals()
			ana.ok(wire.Command{Do: "start"})
			ana.unseals()
			finish(ana)
			deals[string(h.verified(id).Record.Deal)] = true
		})
	}
	if len(deals) != 3 {
		t.Errorf("the deals are %v", deals)
	}
}

// A table that was made when there was but one derivation goes on with it to its end: a number that is not opened holds the deal up
// for five seconds, over a restart too, and is left out. The record says whose it was.
func TestAnOldTableDealsWithoutWhoeverIsLate(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		h.rewrite(id, `,"derivation":"caveau-deal/2"`, "")
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.seals()
		ben.seals()
		ana.ok(wire.Command{Do: "start"})
		ana.unseals()
		ben.ok(wire.Command{Do: "leave"}) // he keeps his seat, and does not open
		h.restart()
		ana, ben = h.as("Ana", id), h.as("Ben", id)
		time.Sleep(4 * time.Second)
		ana.mustBe("open", game.NoSeat)
		time.Sleep(time.Second)
		ana.mustBe("running", seatA)
		if !ana.frame.Seats[1].Standin {
			t.Error("nobody plays for Ben, who left while it was dealt")
		}
		ben.refused("started", wire.Command{Do: "unseal", Bits: number(ben).String()})
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		finish(ana, ben)
		v := h.verified(id)
		if v.Proof.Version != fair.Deal1 || len(v.Proof.Numbers) != 2 || opened(v.Proof) != "A" || v.Proof.Claim().Case != fair.Picked {
			t.Errorf("the proof is %+v", v.Proof)
		}
	})
}

// Whoever changes his seat seals anew: a seal holds for one seat.
func TestASealStaysWithItsSeat(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana := h.as("Ana", id)
		ana.seals()
		ana.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.read()
		if n := ana.frame.Seal.Numbers; len(n) != 0 {
			t.Errorf("Ana changed seats, and %+v is still there", n)
		}
	})
}

// A game that is broken off has a record, and its seal is opened; so is that of a table that was closed before it began.
func TestABrokenTableOpensItsSeal(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		ana, ben := h.as("Ana", id), h.as("Ben", id)
		ben.ok(wire.Command{Do: "sit", Seat: "B"})
		ana.refused("not_started", wire.Command{Do: "break"})
		ana.ok(wire.Command{Do: "start"})
		ana.play("show")
		ben.refused("not_host", wire.Command{Do: "break"})
		breakOff(ana, ben)
		ana.mustBe("over", game.NoSeat)
		ana.refused("over", wire.Command{Do: "break"})
		ben.refused("over", wire.Command{Do: "play", Seat: "B", Seq: ana.frame.Seq, Move: "keep"})
		ben.mustHear("broken", 1)
		if o := ben.frame.Outcome; o.Why != "broken" || len(o.Winners) != 0 || ben.frame.Seal.Secret == nil {
			t.Errorf("Ben sees the outcome %+v and the seal %+v", o, ben.frame.Seal)
		}
		v := h.verified(id)
		if len(v.Record.Moves) != 1 || !strings.Contains(string(v.Record.Extra["table"]), `"why":"broken"`) {
			t.Errorf("the record is %+v", v.Record)
		}
		ana.ok(wire.Command{Do: "rematch"})

		shut := h.make(toy(2))
		time.Sleep(2 * time.Hour)
		card, err := h.lobby.Card(t.Context(), shut)
		if err != nil || card.State != "over" || card.Seal.Secret == nil || fair.Newest.Seal(*card.Seal.Secret) != card.Seal.Seal {
			t.Errorf("the sign of the closed table says %+v, %v", card, err)
		}
	})
}

// A table that was made before deals were sealed is sealed when the house opens again.
func TestAnOldTableIsSealedLater(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2, "first"))
		card, err := h.lobby.Card(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		h.rewrite(id, `,"secret":"`+h.secret(id).String()+`","derivation":"caveau-deal/2"`, "")
		ana := h.as("Ana", id)
		if ana.frame.Seal.Version != fair.Deal1 || ana.frame.Seal.Seal == card.Seal.Seal {
			t.Errorf("it shows %+v, and before %+v", ana.frame.Seal, card.Seal)
		}
		ana.seals()
		ana.ok(wire.Command{Do: "start"})
		ana.unseals()
		finish(ana)
		h.verified(id)
	})
}

// secret is what a new table's deal is sealed with.
func (h *house) secret(id wire.ID) fair.Bits {
	h.t.Helper()
	made := h.entries(id)[0].(*fact.Made)
	return *made.Secret
}

// entries are what the log of a table says.
func (h *house) entries(id wire.ID) (all []fact.Any) {
	h.t.Helper()
	entries, err := h.log.Entries(h.t.Context(), id, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, e := range entries {
		f, _, _, err := fact.Read(e.Data)
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// rewrite closes the house, and opens it on a log in which the first entry of the table, the only one, is as an older version wrote it.
func (h *house) rewrite(id wire.ID, is, was string) {
	h.t.Helper()
	h.lobby.Close()
	entries, err := h.log.Entries(h.t.Context(), id, 0)
	if err != nil || len(entries) != 1 || strings.Count(string(entries[0].Data), is) != 1 {
		h.t.Fatalf("%q is not in %+v, once: %v", is, entries, err)
	}
	entries[0].Data = json.RawMessage(strings.Replace(string(entries[0].Data), is, was, 1))
	h.log = &matchtest.Flaky{Log: storetest.Memory()}
	if err := h.log.Append(h.t.Context(), id, entries[0]); err != nil {
		h.t.Fatal(err)
	}
	h.open()
	synctest.Wait()
}
