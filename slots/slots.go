// Package slots is where bots think: a few at a time, for so long and no longer. Whatever a bot does wrong harms nobody.
package slots

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"caveau/table"
	"caveau/wire"
)

// botLimit is how long a bot may think before the table moves for it.
const botLimit = 5 * time.Second

// Slots are where bots think: a few at a time, so that people's moves find the processor free.
type Slots struct {
	slots chan struct{}
	shelf Shelf
	timer Timer
	slog  *slog.Logger
	asked atomic.Int64 // how many questions have not been answered

	mu   sync.Mutex
	lost map[string]int // how many questions a bot has not come back from, by game and name
}

// A Timer sends the time once, after a while; stop it when it is not needed any more.
type Timer = func(time.Duration) (fires <-chan time.Time, stop func() bool)

// New makes so many slots.
func New(n int, shelf Shelf, timer Timer, log *slog.Logger) *Slots {
	return &Slots{slots: make(chan struct{}, n), shelf: shelf, timer: timer, slog: log, lost: make(map[string]int)}
}

// Ask is what the bot says; the first legal move if it breaks down or takes too long, "" if ctx ends while it waits for a slot. Where none
// is free, waits hears that it waits, and that it does no more.
func (s *Slots) Ask(ctx context.Context, id wire.ID, game, bot string, seen table.Seen, waits func(so bool)) string {
	s.asked.Add(1)
	defer s.asked.Add(-1)
	if !s.take(ctx, waits) {
		return ""
	}
	defer func() { <-s.slots }()
	return s.think(ctx, id, game, bot, seen)
}

// Advise is what the adviser on a game says. He thinks for a moment, and so needs no slot; what he does wrong harms nobody either.
func (s *Slots) Advise(ctx context.Context, id wire.ID, game string, seen table.Seen) string {
	return s.think(ctx, id, game, Adviser, seen)
}

func (s *Slots) think(ctx context.Context, id wire.ID, game, bot string, seen table.Seen) string {
	player, ok := s.shelf.Bot(game, bot)
	if !ok {
		s.slog.Error("a bot is not on the shelf any more", "table", id, "bot", bot)
		return first(seen)
	}
	c := &call{slots: s, bot: game + " " + bot, came: make(chan struct{})}
	if s.isLost(c.bot) {
		return first(seen)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	said := make(chan string, 1)
	go func() {
		defer c.isBack()
		said <- s.listen(ctx, id, bot, player, seen)
	}()
	late, stop := s.timer(botLimit)
	defer stop()
	select {
	case words := <-said:
		return words
	case <-late:
		select {
		case words := <-said: // in a page nobody hears the time while a bot thinks, and then both at once
			return words
		default:
		}
		s.slog.Error("a bot takes too long", "table", id, "seat", seen.Seat)
	case <-ctx.Done():
	}
	if cancel(); !c.comes() { // whether anybody waits for it or not
		c.isLate()
	}
	return first(seen)
}

// first is what is said for a bot that says nothing. Nobody is told it here: it may be a card in its hand.
func first(seen table.Seen) string { return seen.Moves[0] }

// take takes a slot; false if ctx ends before there is one.
func (s *Slots) take(ctx context.Context, waits func(so bool)) bool {
	select {
	case s.slots <- struct{}{}:
		return true
	default:
	}
	waits(true)
	select {
	case s.slots <- struct{}{}:
		waits(false)
		return true
	case <-ctx.Done():
		return false
	}
}

// Busy is how many bots think, and how many wait for a slot.
func (s *Slots) Busy() (thinking, waiting int) {
	thinking = len(s.slots)
	return thinking, max(0, int(s.asked.Load())-thinking)
}

// A call is a question to a bot that may not come back from it. Nothing can end what it does; so until it has come back nobody asks
// that bot any more, and what it does costs a processor or two, however many tables have such a bot.
type call struct {
	slots      *Slots
	bot        string
	came       chan struct{} // closed when it has come back
	late, back bool          // belong to the mutex of the slots
}

// moment is how long a bot may take to come back that hears that nobody listens any more.
const moment = 100 * time.Millisecond

// comes tells whether it comes back now: then it is not lost, whoever asks it next.
func (c *call) comes() bool {
	over, stop := c.slots.timer(moment)
	defer stop()
	select {
	case <-c.came:
		return true
	case <-over:
		return false
	}
}

func (c *call) isLate() {
	c.slots.mu.Lock()
	defer c.slots.mu.Unlock()
	if !c.back {
		c.late = true
		c.slots.lost[c.bot]++
	}
}

func (c *call) isBack() {
	c.slots.mu.Lock()
	defer c.slots.mu.Unlock()
	c.back = true
	close(c.came)
	if c.late {
		c.slots.lost[c.bot]--
	}
}

func (s *Slots) isLost(bot string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost[bot] > 0
}

// listen has the bot say its move; one that panics says the first. What it said of that may be what it has seen.
func (s *Slots) listen(ctx context.Context, id wire.ID, name string, bot Bot, seen table.Seen) (words string) {
	defer func() {
		if fault := recover(); fault != nil {
			s.slog.Error("a bot broke down", "table", id, "seat", seen.Seat, "bot", name, "kind", fmt.Sprintf("%T", fault))
			words = first(seen)
		}
	}()
	return bot.Move(ctx, seen)
}
