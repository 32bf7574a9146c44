package lobby

import "time"

// A house keeps its games for ever, and its rules may be corrected: after an upgrade the finished ones are replayed, and the
// server's log names those that would go another way. Nothing is changed. Of a table its name is told, of a move the number
// and the rule, never a card or a colour.

// restTime is between two games that are replayed, so that those who play do not notice.
const restTime = 50 * time.Millisecond

// CheckArchive replays, in the background, every table that is over, and writes a line about each that would differ. When
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
	log := l.config.Slog
	ids, err := l.config.Log.Finished(l.ctx, l.opened.Add(always))
	if l.ctx.Err() != nil {
		return false
	}
	if err != nil {
		log.Error("the archive cannot be read", "err", err)
		return false
	}
	games, differ, unread := 0, 0, 0
	for _, id := range ids {
		if !l.sleep(restTime) {
			return false
		}
		entries, err := l.config.Log.Entries(l.ctx, id, 0)
		if l.ctx.Err() != nil {
			return false
		}
		if err != nil {
			log.Error("a table cannot be read", "table", id, "err", err)
			unread++
			continue
		}
		r := reviewOf(l.config.Shelf, entries)
		if r.differs != "" {
			log.Warn("a finished game would go another way", "table", id, "what", r.differs, "revision", r.revision)
			differ++
		}
		if r.played {
			games++
		}
	}
	log.Info("archive replayed", "games", games, "differ", differ)
	return unread == 0
}
