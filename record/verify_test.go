package record_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caveau/fair"
	"caveau/game"
	"caveau/record"
)

// bits are 256 bits that begin with a text.
func bits(text string) (b fair.Bits) { copy(b[:], text); return b }

// anOldProof is a table's secret and the numbers of its players: the second sealed one and did not open it, and it was left out.
func anOldProof(players int, first string) fair.Proof {
	return fair.Proof{Version: fair.Deal1, Attempt: anAttempt(fair.Deal1, players, 1), First: first}
}

// aProof is one of a ceremony that began again: the second had not opened his number, and gave none any more.
func aProof(players int, first string) fair.Proof {
	failed := anAttempt(fair.Deal2, players, 1)
	last := anAttempt(fair.Deal2, players, -1, failed)
	last.Numbers = slices.Delete(last.Numbers, 1, 2)
	return fair.Proof{Version: fair.Deal2, Failed: []fair.Attempt{failed}, Attempt: last, First: first}
}

// anAttempt is one in which all seal numbers, and all but one open them.
func anAttempt(v fair.Version, players, shut int, failed ...fair.Attempt) fair.Attempt {
	secret := bits(fmt.Sprint("secret ", len(failed)))
	a := fair.Attempt{Seal: v.Seal(secret, failed...), Secret: secret}
	for i := range players {
		n := aNumber(v, a, game.Seat(i).String())
		if i == shut {
			n.Number = nil
		}
		a.Numbers = append(a.Numbers, n)
	}
	return a
}

// aNumber is one that fits its seal.
func aNumber(v fair.Version, a fair.Attempt, seat string) fair.Number {
	number := bits("a number of " + seat)
	return fair.Number{Seat: seat, Seal: v.SealNumber(a.Seal, seat, number), Number: &number}
}

// aSealedGame is the beginning of a game whose deal was sealed, as a server writes it down.
func aSealedGame(t *testing.T, name string, setup game.Setup, moves int) record.Record {
	t.Helper()
	return aProvenGame(t, name, setup, moves, aProof(setup.Players, setup.First.String()))
}

// aProvenGame is one whose deal follows from that proof.
func aProvenGame(t *testing.T, name string, setup game.Setup, moves int, proof fair.Proof) record.Record {
	t.Helper()
	proof.Choices = setup.Choices
	seed, err := proof.Seed()
	if err != nil {
		t.Fatal(err)
	}
	g, _ := everyGame{}.Game(name)
	state, err := g.Deal(setup, proof.Version.NewChance(seed))
	if err != nil {
		t.Fatal(err)
	}
	deal, err := json.Marshal(state.Deal())
	if err != nil {
		t.Fatal(err)
	}
	rec := record.Record{Game: name, Edition: setup.Edition, Options: setup.Options, Deal: deal}
	for range setup.Players {
		rec.Players = append(rec.Players, []string{"Ana", "Ben & Co", "Zoë", "Дима", "Eve", "Fay"}[len(rec.Players)])
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range moves {
		words := state.Moves()
		said := words[rng.IntN(len(words))]
		rec.Moves = append(rec.Moves, state.Turn().String()+" "+said)
		if state, _, err = state.Play(state.Turn(), said); err != nil {
			t.Fatal(err)
		}
	}
	bots := map[string]map[string]uint64{"B": {"seed": proof.Version.BotSeed(seed, "B")}}
	table, err := json.Marshal(map[string]any{"bots": bots, "why": "broken"})
	if err != nil {
		t.Fatal(err)
	}
	rec.Extra = map[string]json.RawMessage{"table": table, "zodiac": json.RawMessage("7")}
	if err := rec.Prove(proof); err != nil {
		t.Fatal(err)
	}
	return rec
}

func written(t *testing.T, rec record.Record) []byte {
	t.Helper()
	text, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// faults are the checks that fail.
func faults(text []byte) (what []string) {
	for _, c := range record.Verify(text, everyGame{}).Checks {
		if c.Fault != "" {
			what = append(what, c.What)
		}
	}
	return what
}

func TestARecordProvesItsDealAndItsMoves(t *testing.T) {
	for _, x := range []struct {
		name  string
		setup game.Setup
	}{
		{"dawn-under", game.Setup{Edition: "2004", Players: 4, First: game.NoSeat}},
		{"dawn-under", game.Setup{Edition: "2004", Players: 2, First: 1, Choices: map[string][]string{"colours": {"red", "blue"}}}},
		{"dawn-under", game.Setup{Edition: "rucola", Players: 6, First: game.NoSeat}},
		{"dawn-under", game.Setup{Edition: "2017", Players: 3, First: game.NoSeat, Options: map[string]int{"maxVampires": 5}}},
		{"toc-toc-toc", game.Setup{Players: 5, First: 2}},
	} {
		text := written(t, aSealedGame(t, x.name, x.setup, 20))
		v := record.Verify(text, everyGame{})
		if !v.OK() || len(v.Checks) != 6 {
			t.Errorf("%+v: %+v", x, v.Checks)
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, text, "", "\t"); err != nil {
			t.Fatal(err)
		}
		if f := faults(append(pretty.Bytes(), '\n')); f != nil {
			t.Errorf("%+v, written with more space: %v", x, f)
		}
		again, err := record.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(written(t, again), text) {
			t.Errorf("%+v: read and written again it is\n%s\nnot\n%s", x, written(t, again), text)
		}
	}
}

// A table that was made before ceremonies began again has a proof of before: it holds, and says which numbers were left out.
func TestAnOldRecordProvesItsDeal(t *testing.T) {
	text := written(t, aProvenGame(t, "toc-toc-toc", game.Setup{Players: 3, First: game.NoSeat}, 6, anOldProof(3, "")))
	v := record.Verify(text, everyGame{})
	if claim := v.Proof.Claim(); !v.OK() || claim.Case != fair.Picked || claim.Deals != 8 {
		t.Errorf("%+v, and it claims %+v", v.Checks, claim)
	}
	if strings.Contains(string(text), `"failed"`) {
		t.Errorf("it is not written as before:\n%s", text)
	}
}

// Of every kind of ceremony there is a record in docs/fair, as a server wrote it; each says what was possible.
func TestEveryKindOfCeremony(t *testing.T) {
	for kind, want := range map[string]fair.Claim{
		"all-opened":        {Case: fair.Unchosen, Gave: []string{"A", "B", "C"}, Shut: [][]string{}},
		"begun-again":       {Case: fair.Rejected, Deals: 1, Gave: []string{"A", "C"}, Shut: [][]string{{"B"}}},
		"begun-again-twice": {Case: fair.Rejected, Deals: 2, Gave: []string{"C"}, Shut: [][]string{{"B"}, {"A"}}},
		"nobody-gave":       {Case: fair.House, Gave: []string{}, Shut: [][]string{}},
		"old-all-opened":    {Case: fair.Unchosen, Gave: []string{"A", "B", "C"}, Shut: [][]string{}},
		"old-one-late":      {Case: fair.Picked, Deals: 8, Gave: []string{"A", "C"}, Shut: [][]string{{"B"}}},
	} {
		text, err := os.ReadFile("../docs/fair/ceremony-" + kind + ".json")
		if err != nil {
			t.Fatal(err)
		}
		v := record.Verify(text, everyGame{})
		if got := v.Proof.Claim(); !v.OK() || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, and it claims %+v", kind, v.Checks, got)
		}
	}
}

// Whichever byte is changed, to whichever of a few others: it is found.
func TestAChangedByteIsFound(t *testing.T) {
	text := written(t, aSealedGame(t, "toc-toc-toc", game.Setup{Players: 3, First: game.NoSeat}, 6))
	step := 1
	if testing.Short() {
		step = 7 // coprime to most that repeats in a record; `make test-all` looks at every byte
	}
	for i := 0; i < len(text); i += step {
		b := text[i]
		for _, other := range []byte{b ^ 1, b ^ 0x20, b + 1, '0', ' ', '"'} {
			if other == b {
				continue
			}
			text[i] = other
			if faults(text) == nil {
				t.Errorf("byte %d of\n%s\nwas %q, and nobody found out", i, text, b)
			}
		}
		text[i] = b
	}
	for i := 0; i < len(text); i += step {
		if faults(text[:i]) == nil || faults(slices.Delete(slices.Clone(text), i, i+1)) == nil {
			t.Errorf("without byte %d, or all after it, nobody found out", i)
		}
	}
	if f := faults(text); f != nil {
		t.Errorf("unchanged: %v", f)
	}
}

// A proof that two programs could understand in two ways is none, whatever its digest.
func TestAProofIsReadStrictly(t *testing.T) {
	text := string(written(t, aSealedGame(t, "toc-toc-toc", game.Setup{Players: 3, First: game.NoSeat}, 6)))
	for old, other := range map[string]string{
		`"proof":{`:      `"proof":{"Secret":"` + strings.Repeat("0", 64) + `",`,
		`"proof":{"ver`:  `"proof":{"wish":"x","ver`,
		`"numbers":[{"s`: `"numbers":[{"Seat":"B","s`,
		`"bots":{"B":{`:  `"bots":{"B":{"Bot":"x",`,
	} {
		changed := strings.Replace(text, old, other, 1)
		if changed == text {
			t.Fatalf("%s is not in\n%s", old, text)
		}
		v := record.Verify([]byte(changed), everyGame{})
		if v.OK() || !slices.ContainsFunc(v.Checks, func(c record.Check) bool { return strings.Contains(c.Fault, "no key that belongs here") }) {
			t.Errorf("with %s: %+v", other, v.Checks)
		}
	}
}

// Whoever forges a record writes a fitting digest too. Then the check that is about it fails, and only that.
func TestForgeriesAreFound(t *testing.T) {
	honest := func() (record.Record, fair.Proof) {
		return aSealedGame(t, "dawn-under", game.Setup{Edition: "2004", Players: 3, First: game.NoSeat}, 20), aProof(3, "")
	}
	for name, x := range map[string]struct {
		forge func(*record.Record, *fair.Proof)
		found []string
	}{
		"nothing": {func(*record.Record, *fair.Proof) {}, nil},
		"a deal that somebody likes better": {func(r *record.Record, _ *fair.Proof) {
			f := first(r)
			r.Deal = []byte(strings.Replace(string(r.Deal), `"first":"`+f, `"first":"`+after(f), 1))
			r.Moves = nil
		}, []string{record.CheckDeal}},
		"another secret under the old seal": {func(_ *record.Record, p *fair.Proof) { p.Secret = bits("better") }, []string{record.CheckSeals}},
		"another secret": {func(_ *record.Record, p *fair.Proof) {
			p.Secret = bits("better")
			p.Seal = fair.Deal2.Seal(p.Secret, p.Failed...)
			p.Numbers = nil
		}, []string{record.CheckDeal, record.CheckBots}},
		"a number that was not sealed": {func(_ *record.Record, p *fair.Proof) { n := bits("better"); p.Numbers[0].Number = &n }, []string{record.CheckSeals}},
		"a number opened later": {func(_ *record.Record, p *fair.Proof) {
			p.Failed[0].Numbers[1] = aNumber(fair.Deal2, p.Failed[0], "B")
		}, []string{record.CheckSeals}},
		"an attempt that is hidden": {func(_ *record.Record, p *fair.Proof) { p.Failed = nil }, []string{record.CheckSeals}},
		"a deal from the attempt that failed": {func(_ *record.Record, p *fair.Proof) {
			p.Attempt, p.Failed = p.Failed[0], nil
			p.Numbers = p.Numbers[:1]
		}, []string{record.CheckDeal, record.CheckBots}},
		"a number left out": {func(_ *record.Record, p *fair.Proof) { p.Numbers = p.Numbers[1:] }, []string{record.CheckDeal, record.CheckBots}},
		"a number of a seat at which nobody sits": {func(_ *record.Record, p *fair.Proof) {
			p.Numbers = append(p.Numbers, aNumber(fair.Deal2, p.Attempt, "D"))
		}, []string{record.CheckSeals}},
		"one in an attempt that failed": {func(_ *record.Record, p *fair.Proof) {
			p.Failed[0].Numbers = append(p.Failed[0].Numbers, aNumber(fair.Deal2, p.Failed[0], "D"))
			last := anAttempt(fair.Deal2, 3, -1, p.Failed...)
			p.Attempt, p.Numbers = last, nil
		}, []string{record.CheckSeals}},
		"a number of a bot": {func(r *record.Record, _ *fair.Proof) {
			r.Extra["table"] = json.RawMessage(strings.Replace(string(r.Extra["table"]), `{"seed"`, `{"bot":"random","seed"`, 1))
		}, []string{record.CheckSeals}},
		"a first player who was chosen": {func(r *record.Record, p *fair.Proof) { p.First = after(first(r)) }, []string{record.CheckDeal}},
		"a seat that is none":           {func(_ *record.Record, p *fair.Proof) { p.First = "x" }, []string{record.CheckDeal}},
		"another derivation":            {func(_ *record.Record, p *fair.Proof) { p.Version = "caveau-deal/3" }, []string{record.CheckSeals}},
		"a bot that drew from elsewhere": {func(r *record.Record, _ *fair.Proof) {
			r.Extra["table"] = json.RawMessage(`{"bots":{"B":{"seed":7}}}`)
		}, []string{record.CheckBots}},
		"a move that is not allowed": {func(r *record.Record, _ *fair.Proof) { r.Moves[3] = "A fly" }, []string{record.CheckMoves}},
	} {
		rec, proof := honest()
		x.forge(&rec, &proof)
		if err := rec.Prove(proof); err != nil {
			t.Fatal(err)
		}
		if f := faults(written(t, rec)); !slices.Equal(f, x.found) {
			t.Errorf("%s: %v, not %v", name, f, x.found)
		}
	}
	rec, _ := honest()
	delete(rec.Extra, "proof")
	if f := faults(written(t, rec)); !slices.Equal(f, []string{record.CheckRead}) {
		t.Errorf("without a proof: %v", f)
	}
}

// first is who begins in the record's deal, after is the seat after another of three.
func first(r *record.Record) string {
	var deal struct{ First string }
	json.Unmarshal(r.Deal, &deal)
	return deal.First
}

func after(seat string) string { return map[string]string{"A": "B", "B": "C", "C": "A"}[seat] }

// The derivation never changes under its name: the records of docs/fair, one for every game and edition, prove what they
// proved when they were written. There is no flag that writes them anew.
func TestVectorsOfEveryGame(t *testing.T) {
	files, err := filepath.Glob("../docs/fair/*-*.json")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d records in docs/fair: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if v := record.Verify(text, everyGame{}); !v.OK() {
			t.Errorf("%s: %+v", file, v.Checks)
		}
	}
}
