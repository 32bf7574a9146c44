package secrets

import (
	"context"
	"fmt"

	"caveau/catalog"
	"caveau/game"
	"caveau/slots"
	"caveau/table"
)

// A shelf is the house's. What is dealt is planted, and what a bot is handed is written down.
type shelf struct {
	catalog.Shelf
	play *play
}

func (s shelf) Game(name string) (game.Game, bool) {
	g, ok := s.Shelf.Game(name)
	return planted{g, s.play.world}, ok
}

// planted deals what its world says. The chance for it is drawn all the same.
type planted struct {
	game.Game
	world *world
}

func (g planted) Deal(setup game.Setup, rng game.Chance) (game.State, error) {
	if _, err := g.Game.Deal(setup, rng); err != nil {
		return nil, err
	}
	return g.world.deal, nil
}

func (s shelf) Bot(gameName, name string) (slots.Bot, bool) {
	b, ok := s.Shelf.Bot(gameName, name)
	return scribe{b, name, s.play}, ok
}

// A scribe writes down what a bot is handed, to the last hidden field, and what it would say. Then it says what the play
// wants said.
type scribe struct {
	bot  slots.Bot
	name string
	play *play
}

func (s scribe) Move(ctx context.Context, seen table.Seen) string {
	handed := fmt.Sprintf("%#v", seen)
	says := s.says(ctx, seen)
	s.play.book.add(handedTo(seen.Seat), []byte(handed+"\nand says "+says))
	if s.name == slots.Adviser {
		return says // to whoever asks, in his own words
	}
	return s.play.next(s.play.t.Context())
}

func (s scribe) says(ctx context.Context, seen table.Seen) (words string) {
	defer func() {
		if fault := recover(); fault != nil {
			words = fmt.Sprint("nothing, but breaks: ", fault)
		}
	}()
	return s.bot.Move(ctx, seen)
}

// handedTo is the bot that plays a seat.
func handedTo(s game.Seat) listener {
	return listener{s, "the bot of " + s.String(), "what it is handed"}
}
