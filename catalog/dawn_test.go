package catalog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"caveau/bot"
	"caveau/game"
	"caveau/games/dawn"
	"caveau/slots"
	"caveau/table"
)

// Who knows of a grave that fits opens it, in every edition and with any number of players; nothing else that he might do in
// a turn is lost by it.
func TestAGraveThatIsKnownToFitIsOpened(t *testing.T) {
	for _, edition := range dawn.Rules.Editions {
		t.Run(edition.Name, func(t *testing.T) {
			watched := &watched{bot: Seat(bot.OneStep(judgeOfDawn))}
			shelf := New(Entry{Game: game.Edge(dawn.Rules), Players: []Player{{"watched", watched}}})
			for players := edition.MinSeats; players <= edition.MaxSeats; players++ {
				names := slices.Repeat([]string{"watched"}, players)
				play(t, shelf, "dawn-under", game.Setup{Edition: edition.Name, Players: players, First: game.NoSeat}, 1, names...)
			}
			t.Logf("%d of %d", watched.opened, watched.known)
			if watched.known < 50 || watched.opened*100 < watched.known*95 {
				t.Errorf("of %d times that a player knew of a grave that fits he opened it only %d times", watched.known, watched.opened)
			}
		})
	}
}

// Who plays by rules wins more than his share, 80 games of 240, against two who remember everything and look one step ahead; and 15 games of 60 against
// three with bats. At the other tables fewer games tell nothing: docs/bots.md has more.
func TestRulesWinAtDawnUnder(t *testing.T) {
	for _, c := range []struct {
		edition                 string
		players, games, atLeast int
	}{{"2004", 3, 240, 92}, {"rucola", 3, 60, 28}, {"rucola", 4, 60, 19}, {"2017", 3, 240, 92}} {
		t.Run(fmt.Sprint(c.edition, "/", c.players), func(t *testing.T) {
			if testing.Short() {
				t.Skip("many games: make test-all plays them")
			}
			wins := 0
			for n := range c.games {
				names := slices.Repeat([]string{"one-step"}, c.players)
				names[n%c.players] = "rules"
				setup := game.Setup{Edition: c.edition, Players: c.players, First: game.NoSeat}
				if play(t, House.Laboratory(), "dawn-under", setup, uint64(n/c.players), names...).Winners.Has(game.Seat(n % c.players)) {
					wins++
				}
			}
			t.Logf("%d of %d", wins, c.games)
			if wins < c.atLeast {
				t.Errorf("rules won %d of %d games, not %d", wins, c.games, c.atLeast)
			}
		})
	}
}

// A watched bot is counted how often it knew of a grave that fits when it was to open one, and how often it opened it.
type watched struct {
	bot           slots.Bot
	known, opened int
}

func (w *watched) Move(ctx context.Context, seen table.Seen) string {
	words := w.bot.Move(ctx, seen)
	if fit := fitting(seen); len(fit) > 0 {
		w.known++
		if slices.ContainsFunc(fit, func(m dawn.Move) bool { return m.String() == words }) {
			w.opened++
		}
	}
	return words
}

// fitting are the openings of a turn by which a vampire goes to rest at every table that the seat cannot tell from its own,
// or at sixty of them.
func fitting(seen table.Seen) []dawn.Move {
	view, rng := seen.View.(dawn.View), rand.New(rand.NewPCG(seen.Seed, 0))
	p := view.Sample(rng)
	if p.Asks().Word == "plague" {
		return nil
	}
	fit := slices.DeleteFunc(p.Moves(nil), func(m dawn.Move) bool { return !strings.HasPrefix(m.String(), "open ") })
	for n := 0; n < 60 && len(fit) > 0; n++ {
		p := view.Sample(rng)
		fit = slices.DeleteFunc(fit, func(m dawn.Move) bool { return !rests(p, m) })
	}
	return fit
}

// rests tells whether a vampire goes to rest with that move, or its player is only asked which of two.
func rests(p dawn.Position, m dawn.Move) bool {
	var heard game.Events
	after := p.Play(m, &heard)
	return after.Asks().Word == "rest" || slices.ContainsFunc(heard.List(), func(e game.Event) bool { return e.Verb == "rest" })
}
