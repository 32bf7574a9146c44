package fair

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"caveau/game"
)

func bits(text string) (b Bits) { copy(b[:], text); return b }

// proof is that of a table of three: Ana and Cleo gave numbers, Ben sealed one and never opened it.
func proof() Proof {
	secret, ana, cleo := bits("secret"), bits("ana"), bits("cleo")
	seal := Seal(secret)
	return Proof{
		Version: Version, Seal: seal, Secret: secret,
		Numbers: []Number{
			{"A", SealNumber(seal, "A", ana), &ana}, {"B", SealNumber(seal, "B", bits("ben")), nil}, {"C", SealNumber(seal, "C", cleo), &cleo},
		},
	}
}

func TestSeedFollowsFromTheSecretAndEveryOpenedNumber(t *testing.T) {
	seed := func(change func(*Proof)) Bits {
		p := proof()
		change(&p)
		s, err := p.Seed()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	usual := seed(func(*Proof) {})
	seen := []Bits{usual}
	for name, change := range map[string]func(*Proof){
		"another secret, and all sealed anew": func(p *Proof) {
			p.Secret = bits("other")
			p.Seal = Seal(p.Secret)
			for i, n := range p.Numbers {
				if n.Number != nil {
					p.Numbers[i].Seal = SealNumber(p.Seal, n.Seat, *n.Number)
				}
			}
		},
		"another number": func(p *Proof) {
			other := bits("other")
			p.Numbers[0] = Number{"A", SealNumber(p.Seal, "A", other), &other}
		},
		"one who opens":   func(p *Proof) { ben := bits("ben"); p.Numbers[1].Number = &ben },
		"one number less": func(p *Proof) { p.Numbers = p.Numbers[1:] },
		"the same number on another seat": func(p *Proof) {
			n := p.Numbers[2].Number
			p.Numbers[2] = Number{"D", SealNumber(p.Seal, "D", *n), n}
		},
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

func TestSealsThatDoNotFitAreFound(t *testing.T) {
	for _, x := range []struct {
		change func(*Proof)
		fault  error
	}{
		{func(p *Proof) { p.Version = "caveau-deal/2" }, ErrVersion},
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

func TestBitsAreReadAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{"", "00", strings.Repeat("0", 63), strings.Repeat("0", 65), strings.Repeat("0g", 32), strings.Repeat("AB", 32)} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q was read", text)
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
	c := NewChance(bits("even"))
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
	plain, c := NewChance(bits("rest")), NewChance(bits("rest"))
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
	a, b := BotSeed(seed, "A"), BotSeed(seed, "B")
	if a == b || a >= 1<<53 || b >= 1<<53 {
		t.Errorf("the seeds are %d and %d", a, b)
	}
}

// The vectors in docs/fair were worked out by another program. They are never written anew: another derivation has another
// name, and vectors of its own.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../docs/fair/vectors.json")
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
	if err != nil || seed != want.Seed {
		t.Errorf("the seed is %s, %v", seed, err)
	}
	c := NewChance(seed)
	for i, d := range want.Draws {
		if got := c.IntN(d[0]); got != d[1] {
			t.Errorf("draw %d, one of %d, is %d, not %d", i, d[0], got, d[1])
		}
	}
	for seat, s := range want.Bots {
		if BotSeed(seed, seat) != s {
			t.Errorf("the bot of %s draws from %d, not %d", seat, BotSeed(seed, seat), s)
		}
	}
	shuffled := make([]int, len(want.Shuffled))
	for i := range shuffled {
		shuffled[i] = i
	}
	game.Shuffle(NewChance(seed), shuffled)
	if !slices.Equal(shuffled, want.Shuffled) {
		t.Errorf("sixty things are shuffled to %v", shuffled)
	}
	if d := Digest([]byte(want.Digest.Of)); d != want.Digest.Is {
		t.Errorf("the digest is %s", d)
	}
	if len(want.Draws) != 20 || len(shuffled) != 60 || len(want.Bots) != 6 {
		t.Error("there are vectors missing")
	}
}
