package toctoc

import (
	"math/rand/v2"
	"strconv"

	"caveau/game"
)

// A View is what one seat knows: all that was ever shown to it, whether it remembers or not. Its own hand it knows whole;
// of the others' hands what everyone saw drawn; of the pile the top; and a knocked card once it is revealed, or if it
// is its own.
type View struct {
	seat game.Seat
	table
	hands [maxPlayers]hand
	pile  stack
	card  Card
}

// maxPile is how many the pile has at most, with three players.
const maxPile = 31

// View builds what seat s may know.
func (p Position) View(s game.Seat) View {
	v := View{seat: s, table: p.table, pile: stack{n: p.pile.n}}
	for o := range game.Seat(p.players) {
		for i, in := range p.hands[o] {
			if o == s || in.left > 0 {
				v.hands[o][i] = in
			}
		}
	}
	if p.pile.n > 0 {
		v.pile.set(p.pile.n-1, p.pile.top())
	}
	if s == p.turn || p.host != game.NoSeat {
		v.card = p.card
	}
	return v
}

// Sample is a position that the seat cannot tell from the true one, each as likely as the deal makes it: the cards that it
// has not seen are shuffled and dealt to the places that it does not know. A card face down before somebody is any of
// its player's hand, one as likely as the other.
func (v View) Sample(rng *rand.Rand) Position {
	p := Position{table: v.table, hands: v.hands, pile: stack{n: v.pile.n}, card: v.card}
	unseen := v.unseen()
	game.Shuffle(rng, unseen)
	for s := range p.players {
		for i := range p.held[s] {
			if in := &p.hands[s][i]; in.card == noCard {
				in.card, unseen = unseen[0], unseen[1:]
			}
		}
	}
	for i := range v.pile.n {
		c := v.pile.at(i)
		if c == noCard {
			c, unseen = unseen[0], unseen[1:]
		}
		p.pile.set(i, c)
	}
	if p.isKnocking(p.turn) && p.card == noCard {
		p.card = p.hands[p.turn][rng.IntN(int(p.held[p.turn]))].card
	}
	return p
}

// unseen are the cards whose place the seat does not know.
func (v *View) unseen() []Card {
	seen := Position{table: v.table, hands: v.hands, pile: v.pile, card: v.card}
	of := deck(int(v.players))
	for c, n := range seen.countCards() {
		of[c] -= n
	}
	return unpack(of)
}

// Forget is the view as somebody has it in mind who remembers of the cards that others drew only some: those that the pile
// was as high for as a bit of kept says. All else lies before his eyes.
func (v View) Forget(kept uint64, _ *rand.Rand) View {
	for s := range game.Seat(v.players) {
		if s == v.seat {
			continue
		}
		for i, in := range v.hands[s] {
			if kept>>in.left&1 == 0 {
				v.hands[s][i] = inHand{}
			}
		}
	}
	return v
}

// Place is the number of a drawn card as Forget counts them: how many cards the pile had when it was drawn.
func (View) Place(at string) (uint8, bool) {
	left, err := strconv.Atoi(at)
	return uint8(left), err == nil && 0 < left && left <= maxPile
}

// A screen is what lies open before a seat now; docs/protocol.md says what each field means.
type screen struct {
	Hand    []string    `json:"hand"`
	Hands   []shownHand `json:"hands"`
	Parties [][]string  `json:"parties"`
	Scores  []int       `json:"scores"`
	Worth   []worth     `json:"worth"`
	Pile    shownPile   `json:"pile"`
	Gone    []string    `json:"gone"`
	Turn    string      `json:"turn"`
	Knock   *shownKnock `json:"knock"`
}

// worth is what a score is made of.
type worth struct {
	Monster   int `json:"monster"`
	Ghost     int `json:"ghost"`
	Vampire   int `json:"vampire"`
	Scarecrow int `json:"scarecrow"`
}

type shownHand struct {
	Cards  uint8    `json:"cards"`
	Drawn  uint8    `json:"drawn"`
	Recall []string `json:"recall"`
}

type shownPile struct {
	Left uint8  `json:"left"`
	Top  string `json:"top"`
}

type shownKnock struct {
	From string `json:"from"`
	To   string `json:"to"`
	Card string `json:"card"`
	Host string `json:"host"`
}

// Shown is what of the view lies on the seat's screen: its own hand, everyone's guests, the top of the pile, what is out
// of the game. Of the others' hands it shows what the table's aid remembers for its players.
func (v View) Shown(aid game.Aid) any {
	sc := screen{
		Hand:   v.ownHand(),
		Scores: v.scores(),
		Pile:   shownPile{v.pile.n, v.pile.top().String()},
		Gone:   names(v.gone.list()),
		Turn:   v.turn.String(),
	}
	for s := range game.Seat(v.players) {
		sc.Hands = append(sc.Hands, v.showHand(s, aid))
		sc.Parties = append(sc.Parties, names(v.parties[s].list()))
		sc.Worth = append(sc.Worth, worth{v.points(s, Monster), v.points(s, Ghost), v.points(s, Vampire), v.scarecrowPoints(s)})
	}
	if v.to != game.NoSeat {
		sc.Knock = &shownKnock{v.turn.String(), v.to.String(), v.card.String(), v.host.String()}
	}
	return sc
}

// ownHand is the seat's own cards without the one that it has put before somebody; a watcher has none.
func (v *View) ownHand() []string {
	if v.seat >= game.Seat(v.players) {
		return []string{}
	}
	own := Position{table: v.table, hands: v.hands, card: v.card}
	return names(own.inHand(v.seat))
}

// showHand shows how many cards a hand has; those that everyone saw drawn are counted or named where the table helps. A
// card face down before somebody may still be one of those.
func (v *View) showHand(s game.Seat, aid game.Aid) shownHand {
	shown := shownHand{Cards: v.held[s], Recall: []string{}}
	if v.isKnocking(s) {
		shown.Cards--
	}
	if aid != game.AidNone {
		shown.Drawn = v.hands[s].drawn(v.held[s])
	}
	if aid == game.AidAll {
		dealt := v.held[s] - shown.Drawn
		shown.Recall = names(v.hands[s].list(v.held[s])[dealt:])
	}
	return shown
}

// top is the uppermost card, none of an empty stack.
func (st *stack) top() Card {
	if st.n == 0 {
		return noCard
	}
	return st.at(st.n - 1)
}

// drawn is how many of a hand of n are known to everyone.
func (h *hand) drawn(n uint8) (drawn uint8) {
	for _, in := range h[:n] {
		if in.left > 0 {
			drawn++
		}
	}
	return drawn
}
