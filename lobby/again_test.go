package lobby_test

import (
	"reflect"
	"testing"
	"time"

	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/wire"
)

// sitting are Ana, Ben and Cleo, on seats of one table, each with a number that is sealed; and the start is said.
func (h *house) sitting() (id wire.ID, ana, ben, cleo *person) {
	h.t.Helper()
	id = h.make(toy(3))
	ana, ben, cleo = h.as("Ana", id), h.as("Ben", id), h.as("Cleo", id)
	ben.ok(wire.Command{Do: "sit", Seat: "B"})
	cleo.ok(wire.Command{Do: "sit", Seat: "C"})
	for _, p := range []*person{ana, ben, cleo} {
		p.seals()
	}
	ana.ok(wire.Command{Do: "start"})
	return id, ana, ben, cleo
}

// claims compares what the record of the table claims with what should be possible.
func (h *house) claims(id wire.ID, want fair.Claim) (proof fair.Proof) {
	h.t.Helper()
	v := h.verified(id)
	if got := v.Proof.Claim(); !reflect.DeepEqual(got, want) {
		h.t.Errorf("it is claimed %+v, not %+v", got, want)
	}
	return v.Proof
}

// failed are the seats that kept a number shut, attempt by attempt, as somebody is told it.
func (p *person) failed() (seats [][]string) {
	p.read()
	for _, a := range p.frame.Seal.Failed {
		seats = append(seats, a.Shut)
	}
	return seats
}

// mustSeal checks that he sees the ceremony begun again: so many attempts have failed, nobody's number is open, and others are sealed.
func (p *person) mustSeal(failed ...[]string) {
	p.t.Helper()
	p.mustBe("open", game.NoSeat)
	if s := p.frame.Seal; s.Called || !reflect.DeepEqual(p.failed(), failed) {
		p.t.Fatalf("%s sees %+v, and not that %v failed", p.name, s, failed)
	}
}

// A number that is not opened in five seconds fails the attempt, before everybody's eyes. There is another secret and another number
// of each who opened his; whoever did not gives none any more. All of it is in the record, and the deal follows from the last attempt.
func TestALateNumberBeginsTheCeremonyAgain(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, ana, ben, cleo := h.sitting()
		eve := h.as("Eve", id)
		first := ana.frame.Seal.Seal
		ana.unseals()
		cleo.unseals()
		time.Sleep(4 * time.Second)
		ana.mustBe("open", game.NoSeat)
		if !ana.frame.Seal.Called || ana.failed() != nil {
			t.Errorf("after four seconds the seal says %+v", ana.frame.Seal)
		}
		time.Sleep(time.Second)
		late := h.as("Dora", id)
		for _, p := range []*person{ana, ben, cleo, eve, late} {
			p.mustSeal([]string{"B"})
			if s := p.frame.Seal; s.Seal == first || s.Failed[0].Seal != first || len(s.Numbers) != 0 || s.Secret != nil {
				t.Errorf("%s sees %+v", p.name, s)
			}
		}
		for _, p := range []*person{ana, ben, cleo, eve} {
			p.mustHear("unopened", 1)
		}
		if log := late.frame.Log; log[len(log)-1].Verb != "unopened" || log[len(log)-1].What != "Ben" {
			t.Errorf("whoever comes late reads %+v", log)
		}

		ana.refused("started", wire.Command{Do: "start"})
		ben.refused("not_your_seat", wire.Command{Do: "unseal", Bits: number(ben).String()})
		ben.refused("started", wire.Command{Do: "seal", Bits: number(ben).String()})
		ana.seals()
		ana.refused("not_started", wire.Command{Do: "unseal", Bits: number(ana).String()})
		cleo.seals() // now all have
		ana.read()
		if s := ana.frame.Seal; !s.Called || len(s.Numbers) != 2 {
			t.Errorf("when all have sealed again it says %+v", s)
		}
		ana.unseals()
		cleo.unseals()
		finish(ana, ben, cleo)

		p := h.claims(id, fair.Claim{Case: fair.Rejected, Deals: 1, Gave: []string{"A", "C"}, Shut: [][]string{{"B"}}})
		if one := p.Failed[0]; one.Seal != first || one.Secret != h.secret(id) || len(one.Numbers) != 3 {
			t.Errorf("of the first attempt the record has %+v", one)
		}
		if p.Seal != ana.frame.Seal.Seal || p.Secret != *ana.frame.Seal.Secret || p.Secret == h.secret(id) {
			t.Errorf("of the last attempt the record has %+v, and Ana saw %+v", p.Attempt, ana.frame.Seal)
		}
		for _, n := range p.Numbers {
			for _, before := range p.Failed[0].Numbers {
				if before.Number != nil && *n.Number == *before.Number {
					t.Errorf("seat %s gave a number that was known", n.Seat)
				}
			}
		}
	})
}

// The ceremony ends: each attempt that fails leaves somebody out, and when nobody is left the deal follows from the last secret alone.
// No secret of an attempt that failed is used again.
func TestACeremonyEnds(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, ana, ben, cleo := h.sitting()
		cleo.unseals()
		ana.unseals()
		time.Sleep(5 * time.Second)
		ana.mustSeal([]string{"B"})
		ana.seals()
		cleo.seals()
		ana.unseals()
		time.Sleep(5 * time.Second)
		ana.mustSeal([]string{"B"}, []string{"C"})
		ana.seals() // she alone is waited for
		time.Sleep(5 * time.Second)
		ana.mustBe("running", seatA)
		ana.mustHear("unopened", 3)
		finish(ana, ben, cleo)
		p := h.claims(id, fair.Claim{Case: fair.House, Gave: []string{}, Shut: [][]string{{"B"}, {"C"}, {"A"}}})
		secrets := map[fair.Bits]bool{p.Secret: true}
		for _, a := range p.Failed {
			secrets[a.Secret] = true
		}
		if len(secrets) != 4 {
			t.Errorf("of four attempts two had the same secret: %+v", p)
		}
	})
}

// Nobody holds the table up by not sealing again: who has not in five seconds gives no number this time. That lets nobody choose, for
// none is open yet; and if the next attempt fails he may give one again.
func TestWhoDoesNotSealAgainIsNotWaitedFor(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, ana, ben, cleo := h.sitting()
		ben.unseals()
		cleo.unseals()
		time.Sleep(5 * time.Second)
		ben.mustSeal([]string{"A"})
		ben.seals()
		time.Sleep(4 * time.Second)
		if ben.read(); ben.frame.Seal.Called {
			t.Error("Cleo has a second left")
		}
		time.Sleep(time.Second)
		if ben.read(); !ben.frame.Seal.Called {
			t.Error("it waits for Cleo without end")
		}
		cleo.refused("started", wire.Command{Do: "seal", Bits: number(cleo).String()})
		time.Sleep(5 * time.Second)
		cleo.mustSeal([]string{"A"}, []string{"B"})
		cleo.seals()
		cleo.unseals()
		finish(ana, ben, cleo)
		h.claims(id, fair.Claim{Case: fair.Rejected, Deals: 2, Gave: []string{"C"}, Shut: [][]string{{"A"}, {"B"}}})
	})
}

// The house may close at any time: what is waited for then is waited for when it is open again, for as long as was left.
func TestACeremonyOutlivesARestart(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, ana, ben, cleo := h.sitting()
		closed := func() {
			h.t.Helper()
			h.lobby.Close()
			time.Sleep(time.Hour)
			h.open()
			ana, ben, cleo = h.as("Ana", id), h.as("Ben", id), h.as("Cleo", id)
			time.Sleep(3 * time.Second) // in which browsers find the way back
		}
		ana.unseals()
		time.Sleep(time.Second)
		closed() // between the call and the last number
		cleo.unseals()
		time.Sleep(3 * time.Second)
		if ana.read(); ana.failed() != nil {
			t.Error("Ben had no five seconds")
		}
		time.Sleep(2 * time.Second)
		ana.mustSeal([]string{"B"})
		seal := ana.frame.Seal.Seal
		ana.seals()
		closed() // between two attempts
		if ana.mustSeal([]string{"B"}); ana.frame.Seal.Seal != seal || len(ana.frame.Seal.Numbers) != 1 {
			t.Errorf("after a restart the seal says %+v", ana.frame.Seal)
		}
		cleo.seals()
		ana.unseals()
		closed() // and in the second
		cleo.unseals()
		ana.mustBe("running", seatA)
		finish(ana, ben, cleo)
		h.claims(id, fair.Claim{Case: fair.Rejected, Deals: 1, Gave: []string{"A", "C"}, Shut: [][]string{{"B"}}})
	})
}

// Who stands up while it is dealt keeps his seat, and his seal stays: a number that he had opened counts, one that he had not fails the
// attempt. Nobody sits down in his place before it is dealt, for with him his number would go.
func TestWhoLeavesTheCeremonyKeepsHisSeal(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id, ana, ben, cleo := h.sitting()
		eve := h.as("Eve", id)
		ana.unseals()
		cleo.unseals()
		cleo.ok(wire.Command{Do: "leave"})
		ben.ok(wire.Command{Do: "leave"})
		eve.refused("busy", wire.Command{Do: "sit", Seat: "B"})
		time.Sleep(5 * time.Second)
		ana.mustSeal([]string{"B"})
		eve.refused("busy", wire.Command{Do: "sit", Seat: "B"})
		ana.seals()
		cleo.seals() // as a browser does that still looks on
		ana.unseals()
		cleo.unseals()
		ana.mustBe("running", seatA)
		if s := ana.frame.Seats; s[0].Standin || !s[1].Standin || !s[2].Standin {
			t.Errorf("Ben and Cleo have left, and the seats are %+v", s)
		}
		finish(ana)
		h.claims(id, fair.Claim{Case: fair.Rejected, Deals: 1, Gave: []string{"A", "C"}, Shut: [][]string{{"B"}}})
	})
}

// A rematch is a ceremony of its own: there whoever was late gives a number as everybody does. And a new table has the newest
// derivation in its log, for it goes on with it to its end.
func TestARematchForgetsWhoWasLate(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		_, ana, ben, cleo := h.sitting()
		time.Sleep(5 * time.Second)
		finish(ana, ben, cleo)
		ana.ok(wire.Command{Do: "rematch"})
		next := ana.nextTable()
		if made := h.entries(next)[0].(*fact.Made); made.Derivation != fair.Newest {
			t.Errorf("the new table was made with %+v", made)
		}
		ben = h.as("Ben", next)
		ben.seals()
		if s := ben.frame.Seal; len(s.Failed) != 0 {
			t.Errorf("the new table shows %+v", s)
		}
	})
}

// A table that was made by a derivation that this program does not know is not dealt by another: it waits for a program that does.
func TestAnUnknownDerivationIsNotReplayed(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2))
		h.rewrite(id, `"derivation":"caveau-deal/2"`, `"derivation":"caveau-deal/9"`)
		if card, err := h.lobby.Card(t.Context(), id); err == nil || wire.AsError(err).Code != wire.CodeStorage {
			t.Errorf("its sign says %+v, %v", card, err)
		}
	})
}
