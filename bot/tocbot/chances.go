package tocbot

import (
	"math"

	"caveau/game"
	"caveau/games/toctoc"
)

// weights is what counts besides the points, in points.
type weights struct {
	// music is what a musician gains for each guest of his kind who may still come to him.
	music float64
	// A bad card in hand must be played, and if nobody opens it takes from oneself: of what it would take so much is lost
	// already, and by what is Last more the nearer one's last turn is.
	child, childLast float64
	taxi, taxiLast   float64
	vamp, vampLast   float64
	// Who is so many points ahead wins e times as often as another: when all is played, and more for each card that
	// everybody has still to play.
	lead, leadMore float64
}

// usual are rounded from what TestWeights prints: fitted to who won where rules played against rules, several times in a row,
// each time to the games of the weights before. Fits differ by a tenth or two, of child and taxi by more the fewer turns are left;
// those two stand at the upper end, for at the lower one who always plays children and taxis first won more than his
// share of games of three (35.4 ± 1.6 %).
var usual = weights{
	music: 0.6,
	child: 0.5, childLast: 3,
	taxi: 0.7, taxiLast: 0.8,
	vamp: 0.6, vampLast: 0.6,
	lead: 0.9, leadMore: 0.67,
}

// A sight is the table as one seat sees it.
type sight struct {
	*weights
	view     *toctoc.View
	players  int
	unplayed counts // the cards that are in the pile or in a hand
	unseen   counts // those of them of which the seat knows no place
	hands    [mostPlayers]hand

	perPoint float64        // how much a point counts now
	coming   [kinds]float64 // guests, for each player
	fears    [mostPlayers]fear
	left     fear                 // the knocker's, when he has played his card
	power    [mostPlayers]float64 // e to the strength: a player's part of all of it is his chance to win
	all      float64
}

// kinds is how many kinds there are, none among them.
const kinds = int(toctoc.Vampire) + 1

// A fear is what somebody loses by the bad cards in his own hand, of a point of the guests that they would take.
type fear struct {
	party float64        // children and taxis take the largest party without a brute
	lured [kinds]float64 // vamps one of a kind
}

// look is the table as it is before a decision.
func (w *weights) look(v *toctoc.View) (s sight) {
	s.weights, s.view, s.players, s.unplayed = w, v, v.Players(), v.Unplayed()
	s.guess()
	s.count()
	for o := range game.Seat(s.players) {
		s.fears[o] = w.fear(&s.hands[o], s.turns(o))
	}
	s.left = s.fears[v.Knocker()]
	for o := range game.Seat(s.players) {
		s.power[o] = math.Exp(s.strength(v.Party(o), &s.fears[o]))
		s.all += s.power[o]
	}
	return s
}

// count counts what is still to come.
func (s *sight) count() {
	n, after := float64(s.players), s.unplayed.all()
	if s.view.Host() == game.NoSeat {
		after-- // when the card is played that is to be played now
	}
	s.perPoint = 1 / (s.lead + s.leadMore*float64(after)/n)
	for c, m := range s.unplayed {
		if card := toctoc.Card(c); !card.IsVamp() {
			s.coming[card.Kind()] += float64(m) / n
		}
	}
}

// fear is somebody's with that hand and so many turns to come.
func (w *weights) fear(h *hand, turns float64) (f fear) {
	if turns <= 0 {
		return f
	}
	f.party = h[toctoc.Child]*(w.child+w.childLast/turns) + h[toctoc.Taxi]*(w.taxi+w.taxiLast/turns)
	for _, k := range toctoc.Kinds {
		f.lured[k] = h[toctoc.VampOf(k)] * (w.vamp + w.vampLast/turns)
	}
	return f
}

// plays has the knocker think of his hand without the card.
func (s *sight) plays(c toctoc.Card) {
	k := s.view.Knocker()
	rest := s.hands[k]
	rest[c] = max(0, rest[c]-1)
	s.left = s.fear(&rest, s.turns(k)-1)
}

// strength is how a player stands who has those guests and that fear: who has 1 more wins e times as often.
func (s *sight) strength(guests toctoc.Party, f *fear) float64 {
	points, largest, lured, music := 3*guests.Count(toctoc.Scarecrow), 0, 0.0, 0.0
	for _, k := range toctoc.Kinds {
		n := guests.Size(k)
		if n == 0 {
			continue
		}
		dearest := 1
		if guests.Count(toctoc.MusicianOf(k)) > 0 {
			dearest = n + 1
			n *= 2
			music += s.coming[k]
		}
		points += n
		lured += float64(dearest) * f.lured[k]
		if !guests.Guarded(k) {
			largest = max(largest, n)
		}
	}
	return s.perPoint * (float64(points) + s.music*music - f.party*float64(largest) - lured)
}

// takes is how likely each of the two wins when the host takes the card.
func (s *sight) takes(c toctoc.Card, host, rival game.Seat) (hosts, rivals float64) {
	h, r := s.view.Party(host), s.view.Party(rival)
	switch {
	case c.Joins():
		return s.chances(host, rival, h.With(c), r)
	case c.TakesFrom(h) == 0:
		return s.chances(host, rival, h, r)
	}
	_, hosts, rivals = s.taken(c, host, rival)
	return hosts, rivals
}

// taken is whom the rival takes, whose leaving is best for him, and how likely each of the two wins then.
func (s *sight) taken(c toctoc.Card, host, rival game.Seat) (who toctoc.Card, hosts, rivals float64) {
	for may := c.TakesFrom(s.view.Party(host)); may != 0; may &= may - 1 {
		if h, r := s.loses(c, may.First(), host, rival); r > rivals {
			who, hosts, rivals = may.First(), h, r
		}
	}
	return who, hosts, rivals
}

// loses is how likely each of the two wins when the card takes those guests from the host.
func (s *sight) loses(c, who toctoc.Card, host, rival game.Seat) (hosts, rivals float64) {
	h, r := s.view.Party(host), s.view.Party(rival)
	if c.IsVamp() {
		return s.chances(host, rival, h.Without(who), r.With(who))
	}
	leave := h.OfKind(who.Kind())
	if c == toctoc.Child {
		r += leave
	}
	return s.chances(host, rival, h-leave, r)
}

// chances is how likely each of the two wins who then have those guests.
func (s *sight) chances(host, rival game.Seat, h, r toctoc.Party) (hosts, rivals float64) {
	hostFears, rivalFears := &s.left, &s.fears[rival]
	if host != s.view.Knocker() {
		hostFears, rivalFears = &s.fears[host], &s.left
	}
	hosts, rivals = math.Exp(s.strength(h, hostFears)), math.Exp(s.strength(r, rivalFears))
	all := s.all - s.power[host] - s.power[rival] + hosts + rivals
	return hosts / all, rivals / all
}
