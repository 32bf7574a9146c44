package lobby

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"

	"caveau/bus"
	"caveau/fact"
	"caveau/limit"
	"caveau/table"
	"caveau/wire"
)

// What other nodes of the house do, as far as this one has to know of it (ADR 17). Where there are no others nothing of this is asked.

// report says to the others what hangs here. What hung at one that is not heard any more hangs here from now on, unless the table is here, and says so itself: it may
// be over. The caller holds mu.
func (l *Lobby) report() {
	for _, s := range l.pages.Report(l.hung()) {
		if old, hangs := l.signs[s.Table]; l.states[s.Table] == "" && !hangs || hangs && s.Newer(old.Sign) {
			l.signs[s.Table] = sign{Sign: s}
		}
		l.rehung()
	}
}

// hear hears what another node says. A sign that is newer there hangs here no more. Whoever took a table last does not drop its sign, so none is lost.
func (l *Lobby) hear(n bus.News, other bool, changed []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range n.Signs {
		old := l.signs[s.Table].Sign
		if old.Awake = l.runners[s.Table] != nil; s.Newer(old) {
			delete(l.signs, s.Table)
		}
	}
	if other {
		l.rehung()
	}
	if len(changed) == 0 || l.ctx.Err() != nil {
		return
	}
	l.heard = append(l.heard, changed...)
	l.work.Go(func() {
		for _, guest := range changed {
			l.tellName(l.ctx, guest) // if that cannot be read, it is with the next pulse
			l.pages.Look(l.ctx, guest)
		}
	})
}

// Changed has the other nodes look, soon, what a guest is called and which sessions of his have ended; "": what the house has noted for itself.
func (l *Lobby) Changed(guest string) { l.pages.Changed(guest) }

// Heed is who looks when another node says so, and with every pulse what the house has noted.
func (l *Lobby) Heed(look func(ctx context.Context, guest string)) { l.pages.Heed(look) }

// Count has the nodes tell each other how much of something is used by whom.
func (l *Lobby) Count(what string, c limit.Count) { l.pages.Count(what, c) }

// Shared tells whether other nodes write to the log.
func (l *Lobby) Shared() bool { return l.lease != nil }

// lookAround looks in the log for what others have done, with every pulse.
func (l *Lobby) lookAround() {
	l.pages.Look(l.ctx, "")
	l.lookAtSigns()
	if err := cmp.Or(l.common.Ask(l.ctx), l.count(), l.lookAtNames()); err != nil && l.ctx.Err() == nil {
		l.config.Slog.Error("it cannot be read what other nodes have done; it is tried again", "err", err)
	}
}

// count counts the tables that are not over, and gives back the places of those that have ended elsewhere. One that was not known before somebody has just founded:
// it is taken, or about to be. It is its host's, wherever and whenever he has made it.
func (l *Lobby) count() error {
	l.mu.Lock()
	known := maps.Clone(l.unfinished)
	l.mu.Unlock()
	owned, err := l.config.Deeds.(fact.Shared).Taken(l.ctx)
	all, unread := l.config.Log.Due(l.ctx, l.config.Clock.Now().Add(always))
	if err = cmp.Or(err, unread); err != nil {
		return err
	}
	makers := make(map[wire.ID]Visitor)
	for _, id := range all {
		if maker, was := known[id]; !was || maker == before && len(makers) < mostRead {
			entries, err := l.config.Log.Entries(l.ctx, id, 0)
			if makers[id] = before; err == nil { // else it is read with another pulse
				makers[id] = Visitor{From: before.From, Guest: wire.Guest{ID: fact.Founder(entries)}}
			}
		}
		delete(known, id)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken = make(map[wire.ID]bool)
	for _, id := range owned {
		l.taken[id] = true
	}
	for id, maker := range makers {
		if l.unfinished[id] == before {
			l.finish(id)
		} else {
			l.taken[id] = true
		}
		l.begin(id, maker)
	}
	for id := range known {
		l.finish(id)
	}
	return nil
}

// lookAtNames looks what those are called now who are at tables here: whoever has another name than when it was looked last, or was not
// at any, is told; and whoever another node has said something of since, for he may be called as he was then again.
func (l *Lobby) lookAtNames() error {
	var guests []string
	l.mu.Lock()
	for _, r := range l.runners {
		guests = append(guests, r.Guests()...)
	}
	heard := l.heard
	l.heard = nil
	l.mu.Unlock()
	slices.Sort(guests)
	names, err := l.config.Log.Names(l.ctx, slices.Compact(guests)...)
	for guest, name := range names {
		if was, known := l.called[guest]; !known || was != name || slices.Contains(heard, guest) {
			_, untold := l.tellAwake(l.ctx, guest)
			err = cmp.Or(err, untold)
		}
	}
	if l.called = names; err != nil {
		l.called = nil // all are told with the next pulse
	}
	return err
}

// lookAtSigns looks in the log whether what hangs here of tables that sleep is so yet.
func (l *Lobby) lookAtSigns() {
	l.mu.Lock()
	all := bus.Listed(l.hung())
	l.mu.Unlock()
	for _, s := range all {
		if s.Awake {
			continue
		}
		within, cancel := context.WithTimeout(l.ctx, patience) // one that hangs keeps no other from being looked at, nor what follows
		card, err := l.Card(within, s.Table)
		cancel()
		if err != nil && wire.AsError(err).Code != wire.CodeNoTable {
			continue // its runner says why
		}
		l.mu.Lock()
		if old := l.signs[s.Table]; old.Term == s.Term && l.runners[s.Table] == nil {
			if old.Card = card; err == nil && card.Listed && card.State != table.Over {
				l.signs[s.Table] = old
			} else {
				delete(l.signs, s.Table)
			}
			if !reflect.DeepEqual(card, s.Card) {
				l.rehung()
			}
		}
		l.mu.Unlock()
	}
}

// isAwake tells whether a table is awake, here or elsewhere.
func (l *Lobby) isAwake(id wire.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.runners[id] != nil || l.taken[id]
}
