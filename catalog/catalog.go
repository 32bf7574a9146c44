// Package catalog is the shelf: every game we serve, and who can play it. It is the one place where a game meets a bot.
package catalog

import (
	"context"

	"caveau/bot"
	"caveau/game"
	"caveau/games/dawn"
	"caveau/games/toctoc"
	"caveau/match"
	"caveau/table"
)

// Shelf is the shelf of the house.
type Shelf struct{}

var games = []game.Game{game.Edge(dawn.Rules), game.Edge(toctoc.Rules)}

// players of each game, by its name.
var players = map[string][]player{
	dawn.Rules.Name: {
		{"random", seat[dawn.View](func(_ context.Context, seen bot.Seen[dawn.View]) string { return bot.Random(seen) })},
		{"remembering:dozy", seat[dawn.View](bot.Remembering(bot.Dozy, worthOfDawn))},
		{"remembering:keen", seat[dawn.View](bot.Remembering(bot.Keen, worthOfDawn))},
		{"remembering:sharp", seat[dawn.View](bot.Remembering(bot.Sharp, worthOfDawn))},
	},
	toctoc.Rules.Name: {
		{"random", seat[toctoc.View](func(_ context.Context, seen bot.Seen[toctoc.View]) string { return bot.Random(seen) })},
		{"remembering:dozy", remembersDraws(bot.Dozy)},
		{"remembering:keen", remembersDraws(bot.Keen)},
		{"remembering:sharp", remembersDraws(bot.Sharp)},
	},
}

type player struct {
	name string
	bot  match.Bot
}

// Game is the game of that name.
func (Shelf) Game(name string) (game.Game, bool) {
	for _, g := range games {
		if g.Info().Name == name {
			return g, true
		}
	}
	return nil, false
}

// Games says of every game what there is to know before one sits down to it.
func (Shelf) Games() []game.Info {
	var infos []game.Info
	for _, g := range games {
		infos = append(infos, g.Info())
	}
	return infos
}

// Bot is the player of that name for a game.
func (Shelf) Bot(gameName, name string) (match.Bot, bool) {
	for _, p := range players[gameName] {
		if p.name == name {
			return p.bot, true
		}
	}
	return nil, false
}

// Bots are the names of a game's players, the weakest first.
func (Shelf) Bots(gameName string) []string {
	var names []string
	for _, p := range players[gameName] {
		names = append(names, p.name)
	}
	return names
}

// seat is a bot's chair at a table: it hands the player his view with its type.
type seat[V any] func(context.Context, bot.Seen[V]) string

func (s seat[V]) Move(ctx context.Context, seen table.Seen) string {
	return s(ctx, bot.Seen[V]{Seat: seen.Seat, View: seen.View.(V), Events: seen.Events, Moves: seen.Moves, Seed: seen.Seed})
}
