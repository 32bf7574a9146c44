package toctoc

import (
	"fmt"
	"strings"

	"caveau/game"
)

// setUp lays a table as a script says: "A party ghost ghost" and "A hand taxi" for every player, "turn B", "pile taxi child"
// with the top first. Of the cards that are not named the pile goes on, or they are gone where "rest gone" says so.
func setUp(input string) (Position, error) {
	p := Position{table: table{to: game.NoSeat, host: game.NoSeat}}
	var pile []Card
	restGone := false
	for line := range strings.Lines(input) {
		var err error
		words := strings.Fields(line)
		switch {
		case words[0] == "turn":
			p.turn, err = game.ParseSeat(words[1])
		case words[0] == "pile":
			pile, err = parseCards("pile", words[1:])
		case words[0] == "rest":
			restGone = true
		default:
			err = p.seat(words)
		}
		if err != nil {
			return p, err
		}
	}
	p.lay(pile, restGone)
	return p, nil
}

func (p *Position) seat(words []string) error {
	s, err := game.ParseSeat(words[0])
	if err != nil {
		return err
	}
	p.players = max(p.players, uint8(s)+1)
	cards, err := parseCards(words[1], words[2:])
	for i, c := range cards {
		if words[1] == "party" {
			p.parties[s] = p.parties[s].With(c)
			continue
		}
		p.hands[s][i] = inHand{card: c}
		p.held[s]++
	}
	return err
}

func (p *Position) lay(pile []Card, restGone bool) {
	of := deck(int(p.players))
	for c, n := range p.countCards() {
		of[c] -= n
	}
	for _, c := range pile {
		of[c]--
	}
	for _, c := range unpack(of) {
		if restGone {
			p.gone.push(c)
		} else {
			p.pile.push(c)
		}
	}
	for i := len(pile) - 1; i >= 0; i-- {
		p.pile.push(pile[i])
	}
}

// draw draws the table. What is gone is told from the last backwards, for the last is what a script is about.
func draw(p Position) string {
	var b strings.Builder
	for s := range game.Seat(p.players) {
		fmt.Fprintf(&b, "%s party: %s = %d\n", s, listed(sorted(p.parties[s].list())), p.score(s))
		fmt.Fprintf(&b, "%s hand: %s\n", s, listed(sorted(p.inHand(s))))
	}
	if p.to != game.NoSeat {
		fmt.Fprintf(&b, "between %s and %s: %s\n", p.turn, p.to, p.card)
	}
	fmt.Fprintf(&b, "pile: %d, %s\n", p.pile.n, upTo(5, topFirst(p.pile)))
	fmt.Fprintf(&b, "gone: %d, %s\n", p.gone.n, upTo(5, topFirst(p.gone)))
	if p.gone.n == 0 && p.held[0] == handSize { // just dealt
		fmt.Fprintf(&b, "in all: %s\n", counted(p.countCards()))
	}
	return b.String()
}

func listed(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " ")
}

func upTo(n int, names []string) string {
	if len(names) > n {
		return listed(names[:n]) + " …"
	}
	return listed(names)
}

func counted(of [len(cardNames)]int) string {
	all, parts := 0, []string{}
	for c, n := range of {
		if n > 0 {
			all += n
			parts = append(parts, fmt.Sprintf("%d %s", n, Card(c)))
		}
	}
	return fmt.Sprintf("%d cards: %s", all, strings.Join(parts, ", "))
}
