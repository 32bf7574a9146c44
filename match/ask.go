package match

import (
	"context"
	"fmt"
	"log/slog"
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
	timer func(time.Duration) (<-chan time.Time, func() bool)
	slog  *slog.Logger
}

// NewSlots makes so many slots.
func NewSlots(n int, shelf Shelf, clock Clock, log *slog.Logger) *Slots {
	return &Slots{make(chan struct{}, n), shelf, clock.Timer, log}
}

// Ask is what the bot says; the first legal move if it breaks down or takes too long, "" if ctx ends while it waits for a slot.
func (s *Slots) Ask(ctx context.Context, id wire.ID, game, bot string, seen table.Seen) string {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return ""
	}
	player, ok := s.shelf.Bot(game, bot)
	if !ok {
		s.slog.Error("a bot is not on the shelf any more", "table", id, "bot", bot)
		return seen.Moves[0]
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	said := make(chan string, 1)
	go func() { said <- s.listen(ctx, id, player, seen) }()
	late, stop := s.timer(botLimit)
	defer stop()
	select {
	case words := <-said:
		return words
	case <-late:
		s.slog.Error("a bot takes too long", "table", id, "seat", seen.Seat)
	case <-ctx.Done():
	}
	return seen.Moves[0]
}

// listen has the bot say its move; one that panics says the first.
func (s *Slots) listen(ctx context.Context, id wire.ID, bot Bot, seen table.Seen) (words string) {
	defer func() {
		if fault := recover(); fault != nil {
			s.slog.Error("a bot broke down", "table", id, "seat", seen.Seat, "err", fmt.Sprint(fault))
			words = seen.Moves[0]
		}
	}()
	return bot.Move(ctx, seen)
}
