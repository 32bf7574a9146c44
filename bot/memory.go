package bot

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"caveau/game"
)

// A Mind is a view that can be forgotten, in a game whose memory is of places: what lies where.
type Mind[P, V any] interface {
	game.View[P]
	// Forget is the view of somebody who has nothing in mind of the places outside kept, a bit each, and who takes what he saw at
	// one of a pair for what he saw at the other. What he has not in mind is a hole in the view; nothing about it is left to chance.
	Forget(kept uint64, mixed [][2]uint8) V
	// Place is the number, below 64, of the place that somebody looks at when he hears of that.
	Place(e game.Event) (place uint8, ok bool)
	// Called is a place in words.
	Called(place uint8) string
	// Near are the places that are easily taken for that one.
	Near(place uint8) uint64
}

// A Memory is how well somebody remembers: how many looks elsewhere, after a single look at a place, make it as likely as not that he has
// lost it. Perfect loses nothing.
//
// What he has seen grows faint with the number of looks since, by a power of it, and every look at the place again adds to it: the base
// level of ACT-R (Anderson and Schooler 1991; Anderson et al. 2004, "An integrated theory of the mind"), here with looks for seconds, as what
// one looks at in between is what a table has in place of time. Somebody knows a thing while its base level, and a logistic noise that is
// drawn once for each look at it, are above his threshold. Three things are added, one each for what is known of people:
//
//   - the four places that he looked at last are before his eyes, however faint the rest is (Cowan 2001, "The magical number 4");
//   - what has grown too faint is not gone at once. For a while he knows what it was and no longer quite where: one in two such
//     memories he has at a place nearby that he remembers nothing of (Bays, Catalao and Husain 2009, on swaps);
//   - what is lost is lost until it is looked at again.
//
// It all follows from what the seat was told and from its seed. So it is the same after a restart, and whoever has the record can say
// afterwards what was forgotten when.
type Memory float64

// Perfect is the memory that loses nothing.
var Perfect = Memory(math.Inf(1))

const (
	decay  = 0.5 // the power, ACT-R's usual one
	noise  = 0.3 // the scale of the noise: ACT-R's models have 0.2 to 0.5
	before = 4   // how many places are before one's eyes
	vague  = 0.3 // how much fainter than the threshold a memory is when its place is gone too, in units of base level
)

// A Recall is what somebody has in mind at one moment, in places.
type Recall struct {
	Looked uint64     // where he ever looked
	Kept   uint64     // of what places he believes that he knows what is there, those of Mixed included; all where he forgets nothing
	Mixed  [][2]uint8 // what he saw at the first of a pair he remembers at the second
	Known  []float64  // how likely somebody else who remembers as well, and was shown the same, knows what is at each place; nil where nobody forgets
}

// Lost are the places that he looked at and does not know any more, or has in mind what he saw elsewhere.
func (r Recall) Lost() uint64 { return r.Looked &^ r.Right() }

// Right are the places of which he knows what he saw.
func (r Recall) Right() uint64 {
	right := r.Kept
	for _, pair := range r.Mixed {
		right &^= 1 << pair[1]
	}
	return right
}

// Recall is what somebody with that memory has in mind who was told these events.
func (m Memory) Recall(events []game.Event, place func(game.Event) (uint8, bool), near func(uint8) uint64, seed uint64) (r Recall) {
	l := looksAt(events, place)
	for p, looks := range l.at {
		if len(looks) > 0 {
			r.Looked |= 1 << p
		}
	}
	if m == Perfect {
		r.Kept = ^uint64(0)
		return r
	}
	var faint []uint8
	r.Kept, r.Known = l.last(before), make([]float64, len(l.at))
	for rest := r.Kept; rest != 0; rest &= rest - 1 {
		r.Known[bits.TrailingZeros64(rest)] = 1
	}
	for rest := r.Looked &^ r.Kept; rest != 0; rest &= rest - 1 {
		p := uint8(bits.TrailingZeros64(rest))
		strong := l.baseLevel(p) - m.threshold()
		r.Known[p] = 1 / (1 + math.Exp(-strong/noise))
		switch above := strong + l.noise(seed, p); {
		case above > 0:
			r.Kept |= 1 << p
		case above > -vague:
			faint = append(faint, p)
		}
	}
	for _, p := range faint {
		r.misplace(p, near(p), l.rand(seed, p, 1))
	}
	known := slices.Clone(r.Known)
	for _, pair := range r.Mixed {
		r.Known[pair[1]] = known[pair[0]]
	}
	return r
}

// misplace has him remember, in one case of two, what he saw at p at a place nearby, where he remembers nothing of that.
func (r *Recall) misplace(p uint8, near uint64, rng *rand.Rand) {
	if near == 0 || rng.IntN(2) == 0 {
		return
	}
	for range rng.IntN(bits.OnesCount64(near)) {
		near &= near - 1
	}
	q := uint8(bits.TrailingZeros64(near))
	if (r.Kept>>p|r.Kept>>q)&1 == 0 {
		r.Mixed = append(r.Mixed, [2]uint8{p, q})
		r.Kept |= 1 << q
	}
}

// threshold is the base level of a single look so many looks ago.
func (m Memory) threshold() float64 { return -decay * math.Log(float64(m)) }

// looks is what a player has looked at, one look after another: of each place the how-manieth looks of all.
type looks struct {
	at  [64][]int
	all int
}

// looksAt takes what is said of one place in a row for one look at it.
func looksAt(events []game.Event, place func(game.Event) (uint8, bool)) *looks {
	l, last := new(looks), -1
	for _, e := range events {
		p, ok := place(e)
		if ok && int(p) != last {
			l.all++
			l.at[p] = append(l.at[p], l.all)
		}
		if ok {
			last = int(p)
		} else if e.Verb == "turn" {
			last = -1
		}
	}
	return l
}

// last are the n places that were looked at last.
func (l *looks) last(n int) (places uint64) {
	var latest []uint8
	for p, looks := range l.at {
		if len(looks) > 0 {
			latest = append(latest, uint8(p))
		}
	}
	slices.SortFunc(latest, func(a, b uint8) int { return l.since(a) - l.since(b) })
	for _, p := range latest[:min(n, len(latest))] {
		places |= 1 << p
	}
	return places
}

// since is how many looks ago a place was looked at last.
func (l *looks) since(p uint8) int { return l.all - l.at[p][len(l.at[p])-1] }

// baseLevel is how much there is left of a memory: the logarithm of the sum of what every look has left.
func (l *looks) baseLevel(p uint8) float64 {
	sum := 0.0
	for _, at := range l.at[p] {
		sum += math.Pow(float64(l.all-at+1), -decay)
	}
	return math.Log(sum)
}

// noise is drawn from a logistic distribution, once for each look at a place.
func (l *looks) noise(seed uint64, p uint8) float64 {
	u := l.rand(seed, p, 0).Float64()
	return noise * math.Log(u/(1-u))
}

// rand is chance that stays the same until the place is looked at again.
func (l *looks) rand(seed uint64, p uint8, use uint64) *rand.Rand {
	looks := l.at[p]
	return rand.New(rand.NewPCG(seed, uint64(p)<<32|uint64(looks[len(looks)-1])<<1|use))
}
