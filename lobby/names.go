package lobby

import (
	"cmp"
	"context"
	"slices"

	"caveau/match"
	"caveau/wire"
)

// What people are called stands beside the logs of the tables, once (fact.Log). Here it is changed, and whoever shows it is told.

// Rename is that a guest is called otherwise from now on, at every table, or has no name any more: then he is erased, whatever logs of
// before call him. It is durable when it returns; after an error nobody knows, and the tables say what the log does soon after it can be read.
func (l *Lobby) Rename(ctx context.Context, g wire.Guest) error {
	l.naming.RLock()
	err := l.config.Log.Name(ctx, g.ID, g.Name)
	l.naming.RUnlock()
	l.Changed(g.ID)
	unread := l.tellName(ctx, g.ID)
	if unread != nil {
		l.mu.Lock()
		l.untold = append(l.untold, g.ID)
		l.mu.Unlock()
	}
	if err = cmp.Or(err, unread); err == nil {
		return nil
	}
	if ctx.Err() == nil { // else whoever wanted it has gone
		l.config.Slog.Error("a name cannot be noted", "err", err)
	}
	return wire.AsError(err)
}

// Called is a guest with the name that he has now; whoever was never noted has the one that he comes with.
func (l *Lobby) Called(ctx context.Context, g wire.Guest) (wire.Guest, error) {
	names, err := l.config.Log.Names(ctx, g.ID)
	if err != nil {
		return g, wire.AsError(err)
	}
	if name, known := names[g.ID]; known {
		g.Name = name
	}
	return g, nil
}

// tellUntold tells what could not be read before, until something cannot be read now.
func (l *Lobby) tellUntold() {
	for {
		l.mu.Lock()
		untold := l.untold
		l.mu.Unlock()
		if len(untold) == 0 || l.tellName(l.ctx, untold[0]) != nil {
			return
		}
		l.mu.Lock()
		l.untold = l.untold[1:]
		l.mu.Unlock()
	}
}

// tellName tells the tables at which a guest is known what he is called; those that have a sign out and no owner are woken, and hang out another. What
// the log says is told, one after the other: so it is the newest in the end, and true after a write that failed.
func (l *Lobby) tellName(ctx context.Context, guest string) error {
	asleep, err := l.tellAwake(ctx, guest)
	for _, id := range asleep {
		l.wake(l.ctx, id) // and it hangs out another sign; if it cannot, its runner says why and takes the sign away
	}
	return err
}

// tellAwake tells those that have an owner, and answers which have none, and a sign.
func (l *Lobby) tellAwake(ctx context.Context, guest string) (asleep []wire.ID, err error) {
	l.naming.Lock()
	defer l.naming.Unlock()
	names, err := l.config.Log.Names(context.WithoutCancel(ctx), guest)
	name, known := names[guest]
	if err != nil || !known {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.runners {
		if r.Knows(guest) {
			r.Post(match.Named{Guest: guest, Name: name})
		}
	}
	for id, s := range l.signs {
		if r := l.runners[id]; (r == nil || r.Closed()) && slices.Contains(s.guests, guest) {
			asleep = append(asleep, id)
		}
	}
	return asleep, nil
}
