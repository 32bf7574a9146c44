package tocbot

import (
	"math"

	"caveau/game"
	"caveau/games/toctoc"
)

// sharpness is how much likelier somebody plays what is better: e times for each 1/300 of a chance to win, twenty times for
// one in a hundred. With 100 one throws chances away, and wins two games in a hundred less; without any limit nobody would
// mix what is as good.
const sharpness = 300

// A door is what may come of it when somebody knocks there.
type door struct {
	visits [toctoc.Faces]visit
	n      int
	hidden int // how many cards the knocker has that nobody saw
}

// A visit is what may come of a knock with one card.
type visit struct {
	card   toctoc.Card
	drawn  float64 // how many the knocker was seen to draw and still has
	unseen float64 // how likely it is what any of his other cards is

	opened, shut float64 // the knocker's chance to win when it is opened, and when it is not
	gain         float64 // what whoever is at home gains by opening
}

// door is how it stands at somebody's, whoever is at turn knocking; of the cards unseen nobody knows who has them.
func (s *sight) door(home game.Seat, unseen *counts) (d door) {
	knocker := s.view.Knocker()
	drawn := counts(s.view.Drawn(knocker))
	d.hidden = s.view.Held(knocker) - drawn.all()
	each := 0.0
	if d.hidden > 0 {
		each = 1 / float64(max(unseen.all(), 1))
	}
	for c := toctoc.Child; int(c) < toctoc.Faces; c++ {
		v := visit{card: c, drawn: float64(drawn[c]), unseen: each * float64(unseen[c])}
		if v.drawn > 0 || v.unseen > 0 {
			s.visit(&v, knocker, home)
			d.visits[d.n] = v
			d.n++
		}
	}
	return d
}

func (s *sight) visit(v *visit, knocker, home game.Seat) {
	s.plays(v.card)
	var opens, refuses float64
	opens, v.opened = s.takes(v.card, home, knocker)
	v.shut, refuses = s.takes(v.card, knocker, home)
	v.gain = opens - refuses
}

// chance is the knocker's to win, if it is opened so often.
func (v *visit) chance(open float64) float64 { return open*v.opened + (1-open)*v.shut }

// openness is how often whoever is at home should open. Knocked at with good cards only he always opens, with bad ones only
// never; in between the knocker, the more often he finds it open, the more he knocks with bad cards: it is opened just as
// often as makes it as good to keep shut.
func (d *door) openness() float64 {
	var low, high [toctoc.Faces]float64 // how much each card appeals to him at that openness
	for i := range d.n {
		low[i], high[i] = math.Exp(sharpness*d.visits[i].shut), math.Exp(sharpness*d.visits[i].opened)
	}
	switch {
	case d.does(1, &high) >= 0:
		return 1
	case d.does(0, &low) <= 0:
		return 0
	}
	const steps = 8 // to one in 256
	least, most := 0.0, 1.0
	for range steps {
		var middle [toctoc.Faces]float64
		for i := range d.n {
			middle[i] = math.Sqrt(low[i] * high[i]) // halfway, for what it hangs on is an exponent
		}
		if open := (least + most) / 2; d.does(open, &middle) > 0 {
			least, low = open, middle
		} else {
			most, high = open, middle
		}
	}
	return (least + most) / 2
}

// suspicion is how much oftener a hidden card turns out bad than it would be by what appeals to its player at this door alone:
// he brings bad cards to the door at which they do most, and that he came here says that it is this one. Counted over 300
// games, three in four first knocks came with a bad card where three in five were expected; with 2 they were as many.
const suspicion = 2

// does is more than nothing if opening does good, where the knocker expects that it is opened so often: the sum over all
// cards of how likely he knocks with it, because he has it and it appeals to him more than all others that he may have.
func (d *door) does(open float64, appeal *[toctoc.Faces]float64) (good float64) {
	seen, mean, square := 0.0, 0.0, 0.0
	for i := range d.n {
		v := &d.visits[i]
		x := sharpness * v.chance(open)
		seen += v.drawn * appeal[i]
		mean += v.unseen * x
		square += v.unseen * x * x
	}
	spread := math.Sqrt(max(0, square-mean*mean))
	all, others := seen+bestOf(d.hidden, mean, spread), seen+bestOf(d.hidden-1, mean, spread)
	for i := range d.n {
		v := &d.visits[i]
		likely := v.drawn * appeal[i] / all
		if v.unseen > 0 {
			hidden := float64(d.hidden) * v.unseen * appeal[i] / (appeal[i] + others)
			if v.gain < 0 {
				hidden *= suspicion
			}
			likely += hidden
		}
		good += likely * v.gain
	}
	return good
}

// bestOf is how much the best of so many cards appeals, of which only mean and spread are known: two of a bell curve have
// their best half the spread above the mean, four all of it.
func bestOf(cards int, mean, spread float64) float64 {
	if cards <= 0 {
		return 0
	}
	return math.Exp(mean + spread*halfLog2[cards])
}

// halfLog2 is half the binary logarithm of as many cards as a hand has.
var halfLog2 = [handSize + 1]float64{1: 0, 2: 0.5, 3: 0.79, 4: 1, 5: 1.16}
