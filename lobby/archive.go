package lobby

import (
	"time"

	"caveau/lobby/archive"
	"caveau/wire"
)

// rest is between two games that are replayed or deleted, so that those who play do not notice.
func (l *Lobby) rest() bool { return l.sleep(50 * time.Millisecond) }

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

// sweep deletes what has been over for so long (package archive), each hour again, unless it is kept for ever.
func (l *Lobby) sweep() {
	for open := l.config.KeepPlayed > 0; open; open = l.sleep(time.Hour) {
		n, err := archive.Sweep(l.ctx, l.config.Log, l.config.Clock.Now().Add(-l.config.KeepPlayed), l.rest, l.deletes, func() { l.deletes("") })
		if err != nil && l.ctx.Err() == nil {
			l.config.Slog.Error("games that were played long ago cannot be deleted", "err", err)
		} else if n > 0 {
			l.config.Slog.Info("games that were played long ago are deleted", "tables", n)
		}
	}
}

// deletes keeps a table from being woken while it is deleted, and the one before no more; "" for none. False if it is awake: somebody may look at it, and it can wait.
func (l *Lobby) deletes(id wire.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runners[id] != nil {
		return false
	}
	l.deleting = id
	return true
}
