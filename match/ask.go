package match

import (
	"context"
	"fmt"
	"time"
)

// botLimit is how long a bot may think before the table moves for it.
const botLimit = 5 * time.Second

// dummy plays where no bot is to be had.
type dummy struct{}

func (dummy) Move(_ context.Context, seen Seen) string { return seen.Moves[0] }

// ask is what the bot says; the first legal move if it breaks down or takes too long. A few bots think at a time, so
// that people's moves find the processor free.
func (l *Lobby) ask(ctx context.Context, id ID, bot Bot, seen Seen) string {
	select {
	case l.minds <- struct{}{}:
		defer func() { <-l.minds }()
	case <-ctx.Done():
		return ""
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	said := make(chan string, 1)
	go func() { said <- l.listen(ctx, id, bot, seen) }()
	late, stop := l.Clock.Timer(botLimit)
	defer stop()
	select {
	case words := <-said:
		return words
	case <-late:
		l.Slog.Error("a bot takes too long", "table", id, "seat", seen.Seat)
	case <-ctx.Done():
	}
	return seen.Moves[0]
}

// listen has the bot say its move; one that panics says the first.
func (l *Lobby) listen(ctx context.Context, id ID, bot Bot, seen Seen) (words string) {
	defer func() {
		if fault := recover(); fault != nil {
			l.Slog.Error("a bot broke down", "table", id, "seat", seen.Seat, "err", fmt.Sprint(fault))
			words = seen.Moves[0]
		}
	}()
	return bot.Move(ctx, seen)
}
