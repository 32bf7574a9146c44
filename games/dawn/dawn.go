// Package dawn is Dawn Under, a game of vampires, graves and memory by Norbert Proena (2004).
//
// The files follow the rulebook: setup.go is its preparation, turn.go chapter 1, stakes.go chapter 2, garlic.go
// chapter 3, plague.go chapters 4 and 5, gifts.go the gifts that several chapters bring, two.go the last page, for two
// players. What the other two rulebooks change stands in files of its own: count.go and bats.go are the expansion, dance.go
// La Danse des Vampires. Each procedure is a paragraph, in the rulebook's words and order, and cites it: a chapter as
// "2004 ch. 2", a ruling by its code (docs/rulings.md). refuse.go says why not. asks.go is what is asked where. known.go,
// written.go, cemetery.go, layer.go, view.go, sample.go, sight.go, trace.go and standing.go are no rules of play.
package dawn

import (
	"caveau/game"
)

// Rules is the rulebook of Dawn Under.
var Rules = game.Rules[Position]{
	Name:     "dawn-under",
	Revision: 1,
	Editions: []game.Edition{
		{Name: "2004", Titles: base, MinSeats: 2, MaxSeats: 6, Choices: choices},
		{Name: "rucola", Titles: expansion, MinSeats: 2, MaxSeats: 6, Choices: choices},
		{Name: "2017", Titles: dance2017, MinSeats: 2, MaxSeats: 6, Choices: choices, Options: []game.Option{maxVampires}},
	},
	MaxMoves: 20_000,
	Looks:    []string{"open", "lift", "reserved", "lose"},
	AllSee:   true, // the owners of vampires that lie face down included
	Board:    cemetery.draw(),
	Deal:     deal,
	Read:     read,
	Write:    write,
	Dump:     dump,
	Reveal:   reveal,
	Standing: standing,
	Check:    check,
	Refuse:   refuse,
}

// What the three rulebooks are called.
var (
	base      = map[string]string{"en": "Dawn Under", "fr": "De l’air épais dans le caveau", "ru": "До рассвета"}
	expansion = map[string]string{"en": "Count Rucola", "fr": "Le comte Rucola", "ru": "Граф Рукола"}
	dance2017 = map[string]string{"en": "La Danse des Vampires", "fr": "La Danse des Vampires", "ru": "Танец вампиров"}
)

// A Position is the whole game at one moment: what everyone sees or has seen, and what lies hidden under it.
type Position struct {
	table
	lid     layer[Lid] // what is on the under side of each lid
	rows    [game.MaxSeats]row
	reserve [6]Lid                // top first; what was used is gone from here
	out     [numColours + 1]uint8 // vampires of each colour that were not dealt (N6)
}

// An edition is one of the three rulebooks.
type edition uint8

const (
	ed2004 edition = iota
	edRucola
	ed2017
)

var editionNames = [...]string{"2004", "rucola", "2017"}

// A table is the open part of a position: all that lies on the table for everyone, or happened before everyone's eyes
// and is left to memory. Nothing secret may stand here, for every view has the whole of it.
type table struct {
	inside  layer[Content] // everyone saw what was put into a grave
	stakes  [game.MaxSeats]uint8
	garlic  [game.MaxSeats]uint8 // bundles in hand
	edition edition
	players uint8
	colours uint8  // the colours in play, a bit each (D1)
	lidded  Graves // the graves that have a lid (D2)
	up      Graves // whose lid is turned and still open
	seen    Graves // whose lid everyone has seen since it was put there
	fresh   Graves // whose lid came from the reserve and was not seen yet: no rat
	lids    uint8  // how many are left in the reserve

	turn   game.Seat // whose normal turn it is, in a plague too
	opened bool      // he has opened a grave: he may stop (O1, O2)
	grave  Grave     // the open grave that a question or a gift is about, else noGrave

	plague
	gifts

	worn  two   // what two players turned (D3)
	dance dance // which grave was just opened (N1)
	night night // Count Rucola and the bats

	winners game.Seats
}

// Turn is who is asked: a giver before the receiver, the receiver before the game goes on.
func (p Position) Turn() game.Seat { return p.asked() }

func (t *table) asked() game.Seat {
	switch {
	case t.winners != 0:
		return game.NoSeat
	case t.givers != 0:
		return t.givers.After(t.to) // G2
	case t.held > 0:
		return t.to
	case t.night.asks != 0:
		return t.night.asks.After(t.turn) // B3
	case t.night.layer != game.NoSeat:
		return t.night.layer
	default:
		return t.player() // who puts the Count on a grave is always whose turn it is
	}
}

// player is who opens graves: in a plague whose go it is, else whose turn.
func (t *table) player() game.Seat {
	if t.rat != noGrave {
		return t.goer
	}
	return t.turn
}

// Moves is what the asked seat may do.
func (p Position) Moves(dst []Move) []Move { return p.legal(dst) }

func (p *Position) legal(dst []Move) []Move {
	switch {
	case p.winners != 0:
		return dst
	case p.givers != 0:
		return append(dst, giveLeft, giveRight)
	case p.held > 0:
		return p.takes(dst)
	case p.night.asks != 0:
		return append(dst, believe, doubt)
	case p.night.layer != game.NoSeat:
		return p.lays(dst)
	case p.night.places != 0:
		return appendRuns(dst, countMoves[:], p.night.places)
	case p.awaitsPresent():
		return p.presents(dst)
	case p.grave != noGrave:
		if c := Colour(p.lid.at(p.grave)); p.rows[p.player()].end(left) == c {
			return append(dst, restLeft, restRight) // both ends match, else it would lie there already
		}
		return append(dst, placeGarlic, leaveEmpty)
	default:
		dst = appendRuns(dst, openMoves[:], p.openable())
		if p.mayBat() {
			dst = appendRuns(dst, batMoves[:], p.openable())
		}
		if p.mayStop() {
			dst = append(dst, stop)
		}
		return dst
	}
}

// openable are the graves that the player may open: in a plague the rat's neighbours that are not open yet (P1, P4),
// else any lid, also one that is known to be occupied (O5). Nobody opens what is open (X1) or reserved by the Count (C5).
func (t *table) openable() Graves {
	lids := t.lidded &^ t.up &^ t.reserved()
	if t.rat != noGrave {
		lids &= cemetery.neighbour[t.rat]
	}
	return lids
}

// mayStop: the first opening of a turn is compulsory (O1), after a success he may stop (O2) but in the edition of 2017
// (N2); in a plague he may stop at any time (P3).
func (t *table) mayStop() bool { return t.opened && t.edition != ed2017 || t.rat != noGrave }

// takes are the gifts in hand, each colour once, at either end (G3).
func (t *table) takes(dst []Move) []Move {
	for i, c := range t.hand[:t.held] {
		if !contains(t.hand[:i], c) {
			dst = append(dst, takeMove(c, left), takeMove(c, right))
		}
	}
	return dst
}

func contains(hand []Colour, c Colour) bool {
	for _, h := range hand {
		if h == c {
			return true
		}
	}
	return false
}

// Play is the position after the move, with everything that follows from it by itself.
func (p Position) Play(m Move, ev *game.Events) Position {
	p.Do(m, ev)
	return p
}

// Do plays the move in place, for whoever plays on and needs the position before it no more.
func (p *Position) Do(m Move, ev *game.Events) {
	s := p.asked()
	switch m.verb {
	case verbOpen:
		p.open(s, Grave(m.what), ev)
	case verbStop:
		p.stop(s, ev)
	case verbRest:
		if p.night.layer != game.NoSeat {
			p.layAny(s, side(m.what), ev)
		} else {
			p.layToRest(s, side(m.what), ev)
		}
	case verbGarlic:
		p.putGarlic(s, ev)
	case verbLeave:
		if p.night.layer != game.NoSeat {
			p.layNothing(s, ev)
		} else {
			p.leave(s, ev)
		}
	case verbGive:
		p.give(s, side(m.what), ev)
		p.collect(ev)
	case verbBat:
		p.setBat(s, Grave(m.what), ev)
	case verbBelieve:
		p.believe(s, ev)
	case verbDoubt:
		p.doubt(s, ev)
	case verbPresent:
		p.present(s, game.Seat(m.what), ev)
	case verbCount:
		p.putCount(s, Grave(m.what), ev)
	case verbTake:
		p.take(s, Colour(m.what>>1), side(m.what&1), ev)
	}
}

// Outcome is who has won, once somebody has.
func (p Position) Outcome() game.Outcome {
	return game.Outcome{Over: p.winners != 0, Winners: p.winners}
}
