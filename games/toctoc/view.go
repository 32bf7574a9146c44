package toctoc

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

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
// has not seen are dealt by chance to the places that it does not know. A card face down before somebody is any of its
// player's hand, one as likely as the other. What has been played says more than that to whoever knows how people play (package
// bot/tocbot).
func (v View) Sample(rng *rand.Rand) Position {
	p := Position{table: v.table, hands: v.hands, pile: v.pile, card: v.card}
	var unseen heap
	unseen.fill(v.unseen())
	for s := range p.players {
		for i := range p.held[s] {
			if in := &p.hands[s][i]; in.card == noCard {
				in.card = unseen.draw(rng)
			}
		}
	}
	for i := range max(v.pile.n, 1) - 1 {
		p.pile.set(i, unseen.draw(rng))
	}
	if p.isKnocking(p.turn) && p.card == noCard {
		p.card = p.hands[p.turn][rng.IntN(int(p.held[p.turn]))].card
	}
	return p
}

// Suppose has the seat take the hand that another has in a position for the one that he has here; false where that cannot be.
func (v *View) Suppose(s game.Seat, p *Position) bool {
	rest := v.unseen()
	for i, in := range v.hands[s][:v.held[s]] {
		if in.card != noCard {
			continue
		}
		c := p.hands[s][i].card
		if rest.Count(c) == 0 {
			return false
		}
		rest = rest.Without(c)
	}
	v.hands[s] = p.hands[s]
	return true
}

// A heap is cards that any of is drawn from.
type heap struct {
	cards [64]uint8
	n     uint64
	luck  uint64 // what is left of a random number
	draws uint8  // how many may still be taken out of it
}

// fill puts all of those cards onto the heap, eight of a face at once: what is too many the next face covers.
func (h *heap) fill(all Party) {
	const eight = 0x0101010101010101
	for c := Child; int(c) < len(cardNames); c++ {
		binary.LittleEndian.PutUint64(h.cards[h.n:], eight*uint64(c))
		h.n += uint64(all.Count(c))
	}
}

// draw takes any card. One random number is good for six: each is a number of no more digits than there are cards, and what
// is left over is still as even as one in a billion.
func (h *heap) draw(rng *rand.Rand) Card {
	if h.draws == 0 {
		h.luck, h.draws = rng.Uint64(), 6
	}
	i, rest := bits.Mul64(h.luck, h.n)
	h.luck = rest
	h.draws--
	h.n--
	c := Card(h.cards[i&63])
	h.cards[i&63] = h.cards[h.n&63]
	return c
}

// decks is the deck of so many players, counted as guests are.
var decks = func() (all [maxPlayers + 1]Party) {
	for players := minPlayers; players <= maxPlayers; players++ {
		for c, n := range deck(players) {
			all[players] += Party(n) << (4 * c)
		}
	}
	return all
}()

// unseen are the cards whose place the seat does not know.
func (v *View) unseen() Party {
	all := v.unplayed(v.card)
	for s := range v.players {
		for _, in := range v.hands[s][:v.held[s]] {
			all = all.seen(in.card)
		}
	}
	if v.pile.n > 0 {
		all = all.seen(v.pile.top())
	}
	return all
}

// unplayed are the cards that are in the pile or in a hand, when that card lies before somebody.
func (t *table) unplayed(card Card) Party {
	all := decks[t.players]
	for s := range t.players {
		all -= t.parties[s]
	}
	for i := range t.gone.n {
		all = all.Without(t.gone.at(i))
	}
	if t.host != game.NoSeat {
		all = all.Without(card) // revealed, and on its way
	}
	return all
}

// seen is all without a card, if that is one.
func (p Party) seen(c Card) Party {
	if c == noCard {
		return p
	}
	return p.Without(c)
}

// Forget is the view as somebody has it in mind who remembers of the cards that others drew only some: those that the pile
// was as high for as a bit of kept says. Of each pair of mixed, which are such heights too, he takes one card for the other.
// All else lies before his eyes.
func (v View) Forget(kept uint64, mixed [][2]uint8) View {
	for _, pair := range mixed {
		one, other := v.drawnAt(pair[0]), v.drawnAt(pair[1])
		if one != nil && other != nil {
			one.card, other.card = other.card, one.card
		}
	}
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

// drawnAt is the card that another player has in hand and drew when the pile was so high; nil if nobody has.
func (v *View) drawnAt(left uint8) *inHand {
	for s := range game.Seat(v.players) {
		for i := range v.hands[s] {
			if in := &v.hands[s][i]; left > 0 && in.left == left && s != v.seat {
				return in
			}
		}
	}
	return nil
}

// Place is the number of a card that somebody is seen to draw, as Forget counts them: how many cards the pile had when it was drawn.
func (View) Place(e game.Event) (uint8, bool) { return uint8(e.N + 1), e.Verb == "draw" }

// Called is what a drawn card is, and who has it in hand; "" where it is not there any more, or lies before the viewer's own eyes.
func (v View) Called(place uint8) string {
	for s := range game.Seat(v.players) {
		for _, in := range v.hands[s][:v.held[s]] {
			if in.left == place && s != v.seat {
				return s.String() + " " + in.card.String()
			}
		}
	}
	return ""
}

// Near are the cards that were drawn just before and after one, which are easily taken for it.
func (View) Near(place uint8) uint64 { return (1<<place<<1 | 1<<place>>1) & (2<<maxPile - 2) }

// A screen is what lies on the table for everyone; docs/protocol.md says what each field means, and its absence.
type screen struct {
	Hands   []shownHand `json:"hands"`
	Parties [][]string  `json:"parties"`
	Scores  []int       `json:"scores"`
	Worth   []worth     `json:"worth"`
	Pile    shownPile   `json:"pile,omitzero"`
	Gone    []string    `json:"gone,omitempty"`
	Turn    string      `json:"turn"`
	Knock   *shownKnock `json:"knock,omitempty"`
}

// worth is what a score is made of.
type worth struct {
	Monster   int `json:"monster,omitempty"`
	Ghost     int `json:"ghost,omitempty"`
	Vampire   int `json:"vampire,omitempty"`
	Scarecrow int `json:"scarecrow,omitempty"`
}

type shownHand struct {
	Cards  uint8    `json:"cards,omitempty"`
	Drawn  uint8    `json:"drawn,omitempty"`
	Recall []string `json:"recall,omitempty"`
	Held   []string `json:"held,omitempty"`
}

type shownPile struct {
	Left  uint8    `json:"left,omitempty"`
	Top   string   `json:"top,omitempty"`
	Cards []string `json:"cards,omitempty"`
}

type shownKnock struct {
	From string `json:"from"`
	To   string `json:"to"`
	Card string `json:"card,omitempty"`
	Host string `json:"host,omitempty"`
}

// Shown is what lies on the table: everyone's guests, the top of the pile, what is out of the game, a card before somebody.
// Of the hands it shows what the table's aid remembers for its players.
func (v View) Shown(aid game.Aid) any {
	sc := screen{
		Scores: v.scores(),
		Pile:   shownPile{Left: v.pile.n, Top: v.pile.top().String()},
		Gone:   names(v.gone.list()),
		Turn:   v.turn.String(),

		Hands:   make([]shownHand, 0, v.players),
		Parties: make([][]string, 0, v.players),
		Worth:   make([]worth, 0, v.players),
	}
	for s := range game.Seat(v.players) {
		party := v.parties[s]
		sc.Hands = append(sc.Hands, v.showHand(s, aid))
		sc.Parties = append(sc.Parties, names(party.list()))
		sc.Worth = append(sc.Worth, worth{party.Points(Monster), party.Points(Ghost), party.Points(Vampire), party.scarecrowPoints()})
	}
	if v.to != game.NoSeat {
		sc.Knock = &shownKnock{From: v.turn.String(), To: v.to.String(), Host: v.host.String()}
		if v.host != game.NoSeat {
			sc.Knock.Card = v.card.String() // revealed (Q6)
		}
	}
	return sc
}

// reveal is the table when all hands are shown, a card before somebody is turned, and the pile is spread out, its top first.
func reveal(p Position) any {
	sc := p.View(game.Watcher).Shown(game.AidNone).(screen)
	for s := range sc.Hands {
		sc.Hands[s].Held = names(p.inHand(game.Seat(s)))
	}
	if p.pile.n > 0 {
		sc.Pile.Cards = topFirst(p.pile)
	}
	if sc.Knock != nil {
		sc.Knock.Card = p.card.String()
	}
	return sc
}

// AppendJSON writes the screen as encoding/json does.
func (sc screen) AppendJSON(t game.JSON) game.JSON {
	t = append(game.Items(append(t, '{').Key("hands"), sc.Hands).Key("parties"), '[')
	for _, party := range sc.Parties {
		t = t.Next().Texts(party)
	}
	t = game.Items(append(t, ']').Key("scores").Numbers(sc.Scores).Key("worth"), sc.Worth)
	if p := sc.Pile; p.Left > 0 {
		t = append(append(t.Key("pile"), '{').NumberIn("left", int(p.Left)).TextIn("top", p.Top).TextsIn("cards", p.Cards), '}')
	}
	t = t.TextsIn("gone", sc.Gone).Key("turn").Text(sc.Turn)
	if k := sc.Knock; k != nil {
		t = append(t.Key("knock"), '{').Key("from").Text(k.From).Key("to").Text(k.To).TextIn("card", k.Card)
		t = append(t.TextIn("host", k.Host), '}')
	}
	return append(t, '}')
}

func (w worth) AppendJSON(t game.JSON) game.JSON {
	t = append(t, '{').NumberIn("monster", w.Monster).NumberIn("ghost", w.Ghost).NumberIn("vampire", w.Vampire)
	return append(t.NumberIn("scarecrow", w.Scarecrow), '}')
}

func (h shownHand) AppendJSON(t game.JSON) game.JSON {
	t = append(t, '{').NumberIn("cards", int(h.Cards)).NumberIn("drawn", int(h.Drawn))
	return append(t.TextsIn("recall", h.Recall).TextsIn("held", h.Held), '}')
}

// own is what a seat alone has before it.
type own struct {
	Hand []string `json:"hand,omitempty"`
	Card string   `json:"card,omitempty"` // that it has knocked with, until it is answered
}

// AppendJSON writes it as encoding/json does.
func (o own) AppendJSON(t game.JSON) game.JSON {
	return append(append(t, '{').TextsIn("hand", o.Hand).TextIn("card", o.Card), '}')
}

// Own is the seat's own cards, the one that it has put before somebody apart.
func (v View) Own(game.Aid) any {
	if v.seat >= game.Seat(v.players) || v.held[v.seat] == 0 {
		return nil
	}
	held := Position{table: v.table, hands: v.hands, card: v.card}
	o := own{Hand: names(held.inHand(v.seat))}
	if v.isKnocking(v.seat) {
		o.Card = v.card.String()
	}
	return o
}

// showHand shows how many cards a hand has; those that everyone saw drawn are counted or named where the table helps. A
// card face down before somebody may still be one of those.
func (v *View) showHand(s game.Seat, aid game.Aid) shownHand {
	shown := shownHand{Cards: v.held[s]}
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
