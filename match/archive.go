package match

import (
	"fmt"
	"slices"
	"time"
)

// A house keeps its games for ever, and its rules may be corrected: after an upgrade the finished ones are replayed, and the
// server's log names those that would go another way. Nothing is changed. Of a table its name is told, of a move the number
// and the rule, never a card or a colour.

// restTime is between two games that are replayed, so that those who play do not notice.
const restTime = 50 * time.Millisecond

// CheckArchive replays, in the background, every match that is over, and writes a line about each that would differ. When
// all were replayed it calls done; it does not if the lobby closes before, or one could not be read.
func (l *Lobby) CheckArchive(done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() == nil {
		l.work.Go(func() {
			if l.checkArchive() {
				done()
			}
		})
	}
}

func (l *Lobby) checkArchive() (all bool) {
	ids, err := l.Log.Finished(l.ctx)
	if l.ctx.Err() != nil {
		return false
	}
	if err != nil {
		l.Slog.Error("the archive cannot be read", "err", err)
		return false
	}
	games, differ, unread := 0, 0, 0
	for _, id := range ids {
		if !l.sleep(restTime) {
			return false
		}
		entries, err := l.Log.Entries(l.ctx, id, 0)
		if l.ctx.Err() != nil {
			return false
		}
		if err != nil {
			l.Slog.Error("a table cannot be read", "table", id, "err", err)
			unread++
			continue
		}
		t := newTable(l.Shelf)
		what := t.review(entries)
		if what != "" {
			l.Slog.Warn("a finished game would go another way", "table", id, "what", what, "revision", revisionOf(entries))
			differ++
		}
		if what != "" || t.state != nil {
			games++
		}
	}
	l.Slog.Info("archive replayed", "games", games, "differ", differ)
	return unread == 0
}

// revisionOf is of the rules that a game was played by; 0 if the log does not say.
func revisionOf(entries []Entry) int {
	for _, e := range slices.Backward(entries) {
		if _, _, end, err := readFact(e.Data); err == nil && end != nil {
			return end.Revision
		}
	}
	return 0
}

// review replays a table that is over, and says what would differ; "" if nothing would.
func (t *table) review(entries []Entry) (differs string) {
	defer func() {
		if recover() != nil {
			differs = fmt.Sprintf("the rules break down after move %d", len(t.moves))
		}
	}()
	for _, e := range entries {
		if err := t.replay(e); err != nil {
			return err.Error()
		}
	}
	if t.state == nil {
		return "" // closed before it began
	}
	now := t.ending(t.state, "")
	switch {
	case !t.overNow():
		return "it would not be over"
	case t.end == nil:
		return "" // played before endings were kept
	case !slices.Equal(now.Winners, t.end.Winners):
		return fmt.Sprintf("the winners would be %v, and were %v", now.Winners, t.end.Winners)
	case now.Final != t.end.Final:
		return "the final position would be another"
	}
	return ""
}
