package lobby

import (
	"time"

	"caveau/lobby/archive"
	"caveau/wire"
)

// sweepTime is how often it is looked whether games have been over for longer than they are kept.
const sweepTime = time.Hour

// sweep deletes what has been over for so long (package archive), now and then again and again, unless it is kept for ever.
func (l *Lobby) sweep() {
	for open := l.config.KeepPlayed > 0; open; open = l.sleep(sweepTime) {
		n, err := archive.Sweep(l.ctx, l.config.Log, l.config.Clock.Now().Add(-l.config.KeepPlayed), l.rest, l.beginDeleting, l.endDeleting)
		if err != nil && l.ctx.Err() == nil {
			l.config.Slog.Error("games that were played long ago cannot be deleted", "err", err)
		} else if n > 0 {
			l.config.Slog.Info("games that were played long ago are deleted", "tables", n)
		}
	}
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
