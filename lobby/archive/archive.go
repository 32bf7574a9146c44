// Package archive is for games that are over: they are replayed, or deleted when they have been kept for long enough. A house keeps them for ever, and its rules may be corrected: after an upgrade the server's log names those
// that would go another way. Nothing is changed. Of a table its name is told, of a move the number and the rule, never a card or a colour.
package archive

import (
	"context"
	"log/slog"
	"time"

	"caveau/fact"
	"caveau/terms"
)

// Check replays every table that was over by that time, and writes a line about each that would differ. Between two it rests; where that is said to be enough it
// ends. It answers whether all were replayed.
func Check(ctx context.Context, log fact.Log, by time.Time, shelf terms.Shelf, rest func() bool, to *slog.Logger) (all bool) {
	ids, err := log.Finished(ctx, by)
	if ctx.Err() != nil {
		return false
	}
	if err != nil {
		to.Error("the archive cannot be read", "err", err)
		return false
	}
	games, differ, unread := 0, 0, 0
	for _, id := range ids {
		if !rest() {
			return false
		}
		entries, err := log.Entries(ctx, id, 0)
		if ctx.Err() != nil {
			return false
		}
		if err != nil {
			to.Error("a table cannot be read", "table", id, "err", err)
			unread++
			continue
		}
		r := reviewOf(shelf, entries)
		if r.differs != "" {
			to.Warn("a finished game would go another way", "table", id, "what", r.differs, "revision", r.revision)
			differ++
		}
		if r.played {
			games++
		}
	}
	to.Info("archive replayed", "games", games, "differ", differ)
	return unread == 0
}
