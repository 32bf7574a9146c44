package catalog

import (
	"context"
	"flag"
	"slices"
	"strings"
	"testing"

	"caveau/bot"
	"caveau/game"
	"caveau/games/dawn"
	"caveau/slots"
	"caveau/table"
)

var nights = flag.Int("nights", 1, "how many games of each level TestBats plays")

// A witness plays as somebody of a level does, and counts what becomes of bats.
type witness struct {
	slots.Bot
	memory              bot.Memory
	bats, bluffs, slips int // set; where he thought that something lay; where something lay that he did not think of
	vampires            int // of the bluffs, on one
	asked, lost         int // whether he believes; not knowing any more what lies there
	full, doubts        int // of the lost, with something in them; that were doubted
	wrong               int // of what he knew, or thought that he knew, answered otherwise than that
}

func (w *witness) Move(ctx context.Context, seen table.Seen) string {
	said, s := w.Bot.Move(ctx, seen), typed[dawn.View](seen)
	recall := bot.Recalls[dawn.Position](w.memory, s)
	mind := s.View.Forget(recall.Kept, recall.Mixed)
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	switch {
	case strings.HasPrefix(said, "bat"):
		w.bats++
		g := dawn.MoveOf(said).At()
		count(&w.bluffs, mind.Inside(g) != 0)
		count(&w.vampires, mind.Ground().Taken>>g&1 == 1)
		count(&w.slips, mind.Inside(g) == 0 && s.View.Inside(g) != 0)
	case said == "believe" || said == "doubt":
		w.asked++
		g := s.View.Open()
		if mind.Ground().Lost>>g&1 == 0 {
			count(&w.wrong, (mind.Inside(g) != 0) != (said == "doubt"))
			break
		}
		w.lost++
		count(&w.full, s.View.Inside(g) != 0)
		count(&w.doubts, said == "doubt")
	}
	return said
}

// Whoever forgets, and takes the others for the like, bluffs before them.
func TestSomebodyBluffs(t *testing.T) {
	l := bot.Levels[0]
	w := &witness{Bot: leveled[dawn.Position, dawn.View]{l, thinksInDawn}, memory: l.Memory}
	shelf := New(Entry{Game: game.Edge(dawn.Rules), Players: []Player{{"witness", w}}})
	for n := uint64(0); n < 60 && w.vampires == 0; n++ {
		play(t, shelf, "dawn-under", game.Setup{Edition: "rucola", Players: 2, First: game.NoSeat}, n, "witness", "witness")
	}
	if w.vampires == 0 {
		t.Errorf("in sixty games nobody has set one of %d bats on a vampire that he knew of", w.bats)
	}
}

// What becomes of bats among players of a level, with two and four: docs/bots.md has the numbers. Whoever knows what lies there says so, and where nobody
// forgets nobody bluffs on a vampire.
//
//	go test -v -run TestBats ./catalog -nights 100
func TestBats(t *testing.T) {
	for _, l := range bot.Levels {
		if l.Memory == bot.Perfect {
			l.Playouts = 100 // what he knows does not depend on it
		}
		for _, players := range []int{2, 4} {
			w := &witness{Bot: leveled[dawn.Position, dawn.View]{l, thinksInDawn}, memory: l.Memory}
			shelf := New(Entry{Game: game.Edge(dawn.Rules), Players: []Player{{"witness", w}}})
			for n := range uint64(*nights) {
				setup := game.Setup{Edition: "rucola", Players: players, First: game.NoSeat}
				play(t, shelf, "dawn-under", setup, n, slices.Repeat([]string{"witness"}, players)...)
			}
			t.Logf("%s, %d players: %d bats, %d bluffs, %d by mistake where something lies; of %d answers %d without knowing, something lay there %d times and %d were doubts",
				l.Name, players, w.bats, w.bluffs, w.slips, w.asked, w.lost, w.full, w.doubts)
			if w.asked == 0 || w.wrong > 0 {
				t.Errorf("%s, %d players: %d of %d answers are not what was known", l.Name, players, w.wrong, w.asked)
			}
			if l.Memory == bot.Perfect && w.vampires+w.slips+w.lost > 0 {
				t.Errorf("%s, %d players: %d bluffs on a vampire, and %d mistakes, of one who forgets nothing among such; %d times asked without knowing", l.Name, players, w.vampires, w.slips, w.lost)
			}
		}
	}
}
