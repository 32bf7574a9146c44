package toctoc

import (
	"encoding/json"
	"errors"
	"fmt"

	"caveau/game"
)

// How a deal is written down and read, and how it is examined that nothing of it is lost. None of this is a rule of play.

// A writtenDeal is a deal in the record's words.
type writtenDeal struct {
	First  string     `json:"first"`
	Guests [][]string `json:"guests"`
	Hands  [][]string `json:"hands"`
	Pile   []string   `json:"pile"`
}

// write is the deal of a position that nobody has moved in yet.
func write(p Position) any {
	w := writtenDeal{First: p.turn.String(), Pile: topFirst(p.pile)}
	for s := range p.players {
		w.Guests = append(w.Guests, names(p.parties[s].list()))
		w.Hands = append(w.Hands, names(p.hands[s].list(handSize)))
	}
	return w
}

// read is the position after a deal in the record's words. It names the fault where the deal is not one that the
// rulebook's preparation can bring.
func read(setup game.Setup, text json.RawMessage) (Position, error) {
	if err := checkSetup(setup); err != nil {
		return Position{}, err
	}
	var w writtenDeal
	err := game.ReadObject(text, game.Fields{"first": &w.First, "guests": &w.Guests, "hands": &w.Hands, "pile": &w.Pile})
	if err != nil {
		return Position{}, fmt.Errorf("deal: %w", err)
	}
	d, err := w.layout(setup.Players)
	if err != nil {
		return Position{}, fmt.Errorf("deal: %w", err)
	}
	if err := d.check(); err != nil {
		return Position{}, fmt.Errorf("deal: %w", err)
	}
	return d.position(), nil
}

func (w *writtenDeal) layout(players int) (d layout, err error) {
	if d.first, err = game.ParseSeat(w.First); err != nil || int(d.first) >= players {
		return d, fmt.Errorf("first is %q, not one of the %d seats", w.First, players)
	}
	if d.guests, err = bySeat("guests", w.Guests, players, firstGuests); err != nil {
		return d, err
	}
	if d.hands, err = bySeat("hands", w.Hands, players, handSize); err != nil {
		return d, err
	}
	d.pile, err = parseCards("pile", w.Pile)
	return d, err
}

func bySeat(key string, lists [][]string, players, each int) (parsed [][]Card, err error) {
	if len(lists) != players {
		return nil, fmt.Errorf("%s: there are %d for %d players", key, len(lists), players)
	}
	for s, names := range lists {
		if len(names) != each {
			return nil, fmt.Errorf("%s: %s has %d cards, not %d", key, game.Seat(s), len(names), each)
		}
		cards, err := parseCards(key, names)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, cards)
	}
	return parsed, nil
}

func parseCards(key string, names []string) ([]Card, error) {
	cards := make([]Card, len(names))
	for i, name := range names {
		c, ok := parseCard(name)
		if !ok {
			return nil, fmt.Errorf("%s: %q is no card", key, name)
		}
		cards[i] = c
	}
	return cards, nil
}

// check counts every card that was dealt.
func (d *layout) check() error {
	var guests, all [len(cardNames)]int
	for s, two := range d.guests {
		for _, c := range two {
			if rank(c&3) != plain || !c.isGuest() {
				return fmt.Errorf("guests: %s has a %s, and the first guests are plain ones", game.Seat(s), c)
			}
			if guests[c]++; guests[c] > ofEachKind {
				return fmt.Errorf("guests: there are more than %d %s, and no more are among those that are drawn", ofEachKind, c)
			}
			all[c]++
		}
	}
	for _, cards := range append(d.hands, d.pile) {
		for _, c := range cards {
			all[c]++
		}
	}
	return compareToDeck(all, len(d.hands))
}

func compareToDeck(of [len(cardNames)]int, players int) error {
	for c, want := range deck(players) {
		if of[c] != want {
			return fmt.Errorf("there are %d %s, not %d", of[c], Card(c), want)
		}
	}
	return nil
}

// check tells what was lost or is there twice: every card is somewhere, once.
func check(p Position) error {
	if err := compareToDeck(p.countCards(), int(p.players)); err != nil {
		return err
	}
	for s := range p.players {
		for i, in := range p.hands[s] {
			if (in.card == noCard) != (uint8(i) >= p.held[s]) {
				return fmt.Errorf("%s has %d cards in hand, and place %d says otherwise", game.Seat(s), p.held[s], i)
			}
		}
	}
	return p.checkKnock()
}

// countCards is how many of each face are anywhere.
func (p *Position) countCards() (of [len(cardNames)]int) {
	for s := range p.players {
		for _, in := range p.hands[s][:p.held[s]] {
			of[in.card]++
		}
		for c := range of {
			of[c] += p.parties[s].Count(Card(c))
		}
	}
	for _, st := range []stack{p.gone, p.pile} {
		for i := range st.n {
			of[st.at(i)]++
		}
	}
	if p.host != game.NoSeat {
		of[p.card]++ // revealed, and on its way
	}
	of[noCard] = 0
	return of
}

// checkKnock: a card lies on the table exactly while somebody was knocked at, and until it is answered its player has it.
func (p *Position) checkKnock() error {
	if (p.card == noCard) != (p.to == game.NoSeat) {
		return errors.New("somebody was knocked at without a card, or a card lies before nobody")
	}
	if !p.isKnocking(p.turn) {
		return nil
	}
	for _, in := range p.hands[p.turn] {
		if in.card == p.card {
			return nil
		}
	}
	return fmt.Errorf("%s knocked with a %s that he did not have", p.turn, p.card)
}

func parseCard(name string) (Card, bool) {
	for c := Child; int(c) < len(cardNames); c++ {
		if cardNames[c] == name {
			return c, true
		}
	}
	return noCard, false
}
