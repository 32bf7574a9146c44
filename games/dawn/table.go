package dawn

import "caveau/game"

// What is asked of a position that is played on in place, without copies and words. Whoever imagines tables plays on these. None of
// this is a rule of play.

// A Choice is what somebody is to choose.
type Choice uint8

// The choices; nothing when the game is over.
const (
	ChooseNothing Choice = iota
	ChooseGift           // which end to give: G1
	ChoosePlace          // which gift to put where: G3
	ChooseBelief         // B3
	ChooseAny            // a vampire of whatever colour: B4 to B7, C4
	ChooseCount          // C3, C4
	ChoosePresent        // B7
	ChooseEnd            // both fit: O3
	ChooseGarlic         // none does: K1
	ChooseGrave          // O1, O2, P3, B1
)

// Asked is who is asked now, and what.
func (p *Position) Asked() (game.Seat, Choice) {
	switch {
	case p.winners != 0:
		return game.NoSeat, ChooseNothing
	case p.givers != 0:
		return p.givers.After(p.to), ChooseGift
	case p.held > 0:
		return p.to, ChoosePlace
	case p.night.asks != 0:
		return p.night.asks.After(p.turn), ChooseBelief
	case p.night.layer != game.NoSeat:
		return p.night.layer, ChooseAny
	}
	s := p.player()
	switch {
	case p.night.places != 0:
		return s, ChooseCount
	case p.grave == noGrave:
		return s, ChooseGrave
	case p.awaitsPresent():
		return s, ChoosePresent
	case p.rows[s].end(left) == Colour(p.lid.at(p.grave)):
		return s, ChooseEnd
	default:
		return s, ChooseGarlic
	}
}

// Winners are those who have won.
func (p *Position) Winners() game.Seats { return p.winners }

// Len is how many vampires lie in a seat's row.
func (p *Position) Len(s game.Seat) int { return int(p.rows[s].n) }

// End is the outermost vampire of a row at that side, Next the one behind it; 0 where there is none.
func (p *Position) End(s game.Seat, end Side) Colour {
	if p.rows[s].n == 0 {
		return 0
	}
	return p.rows[s].end(end)
}

// Next is the one behind it.
func (p *Position) Next(s game.Seat, end Side) Colour {
	r := &p.rows[s]
	switch {
	case r.n < 2:
		return 0
	case end == left:
		return r.at(1)
	default:
		return r.at(r.n - 2)
	}
}

// Seen are the graves whose lids everyone has seen, Empty those in which nothing lies, Under those whose lids have a colour.
func (p *Position) Seen() Graves          { return p.seen }
func (p *Position) Empty() Graves         { return p.inside.of(empty) }
func (p *Position) Under(c Colour) Graves { return p.lid.of(Lid(c)) }
func (p *Position) Rats() Graves          { return p.lid.of(Rat) }

// Taken are those in which a vampire lies, GarlicOf those with somebody's garlic.
func (p *Position) Taken() Graves               { return p.inside.vampires() }
func (p *Position) GarlicOf(s game.Seat) Graves { return p.inside.of(garlic(s)) }

// Places are where the Count may be put.
func (p *Position) Places() Graves { return p.night.places }

// Gifts are what somebody holds that he has to put into his row.
func (p *Position) Gifts() []Colour { return p.hand[:p.held] }

// Lid is the colour of an open grave.
func (p *Position) LidOf(g Grave) Colour { return Colour(p.lid.at(g)) }

// FreshTurn tells whether somebody begins a turn, and nothing is under way.
func (p *Position) FreshTurn() bool { return !p.opened && p.grave == noGrave && p.rat == noGrave }

// Lidded are the graves that have a lid.
func (t *table) Lidded() Graves { return t.lidded }

// IsAtGrave tells whether a move turns or lifts a lid, or is about to.
func (m Move) IsAtGrave() bool { return m.verb == verbOpen || m.verb == verbBat }

// The moves, by what they do.
var (
	Rest    = [2]Move{restLeft, restRight}
	Give    = [2]Move{giveLeft, giveRight}
	Leave   = leaveEmpty
	Put     = placeGarlic
	Believe = believe
	Doubt   = doubt
)

// TakeTo and PresentTo are the others.
func TakeTo(c Colour, s Side) Move { return takeMove(c, s) }
func PresentTo(s game.Seat) Move   { return Move{verbPresent, uint8(s)} }
