package lab

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
)

// reference is whose rating is nought, where he plays; else it is the first bot's.
const reference = "rules"

// Rungs are whom a ladder compares, and where. What is left out is all that there is.
type Rungs struct {
	Game, Edition string
	Players       []int
	Bots          []string
	Deals         int
	Seed          uint64
	Moves         int
}

// Shard is all that is played for a ladder: at each deal it is drawn who meets whom, and all of them play it from every chair.
func (l Rungs) Shard(shelf Shelf) (Shard, error) {
	e := Experiment{About: "Who plays better than whom", Seed: l.Seed, Deals: l.Deals}
	for _, info := range shelf.Games() {
		if l.Game != "" && l.Game != info.Name {
			continue
		}
		t := Table{Game: info.Name, Players: l.Players, Bots: l.Bots, Drawn: true, Moves: min(l.Moves, info.MaxMoves)}
		if l.Edition != "" {
			t.Editions = []string{l.Edition}
		}
		if t.Bots == nil {
			t.Bots = shelf.Bots(info.Name)
		}
		e.Tables = append(e.Tables, t)
	}
	if e.Tables == nil {
		return Shard{}, fmt.Errorf("there is no game called %q", l.Game)
	}
	return whole(e, shelf)
}

// Ladder writes, for each table of an experiment that has games, who plays better than whom, in Markdown.
func Ladder(e Experiment, shelf Shelf, rows []Row, w io.Writer) error {
	p, err := e.plan(shelf)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, played := range p.byCell(rows) {
		fmt.Fprintf(&text, "\n### %s\n\n| bot | rating | 99 %% | won | 99 %% | chairs |\n|---|--:|--:|--:|--:|--:|\n", played.cell.name)
		for _, r := range played.rungs() {
			fmt.Fprintf(&text, "| `%s` | %+.1f | %+.1f to %+.1f | %s %% | %s | %d |\n", r.bot, r.rating.Value, r.rating.Low, r.rating.High,
				hundredths(r.won.Value), interval(r.won, hundredths), r.chairs)
		}
		fmt.Fprintf(&text, "\n%s. A chair wins %s %% on the average.\n", played.games(), hundredths(played.fair()))
	}
	_, err = w.Write(text.Bytes())
	return err
}

// A rung is one bot, as it did.
type rung struct {
	bot         string
	rating, won Estimate
	chairs      int
}

// rungs are the bots, the best first.
func (t tableRows) rungs() (list []rung) {
	bots := slices.Compact(slices.Sorted(slices.Values(t.cell.Bots)))
	zero := max(slices.Index(bots, reference), 0)
	for i, rating := range ratings(bots, zero, t.rows) {
		r := rung{bot: bots[i], rating: rating, won: share(byDeal(t.rows, wonBy(bots[i])))}
		for _, row := range t.rows {
			for _, bot := range row.Bots {
				r.chairs += int(one(bot == r.bot))
			}
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b rung) int { return cmp.Compare(b.rating.Value, a.rating.Value) })
	return list
}
