// Package toctoc is Toc Toc Toc, a game of guests, bluff and closed doors by Bruno Faidutti and Gwenaël Bouquin.
//
// The files follow the rulebook: setup.go is its "Mise en place", turn.go "Le tour d'un joueur", "Fin du jeu" and "Score",
// effects.go "Les différentes cartes". Each procedure is a paragraph, in the rulebook's words and order, and cites the
// ruling that settles it (docs/rulings.md). refuse.go says why not. known.go, written.go, view.go, trace.go, standing.go
// and rewind.go are no rules of play.
package toctoc

import (
	"caveau/game"
)

// Rules is the rulebook of Toc Toc Toc.
var Rules = game.Rules[Position]{
	Name:     "toc-toc-toc",
	Revision: 1,
	Editions: []game.Edition{{Titles: titles, MinSeats: minPlayers, MaxSeats: maxPlayers}},
	MaxMoves: 200, // 46 cards can be knocked with, and each asks for three decisions at most
	Looks:    []string{"draw"},
	Deal:     deal,
	Read:     read,
	Write:    write,
	Dump:     dump,
	Reveal:   reveal,
	Standing: standing,
	Check:    check,
	Refuse:   refuse,
}

// titles are what the rulebook is called.
var titles = map[string]string{"en": "Toc Toc Toc", "fr": "Toc Toc Toc", "ru": "Тук-тук-тук"}

// A Position is the whole game at one moment: what lies open, and what hands, the pile and a closed door hide.
type Position struct {
	table
	hands [maxPlayers]hand
	pile  stack // only its top lies open (Q3)
	card  Card  // what was knocked with: hidden until it is answered, and until then still counted in the hand
}

// A table is the open part of a position. Nothing secret may stand here, for every view has the whole of it.
type table struct {
	parties [maxPlayers]Party
	gone    stack             // what is out of the game, the first to leave at the bottom
	held    [maxPlayers]uint8 // how many cards everyone has in hand, the knocked one too until it is answered
	players uint8
	turn    game.Seat // whose turn it is
	to      game.Seat // before whom a card lies, else NoSeat
	host    game.Seat // who takes that card, NoSeat until it is answered (Q6)
	winners game.Seats
}

// Turn is who is asked: the rival whom the host loses, before that who was knocked at, else whose turn it is.
func (p Position) Turn() game.Seat { return p.asked() }

// Asked is Turn without a copy of the position, as List is Moves, and Do is Play: for whoever plays very many games.
func (p *Position) Asked() game.Seat { return p.asked() }

func (t *table) asked() game.Seat {
	switch {
	case t.winners != 0:
		return game.NoSeat
	case t.host != game.NoSeat:
		return t.rival()
	case t.to != game.NoSeat:
		return t.to
	default:
		return t.turn
	}
}

// rival is the other of the two between whom the card lies (Q6).
func (t *table) rival() game.Seat {
	if t.host == t.turn {
		return t.to
	}
	return t.turn
}

// Moves is what the asked seat may do.
func (p Position) Moves(dst []Move) []Move { return p.List(dst) }

// List is Moves without a copy.
func (p *Position) List(dst []Move) []Move {
	switch {
	case p.winners != 0:
		return dst
	case p.host != game.NoSeat:
		return p.losable().appendChoices(dst)
	case p.to != game.NoSeat:
		return append(dst, Accept, Refuse)
	default:
		return p.knocks(dst)
	}
}

// knocks are the cards in hand, each sort once, before any other player (Q5).
func (p *Position) knocks(dst []Move) []Move {
	var listed Cards
	for _, h := range p.hands[p.turn][:p.held[p.turn]] {
		if listed.has(h.card) {
			continue
		}
		listed = listed.with(h.card)
		for o := p.turn.Left(p.players); o != p.turn; o = o.Left(p.players) {
			dst = append(dst, Knock(o, h.card))
		}
	}
	return dst
}

// Asks is what the asked seat is asked, in the order of Moves.
func (p Position) Asks() game.Question {
	switch {
	case p.winners != 0:
		return game.Question{}
	case p.host != game.NoSeat:
		return game.Question{Word: "choose", Rule: p.rulingOfCard()}
	case p.to != game.NoSeat:
		return game.Question{Word: "accept", Rule: "Q6"}
	default:
		return game.Question{Word: "knock", Rule: "Q5"}
	}
}

// Play is the position after the move, with everything that follows from it by itself.
func (p Position) Play(m Move, ev *game.Events) Position {
	p.Do(m, ev)
	return p
}

// Do is Play without a copy: the position becomes the one after the move.
func (p *Position) Do(m Move, ev *game.Events) {
	switch m.verb {
	case verbKnock:
		p.knock(m.to(), m.card(), ev)
	case verbAccept:
		p.open(ev)
	case verbRefuse:
		p.keepShut(ev)
	case verbChoose:
		p.leave(m.card(), ev)
		p.endTurn(ev)
	}
}

// Outcome is who has won, once all hands are empty, and everyone's points (Q13).
func (p Position) Outcome() game.Outcome {
	if p.winners == 0 {
		return game.Outcome{}
	}
	o := game.Outcome{Over: true, Winners: p.winners}
	for s := range game.Seat(p.players) {
		o.Scores[s] = p.score(s)
	}
	return o
}
