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
)

// Version names the derivation.
const Version = "caveau-deal/1"

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

// Parse reads bits. It refuses what is not 64 digits from 0 to 9 and from a to f.
func Parse(text string) (b Bits, err error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(b) || hex.EncodeToString(raw) != text {
		return b, fmt.Errorf("%.80q is not 64 small hexadecimal digits", text)
	}
	return Bits(raw), nil
}

// hash is SHA-256 over a name, so that no hash made for one purpose serves another, and the parts.
func hash(purpose string, parts ...[]byte) (b Bits) {
	h := sha256.New()
	h.Write([]byte(Version + " " + purpose + "\n"))
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

// Seal is what the server shows of its secret before anyone sits down.
func Seal(secret Bits) Bits { return hash("server", secret[:]) }

// SealNumber is what a player shows of his number before any number is opened. It holds for this table and this seat, a
// letter, so that nobody can pass off a neighbour's as his own.
func SealNumber(table Bits, seat string, number Bits) Bits {
	return hash("player", table[:], []byte(seat), number[:])
}

// A Number is what one player gave to the deal.
type Number struct {
	Seat   string `json:"seat"`
	Seal   Bits   `json:"seal"`
	Number *Bits  `json:"number"` // nil if he never opened it
}

// A Proof is all from which a deal follows, and what was shown of it beforehand.
type Proof struct {
	Version string              `json:"version"`
	Seal    Bits                `json:"seal"`
	Secret  Bits                `json:"secret"`
	Numbers []Number            `json:"numbers"` // in seat order
	First   string              `json:"first"`   // the seat that the table chose to begin; "" if the deal chose
	Choices map[string][]string `json:"choices,omitempty"`
}

// What can be wrong with a proof.
var (
	ErrVersion = errors.New("the deal was derived in a way that this program does not know")
	ErrSeal    = errors.New("the secret is not the one that was sealed")
	ErrNumber  = errors.New("a number is not the one that was sealed")
)

// Seed is what the deal follows from. It fails, with one of the errors above, if a seal does not fit what it sealed, or
// the numbers are not in seat order.
func (p Proof) Seed() (Bits, error) {
	if p.Version != Version {
		return Bits{}, fmt.Errorf("%w: %.40q, not %q", ErrVersion, p.Version, Version)
	}
	if Seal(p.Secret) != p.Seal {
		return Bits{}, ErrSeal
	}
	parts := [][]byte{p.Secret[:]}
	last := ""
	for _, n := range p.Numbers {
		switch {
		case len(n.Seat) != 1 || n.Seat <= last:
			return Bits{}, fmt.Errorf("%w: seat %.8q is no seat after %q", ErrNumber, n.Seat, last)
		case n.Number == nil:
		case SealNumber(p.Seal, n.Seat, *n.Number) != n.Seal:
			return Bits{}, fmt.Errorf("%w: that of seat %s", ErrNumber, n.Seat)
		default:
			parts = append(parts, []byte(n.Seat), n.Number[:])
		}
		last = n.Seat
	}
	return hash("seed", parts...), nil
}

// BotSeed is what the bot of a seat draws from: 53 bits, a number that every reader of JSON can hold.
func BotSeed(seed Bits, seat string) uint64 {
	h := hash("bot", seed[:], []byte(seat))
	return binary.BigEndian.Uint64(h[:]) >> 11
}

// Digest is the fingerprint of a record.
func Digest(record []byte) Bits { return hash("record", record) }

// A Chance is a seed unrolled into as many draws as a deal needs: block n is a hash of the seed and n, and is eight words of
// 32 bits, the first byte the highest.
type Chance struct {
	seed  Bits
	block Bits
	next  uint64 // the number of the next block
	used  int    // how many bytes of the block
}

// NewChance is the beginning of the draws.
func NewChance(seed Bits) *Chance { return &Chance{seed: seed, used: len(Bits{})} }

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
		c.block = hash("draw", c.seed[:], binary.BigEndian.AppendUint64(nil, c.next))
		c.next, c.used = c.next+1, 0
	}
	word := binary.BigEndian.Uint32(c.block[c.used:])
	c.used += 4
	return word
}
