// Package duel tells bots apart: one of them sits among others who are all alike, until it is as good as certain whether he wins more than
// his fair share, or less; or until so much time of a processor has gone by, and then it says so.
//
// Each deal is played once from every chair, by the laboratory (package lab). After each it is decided whether that is enough (bets.go), in the order
// of deals and not in that in which they were played: so the same seed says the same on any number of cores.
package duel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"caveau/game"
	"caveau/lab"
)

// A Plan is what is to be told apart, as its file says (docs/lab.md).
type Plan struct {
	About string  `json:"about,omitempty"`
	Seed  uint64  `json:"seed"`
	Duels []Duels `json:"duels"`
}

// Duels are each one bot among others like another, at tables of one game.
type Duels struct {
	Game     string         `json:"game"`
	Editions []string       `json:"editions,omitempty"` // all where it is left out
	Players  []int          `json:"players"`
	Options  map[string]int `json:"options,omitempty"` // the rules' own
	One      []string       `json:"one"`               // each of them in his turn
	Among    string         `json:"among"`
}

// mostDeals is where a duel ends that nothing else has ended.
const mostDeals = 1_000_000

// A cell is one duel.
type cell struct {
	Seed     uint64         `json:"seed"`
	Game     string         `json:"game"`
	Revision int            `json:"revision"` // of the rules
	Edition  string         `json:"edition,omitempty"`
	Players  int            `json:"players"`
	Options  map[string]int `json:"options,omitempty"`
	One      string         `json:"one"`
	Among    string         `json:"among"`
}

// Read reads a plan and lays it out. It refuses, naming the place, what cannot be played.
func Read(text []byte, shelf lab.Shelf) (cells []cell, err error) {
	var p Plan
	if err := game.ReadStrict(text, &p); err != nil {
		return nil, err
	}
	for i, d := range p.Duels {
		some, err := d.cells(p.Seed, shelf)
		if err != nil {
			return nil, fmt.Errorf("duels[%d]: %w", i, err)
		}
		cells = append(cells, some...)
	}
	if cells == nil {
		return nil, errors.New("duels: there is none")
	}
	return cells, nil
}

func (d Duels) cells(seed uint64, shelf lab.Shelf) (cells []cell, err error) {
	rules, ok := shelf.Game(d.Game)
	if !ok {
		return nil, fmt.Errorf("there is no game called %q", d.Game)
	}
	if len(d.One) == 0 || len(d.Players) == 0 {
		return nil, errors.New("one and players: neither may be left out")
	}
	info := rules.Info()
	editions := d.Editions
	if editions == nil {
		for _, e := range info.Editions {
			editions = append(editions, e.Name)
		}
	}
	for _, one := range d.One {
		for _, edition := range editions {
			for _, players := range d.Players {
				c := cell{seed, d.Game, info.Revision, edition, players, d.Options, one, d.Among}
				if one == d.Among {
					return nil, fmt.Errorf("one: %s is as good as himself", one)
				}
				if _, _, err := c.from(0).Left(nil, shelf); err != nil {
					return nil, err
				}
				cells = append(cells, c)
			}
		}
	}
	return cells, nil
}

// from is what the laboratory plays for it from that deal on.
func (c cell) from(deal int) lab.Shard {
	bots := append([]string{c.One}, slices.Repeat([]string{c.Among}, c.Players-1)...)
	t := lab.Table{Game: c.Game, Editions: []string{c.Edition}, Players: []int{c.Players}, Options: c.Options, Bots: bots}
	e := lab.Experiment{Seed: c.Seed, Deals: mostDeals, Tables: []lab.Table{t}}
	return lab.Shard{Experiment: e, First: deal * c.Players, Number: (mostDeals - deal) * c.Players}
}

// digest is by which deals know whose they are.
func (c cell) digest() string {
	text, _ := json.Marshal(c) // strings and numbers alone
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// fair is what is won by who is as good as all others.
func (c cell) fair() float64 { return 1 / float64(c.Players) }

// won is how much of a game the one has won: games of several winners are divided, and one that nobody wins is a draw of all.
func (c cell) won(r lab.Row) float64 {
	if len(r.Winners) == 0 {
		return c.fair()
	}
	for _, s := range r.Winners {
		if r.Bots[s] == c.One {
			return 1 / float64(len(r.Winners))
		}
	}
	return 0
}

// A Deal is what came of one, from every chair. It is a line of the file by which a duel goes on.
type Deal struct {
	Duel    string    `json:"duel"` // the digest of the one that it belongs to
	Deal    int       `json:"deal"`
	Won     []float64 `json:"won"`     // by the one, when everybody had moved on by so many chairs
	Seconds float64   `json:"seconds"` // of a processor
}

// A state is how far a duel has come.
type state struct {
	cell
	bets       *bets
	deals      []float64 // what was won of each
	seconds    float64
	more, less bool
}

func (c cell) begin() *state { return &state{cell: c, bets: betOn(c.fair())} }

func (s *state) add(d Deal) {
	won := mean(d.Won)
	s.deals = append(s.deals, won)
	s.seconds += d.Seconds
	s.more, s.less = s.bets.deal(won)
}

// told tells whether more deals would say no more.
func (s *state) told() bool { return s.more || s.less || len(s.deals) == mostDeals }

// A Row is what is known of a duel.
type Row struct {
	cell
	Fair    float64 `json:"fair"`
	Won     float64 `json:"won"` // on the average
	Low     float64 `json:"low"` // with Low it is told for 99 %, however often one has looked
	High    float64 `json:"high"`
	Deals   int     `json:"deals"`
	Games   int     `json:"games"`
	Seconds float64 `json:"seconds"` // of a processor
	Told    string  `json:"told"`
}

// What a row may tell.
const (
	isMore    = "more"
	isLess    = "less"
	notTold   = "not told apart"
	notPlayed = "not played"
)

func (s *state) row() Row {
	low, high := interval(s.deals)
	r := Row{s.cell, s.fair(), mean(s.deals), low, high, len(s.deals), len(s.deals) * s.Players, s.seconds, notTold}
	switch {
	case s.more:
		r.Told = isMore
	case s.less:
		r.Told = isLess
	case len(s.deals) == 0:
		r.Told = notPlayed
	}
	return r
}
