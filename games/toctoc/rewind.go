package toctoc

import "caveau/game"

// Rewind is the deal from which a position has come by these events, all that there were; false where it cannot have. What was
// knocked with is told by the answer. None of this is a rule of play.
func (p *Position) Rewind(events []game.Event) (deal Position, ok bool) {
	deal.players, deal.pile, deal.hands, deal.held = p.players, p.pile, p.hands, p.held
	deal.to, deal.host = game.NoSeat, game.NoSeat
	var guests [maxPlayers][Vampire + 1]int
	for s := range p.players {
		guests[s][noKind] = p.parties[s].Count(Scarecrow)
		for k := Monster; k <= Vampire; k++ {
			guests[s][k] = p.parties[s].Size(k)
		}
	}
	ok = true
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		c, _ := parseCard(e.What)
		switch e.Verb {
		case "join":
			guests[e.Seat][c.Kind()]--
		case "lure":
			guests[e.Seat][c.Kind()]--
			guests[e.To][c.Kind()]++
		case "flee":
			guests[e.Seat][c.Kind()] += e.N
			guests[e.To][c.Kind()] -= e.N
		case "ride":
			guests[e.Seat][c.Kind()] += e.N
		case "draw":
			ok = ok && deal.putBack(e.Seat, c)
		case "accept", "refuse":
			ok = ok && deal.takeUp(e.To, c)
		case "knock":
			deal.turn = e.Seat
		}
	}
	for s := range p.players {
		for k, n := range guests[s][Monster:] {
			deal.parties[s] += Party(n) << (4 * cardOf(Monster+Kind(k), plain))
		}
		ok = ok && guests[s][noKind] == 0 && deal.held[s] == handSize
		for i := range deal.hands[s] {
			deal.hands[s][i].left = 0
		}
	}
	return deal, ok
}

// putBack: a card that was drawn lies on the pile again.
func (p *Position) putBack(s game.Seat, c Card) bool {
	h, n := &p.hands[s], p.held[s]
	for _, in := range h[:n] {
		if in.card == c {
			h.drop(c, n)
			p.held[s]--
			p.pile.packed[p.pile.n>>4] &^= 15 << (p.pile.n & 15 * 4)
			p.pile.push(c)
			return true
		}
	}
	return false
}

// takeUp: a card that was played is in hand again.
func (p *Position) takeUp(s game.Seat, c Card) bool {
	if p.held[s] == handSize {
		return false
	}
	p.hands[s][p.held[s]] = inHand{card: c}
	p.held[s]++
	return true
}

// Replay plays these events again, and shows each position before somebody knocks, and what he knocks with there, if that was told.
func (p *Position) Replay(events []game.Event, seen func(before *Position, m Move)) {
	for i, e := range events {
		c, _ := parseCard(e.What)
		switch e.Verb {
		case "knock":
			if c = answered(events[i:]); c == noCard {
				return
			}
			seen(p, Knock(e.To, c))
			p.Do(Knock(e.To, c), nil)
		case "accept":
			p.Do(Accept, nil)
		case "refuse":
			p.Do(Refuse, nil)
		case "lure", "flee", "ride":
			if p.host != game.NoSeat {
				p.Do(Choose(c), nil)
			}
		}
	}
}

// answered is what was knocked with, as the answer told it.
func answered(events []game.Event) Card {
	for _, e := range events {
		if e.Verb == "accept" || e.Verb == "refuse" {
			c, _ := parseCard(e.What)
			return c
		}
	}
	return noCard
}
