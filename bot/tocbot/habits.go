package tocbot

import (
	"math/rand/v2"

	"caveau/game"
	"caveau/games/toctoc"
)

// habits are how people play, as far as a small table can say it: how often they open, and with what they knock. They were
// learned by playing against themselves (learn_test.go), and take a fifteenth of the time that rules take.
type habits struct {
	open  [exposures][exposures][known][stages]float32 // how often somebody opens
	knock [levels][swings][stages][ahead]float32       // how much a knock appeals
}

const (
	exposures = 6  // how much a child would take: of him who is at home, and of the knocker
	known     = 5  // how many of the knocker's cards are bad, as far as everybody saw them drawn
	stages    = 2  // before the pile is empty, and after
	levels    = 16 // what the knocker gains on whoever is at home, on the average
	swings    = 8  // and what if it is opened
	ahead     = 2  // whether whoever is at home has more points
)

// stakes is what somebody's guests have to fear and to hope for.
type stakes struct {
	score   int
	exposed int        // what a child takes
	lured   [kinds]int // what a vamp of that kind takes
	music   [kinds]int // what a musician brings
	guest   [kinds]int // what any other guest brings
}

func stakesOf(guests toctoc.Party) (s stakes) {
	s.score = 3 * guests.Count(toctoc.Scarecrow)
	for _, k := range toctoc.Kinds {
		n := guests.Size(k)
		s.guest[k], s.music[k] = 1, n+2
		points := n
		if n > 0 {
			s.lured[k] = 1
			if guests.Count(toctoc.MusicianOf(k)) > 0 {
				s.guest[k], s.lured[k], points = 2, n+1, 2*n
			}
			if points > s.exposed && !guests.Guarded(k) {
				s.exposed = points
			}
		}
		s.score += points
	}
	return s
}

// swing is what the rival gains on the host when the host takes the card.
func (s *stakes) swing(c toctoc.Card) int {
	k := c.Kind()
	switch {
	case c == toctoc.Child:
		return 2 * s.exposed
	case c == toctoc.Taxi:
		return s.exposed
	case c == toctoc.Scarecrow:
		return -3
	case c.IsVamp():
		return 2 * s.lured[k]
	case c == toctoc.MusicianOf(k):
		return -s.music[k]
	default:
		return -s.guest[k]
	}
}

// step is the step of a scale on which a swing stands.
func step(swing int) int {
	switch {
	case swing <= -3:
		return 0
	case swing <= -2:
		return 1
	case swing <= -1:
		return 2
	case swing == 0:
		return 3
	case swing <= 2:
		return 4
	case swing <= 4:
		return 5
	case swing <= 6:
		return 6
	default:
		return 7
	}
}

func stage(pile int) int {
	if pile == 0 {
		return 1
	}
	return 0
}

func isAhead(home, knocker *stakes) int {
	if home.score > knocker.score {
		return 1
	}
	return 0
}

// A cell is a number of the table.
type cell = *float32

// door is how often somebody opens who has those stakes to somebody with those, and with such a hand.
func (h *habits) door(home, knocker *stakes, hand *toctoc.Hand, pile int) cell {
	bad, shown := 0, hand.Drawn
	for _, c := range hand.Cards[hand.N-shown : hand.N] {
		if !c.Joins() {
			bad++
		}
	}
	// of what nobody saw half is bad
	all := 2*bad + hand.N - shown
	share := 0
	switch {
	case all == 0:
	case all == 2*hand.N:
		share = 4
	case 5*all < 4*hand.N:
		share = 1
	case 5*all > 6*hand.N:
		share = 3
	default:
		share = 2
	}
	return &h.open[min(home.exposed, exposures-1)][min(knocker.exposed, exposures-1)][share][stage(pile)]
}

// appeal is how much a card appeals to somebody with those stakes, at the door of somebody who opens so often.
func (h *habits) appeal(c toctoc.Card, home, knocker *stakes, open float32, pile int) cell {
	opened, shut := home.swing(c), -knocker.swing(c)
	mean := open*float32(opened) + (1-open)*float32(shut)
	return &h.knock[min(max(int(mean+levels/2), 0), levels-1)][step(opened)][stage(pile)][isAhead(home, knocker)]
}

// move is what somebody does by habit whose turn it is at a table that lies open before us.
func (h *habits) move(p *toctoc.Position, dice *rand.PCG) toctoc.Move {
	knocker := p.Knocker()
	switch {
	case p.Host() != game.NoSeat:
		return toctoc.Choose(whom(p))
	case p.Door() != game.NoSeat:
		home, k := stakesOf(p.Party(p.Door())), stakesOf(p.Party(knocker))
		hand := p.Hand(knocker)
		if roll(dice) < *h.door(&home, &k, &hand, p.Pile()) {
			return toctoc.Accept
		}
		return toctoc.Refuse
	default:
		return h.knocks(p, dice)
	}
}

func roll(dice *rand.PCG) float32 { return float32(dice.Uint64()>>40) / (1 << 24) }

// knocks draws a knock, the likelier the more it appeals.
func (h *habits) knocks(p *toctoc.Position, dice *rand.PCG) toctoc.Move {
	me, players, pile := p.Knocker(), uint8(p.Seats()), p.Pile()
	mine, hand := stakesOf(p.Party(me)), p.Hand(me)
	var likely [handSize * (mostPlayers - 1)]float32
	all, n := float32(0), 0
	for to := me.Left(players); to != me; to = to.Left(players) {
		home := stakesOf(p.Party(to))
		open := *h.door(&home, &mine, &hand, pile)
		for _, c := range hand.Cards[:hand.N] {
			likely[n] = *h.appeal(c, &home, &mine, open, pile)
			all += likely[n]
			n++
		}
	}
	i, left := 0, roll(dice)*all
	for i < n-1 && left >= likely[i] {
		left -= likely[i]
		i++
	}
	to := me.Left(players)
	for range i / hand.N {
		to = to.Left(players)
	}
	return toctoc.Knock(to, hand.Cards[i%hand.N])
}

// whom is who leaves the host: the musician, else the kind that most are of to whom it goes.
func whom(p *toctoc.Position) toctoc.Card {
	c, host := p.Card(), p.Host()
	may := c.TakesFrom(p.Party(host))
	if musician := toctoc.MusicianOf(c.Kind()); c.IsVamp() && p.Party(host).Count(musician) > 0 {
		return musician
	}
	best, most := may.First(), -1
	rival := p.Door()
	if rival == host {
		rival = p.Knocker()
	}
	for ; may != 0; may &= may - 1 {
		who := may.First()
		k := who.Kind()
		worth := 4 * p.Party(host).Points(k)
		if c != toctoc.Taxi && p.Party(rival).Count(toctoc.MusicianOf(k)) > 0 {
			worth += 2
		}
		if who != toctoc.MusicianOf(k) && c.IsVamp() && !p.Party(rival).Guarded(k) && who != toctoc.GuestOf(k) {
			worth += 3 // a brute will guard those who are there
		}
		if worth > most {
			best, most = who, worth
		}
	}
	return best
}
