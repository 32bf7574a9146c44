// Package lab is where bots play in order to be counted: which seat wins, how long it takes, who plays better than whom.
//
// An experiment is a small file. From its seed follows every game of it by its number, so that any number of cores, and any number
// of machines, come to the same rows; whoever was interrupted goes on with the next number. The package knows no game: it counts
// what the kernel says of each (events by their verb, how all stand, who has won).
package lab

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"caveau/fair"
	"caveau/game"
	"caveau/slots"
)

// A Shelf is what there is to play, and who can play it.
type Shelf interface {
	Game(name string) (game.Game, bool)
	Games() []game.Info
	Bot(gameName, name string) (slots.Bot, bool)
	Bots(gameName string) []string
}

// An Experiment is what is to be played, as its file says (docs/lab.md).
type Experiment struct {
	About  string  `json:"about,omitempty"` // the question, in words: the title of the report
	Seed   uint64  `json:"seed"`
	Deals  int     `json:"deals"` // at each table; each is played as often as the bots can change chairs
	Tables []Table `json:"tables"`
}

// A Table is tables of one game at which the same bots sit: one for each edition and number of players.
type Table struct {
	Game     string         `json:"game"`
	Editions []string       `json:"editions,omitempty"` // all where it is left out
	Players  []int          `json:"players,omitempty"`  // every number that the edition allows
	Options  map[string]int `json:"options,omitempty"`  // the rules' own
	Bots     []string       `json:"bots"`               // in seat order, and again from the first where there are more chairs
	Drawn    bool           `json:"drawn,omitempty"`    // at each deal it is drawn who of them sits where
	Moves    int            `json:"moves,omitempty"`    // after so many a game is stopped; 0: where the rules stop it
}

// mostDeals keeps a slip of the pen from filling a disk.
const mostDeals = 10_000_000

// A plan is an experiment that can be played: one cell after the other.
type plan struct {
	cells  []cell
	digest string    // by which rows know whose they are
	chance fair.Bits // from which all deals follow
}

// A cell is one table: one edition, one number of players.
type cell struct {
	Table
	name     string
	edition  string
	players  int
	rules    game.Game
	sits     map[string]sitter
	first    int // the number of its first game
	games    int
	sittings int // how often each deal is played, each time by bots that have moved on by a chair
}

// plan checks an experiment, and lays it out.
func (e Experiment) plan(shelf Shelf) (plan, error) {
	var p plan
	if e.Deals < 1 || e.Deals > mostDeals {
		return p, fmt.Errorf("deals: %d is not 1 to %d", e.Deals, mostDeals)
	}
	if len(e.Tables) == 0 {
		return p, errors.New("tables: there is none to play at")
	}
	revisions := []int{}
	for i, t := range e.Tables {
		cells, err := t.cells(shelf)
		if err != nil {
			return p, fmt.Errorf("tables[%d]: %w", i, err)
		}
		for _, c := range cells {
			c.first, c.games = p.games(), e.Deals*c.sittings
			p.cells = append(p.cells, c)
		}
		revisions = append(revisions, cells[0].rules.Info().Revision)
	}
	p.name()
	binary.BigEndian.PutUint64(p.chance[:], e.Seed)
	e.About = "" // other words for the same question
	text, err := json.Marshal([]any{e, revisions})
	sum := sha256.Sum256(text)
	p.digest = hex.EncodeToString(sum[:6])
	return p, err
}

// games is how many there are in all.
func (p plan) games() int {
	if len(p.cells) == 0 {
		return 0
	}
	last := p.cells[len(p.cells)-1]
	return last.first + last.games
}

// cellOf is where game n is played.
func (p plan) cellOf(n int) *cell {
	i, found := slices.BinarySearchFunc(p.cells, n, func(c cell, n int) int { return c.first - n })
	if !found {
		i--
	}
	return &p.cells[i]
}

func (t Table) cells(shelf Shelf) (cells []cell, err error) {
	rules, ok := shelf.Game(t.Game)
	if !ok {
		return nil, fmt.Errorf("there is no game called %q", t.Game)
	}
	sits := map[string]sitter{}
	for _, name := range t.Bots {
		if sits[name], ok = sitterOf(shelf, rules, name); !ok {
			return nil, fmt.Errorf("bots: nobody who plays %s is called %q; there are %s", t.Game, name, strings.Join(append(shelf.Bots(t.Game), cheats), ", "))
		}
	}
	if t.Moves < 0 || t.Moves > rules.Info().MaxMoves {
		return nil, fmt.Errorf("moves: %d is not 0 to %d, where the rules stop a game", t.Moves, rules.Info().MaxMoves)
	}
	editions, err := t.editions(rules.Info())
	if err != nil {
		return nil, err
	}
	for _, e := range editions {
		sizes, err := t.sizes(e)
		if err != nil {
			return nil, err
		}
		for _, players := range sizes {
			c := cell{Table: t, edition: e.Name, players: players, rules: rules, sits: sits}
			if err := c.seat(); err != nil {
				return nil, err
			}
			cells = append(cells, c)
		}
	}
	return cells, nil
}

func (t Table) editions(info game.Info) ([]game.Edition, error) {
	if t.Editions == nil {
		return info.Editions, nil
	}
	var chosen []game.Edition
	for _, name := range t.Editions {
		i := slices.IndexFunc(info.Editions, func(e game.Edition) bool { return e.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("editions: %s has none called %q", t.Game, name)
		}
		chosen = append(chosen, info.Editions[i])
	}
	if chosen == nil {
		return nil, errors.New("editions: an empty list is none; leave it out for all")
	}
	return chosen, nil
}

func (t Table) sizes(e game.Edition) (sizes []int, err error) {
	for n := e.MinSeats; n <= e.MaxSeats && t.Players == nil; n++ {
		sizes = append(sizes, n)
	}
	for _, n := range t.Players {
		if n < e.MinSeats || n > e.MaxSeats {
			return nil, fmt.Errorf("players: %d to %d can play %s, not %d", e.MinSeats, e.MaxSeats, called(t.Game, e.Name), n)
		}
		sizes = append(sizes, n)
	}
	if sizes == nil {
		return nil, errors.New("players: an empty list is nobody; leave it out for every number")
	}
	return sizes, nil
}

// seat says how often the bots can change chairs, and tries whether the rules would deal to them.
func (c *cell) seat() error {
	different := slices.Compact(slices.Sorted(slices.Values(c.Bots)))
	switch {
	case len(c.Bots) == 0:
		return errors.New("bots: nobody plays")
	case !c.Drawn && len(c.Bots) > c.players:
		return fmt.Errorf("bots: %d are too many for %d chairs, unless it is drawn who sits", len(c.Bots), c.players)
	case c.Drawn && (len(different) < 2 || len(different) < len(c.Bots)):
		return errors.New("bots: two or more are drawn from, each of them named once")
	}
	c.sittings = c.players
	if !c.Drawn {
		c.sittings = period(c.around(c.Bots))
	}
	if _, err := c.rules.Deal(c.setup(), fair.SpareChance(fair.Bits{}, 0)); err != nil {
		return fmt.Errorf("%s, %d players: %w", called(c.Game, c.edition), c.players, err)
	}
	return nil
}

func (c *cell) setup() game.Setup {
	return game.Setup{Edition: c.edition, Players: c.players, Options: c.Options, First: game.NoSeat}
}

// around is a list of bots around the table, again from the first until every chair has one.
func (c *cell) around(bots []string) []string {
	chairs := make([]string, c.players)
	for i := range chairs {
		chairs[i] = bots[i%len(bots)]
	}
	return chairs
}

// period is by how many chairs all must move on until everything is as it was.
func period(chairs []string) int {
	n := 1
	for !slices.Equal(moved(chairs, n), chairs) {
		n++
	}
	return n
}

// moved is everybody so many chairs further to the left.
func moved(chairs []string, by int) []string {
	at := len(chairs) - by
	return slices.Concat(chairs[at:], chairs[:at])
}

// drawn is who sits where at a deal for which it is drawn: each as often as any other, or once more. No two sittings of it are alike.
func (c *cell) drawn(chance game.Chance) (chairs []string) {
	for chairs == nil || period(chairs) < c.players {
		chairs = nil
		for len(chairs) < c.players {
			bots := slices.Clone(c.Bots)
			game.Shuffle(chance, bots)
			chairs = append(chairs, bots[:min(len(bots), c.players-len(chairs))]...)
		}
	}
	return chairs
}

// called is a game by its name and edition.
func called(name, edition string) string { return strings.TrimSpace(name + " " + edition) }

// name gives each table its name in reports: its game, how many play, and who, where there are others like it.
func (p plan) name() {
	alike := map[string]int{}
	for i := range p.cells {
		c := &p.cells[i]
		c.name = fmt.Sprintf("%s, %d", called(c.Game, c.edition), c.players)
		if len(c.Options) > 0 {
			c.name += ", " + options(c.Options)
		}
		alike[c.name]++
	}
	for i := range p.cells {
		if c := &p.cells[i]; alike[c.name] > 1 {
			c.name += ": " + strings.Join(c.Bots, ", ")
		}
	}
}
