package lab

import (
	"context"
	"fmt"
	"math/rand/v2"

	"caveau/fair"
	"caveau/game"
	"caveau/lab/cheat"
	"caveau/slots"
	"caveau/table"
)

// A Row is one game, as it went. docs/lab.md says what each key means.
type Row struct {
	Experiment string         `json:"experiment"` // the digest of the one that it belongs to
	N          int            `json:"n"`
	Deal       int            `json:"deal"`
	Sitting    int            `json:"sitting"`
	Game       string         `json:"game"`
	Edition    string         `json:"edition,omitempty"`
	Options    map[string]int `json:"options,omitempty"`
	Bots       []string       `json:"bots"`
	First      game.Seat      `json:"first"`
	Last       game.Seat      `json:"last"`
	Over       bool           `json:"over"`
	Winners    []game.Seat    `json:"winners"`
	Standing   []int          `json:"standing"`
	Moves      int            `json:"moves"`
	Turns      int            `json:"turns"`
	Leads      int            `json:"leads"`
	Behind     int            `json:"behind"`
	Halfway    []game.Seat    `json:"halfway"`
	Touches    int            `json:"touches"`
	Verbs      map[string]int `json:"verbs"`
}

// verbOfTurn is what every game says when somebody's turn begins; the client knows it of every game too.
const verbOfTurn = "turn"

// play is game n. It is dealt as a house would deal it whose secret follows from the seed. It fails where a bot says what is no
// legal move, and with the context's error once that is done.
func (p plan) play(ctx context.Context, n int) (Row, error) {
	c := p.cellOf(n)
	r := Row{Experiment: p.digest, N: n, Deal: (n - c.first) / c.sittings, Sitting: (n - c.first) % c.sittings}
	r.Game, r.Edition, r.Options = c.Game, c.edition, c.Options
	chairs := c.around(c.Bots)
	if c.Drawn {
		chairs = c.drawn(fair.SpareChance(p.chance, r.Deal))
	}
	r.Bots = moved(chairs, r.Sitting)
	seed := fair.SpareSecret(p.chance, r.Deal)
	state, err := c.rules.Deal(c.setup(), fair.Newest.NewChance(seed))
	if err != nil {
		return r, err
	}
	players := make([]player, c.players)
	for s := range players {
		players[s] = player{sitter: c.sits[r.Bots[s]], seed: fair.Newest.BotSeed(seed, game.Seat(s).String())}
	}
	count := newCount(&r, state)
	most := c.Moves
	if most == 0 {
		most = c.rules.Info().MaxMoves
	}
	for state.Turn() != game.NoSeat && r.Moves < most {
		s := state.Turn()
		words := players[s].asked(ctx, s, state)
		if ctx.Err() != nil {
			return r, ctx.Err() // whatever was said then may have been said in haste
		}
		next, events, err := state.Play(s, words)
		if err != nil {
			return r, fmt.Errorf("game %d, move %d: %s in seat %s says %q: %w", n, r.Moves+1, r.Bots[s], s, words, err)
		}
		for to := range players {
			players[to].hears(game.Seat(to), events)
		}
		state = next
		count.move(state, events)
	}
	count.end(state)
	return r, nil
}

// A player is a bot in its chair, and all that it was told.
type player struct {
	sitter
	seed uint64
	told []game.Event
}

func (p *player) asked(ctx context.Context, s game.Seat, state game.State) string {
	if p.cheat != nil {
		return p.cheat.Move(ctx, state, rand.New(rand.NewPCG(p.seed, uint64(len(p.told)))))
	}
	return p.bot.Move(ctx, table.Seen{Seat: s, View: state.View(s), Events: p.told, Moves: state.Moves(), Seed: p.seed})
}

// A sitter is who may have a chair: a bot, or somebody who sees everything.
type sitter struct {
	bot   slots.Bot
	cheat *cheat.Cheat
}

// cheats is what he is called who sees everything, in any game.
const cheats = "cheat"

func sitterOf(shelf Shelf, rules game.Game, name string) (s sitter, ok bool) {
	if name != cheats {
		s.bot, ok = shelf.Bot(rules.Info().Name, name)
		return s, ok
	}
	usual, ok := shelf.Bot(rules.Info().Name, reference)
	return sitter{cheat: &cheat.Cheat{Rules: usual, Moves: rules.Info().MaxMoves}}, ok
}

func (p *player) hears(s game.Seat, events []game.Event) {
	for _, e := range events {
		p.told = append(p.told, e.For(s))
	}
}

// A count is what is counted while a game is played.
type count struct {
	*Row
	leader game.Seat          // who was ahead alone the last time that anybody was
	ahead  []game.Seats       // after the deal and after each move
	behind [game.MaxSeats]int // how far each has been behind whoever was ahead
}

func newCount(r *Row, dealt game.State) *count {
	r.First, r.Last, r.Turns, r.Verbs = dealt.Turn(), dealt.Turn(), 1, map[string]int{}
	c := &count{Row: r, leader: game.NoSeat}
	c.stand(dealt)
	return c
}

func (c *count) move(after game.State, events []game.Event) {
	c.Moves++
	for _, e := range events {
		c.Verbs[e.Verb]++
		if e.Verb == verbOfTurn {
			c.Turns++
			c.Last = e.Seat
		}
		if !e.To.IsZero() && e.To != e.Seat {
			c.Touches++
		}
	}
	c.stand(after)
}

// stand looks who is ahead. A lead changes when somebody is ahead alone, and the last who was so was another.
func (c *count) stand(state game.State) {
	sc := state.Standing()
	most := sc[0]
	for s := range c.Bots {
		most = max(most, sc[s])
	}
	var ahead game.Seats
	for s := range c.Bots {
		c.behind[s] = max(c.behind[s], most-sc[s])
		if sc[s] == most {
			ahead = ahead.With(game.Seat(s))
		}
	}
	c.ahead = append(c.ahead, ahead)
	if alone := ahead.List()[0]; ahead.Len() == 1 && alone != c.leader {
		if c.leader != game.NoSeat {
			c.Leads++
		}
		c.leader = alone
	}
}

func (c *count) end(state game.State) {
	outcome, sc := state.Outcome(), state.Standing()
	c.Over, c.Winners = outcome.Over, outcome.Winners.List()
	c.Standing = sc[:len(c.Bots)]
	c.Halfway = c.ahead[c.Moves/2].List()
	for _, s := range c.Winners {
		c.Behind = max(c.Behind, c.behind[s])
	}
}
