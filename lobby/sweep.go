package lobby

import (
	"time"

	"caveau/lobby/archive"
	"caveau/wire"
)

// sweepTime is how often it is looked whether games have been over for longer than they are kept.
const sweepTime = time.Hour

// sweep deletes them, now and then again and again, unless they are kept for ever.
func (l *Lobby) sweep() {
	for open := l.config.KeepPlayed > 0; open; open = l.sleep(sweepTime) {
		if n, err := l.deletePlayed(); err != nil && l.ctx.Err() == nil {
			l.config.Slog.Error("games that were played long ago cannot be deleted", "err", err)
		} else if n > 0 {
			l.config.Slog.Info("games that were played long ago are deleted", "tables", n)
		}
	}
}

// deletePlayed deletes what has been over for so long (package archive).
func (l *Lobby) deletePlayed() (n int, err error) {
	return archive.Sweep(l.ctx, l.config.Log, l.config.Clock.Now().Add(-l.config.KeepPlayed), l.rest, l.beginDeleting, l.endDeleting)
}

// beginDeleting keeps a table from being woken while it is deleted; false if it is awake: somebody may look at it, and it can wait.
func (l *Lobby) beginDeleting(id wire.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runners[id] != nil {
		return false
	}
	l.deleting = id
	return true
}

func (l *Lobby) endDeleting() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deleting = ""
}
