package lab

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"caveau/game"
)

//go:embed report.html
var reportHTML string

// Report writes what the rows of an experiment say, as one page of HTML that needs nothing else.
func Report(e Experiment, shelf Shelf, rows []Row, w io.Writer) error {
	p, err := e.plan(shelf)
	if err != nil {
		return err
	}
	tables := p.byCell(rows)
	page := page{About: e.About, Digest: p.digest, Seed: e.Seed, Deals: e.Deals, Games: len(rows), All: p.games(), Figures: figures(tables)}
	if page.About == "" {
		page.About = "What the bots played"
	}
	for _, t := range tables {
		page.Tables = append(page.Tables, section{Name: t.cell.name, Said: t.said(), Figures: t.figures()})
	}
	return template.Must(template.New("report").Parse(reportHTML)).Execute(w, page)
}

type page struct {
	About, Digest string
	Seed          uint64
	Deals         int
	Games, All    int
	Figures       []figure
	Tables        []section
}

type section struct {
	Name, Said string
	Figures    []figure
}

// tableRows are the games of one table, in order.
type tableRows struct {
	cell *cell
	rows []Row
}

// byCell sorts the rows to their tables, and leaves out those without any.
func (p plan) byCell(rows []Row) (list []tableRows) {
	for i := range p.cells {
		c := &p.cells[i]
		mine := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.N < c.first || r.N >= c.first+c.games })
		if len(mine) > 0 {
			list = append(list, tableRows{c, mine})
		}
	}
	return list
}

// games says how many there are.
func (t tableRows) games() string {
	return fmt.Sprintf("%d games of %d deals", len(t.rows), len(byDeal(t.rows, func(Row) tally { return tally{} })))
}

func (t tableRows) said() string {
	who := "Played by "
	if t.cell.Drawn {
		who = "At each deal it was drawn who played, of "
	}
	return t.games() + ". " + who + strings.Join(t.cell.Bots, ", ") + "."
}

// over are the games that came to an end.
func (t tableRows) over() tableRows {
	return tableRows{t.cell, slices.DeleteFunc(slices.Clone(t.rows), func(r Row) bool { return !r.Over })}
}

// fair is the share of games that a chair has won, whichever it is.
func (t tableRows) fair() float64 {
	value, _, _ := ratio(byDeal(t.rows, func(r Row) tally { return tally{float64(len(r.Winners)), float64(len(r.Bots))} }))
	return value
}

// The shares that are asked for: of a row, what was there and what could be.

func wonBy(bot string) func(Row) tally {
	return func(r Row) (t tally) {
		for s, b := range r.Bots {
			if b == bot {
				t.of++
				t.sum += one(slices.Contains(r.Winners, game.Seat(s)))
			}
		}
		return t
	}
}

// wonAt is of the seat that is so many after the one that began.
func wonAt(place int) func(Row) tally {
	return func(r Row) tally {
		return tally{one(slices.Contains(r.Winners, game.Seat((int(r.First)+place)%len(r.Bots)))), 1}
	}
}

func wonLast(r Row) tally { return tally{one(slices.Contains(r.Winners, r.Last)), 1} }

func standstill(r Row) tally { return tally{one(!r.Over), 1} }

// cameBack tells of a game that is over whether none of those who won it was ahead when half of its moves were made.
func cameBack(r Row) tally {
	ahead := slices.ContainsFunc(r.Winners, func(s game.Seat) bool { return slices.Contains(r.Halfway, s) })
	return tally{one(!ahead), 1}
}

func touchesPerTurn(r Row) float64 { return float64(r.Touches) / float64(r.Turns) }

// figures compare the tables.
func figures(tables []tableRows) []figure {
	began := sharesOf("Won by whoever began", "The share of games that the seat with the first turn has won, alone or with others. The stroke is what a seat wins on the average.")
	last := sharesOf("Won by whoever had the last turn", "The share of games that the seat with the last turn has won. The stroke is what a seat wins on the average.")
	back := sharesOf("Came from behind", "Of the games that ended, the share in which no winner was ahead, alone or with others, when half of the moves had been made.")
	still := sharesOf("Did not end", "The share of games that came to the limit of moves, and that nobody has won.")
	lengths := quantilesOf("Length in moves", "moves", "Of the games that ended: how many decisions they took.")
	turns := quantilesOf("Length in turns", "turns", "Of the games that ended: how many turns they took, all players together.")
	leads := quantilesOf("Changes of the lead", "changes a game", "How often another than before was ahead alone.")
	behind := quantilesOf("How far behind a winner was", "behind", "Of the games that ended: how far behind the leader the winner had been at the worst, in what the rulebook counts (vampires, points).")
	touches := quantilesOf("Interaction", "touches a turn", "How often somebody did something to somebody else, a turn: events that name another seat.")
	for _, t := range tables {
		name, over := t.cell.name, t.over()
		fair := t.fair()
		began.dot(name, share(byDeal(t.rows, wonAt(0))), fair)
		last.dot(name, share(byDeal(t.rows, wonLast)), fair)
		still.dot(name, share(byDeal(t.rows, standstill)), nowhere)
		leads.boxOf(name, t.values(func(r Row) float64 { return float64(r.Leads) }))
		touches.boxOf(name, t.values(touchesPerTurn))
		if len(over.rows) > 0 {
			back.dot(name, share(byDeal(over.rows, cameBack)), nowhere)
			lengths.boxOf(name, over.values(func(r Row) float64 { return float64(r.Moves) }))
			turns.boxOf(name, over.values(func(r Row) float64 { return float64(r.Turns) }))
			behind.boxOf(name, over.values(func(r Row) float64 { return float64(r.Behind) }))
		}
	}
	return drawn(began, last, lengths, turns, leads, back, behind, touches, still)
}

func (t tableRows) values(of func(Row) float64) (list []float64) {
	for _, r := range t.rows {
		list = append(list, of(r))
	}
	return list
}

// figures are those of one table.
func (t tableRows) figures() []figure {
	places := sharesOf("Wins by seat", "The share of games that each seat has won, alone or with others, in playing order from the one that began. The stroke is what a seat wins on the average.")
	bots := sharesOf("Wins by bot", "Of the games in which a bot had a chair, a chair at a time, the share that it has won. The stroke is what a chair wins on the average.")
	verbs := meansOf("What happened", "times a game", "How often each thing happened, on the average.")
	for place := range t.cell.players {
		places.dot(ordinal(place), share(byDeal(t.rows, wonAt(place))), t.fair())
	}
	names := slices.Compact(slices.Sorted(slices.Values(t.cell.Bots)))
	for _, bot := range names {
		if won := byDeal(t.rows, wonBy(bot)); len(names) > 1 && seen(won) {
			bots.dot(bot, share(won), t.fair())
		}
	}
	for _, verb := range verbsOf(t.rows) {
		verbs.dot(verb, mean(byDeal(t.rows, func(r Row) tally { return tally{float64(r.Verbs[verb]), 1} })), nowhere)
	}
	return drawn(places, bots, verbs)
}

// seen tells whether there is anything to take a share of: in a few deals nobody may have drawn that bot.
func seen(deals []tally) bool {
	return slices.ContainsFunc(deals, func(t tally) bool { return t.of > 0 })
}

func ordinal(place int) string {
	return [game.MaxSeats]string{"who began", "second", "third", "fourth", "fifth", "sixth"}[place]
}
