package game

import (
	"cmp"
	"encoding/json"
	"slices"
)

// A Game is a rulebook with its types rubbed out, for whoever serves every game alike: moves are words, views encode to
// JSON.
type Game interface {
	Info() Info
	Deal(Setup, Chance) (State, error)
	Read(Setup, json.RawMessage) (State, error)
}

// Info is what a shelf says of a game.
type Info struct {
	Name     string    `json:"name"`
	Revision int       `json:"revision"`
	Editions []Edition `json:"editions"`
	Board    any       `json:"board"`
	MaxMoves int       `json:"-"`
	Looks    []string  `json:"-"` // what events say where all look at something, and need time for it
}

// A State is a position at the edge. It never changes: Play answers with the next one.
type State interface {
	Turn() Seat
	Moves() []string
	// Play is the state after seat s says the words, and what happened. Words that are no legal move, or another seat's,
	// are a Refusal, and nothing has happened.
	Play(s Seat, words string) (State, []Event, error)
	Asks() Question
	View(s Seat) any
	// Shown is what lies on the table for everyone, Own what seat s alone has before it besides: nil if nothing.
	Shown(aid Aid) any
	Own(s Seat, aid Aid) any
	Outcome() Outcome
	// Standing is how far everyone has come, the most the furthest; all nought where nobody can say.
	Standing() Scores
	// Revealed is what lies on the table when nothing is hidden any more. It is for a game that is over.
	Revealed() any
	// Deal and Dump are the whole truth, for the record and the trace; nothing a seat is sent is made from them.
	Deal() any
	Dump() any
	Check() error
}

// Edge rubs the types off a rulebook.
func Edge[P Position[P, M, V], M Move, V View[P]](rules Rules[P]) Game {
	return edge[P, M, V]{rules: &rules}
}

type edge[P Position[P, M, V], M Move, V View[P]] struct{ rules *Rules[P] }

func (g edge[P, M, V]) Info() Info {
	r := g.rules
	return Info{Name: r.Name, Revision: r.Revision, Editions: r.Editions, Board: r.Board, MaxMoves: r.MaxMoves, Looks: r.Looks}
}

func (g edge[P, M, V]) Deal(setup Setup, c Chance) (State, error) {
	return g.state(g.rules.Deal(setup, c))
}

func (g edge[P, M, V]) Read(setup Setup, deal json.RawMessage) (State, error) {
	return g.state(g.rules.Read(setup, deal))
}

func (g edge[P, M, V]) state(p P, err error) (State, error) {
	if err != nil {
		return nil, err
	}
	return state[P, M, V]{g.rules, p}, nil
}

type state[P Position[P, M, V], M Move, V View[P]] struct {
	rules *Rules[P]
	p     P
}

func (s state[P, M, V]) Turn() Seat         { return s.p.Turn() }
func (s state[P, M, V]) Asks() Question     { return s.p.Asks() }
func (s state[P, M, V]) View(seat Seat) any { return s.p.View(seat) }
func (s state[P, M, V]) Shown(aid Aid) any  { return s.p.View(Watcher).Shown(aid) }
func (s state[P, M, V]) Outcome() Outcome   { return s.p.Outcome() }
func (s state[P, M, V]) Deal() any          { return s.rules.Write(s.p) }
func (s state[P, M, V]) Dump() any          { return s.rules.Dump(s.p) }

func (s state[P, M, V]) Revealed() any {
	if s.rules.Reveal == nil {
		return s.Shown(AidNone)
	}
	return s.rules.Reveal(s.p)
}

func (s state[P, M, V]) Check() error { return s.rules.Check(s.p) }

func (s state[P, M, V]) Standing() (sc Scores) {
	if s.rules.Standing != nil {
		sc = s.rules.Standing(s.p)
	}
	return sc
}

func (s state[P, M, V]) Own(seat Seat, aid Aid) any {
	if s.rules.AllSee {
		return nil
	}
	return s.p.View(seat).Own(aid)
}

func (s state[P, M, V]) Moves() []string {
	moves := s.p.Moves(nil)
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = m.String()
	}
	return words
}

// Play finds the words among the legal moves: to parse is to find.
func (s state[P, M, V]) Play(seat Seat, words string) (State, []Event, error) {
	if seat == s.p.Turn() {
		for _, m := range s.p.Moves(nil) {
			if m.String() == words {
				var ev Events
				return state[P, M, V]{s.rules, s.p.Play(m, &ev)}, ev.List(), nil
			}
		}
	}
	return s, nil, s.rules.Refuse(s.p, seat, words)
}

// Title is what people call a game of these in a language: by that edition, or by its usual one where it has none of that name. It is the
// game's own name where nothing else is known.
func Title(games []Info, name, edition, language string) string {
	for _, g := range games {
		if g.Name != name || len(g.Editions) == 0 {
			continue
		}
		by := max(slices.IndexFunc(g.Editions, func(e Edition) bool { return e.Name == edition }), 0)
		return cmp.Or(g.Editions[by].Titles[language], name)
	}
	return name
}
