package catalog

import (
	"context"
	"slices"
	"testing"

	"caveau/bot"
	"caveau/game"
	"caveau/games/dawn"
	"caveau/games/toctoc"
	"caveau/slots"
	"caveau/table"
)

// A pupil plays as another does, and asks for advice at every move: as he is, and as somebody who has forgotten one place more.
type pupil[P any, V bot.Mind[P, V]] struct {
	slots.Bot
	adviser slots.Bot
	t       *testing.T
	differs int // how often the advice was another
}

func (p *pupil[P, V]) Move(ctx context.Context, seen table.Seen) string {
	advice := p.adviser.Move(ctx, seen)
	if !slices.Contains(seen.Moves, advice) {
		p.t.Errorf("the advice is %q, of %q", advice, seen.Moves)
	}
	for place := range 60 {
		other := seen
		other.View = seen.View.(V).Forget(^(uint64(1) << place), nil)
		if p.adviser.Move(ctx, other) != advice {
			p.differs++
		}
	}
	return p.Bot.Move(ctx, seen)
}

// Nobody is told by an advice what has been closed, unless his table shows it.
func TestAdviceIsNoMemory(t *testing.T) {
	advised := func(name, edition string, at func(plays, adviser slots.Bot) (slots.Bot, *int)) {
		t.Run(name+" "+edition, func(t *testing.T) {
			plays, _ := House.Bot(name, "rules")
			adviser, _ := House.Bot(name, slots.Adviser)
			for _, aid := range []game.Aid{game.AidNone, game.AidMarks, game.AidAll} {
				g, _ := House.Game(name)
				p, differs := at(plays, aided{adviser, aid})
				shelf := New(Entry{Game: g, Players: []Player{{"pupil", p}}})
				for seed := range uint64(3) {
					play(t, shelf, name, game.Setup{Edition: edition, Players: 3, First: game.NoSeat}, seed, "pupil", "pupil", "pupil")
				}
				if (*differs > 0) != (aid == game.AidAll) {
					t.Errorf("with help %q the advice was another %d times for whoever had forgotten something", aid, *differs)
				}
			}
		})
	}
	for _, edition := range []string{"2004", "rucola", "2017"} {
		advised("dawn-under", edition, func(plays, adviser slots.Bot) (slots.Bot, *int) {
			p := &pupil[dawn.Position, dawn.View]{Bot: plays, adviser: adviser, t: t}
			return p, &p.differs
		})
	}
	advised("toc-toc-toc", "", func(plays, adviser slots.Bot) (slots.Bot, *int) {
		p := &pupil[toctoc.Position, toctoc.View]{Bot: plays, adviser: adviser, t: t}
		return p, &p.differs
	})
}

// aided is an adviser at a table that helps so much to remember.
type aided struct {
	slots.Bot
	aid game.Aid
}

func (a aided) Move(ctx context.Context, seen table.Seen) string {
	seen.Aid = a.aid
	return a.Bot.Move(ctx, seen)
}
