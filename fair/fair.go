// Package fair is the sealed deal: the server seals a secret before anyone sits down, people at the table seal numbers of
// their own before any of them is opened, and the deal follows from all of it. Nobody can steer it, and whoever has the
// record can check that nobody did.
//
// docs/fair.md describes the derivation so that somebody else can write it again, and has test vectors. It never changes
// under its name: another derivation is another Version.
package fair

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Version names a derivation. What is hashed by one is hashed by no other.
type Version string

// The derivations. A number that is not opened in time is left out by the first; by the second the ceremony begins again.
const (
	Deal1  Version = "caveau-deal/1"
	Deal2  Version = "caveau-deal/2"
	Newest         = Deal2
)

// Known tells whether it is one of these.
func (v Version) Known() bool { return v == Deal1 || v == Deal2 }

// Again tells whether the ceremony begins again when a number is not opened in time.
func (v Version) Again() bool { return v != Deal1 }

// Bits are 256 bits: a secret, a number or a hash. As text they are 64 small hexadecimal digits.
type Bits [32]byte

// String is the bits as text.
func (b Bits) String() string { return hex.EncodeToString(b[:]) }

// MarshalText is the bits as text; it never fails.
func (b Bits) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads what MarshalText writes, and nothing else.
func (b *Bits) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*b = parsed
	}
	return err
}

// Parse reads bits. It refuses what is not 64 digits from 0 to 9 and from a to f, and does not quote it: nearly right, it is nearly a secret.
func Parse(text string) (b Bits, err error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(b) || hex.EncodeToString(raw) != text {
		return b, fmt.Errorf("a text of %d bytes is not 64 small hexadecimal digits", len(text))
	}
	return Bits(raw), nil
}

// hash is SHA-256 over a name, so that no hash made for one purpose serves another, and the parts.
func (v Version) hash(purpose string, parts ...[]byte) (b Bits) {
	h := sha256.New()
	h.Write([]byte(string(v) + " " + purpose + "\n"))
	for _, part := range parts {
		h.Write(part)
	}
	return Bits(h.Sum(nil))
}

// NewSecret is 256 bits that nobody can guess, if nobody can guess what rng draws.
func NewSecret(rng *rand.Rand) (secret Bits) {
	for i := 0; i < len(secret); i += 8 {
		binary.BigEndian.PutUint64(secret[i:], rng.Uint64())
	}
	return secret
}

// SpareSecret is a secret that follows from chance that nobody can guess, another one for each n. None of them tells anything of
// the chance or of another.
func SpareSecret(chance Bits, n int) Bits {
	return Newest.hash("spare", chance[:], binary.BigEndian.AppendUint64(nil, uint64(n)))
}

// SpareChance is where draws come from that follow from chance that nobody can guess, others for each n. Whoever has seen all that is drawn
// knows nothing of what is drawn next, nor of a SpareSecret.
func SpareChance(chance Bits, n int) *Chance {
	return Newest.NewChance(Newest.hash("spare draw", chance[:], binary.BigEndian.AppendUint64(nil, uint64(n))))
}

// Seal is what the server shows of its secret before anybody seals a number for it. After failed attempts it binds the last of
// them, and so all: whoever knows the seal cannot be shown other attempts later.
func (v Version) Seal(secret Bits, failed ...Attempt) Bits {
	var parts [][]byte
	if len(failed) > 0 {
		before := failed[len(failed)-1]
		parts = append(parts, before.Seal[:])
		for _, n := range before.Numbers {
			open := "1"
			if n.Number == nil {
				open = "0"
			}
			parts = append(parts, []byte(n.Seat), n.Seal[:], []byte(open))
		}
	}
	return v.hash("server", append(parts, secret[:])...)
}

// SealNumber is what a player shows of his number before any number is opened. It holds for this table, this attempt and this seat,
// a letter, so that nobody can pass off a neighbour's as his own.
func (v Version) SealNumber(table Bits, seat string, number Bits) Bits {
	return v.hash("player", table[:], []byte(seat), number[:])
}

// A Number is what one player gave to the deal.
type Number struct {
	Seat   string `json:"seat"`
	Seal   Bits   `json:"seal"`
	Number *Bits  `json:"number"` // nil if he never opened it
}

// An Attempt is a secret that was sealed, and the numbers that were sealed for it then.
type Attempt struct {
	Seal    Bits     `json:"seal"`
	Secret  Bits     `json:"secret"`
	Numbers []Number `json:"numbers"` // in seat order
}

// seats are those whose numbers were opened, or not.
func (a Attempt) seats(opened bool) []string {
	list := []string{}
	for _, n := range a.Numbers {
		if (n.Number != nil) == opened {
			list = append(list, n.Seat)
		}
	}
	return list
}

// Shut are the seats whose numbers were not opened.
func (a Attempt) Shut() []string { return a.seats(false) }

// A Proof is all from which a deal follows, and what was shown of it beforehand.
type Proof struct {
	Version Version             `json:"version"`
	Failed  []Attempt           `json:"failed,omitempty"` // in which a number was not opened, in order; after each the ceremony began again
	Attempt                     // the last, from which the deal follows
	First   string              `json:"first"` // the seat that the table chose to begin; "" if the deal chose
	Choices map[string][]string `json:"choices,omitempty"`
}

// What can be wrong with a proof.
var (
	ErrVersion = errors.New("the deal was derived in a way that this program does not know")
	ErrSeal    = errors.New("the secret is not the one that was sealed")
	ErrNumber  = errors.New("a number is not the one that was sealed")
	ErrAgain   = errors.New("the ceremony did not begin again where it had to, and only there")
)

// Seed is what the deal follows from. It fails, with one of the errors above, if a seal does not fit what it sealed, the numbers
// are not in seat order, or the attempts could not follow each other.
func (p Proof) Seed() (Bits, error) {
	if !p.Version.Known() {
		return Bits{}, fmt.Errorf("%w: %.40q, neither %q nor %q", ErrVersion, p.Version, Deal1, Deal2)
	}
	for i, a := range p.Failed {
		if err := a.fits(p.Version, p.Failed[:i]); err != nil {
			return Bits{}, fmt.Errorf("attempt %d: %w", i+1, err)
		}
	}
	if err := p.fits(p.Version, p.Failed); err != nil {
		return Bits{}, err
	}
	if err := p.again(); err != nil {
		return Bits{}, err
	}
	parts := [][]byte{p.Secret[:]}
	for _, n := range p.Numbers {
		if n.Number != nil {
			parts = append(parts, []byte(n.Seat), n.Number[:])
		}
	}
	return p.Version.hash("seed", parts...), nil
}

// fits compares the seals of an attempt, after those that failed, with what they sealed.
func (a Attempt) fits(v Version, failed []Attempt) error {
	if v.Seal(a.Secret, failed...) != a.Seal {
		return ErrSeal
	}
	last := ""
	for _, n := range a.Numbers {
		switch {
		case len(n.Seat) != 1 || n.Seat <= last:
			return fmt.Errorf("%w: seat %.8q is no seat after %q", ErrNumber, n.Seat, last)
		case n.Number != nil && v.SealNumber(a.Seal, n.Seat, *n.Number) != n.Seal:
			return fmt.Errorf("%w: that of seat %s", ErrNumber, n.Seat)
		}
		last = n.Seat
	}
	return nil
}

// again tells whether the ceremony began again after every attempt in which a number was not opened, after no other, and without
// whoever had kept his shut.
func (p Proof) again() error {
	if !p.Version.Again() {
		if len(p.Failed) > 0 {
			return fmt.Errorf("%w: by %s nothing begins again", ErrAgain, p.Version)
		}
		return nil
	}
	var shut []string
	for i, a := range append(slices.Clone(p.Failed), p.Attempt) {
		for _, n := range a.Numbers {
			if slices.Contains(shut, n.Seat) {
				return fmt.Errorf("%w: seat %s gives a number in attempt %d, and kept one shut before", ErrAgain, n.Seat, i+1)
			}
		}
		if failed := i < len(p.Failed); failed != (len(a.Shut()) > 0) {
			return fmt.Errorf("%w: attempt %d", ErrAgain, i+1)
		}
		shut = append(shut, a.Shut()...)
	}
	return nil
}

// BotSeed is what the bot of a seat draws from: 53 bits, a number that every reader of JSON can hold.
func (v Version) BotSeed(seed Bits, seat string) uint64 {
	h := v.hash("bot", seed[:], []byte(seat))
	return binary.BigEndian.Uint64(h[:]) >> 11
}

// Digest is the fingerprint of a record.
func (v Version) Digest(record []byte) Bits { return v.hash("record", record) }

// A Chance is a seed unrolled into as many draws as a deal needs: block n is a hash of the seed and n, and is eight words of
// 32 bits, the first byte the highest.
type Chance struct {
	version Version
	seed    Bits
	block   Bits
	next    uint64 // the number of the next block
	used    int    // how many bytes of the block
}

// NewChance is the beginning of the draws.
func (v Version) NewChance(seed Bits) *Chance {
	return &Chance{version: v, seed: seed, used: len(Bits{})}
}

// IntN draws one of 0 to n-1, each as likely as any other. It panics unless n is 1 to 2^31.
func (c *Chance) IntN(n int) int {
	if n < 1 || int64(n) > 1<<31 {
		panic(fmt.Sprintf("fair: a draw of one in %d", n))
	}
	// The words from 0 to even-1 are a whole number of times 0 to n-1; the few above are passed over.
	size := uint64(n)
	even := 1 << 32 / size * size
	for {
		if word := uint64(c.word()); word < even {
			return int(word % size)
		}
	}
}

func (c *Chance) word() uint32 {
	if c.used == len(c.block) {
		c.block = c.version.hash("draw", c.seed[:], binary.BigEndian.AppendUint64(nil, c.next))
		c.next, c.used = c.next+1, 0
	}
	word := binary.BigEndian.Uint32(c.block[c.used:])
	c.used += 4
	return word
}
