package toctoc

import (
	"slices"

	"caveau/game"
)

// A truth is a position in the words of the trace (docs/record.md), hidden things included.
type truth struct {
	Pile    []string   `json:"pile"`
	Hands   [][]string `json:"hands"`
	Parties [][]string `json:"parties"`
	Gone    []string   `json:"gone"`
	Scores  []int      `json:"scores"`
	Knock   *knockNow  `json:"knock"`
}

type knockNow struct {
	From string `json:"from"`
	To   string `json:"to"`
	Card string `json:"card"`
	Host string `json:"host,omitempty"`
}

// dump is the truth about a position.
func dump(p Position) any {
	t := truth{Pile: topFirst(p.pile), Gone: names(p.gone.list()), Scores: p.scores()}
	if p.to != game.NoSeat {
		t.Knock = &knockNow{p.turn.String(), p.to.String(), p.card.String(), p.host.String()}
	}
	for s := range game.Seat(p.players) {
		t.Hands = append(t.Hands, sorted(p.inHand(s)))
		t.Parties = append(t.Parties, sorted(p.parties[s].list()))
	}
	return t
}

// inHand are the cards in a hand; what was knocked with is nowhere else meanwhile.
func (p *Position) inHand(s game.Seat) []Card {
	h, n := p.hands[s], p.held[s]
	if p.isKnocking(s) {
		h.drop(p.card, n)
		n--
	}
	return h.list(n)
}

// isKnocking: a card of his lies face down before somebody.
func (t *table) isKnocking(s game.Seat) bool {
	return s == t.turn && t.to != game.NoSeat && t.host == game.NoSeat
}

func (t *table) scores() []int {
	scores := make([]int, t.players)
	for s := range scores {
		scores[s] = t.score(game.Seat(s))
	}
	return scores
}

func names(cards []Card) []string {
	names := make([]string, len(cards))
	for i, c := range cards {
		names[i] = c.String()
	}
	return names
}

func sorted(cards []Card) []string {
	names := names(cards)
	slices.Sort(names)
	return names
}

func topFirst(pile stack) []string {
	names := names(pile.list())
	slices.Reverse(names)
	return names
}
