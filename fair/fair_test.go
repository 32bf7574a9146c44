package fair

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caveau/game"
)

func bits(text string) (b Bits) { copy(b[:], text); return b }

// sealed is a number that somebody sealed at an attempt; of one that is shut nobody knows it.
func sealed(a Attempt, v Version, seat, number string) Number {
	n := bits(number)
	return Number{seat, v.SealNumber(a.Seal, seat, n), &n}
}

func shut(n Number) Number { n.Number = nil; return n }

// proof is that of a table of three: Ana and Cleo gave numbers, Ben sealed one and never opened it.
func proof() Proof {
	a := Attempt{Seal: Deal1.Seal(bits("secret")), Secret: bits("secret")}
	a.Numbers = []Number{sealed(a, Deal1, "A", "ana"), shut(sealed(a, Deal1, "B", "ben")), sealed(a, Deal1, "C", "cleo")}
	return Proof{Version: Deal1, Attempt: a}
}

// begunAgain is that of a table of four: Ben did not open his number, then Dan not his, then Ana and Cleo both.
func begunAgain() Proof {
	p := Proof{Version: Deal2}
	for i, seats := range []string{"ABCD", "ACD", "AC"} {
		secret := bits("secret " + seats)
		p.Attempt = Attempt{Seal: Deal2.Seal(secret, p.Failed...), Secret: secret}
		for _, seat := range strings.Split(seats, "") {
			n := sealed(p.Attempt, Deal2, seat, seat+seats)
			if seat == "BD-"[i:i+1] {
				n = shut(n)
			}
			p.Numbers = append(p.Numbers, n)
		}
		if i < 2 {
			p.Failed = append(p.Failed, p.Attempt)
		}
	}
	return p
}

func seedOf(t *testing.T, p Proof) Bits {
	t.Helper()
	s, err := p.Seed()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSeedFollowsFromTheSecretAndEveryOpenedNumber(t *testing.T) {
	seed := func(change func(*Proof)) Bits {
		p := proof()
		change(&p)
		return seedOf(t, p)
	}
	usual := seed(func(*Proof) {})
	seen := []Bits{usual}
	for name, change := range map[string]func(*Proof){
		"another secret, and all sealed anew": func(p *Proof) {
			p.Secret = bits("other")
			p.Seal = Deal1.Seal(p.Secret)
			for i, n := range p.Numbers {
				if n.Number != nil {
					p.Numbers[i].Seal = Deal1.SealNumber(p.Seal, n.Seat, *n.Number)
				}
			}
		},
		"another number":                  func(p *Proof) { p.Numbers[0] = sealed(p.Attempt, Deal1, "A", "other") },
		"one who opens":                   func(p *Proof) { p.Numbers[1] = sealed(p.Attempt, Deal1, "B", "ben") },
		"one number less":                 func(p *Proof) { p.Numbers = p.Numbers[1:] },
		"the same number on another seat": func(p *Proof) { p.Numbers[2] = sealed(p.Attempt, Deal1, "D", "cleo") },
	} {
		s := seed(change)
		if slices.Contains(seen, s) {
			t.Errorf("%s: the seed is one that was there before", name)
		}
		seen = append(seen, s)
	}
	if seed(func(p *Proof) { p.Numbers = slices.Delete(p.Numbers, 1, 2) }) != usual {
		t.Error("a number that was never opened is part of the seed")
	}
}

// What was hashed by one derivation is nothing by another, and a record says by which it was.
func TestTheDerivationsHaveNothingInCommon(t *testing.T) {
	p := begunAgain()
	p.Version = Deal1
	p.Failed = nil
	if _, err := p.Seed(); !errors.Is(err, ErrSeal) {
		t.Errorf("a secret that was sealed by %s fits by %s: %v", Deal2, Deal1, err)
	}
	seed := bits("seed")
	if Deal1.BotSeed(seed, "A") == Deal2.BotSeed(seed, "A") || Deal1.NewChance(seed).word() == Deal2.NewChance(seed).word() {
		t.Error("two derivations draw the same")
	}
}

// An attempt that failed leaves no trace in the deal but that its seal is in the next one: its secret may be known.
func TestTheDealFollowsFromTheLastAttempt(t *testing.T) {
	p := begunAgain()
	last := p.Attempt
	alone := Proof{Version: Deal2, Attempt: Attempt{Seal: Deal2.Seal(last.Secret), Secret: last.Secret}}
	for _, n := range last.Numbers {
		alone.Numbers = append(alone.Numbers, Number{n.Seat, Deal2.SealNumber(alone.Seal, n.Seat, *n.Number), n.Number})
	}
	if seedOf(t, p) != seedOf(t, alone) {
		t.Error("the deal follows from more than the last attempt")
	}
	if last.Seal == alone.Seal {
		t.Error("the seal says nothing of the attempts before")
	}
}

// Whoever knows the last seal cannot be shown other attempts before it than there were, nor others who kept a number shut.
func TestASealBindsWhatFailedBefore(t *testing.T) {
	for name, change := range map[string]func(*Proof){
		"no attempt failed":      func(p *Proof) { p.Failed = nil },
		"the first is missing":   func(p *Proof) { p.Failed = p.Failed[1:] },
		"the second is missing":  func(p *Proof) { p.Failed = p.Failed[:1] },
		"one is there twice":     func(p *Proof) { p.Failed = append(p.Failed, p.Failed[1]) },
		"another order":          func(p *Proof) { slices.Reverse(p.Failed) },
		"a number left out":      func(p *Proof) { p.Failed[0].Numbers = p.Failed[0].Numbers[1:] },
		"another kept his shut":  func(p *Proof) { p.Failed[1].Numbers[0].Number = nil },
		"a shut number replaced": func(p *Proof) { p.Failed[0].Numbers[1].Seal[3]++ },
		"nobody kept his shut":   func(p *Proof) { p.Failed[1].Numbers[2] = sealed(p.Failed[1], Deal2, "D", "DACD") },
		"another secret":         func(p *Proof) { p.Failed[0].Secret[3]++ },
	} {
		p := begunAgain()
		change(&p)
		if _, err := p.Seed(); !errors.Is(err, ErrSeal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sealAgain gives all attempts seals that fit, as whoever makes up a whole record can.
func sealAgain(p *Proof) {
	all := append(p.Failed, p.Attempt)
	for i := range all {
		a := &all[i]
		a.Seal = p.Version.Seal(a.Secret, all[:i]...)
		for j, n := range a.Numbers {
			if n.Number != nil {
				a.Numbers[j].Seal = p.Version.SealNumber(a.Seal, n.Seat, *n.Number)
			}
		}
	}
	p.Failed, p.Attempt = all[:len(all)-1], all[len(all)-1]
}

// Attempts that could not follow each other are found, however well their seals fit.
func TestACeremonyBeginsAgainWhereItHasTo(t *testing.T) {
	for name, change := range map[string]func(*Proof){
		"a number is shut at the last attempt": func(p *Proof) { p.Numbers[0].Number = nil },
		"all were open, and it began again":    func(p *Proof) { p.Failed[1].Numbers = p.Failed[1].Numbers[:2] },
		"who kept his shut seals another": func(p *Proof) {
			p.Failed[1].Numbers = slices.Insert(p.Failed[1].Numbers, 1, sealed(p.Failed[1], Deal2, "B", "b"))
		},
		"who kept his shut gives one at last": func(p *Proof) { p.Numbers = append(p.Numbers, sealed(p.Attempt, Deal2, "D", "d")) },
		"by the first derivation":             func(p *Proof) { p.Version = Deal1 },
	} {
		p := begunAgain()
		change(&p)
		sealAgain(&p)
		if _, err := p.Seed(); !errors.Is(err, ErrAgain) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := begunAgain()
	sealAgain(&p)
	seedOf(t, p) // unchanged it holds
}

// What is claimed is what was possible: that nobody chose only where every number was opened at the first attempt.
func TestClaims(t *testing.T) {
	first := func(v Version, open, late string) Proof {
		a := Attempt{Seal: v.Seal(bits("secret")), Secret: bits("secret")}
		for _, seat := range []string{"A", "B", "C", "D"} {
			n := sealed(a, v, seat, seat)
			switch {
			case strings.Contains(open, seat):
				a.Numbers = append(a.Numbers, n)
			case strings.Contains(late, seat):
				a.Numbers = append(a.Numbers, shut(n))
			}
		}
		return Proof{Version: v, Attempt: a}
	}
	nobody := begunAgain()
	nobody.Numbers = nil
	for _, x := range []struct {
		p    Proof
		want Claim
	}{
		{first(Deal2, "ABC", ""), Claim{Unchosen, 0, []string{"A", "B", "C"}, [][]string{}}},
		{first(Deal1, "ABC", ""), Claim{Unchosen, 0, []string{"A", "B", "C"}, [][]string{}}},
		{first(Deal2, "", ""), Claim{House, 0, []string{}, [][]string{}}},
		{begunAgain(), Claim{Rejected, 2, []string{"A", "C"}, [][]string{{"B"}, {"D"}}}},
		{nobody, Claim{House, 0, []string{}, [][]string{{"B"}, {"D"}}}},
		{first(Deal1, "AC", "B"), Claim{Picked, 8, []string{"A", "C"}, [][]string{{"B"}}}},
		{first(Deal1, "A", "BD"), Claim{Picked, 8, []string{"A"}, [][]string{{"B", "D"}}}},
		{first(Deal1, "", "BD"), Claim{House, 0, []string{}, [][]string{{"B", "D"}}}},
	} {
		seedOf(t, x.p)
		if got := x.p.Claim(); !reflect.DeepEqual(got, x.want) {
			t.Errorf("of %+v it is claimed %+v, not %+v", x.p, got, x.want)
		}
	}
}

func TestSpareDrawsAreUnlikeEachOtherAndTheSecrets(t *testing.T) {
	chance := bits("chance")
	words := map[uint32]bool{}
	for _, c := range []*Chance{
		SpareChance(chance, 0), SpareChance(chance, 1), SpareChance(bits("other"), 0), Newest.NewChance(chance),
		Newest.NewChance(SpareSecret(chance, 0)), Newest.NewChance(SpareSecret(chance, 1)),
	} {
		words[c.word()] = true
	}
	if len(words) != 6 {
		t.Errorf("of six sources there are %d first draws", len(words))
	}
}

// One spare secret is known when its attempt is over; the others are not.
func TestSpareSecretsAreUnlikeEachOther(t *testing.T) {
	chance := bits("chance")
	one, two := SpareSecret(chance, 0), SpareSecret(chance, 1)
	if one == two || one == chance || SpareSecret(bits("other"), 0) == one {
		t.Errorf("two of them are one: %s, %s", one, two)
	}
}

func TestSealsThatDoNotFitAreFound(t *testing.T) {
	for _, x := range []struct {
		change func(*Proof)
		fault  error
	}{
		{func(p *Proof) { p.Version = "caveau-deal/3" }, ErrVersion},
		{func(p *Proof) { p.Version = "" }, ErrVersion},
		{func(p *Proof) { p.Secret[31] ^= 1 }, ErrSeal},
		{func(p *Proof) { p.Seal[0] ^= 128 }, ErrSeal},
		{func(p *Proof) { p.Numbers[0].Number[5]++ }, ErrNumber},
		{func(p *Proof) { p.Numbers[2].Seal[5]++ }, ErrNumber},
		{func(p *Proof) { p.Numbers[0].Seat = "B" }, ErrNumber},
		{func(p *Proof) { p.Numbers[2].Seat = "" }, ErrNumber},
		{func(p *Proof) { p.Numbers[2].Seat = "CC" }, ErrNumber},
		{func(p *Proof) { slices.Reverse(p.Numbers) }, ErrNumber},
		{func(p *Proof) { p.Numbers[1] = p.Numbers[0] }, ErrNumber},
	} {
		p := proof()
		x.change(&p)
		if _, err := p.Seed(); !errors.Is(err, x.fault) {
			t.Errorf("%+v: %v, not: %v", p, err, x.fault)
		}
	}
}

// Bits are read as they are written. What is refused is not told on: a secret with one wrong letter stands in a log that was damaged, and the error where
// operators read.
func TestBitsAreReadAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{"", "00", strings.Repeat("0", 63), strings.Repeat("0", 65), strings.Repeat("0g", 32), strings.Repeat("AB", 32)} {
		switch _, err := Parse(text); {
		case err == nil:
			t.Errorf("%q was read", text)
		case len(text) > 2 && strings.Contains(err.Error(), text[:8]):
			t.Errorf("%q is quoted: %v", text, err)
		}
	}
	p := proof()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again Proof
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if back, _ := json.Marshal(again); string(back) != string(text) {
		t.Errorf("%s is read as %s", text, back)
	}
	if err := json.Unmarshal([]byte(`{"seal": "00"}`), &again); err == nil {
		t.Error("a short seal was read")
	}
}

// Every number is drawn as often as any other, as far as 60,000 draws can tell: chi squared with 59 degrees of freedom is
// above 110 once in 30,000 seeds, and this seed is always the same.
func TestDrawsAreEven(t *testing.T) {
	c := Deal1.NewChance(bits("even"))
	var often [60]float64
	for range 60_000 {
		often[c.IntN(60)]++
	}
	chi := 0.0
	for _, n := range often {
		chi += (n - 1000) * (n - 1000) / 1000
	}
	if chi > 110 {
		t.Errorf("chi squared is %.0f: %v", chi, often)
	}
}

// The words above a whole number of times n are passed over: with n just above a third of 2^32 that is one in three.
func TestDrawsPassOverTheRest(t *testing.T) {
	const n = 1<<32/3 + 1
	plain, c := Deal1.NewChance(bits("rest")), Deal1.NewChance(bits("rest"))
	passed := 0
	for range 100 {
		word := plain.word()
		for word >= 2*n {
			word, passed = plain.word(), passed+1
		}
		if got := c.IntN(n); got != int(word%n) {
			t.Fatalf("%d was drawn, not %d", got, word%n)
		}
	}
	if passed < 20 {
		t.Errorf("only %d of 100 words were passed over", passed)
	}
	for _, n := range []int{0, -1, 1<<31 + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("one in %d was drawn", n)
				}
			}()
			c.IntN(n)
		}()
	}
}

func TestBotsOfATableDrawFromSeedsOfTheirOwn(t *testing.T) {
	seed := bits("seed")
	a, b := Newest.BotSeed(seed, "A"), Newest.BotSeed(seed, "B")
	if a == b || a >= 1<<53 || b >= 1<<53 {
		t.Errorf("the seeds are %d and %d", a, b)
	}
}

// The vectors in docs/fair were worked out by another program. They are never written anew: another derivation has another
// name, and vectors of its own.
func TestVectors(t *testing.T) {
	for version, file := range map[Version]string{Deal1: "vectors.json", Deal2: "vectors2.json"} {
		t.Run(file, func(t *testing.T) { testVectors(t, version, file) })
	}
}

func testVectors(t *testing.T, v Version, file string) {
	text, err := os.ReadFile("../docs/fair/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Proof    Proof
		Seed     Bits
		Draws    [][2]int
		Shuffled []int
		Bots     map[string]uint64
		Digest   struct {
			Of string
			Is Bits
		}
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	seed, err := want.Proof.Seed()
	if err != nil || seed != want.Seed || want.Proof.Version != v {
		t.Errorf("by %s the seed is %s, %v", want.Proof.Version, seed, err)
	}
	c := v.NewChance(seed)
	for i, d := range want.Draws {
		if got := c.IntN(d[0]); got != d[1] {
			t.Errorf("draw %d, one of %d, is %d, not %d", i, d[0], got, d[1])
		}
	}
	for seat, s := range want.Bots {
		if v.BotSeed(seed, seat) != s {
			t.Errorf("the bot of %s draws from %d, not %d", seat, v.BotSeed(seed, seat), s)
		}
	}
	shuffled := make([]int, len(want.Shuffled))
	for i := range shuffled {
		shuffled[i] = i
	}
	game.Shuffle(v.NewChance(seed), shuffled)
	if !slices.Equal(shuffled, want.Shuffled) {
		t.Errorf("sixty things are shuffled to %v", shuffled)
	}
	if d := v.Digest([]byte(want.Digest.Of)); d != want.Digest.Is {
		t.Errorf("the digest is %s", d)
	}
	if len(want.Draws) != 20 || len(shuffled) != 60 || len(want.Bots) != 6 {
		t.Error("there are vectors missing")
	}
}
