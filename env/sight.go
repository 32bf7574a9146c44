package env

import (
	"caveau/game"
	"caveau/wire"
)

// A sight is what a seat of a game is told, in the words of docs/protocol.md.
type sight struct {
	game       int
	you, turn  game.Seat
	question   game.Question
	shown, own any
	events     []game.Event
	moves      []string // what the seat may do, and by which numbers
	actions    []int
	ended      *ended
	players    int
}

func (b *games[P, M, V]) read(g int, s game.Seat) sight {
	sl := &b.slots[g]
	v := sl.p.View(s)
	si := sight{game: g, you: s, turn: b.turn(g), shown: v.Shown(b.terms.Aid), own: v.Own(b.terms.Aid), ended: sl.ended, players: b.terms.Players}
	if si.turn != game.NoSeat {
		si.question = sl.p.Asks()
	}
	if si.turn == s {
		for _, m := range sl.legal {
			si.moves, si.actions = append(si.moves, m.String()), append(si.actions, b.packed.Number(m))
		}
	}
	for _, e := range sl.events {
		si.events = append(si.events, e.For(s))
	}
	return si
}

// AppendJSON writes a sight.
func (si sight) AppendJSON(t game.JSON) game.JSON {
	t = append(t, '{').Key("game").Number(si.game).Key("you").Text(si.you.String()).TextIn("turn", si.turn.String())
	t = t.TextIn("asked", si.question.Word).TextIn("cites", si.question.Rule)
	t = wire.Append(t.Key("shown"), si.shown)
	if si.own != nil {
		t = wire.Append(game.JSON(t).Key("own"), si.own)
	}
	if len(si.events) > 0 {
		t = game.Items(game.JSON(t).Key("events"), si.events)
	}
	t = game.JSON(t).TextsIn("moves", si.moves).NumbersIn("actions", si.actions)
	if si.ended != nil {
		t = wire.Append(game.JSON(t).Key("ended"), si.ended.told(si.players))
	}
	return append(t, '}')
}

// toldEnd is how a game has ended, as it is told.
type toldEnd struct {
	Winners []game.Seat `json:"winners,omitempty"`
	Why     string      `json:"why,omitempty"`
	Scores  []int       `json:"scores,omitempty"`
	Returns []float32   `json:"returns"`
}

func (e *ended) told(players int) toldEnd {
	told := toldEnd{Winners: e.winners.List(), Scores: e.scores.List(players)}
	if e.stopped {
		told.Why = "stopped"
	}
	for s := range game.Seat(players) {
		told.Returns = append(told.Returns, e.returns(s))
	}
	return told
}
