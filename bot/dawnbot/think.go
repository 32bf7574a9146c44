package dawnbot

import (
	"math"
	"math/rand/v2"
	"runtime"

	"caveau/game"
	"caveau/games/dawn"
)

// How one thinks: what was found by play (docs/bots.md).
const (
	horizon = 45    // an imagined game is judged after so many decisions, when the next turn begins
	batch   = 8     // so many tables are imagined between two looks at who is behind
	behind  = 3     // a candidate is given up if it is so many standard errors behind,
	trifle  = 0.005 // or behind what would bring so much
	better  = 1     // something else than what the rules say is done if it is so many standard errors better
	exposed = 0.25  // a bluff that is found out loses three times what one gains that is believed: it is tried where one of the others knows it with no greater chance
)

// Think is the move of somebody who tries what he may do at tables as they could be, so many times in all. All candidates are tried at
// the same tables and with the same luck, everyone goes on by Rules, and after a while one looks who is likely to win. He does what Rules
// says unless something else is clearly better. Whether he believes in a bat he need not think about: he knows what lies there, or he does not.
//
// Known is how likely another knows what lies in each grave; nil where nobody forgets. Nerve is the standard deviation of the error with which he judges
// a move, in wins of a hundred.
func Think(v *dawn.View, moves []dawn.Move, known []float64, rng *rand.Rand, playouts int, nerve float64) dawn.Move {
	tried := judge(v, moves, known, rng, playouts)
	best, most := tried[0].move, 0.0
	for _, c := range tried[1:] {
		worth := c.mean() + nerve/100*rng.NormFloat64()
		if worth > most && worth > better*c.err() {
			best, most = c.move, worth
		}
	}
	return best
}

// judge is what comes of trying.
func judge(v *dawn.View, moves []dawn.Move, known []float64, rng *rand.Rand, playouts int) []candidate {
	tried := candidates(v, moves, known, Rules(v, moves, rng))
	if len(tried) > 1 {
		try(tried, v, known, rng, playouts)
	}
	return tried
}

// A candidate is a move that is tried, and how much more often than the first one it won.
type candidate struct {
	move            dawn.Move
	alike           alike
	merit           float64 // by which the one to try is chosen of those that are alike
	n, sum, squares float64
	out             bool // given up
}

func (c *candidate) mean() float64 { return c.sum / max(c.n, 1) }

// err is the standard error of the mean.
func (c *candidate) err() float64 {
	const least = 1e-4 // what looks certain may be not
	if c.n < 2 {
		return 1
	}
	mean := c.mean()
	return math.Sqrt(max(c.squares/c.n-mean*mean, least) / (c.n - 1))
}

// candidates are the moves that are worth a try, what the rules say first. Of graves of which one knows the same, one is enough; of those
// that nobody has seen, the one with the most unseen neighbours. What is known to be taken only costs a stake. Garlic is for whom nothing escapes: it
// seldom pays, and who forgets judges by games in which nobody forgets. A bat is set there where all
// others have probably forgotten it, of all such graves on the one of which they know the least.
func candidates(v *dawn.View, moves []dawn.Move, known []float64, usual dawn.Move) []candidate {
	me := think(v, nil)
	ground := &me.ground
	tried := make([]candidate, 1, 24)
	tried[0] = candidate{move: usual, alike: whatOf(v, ground, usual)}
	if usual.Verb() == "believe" || usual.Verb() == "doubt" {
		return tried
	}
next:
	for _, m := range moves {
		c := candidate{move: m, alike: whatOf(v, ground, m)}
		switch {
		case c.alike.bluff && known != nil:
			c.alike, c.merit = alike{verb: "bat", bluff: true}, math.Pow(1-known[m.At()], float64(v.Players()-1))
			if c.merit < 1-exposed {
				continue
			}
		case c.alike.taken || c.alike.inside != 0 && known != nil || me.waits(&c.alike):
			continue
		case c.alike.unseen:
			c.merit = float64(size(dawn.Neighbours(m.At()) & ground.Unseen))
		}
		for i := range tried {
			if tried[i].alike == c.alike {
				if i > 0 && c.merit > tried[i].merit {
					tried[i] = c
				}
				continue next
			}
		}
		tried = append(tried, c)
	}
	return tried
}

// alike is what there is to know of a move: of a grave, all but where it is.
type alike struct {
	move          dawn.Move // where it names no grave
	verb          string
	lid           dawn.Colour
	inside        dawn.Content
	unseen, taken bool
	rat           bool
	just, worn    bool
	bluff         bool // a bat where something lies
}

// waits tells whether a move goes neither on nor back; where nothing is left to find, or takes up garlic as well. Neither is for who thinks, unless the
// rules say so: to leave it to others to go on would always seem better, as at imagined tables they do, and so would to pass vampires to and fro for
// garlic: no game would have an end.
func (m *mind) waits(a *alike) bool {
	switch a.verb {
	case "open":
		switch row := &m.rows[m.me]; {
		case a.inside == 0 && a.lid != 0 && (a.lid == row.End(dawn.Left) || a.lid == row.End(dawn.Right)):
			return false
		case m.ground.Unseen == 0:
			return true
		}
		return a.inside == 0 && a.lid != 0 && (m.v.Bundles(m.me) == 0 || m.closing(a.lid) <= m.bundle())
	case "":
		verb := a.move.Verb()
		return m.ground.Unseen == 0 && (verb == "stop" || verb == "garlic" || verb == "leave")
	}
	return false
}

func whatOf(v *dawn.View, ground *dawn.Ground, m dawn.Move) alike {
	verb := m.Verb()
	if verb != "open" && verb != "bat" && verb != "count" {
		return alike{move: m}
	}
	g := m.At()
	in := func(gs dawn.Graves) bool { return gs>>g&1 == 1 }
	return alike{
		verb: verb, lid: v.Lid(g), inside: v.Inside(g), unseen: in(ground.Unseen), taken: in(ground.Taken), rat: in(ground.Rats),
		just: in(v.Just()), worn: in(v.Worn(v.Seat())), bluff: verb == "bat" && v.Inside(g) != 0,
	}
}

// try plays on after each candidate, and gives up those that are far behind.
func try(tried []candidate, v *dawn.View, known []float64, rng *rand.Rand, playouts int) {
	var world, p dawn.Position
	for worlds := 1; ; worlds++ {
		runtime.Gosched() // people's moves come first
		v.SampleInto(&world, rng)
		luck, usual := rng.Uint64(), 0.0
		for i := range tried {
			c := &tried[i]
			if c.out {
				continue
			}
			if playouts--; playouts < 0 {
				return
			}
			p = world
			p.Do(c.move, nil)
			if c.alike.bluff && known != nil {
				answer(&p, known[c.move.At()], luck)
			}
			worth := playOn(&p, v.Seat(), luck)
			if i == 0 {
				usual = worth
			}
			c.n++
			c.sum += worth - usual
			c.squares += (worth - usual) * (worth - usual)
		}
		if worlds%batch == 0 && giveUp(tried) == 1 {
			return
		}
	}
}

// answer has the others say whether they believe in a bluff: whoever does not know better does.
func answer(p *dawn.Position, known float64, luck uint64) {
	rng := rand.New(rand.NewPCG(luck, 1))
	for p.AwaitsAnswer() {
		said := dawn.Believe
		if rng.Float64() < known {
			said = dawn.Doubt
		}
		p.Do(said, nil)
	}
}

// giveUp gives up what is far behind, and tells how many are left. The first stays, as all others are measured by it.
func giveUp(tried []candidate) (left int) {
	sure := 0.0
	for _, c := range tried[1:] {
		if !c.out {
			sure = max(sure, c.mean()-behind*c.err())
		}
	}
	left = 1
	for i := range tried[1:] {
		c := &tried[1+i]
		c.out = c.out || c.mean()+behind*c.err() < max(sure, trifle)
		if !c.out {
			left++
		}
	}
	return left
}

// playOn has everyone play by rules for a while, and tells how likely a seat is to win then.
func playOn(p *dawn.Position, me game.Seat, luck uint64) float64 {
	var buffer [128]dawn.Move
	rng := rand.New(rand.NewPCG(luck, 0))
	for n := 0; ; n++ {
		s := p.Asked()
		if s == game.NoSeat || n >= horizon && p.Begins() {
			return likely(p, me)
		}
		v := p.View(s)
		p.Do(Rules(&v, p.Legal(buffer[:0]), rng), nil)
	}
}
