// Package catalog is the shelf: games, and who can play them. It is the one place where a game meets a bot.
package catalog

import (
	"context"
	"math/bits"
	"slices"

	"caveau/bot"
	"caveau/env"
	"caveau/game"
	"caveau/games/dawn"
	"caveau/games/toctoc"
	"caveau/slots"
	"caveau/table"
)

// House is what we serve, the usual game first.
var House = New(
	Entry{
		Game: game.Edge(dawn.Rules), FaceDown: dawn.FaceDown, Learned: env.Of(dawn.Rules, dawn.Packed),
		Players:    players(thinksInDawn),
		Adviser:    adviser(thinksInDawn),
		References: append(references(thinksInDawn), Player{"one-step", Seat(bot.OneStep(judgeOfDawn))}),
		Unlisted:   append(tricksters(tricksInDawn()), responses[dawn.Position, dawn.Move](thinksInDawn)...),
	},
	Entry{
		Game: game.Edge(toctoc.Rules), FaceDown: toctoc.FaceDown, Learned: env.Of(toctoc.Rules, toctoc.Packed),
		Players:    players(thinksInTocToc),
		Adviser:    adviser(thinksInTocToc),
		References: append(references(thinksInTocToc), Player{"one-step", Seat(bot.OneStep(judgeOfTocToc))}),
		Unlisted:   append(tricksters(tricksInTocToc()), responses[toctoc.Position, toctoc.Move](thinksInTocToc)...),
	},
)

// An Entry is one game: its rules, who can play it, the weakest first, who tells people what he would do, with whom players are compared
// besides in a laboratory, who is known there by name and stands on no list, as there are many of them, what lies face down in it, and how programs
// learn it, where they can.
type Entry struct {
	Game       game.Game
	Players    []Player
	Adviser    slots.Bot
	References []Player
	Unlisted   []Player
	FaceDown   game.FaceDown
	Learned    env.Game
}

// A Player is a bot by its name.
type Player struct {
	Name string
	Bot  slots.Bot
}

// A Shelf is what can be played. It never changes.
type Shelf struct {
	entries    []Entry
	laboratory bool // all who are known for a game play it
}

// New is a shelf with these games on it, each of another name.
func New(entries ...Entry) Shelf { return Shelf{entries: entries} }

// With is a shelf with these games on it as well.
func (s Shelf) With(entries ...Entry) Shelf {
	return Shelf{slices.Concat(s.entries, entries), s.laboratory}
}

// Game is the game of that name.
func (s Shelf) Game(name string) (game.Game, bool) {
	e, ok := s.entry(name)
	return e.Game, ok
}

// Games says of every game what there is to know before one sits down to it.
func (s Shelf) Games() []game.Info {
	var infos []game.Info
	for _, e := range s.entries {
		infos = append(infos, e.Game.Info())
	}
	return infos
}

// Laboratory is the shelf with the references among the players, and with those whom nobody lists.
func (s Shelf) Laboratory() Shelf {
	entries := slices.Clone(s.entries)
	for i, e := range entries {
		entries[i].Players = slices.Concat(e.Players, e.References)
	}
	return Shelf{entries, true}
}

// Bot is the player of that name for a game, or its adviser.
func (s Shelf) Bot(gameName, name string) (slots.Bot, bool) {
	e, _ := s.entry(gameName)
	if name == slots.Adviser {
		return e.Adviser, e.Adviser != nil
	}
	known := e.Players
	if s.laboratory {
		known = slices.Concat(e.Players, e.Unlisted)
	}
	for _, p := range known {
		if p.Name == name {
			return p.Bot, true
		}
	}
	return nil, false
}

// Bots are the names of a game's players, the weakest first.
func (s Shelf) Bots(gameName string) []string {
	var names []string
	e, _ := s.entry(gameName)
	for _, p := range e.Players {
		names = append(names, p.Name)
	}
	return names
}

// FaceDown is what lies face down in a game.
func (s Shelf) FaceDown(gameName string) game.FaceDown {
	e, _ := s.entry(gameName)
	return e.FaceDown
}

// Learned is the game of that name as programs learn it.
func (s Shelf) Learned(gameName string) (env.Game, bool) {
	e, _ := s.entry(gameName)
	return e.Learned, e.Learned != nil
}

func (s Shelf) entry(name string) (Entry, bool) {
	for _, e := range s.entries {
		if e.Game.Info().Name == name {
			return e, true
		}
	}
	return Entry{}, false
}

// players are all who play a game: one who says any move, the levels, and one who goes by the rules of thumb and forgets nothing.
func players[P any, V bot.Mind[P, V]](think bot.Thinker[V]) []Player {
	list := []Player{Random[V]()}
	for _, l := range bot.Levels {
		list = append(list, Player{"remembering:" + l.Name, leveled[P, V]{l, think}})
	}
	return append(list, Player{"rules", leveled[P, V]{bot.Level{Memory: bot.Perfect}, think}})
}

// references are players who go by the rules of thumb and remember what a level remembers: what a memory alone is worth; and one who remembers all
// and thinks as long as one of the levels: what thinking alone is worth.
func references[P any, V bot.Mind[P, V]](think bot.Thinker[V]) (list []Player) {
	for _, l := range bot.Levels {
		if l.Memory != bot.Perfect {
			list = append(list, Player{"rules:" + l.Name, leveled[P, V]{bot.Level{Memory: l.Memory}, think}})
		}
	}
	return append(list, Player{"thinking:2000", leveled[P, V]{bot.Level{Memory: bot.Perfect, Playouts: 2000}, think}})
}

// tricksters are the levels, and who goes by the rules of thumb, each with every trick: "remembering:keen+always-stop".
func tricksters[P any, V bot.Mind[P, V]](tricks map[string]bot.Thinker[V]) (list []Player) {
	for name, trick := range tricks {
		for _, p := range players[P](trick)[1:] {
			list = append(list, Player{p.Name + "+" + name, p.Bot})
		}
	}
	return list
}

// hasty is how many games somebody imagines of whom a best response has to ask what he would do.
const hasty = 30

// responses are the levels in haste, "hasty:sharp", and for each the one who knows that all others play so, "response:sharp".
func responses[P game.Position[P, M, V], M game.Move, V bot.Mind[P, V]](think bot.Thinker[V]) (list []Player) {
	for _, l := range bot.Levels {
		l.Playouts = min(l.Playouts, hasty)
		list = append(list, Player{"hasty:" + l.Name, leveled[P, V]{l, think}}, Player{"response:" + l.Name, Seat(bot.Respond[P, M](l, think))})
	}
	return list
}

// adviser tells people what he would do.
func adviser[P any, V bot.Mind[P, V]](think bot.Thinker[V]) slots.Bot {
	return Seat(func(_ context.Context, seen bot.Seen[V]) string { return bot.Advise[P](think, seen) })
}

// leveled is a player of a level.
type leveled[P any, V bot.Mind[P, V]] struct {
	level bot.Level
	think bot.Thinker[V]
}

func (l leveled[P, V]) Move(_ context.Context, seen table.Seen) string {
	return bot.Play[P](l.level, l.think, typed[V](seen))
}

func (l leveled[P, V]) Forgotten(seen table.Seen) (lost []string, mixed [][2]string) {
	s := typed[V](seen)
	r := bot.Recalls[P](l.level.Memory, s)
	for rest := r.Lost(); rest != 0; rest &= rest - 1 {
		if name := s.View.Called(uint8(bits.TrailingZeros64(rest))); name != "" {
			lost = append(lost, name)
		}
	}
	for _, pair := range r.Mixed {
		if names := [2]string{s.View.Called(pair[0]), s.View.Called(pair[1])}; names[0] != "" && names[1] != "" {
			mixed = append(mixed, names)
		}
	}
	return lost, mixed
}

// A Forgetful player can say what he had forgotten when he was asked.
type Forgetful interface {
	slots.Bot
	// Forgotten are the places that he looked at and does not know any more, and which he takes for which, in the game's words.
	Forgotten(table.Seen) (lost []string, mixed [][2]string)
}

// Random is a player who says any move.
func Random[V any]() Player {
	return Player{"random", Seat(func(_ context.Context, seen bot.Seen[V]) string { return bot.Random(seen) })}
}

// Seat makes a bot of a player: it hands him his view with its type.
func Seat[V any](play func(context.Context, bot.Seen[V]) string) slots.Bot { return seat[V](play) }

type seat[V any] func(context.Context, bot.Seen[V]) string

func (s seat[V]) Move(ctx context.Context, seen table.Seen) string {
	return s(ctx, typed[V](seen))
}

func typed[V any](seen table.Seen) bot.Seen[V] {
	return bot.Seen[V]{Seat: seen.Seat, View: seen.View.(V), Events: seen.Events, Moves: seen.Moves, Seed: seen.Seed, Aid: seen.Aid}
}
