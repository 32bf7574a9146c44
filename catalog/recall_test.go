package catalog

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"caveau/bot"
	"caveau/game"
	"caveau/games/dawn"
	"caveau/games/toctoc"
	"caveau/slots"
	"caveau/table"
)

// An observer plays as another does, and counts of how many places that tell something each level still knows what it saw there.
type observer[P any, V bot.Mind[P, V]] struct {
	slots.Bot
	all   int
	right [8]int // by level
}

func (o *observer[P, V]) Move(ctx context.Context, seen table.Seen) string {
	s := typed[V](seen)
	tells := uint64(0)
	if r := bot.Recalls[P](bot.Perfect, s); s.View.Forget(r.Kept, r.Mixed) != s.View {
		panic("who forgets nothing has forgotten something")
	}
	for place := range 64 {
		if s.View.Forget(^(uint64(1)<<place), nil) != s.View {
			tells |= 1 << place
		}
	}
	tells &= bot.Recalls[P](bot.Perfect, s).Looked
	o.all += bits.OnesCount64(tells)
	for i, l := range bot.Levels {
		o.right[i] += bits.OnesCount64(tells & bot.Recalls[P](l.Memory, s).Right())
	}
	return o.Bot.Move(ctx, seen)
}

func observed[P any, V bot.Mind[P, V]](t *testing.T, g game.Game, setup game.Setup, games int) (percent []int) {
	plays, _ := House.Bot(g.Info().Name, "rules")
	o := &observer[P, V]{Bot: plays}
	shelf := New(Entry{Game: g, Players: []Player{{"observer", o}}})
	for seed := range uint64(games) {
		play(t, shelf, g.Info().Name, setup, seed, slices.Repeat([]string{"observer"}, setup.Players)...)
	}
	for i := range bot.Levels {
		percent = append(percent, 100*o.right[i]/o.all)
	}
	return percent
}

// What of the places that were looked at a level still knows: docs/bots.md has the numbers.
func TestWhatALevelStillKnows(t *testing.T) {
	games := 100
	if testing.Short() {
		games = 4
	}
	check := func(what string, percent []int) {
		t.Log(what, percent)
		for i, l := range bot.Levels {
			if i > 0 && percent[i] < percent[i-1] || l.Memory == bot.Perfect && percent[i] != 100 {
				t.Errorf("%s: the levels still know %v of a hundred", what, percent)
			}
		}
		if percent[0] > 60 {
			t.Errorf("%s: who remembers least still knows %d of a hundred", what, percent[0])
		}
	}
	for _, e := range dawn.Rules.Editions {
		setup := game.Setup{Edition: e.Name, Players: 4, First: game.NoSeat}
		check(fmt.Sprint("dawn-under ", e.Name), observed[dawn.Position, dawn.View](t, game.Edge(dawn.Rules), setup, games))
	}
	check("toc-toc-toc", observed[toctoc.Position, toctoc.View](t, game.Edge(toctoc.Rules), game.Setup{Players: 4, First: game.NoSeat}, games))
}

// Nobody works out what somebody else has forgotten, who was told the same: it follows from his seed. And who has forgotten something has no
// events to read it up in.
func TestEverybodyForgetsOtherThings(t *testing.T) {
	plays, _ := House.Bot("dawn-under", "rules")
	o := &doubter{Bot: plays}
	shelf := New(Entry{Game: game.Edge(dawn.Rules), Players: []Player{{"doubter", o}}})
	play(t, shelf, "dawn-under", game.Setup{Edition: "2004", Players: 4, First: game.NoSeat}, 1, slices.Repeat([]string{"doubter"}, 4)...)
	if o.forgets == 0 || o.peeks > 0 {
		t.Errorf("somebody forgot %d times, and had %d events then", o.forgets, o.peeks)
	}
	if o.differs == 0 || o.alike == 0 {
		t.Errorf("with another seed somebody had other places in mind %d times, and with the same one the same %d times", o.differs, o.alike)
	}
}

// A doubter counts how often he would have other things in mind if he had another seed.
type doubter struct {
	slots.Bot
	differs, alike, forgets, peeks int
}

func (d *doubter) Move(ctx context.Context, seen table.Seen) string {
	s, keen := typed[dawn.View](seen), bot.Levels[1].Memory
	now := bot.Recalls[dawn.Position](keen, s)
	if bot.Recalls[dawn.Position](keen, s).Kept == now.Kept {
		d.alike++
	}
	bot.Play[dawn.Position](bot.Levels[0], func(mind bot.Seen[dawn.View], _ *rand.Rand, _ bot.Level) string {
		if mind.View != s.View {
			d.forgets++
			d.peeks += len(mind.Events)
		}
		if !slices.Equal(mind.Known, bot.Recalls[dawn.Position](bot.Levels[0].Memory, s).Known) {
			panic("he does not know what others probably know")
		}
		return mind.Moves[0]
	}, s)
	if s.Seed++; bot.Recalls[dawn.Position](keen, s).Kept != now.Kept {
		d.differs++
	}
	return d.Bot.Move(ctx, seen)
}
