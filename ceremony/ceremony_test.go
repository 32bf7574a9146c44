package ceremony_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"caveau/ceremony"
	"caveau/fair"
	"caveau/game"
)

// Whoever opens, seals again or does neither: the ceremony comes to an end, and what it proves is right.
func TestEveryCeremonyEndsInAProof(t *testing.T) {
	cases := map[fair.Case]int{}
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		version := []fair.Version{fair.Deal1, fair.Deal2}[seed%2]
		c, at := begin(version, rng), time.Unix(0, 0)
		attempts := 1
		for {
			seal(c, rng)
			c.Call(at)
			unseal(c, rng)
			if !c.Wait().Fails {
				break
			}
			c.Anew(fair.NewSecret(rng), at)
			if attempts++; attempts > game.MaxSeats+1 {
				t.Fatalf("seed %d: the ceremony does not end", seed)
			}
		}
		p := c.Proof()
		if _, err := p.Seed(); err != nil {
			t.Fatalf("seed %d: %+v: %v", seed, p, err)
		}
		claim := p.Claim()
		if version == fair.Deal2 && claim.Case == fair.Picked || version == fair.Deal1 && claim.Case == fair.Rejected {
			t.Errorf("seed %d: by %s it is claimed %+v", seed, version, claim)
		}
		cases[claim.Case]++
	}
	for _, one := range []fair.Case{fair.Unchosen, fair.Rejected, fair.Picked, fair.House} {
		if cases[one] < 50 {
			t.Errorf("of %d ceremonies %d end as %s", 2000, cases[one], one)
		}
	}
}

func begin(v fair.Version, rng *rand.Rand) *ceremony.Ceremony {
	c, secret := new(ceremony.Ceremony), fair.NewSecret(rng)
	c.Begin(v, &secret)
	return c
}

// numbers are what the seats draw: each attempt another.
func number(c *ceremony.Ceremony, s game.Seat) (n fair.Bits) {
	n[0], n[1] = byte(s), byte(c.Failed())
	return n
}

// seal has some of those who may seal their numbers.
func seal(c *ceremony.Ceremony, rng *rand.Rand) {
	for s := range game.Seat(4) {
		told := c.Told(false, false)
		bits := told.Version.SealNumber(told.Seal, s.String(), number(c, s))
		if _, _, err := c.MaySeal(s, bits.String(), false); err == nil && rng.IntN(4) > 0 {
			c.Seal(s, bits)
		}
	}
}

// unseal has most open theirs.
func unseal(c *ceremony.Ceremony, rng *rand.Rand) {
	for s := range game.Seat(4) {
		if _, _, err := c.MayUnseal(s, number(c, s).String(), false); err == nil && rng.IntN(5) > 0 {
			c.Unseal(s, number(c, s))
		}
	}
}
