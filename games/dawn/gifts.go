package dawn

import "caveau/game"

// Gifts are those that one event brings.
type gifts struct {
	givers game.Seats            // who has to give
	due    uint8                 // how many the next giver owes
	to     game.Seat             // who receives
	hand   [game.MaxSeats]Colour // what he has got of it: one from each other player at most, and nothing behind
	held   uint8                 // how many those are
	cause  cause                 // what they are for
}

// A cause is what gifts are for, and so what happens once the last of them is placed.
type cause uint8

const (
	forNothing cause = iota
	forStakes
	forGarlic
	forBat // a vampire out of a grave that a bat was set on
)

// bringGifts: each giver owes the receiver so many vampires, and what was waiting for them waits until he has placed the
// last (G3).
func (p *Position) bringGifts(to game.Seat, givers game.Seats, due uint8, why cause, ev *game.Events) {
	p.gifts = gifts{to: to, givers: givers, due: due, cause: why}
	p.collect(ev)
}

// collect asks the givers clockwise from the receiver's left (G2). Who has one vampire only gives it without being
// asked.
func (p *Position) collect(ev *game.Events) {
	for p.givers != 0 {
		s := p.givers.After(p.to)
		if p.rows[s].n > 1 {
			return
		}
		p.give(s, left, ev)
	}
	if winners := p.emptyRows(); winners != 0 {
		p.win(winners, ev) // W2: all who are empty now win together; nothing is placed any more
	}
}

// give: the giver chooses the end (G1). With two players he gives one at a time and turns up between (G4).
func (p *Position) give(s game.Seat, end side, ev *game.Events) {
	c := p.rows[s].take(end)
	p.hand[p.held] = c
	p.held++
	ev.Between(s, p.to, "give", nil, c, "G1")
	if p.due--; p.due == 0 || p.rows[s].n == 0 {
		p.givers = p.givers.Without(s)
		p.due = 1
	}
}

func (p *Position) emptyRows() (empty game.Seats) {
	for s := range game.Seat(p.players) {
		if p.rows[s].n == 0 {
			empty = empty.With(s)
		}
	}
	return empty
}

// take: the receiver puts the vampires in hand one by one, in the order he likes, each face up at the end he likes (G3).
func (p *Position) take(s game.Seat, c Colour, end side, ev *game.Events) {
	p.dropFromHand(c)
	p.rows[s].put(end, c)
	ev.Say(s, "take", end, c, "G3")
	if p.held == 0 {
		p.giftsPlaced(ev)
	}
}

func (p *Position) dropFromHand(c Colour) {
	i := 0
	for p.hand[i] != c {
		i++
	}
	copy(p.hand[i:], p.hand[i+1:])
	p.held--
}

// giftsPlaced: now what waited for the gifts goes on.
func (p *Position) giftsPlaced(ev *game.Events) {
	to, cause := p.to, p.cause
	p.gifts = gifts{}
	switch cause {
	case forStakes:
		p.returnStakes(to, ev)
	case forGarlic:
		p.takeGarlicHome(ev)
	}
	switch {
	case p.night.bat != noGrave:
		p.layAfterGifts(cause, ev) // B4 to B7
	case cause == forGarlic && p.paysForJustOpened():
		p.takeStake(to, ev) // N1
	default:
		p.afterOpening(ev)
	}
}
