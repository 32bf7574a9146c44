package lobby

import (
	"time"

	"caveau/wire"
)

// sweepTime is how often it is looked whether games have been over for longer than they are kept.
const sweepTime = time.Hour

// sweep deletes them, now and then again and again.
func (l *Lobby) sweep() {
	for open := true; open; open = l.sleep(sweepTime) {
		if n, err := l.deletePlayed(); err != nil && l.ctx.Err() == nil {
			l.config.Slog.Error("games that were played long ago cannot be deleted", "err", err)
		} else if n > 0 {
			l.config.Slog.Info("games that were played long ago are deleted", "tables", n)
		}
	}
}

// deletePlayed deletes what has been over for so long, one by one, so that those who play do not notice.
func (l *Lobby) deletePlayed() (n int, err error) {
	ids, err := l.config.Log.Finished(l.ctx, l.config.Clock.Now().Add(-l.config.KeepPlayed))
	for _, id := range ids {
		if err != nil || !l.sleep(restTime) {
			break
		}
		if !l.beginDeleting(id) {
			continue
		}
		if err = l.config.Log.Delete(l.ctx, id); err == nil {
			n++
		}
		l.mu.Lock()
		l.deleting = ""
		l.mu.Unlock()
	}
	return n, err
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
