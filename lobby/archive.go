package lobby

import (
	"time"

	"caveau/lobby/archive"
)

// restTime is between two games that are replayed or deleted, so that those who play do not notice.
const restTime = 50 * time.Millisecond

func (l *Lobby) rest() bool { return l.sleep(restTime) }

// CheckArchive replays, in the background, every table that is over (package archive). When all were replayed it calls done; it does not if the lobby closes
// before, or one could not be read.
func (l *Lobby) CheckArchive(done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() == nil {
		l.work.Go(func() {
			if archive.Check(l.ctx, l.config.Log, l.opened.Add(always), l.config.Shelf, l.rest, l.config.Slog) {
				done()
			}
		})
	}
}
