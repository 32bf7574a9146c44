package storm

import (
	"context"
	"encoding/json"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/wire"
)

// What does not stop at the gate fails by its kind, for as long as it ails: then it is no matter who comes first. Of one kind it may be said that
// another ails from when it has been done: something is noted, and cannot be read.

// ailments are what can go wrong with what is kept of guests while they have something done.
var ailments = []struct{ ails, after string }{
	{"End", ""}, {"EndAll", ""}, {"Ended", ""}, {"Ended", "EndAll"}, {"Ended", "End"}, {"Forget", ""}, {"Forget", "EndAll"}, {"Names", "Name"}, {"Name", ""}, {"Names", ""},
	{"Passkey", ""}, {"UsePasskey", ""}, {"AddPasskey", ""}, {"RemovePasskey", ""}, {"EndAll", "Forget"}, {"EndAll", "Name"}, {"Ended", "UsePasskey"},
}

// endings are those where somebody ends his sessions, or is forgotten.
var endings = []struct{ ails, after string }{{"Ended", "EndAll"}, {"Ended", "End"}, {"Forget", ""}, {"EndAll", "Forget"}, {"Ended", "EndAll"}, {"EndAll", "Name"}, {"Ended", "End"}, {"End", ""}}

// ails is that something fails from now on, or from when another thing has been done.
func (g *gate) ails(what, after string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if after != "" {
		g.then = map[string]string{after: what}
		return
	}
	g.sick = map[string]bool{what: true}
}

// ailing tells whether something fails, or is to.
func (g *gate) ailing() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.sick)+len(g.then) > 0
}

// heal is that nothing ails any more.
func (w *World) heal() {
	g := w.house.gate
	if !g.ailing() {
		return
	}
	g.mu.Lock()
	g.sick, g.then = nil, nil
	g.mu.Unlock()
	w.smooth = w.opened()
	if n := len(w.closed); n > 0 {
		w.closed[n-1].sick = true
	}
	for _, e := range w.tables { // what it could not note it gives back
		e.left = nil
	}
}

// ailing has somebody do something, while now and then something goes wrong with what is kept of him.
func (w *World) ailing(ailments []struct{ ails, after string }, n int, do func(int)) {
	if a := ailments[n>>10%len(ailments)]; n>>16%5 < 2 && !w.house.clock.stopped {
		w.note("%s ails, after %q", a.ails, a.after)
		w.house.gate.ails(a.ails, a.after)
	}
	do(n)
	w.heal()
}

// try does something, unless it ails.
func (g *gate) try(what string, do func() error) error {
	g.mu.Lock()
	fails := g.sick[what]
	g.mu.Unlock()
	if fails {
		return errDisk
	}
	err := do()
	g.mu.Lock()
	defer g.mu.Unlock()
	if next := g.then[what]; next != "" && err == nil {
		g.sick, g.then = map[string]bool{next: true}, nil
	}
	return err
}

func (g *gate) Outages(ctx context.Context, after time.Time) (all []fact.Outage, err error) {
	err = g.try("Outages", func() error {
		all, err = g.Log.Outages(ctx, after)
		return err
	})
	return all, err
}

// A keeper keeps what is known of guests.
type keeper struct {
	guests.Keeper
	g *gate
}

func (k keeper) End(ctx context.Context, guest, session string, now, until time.Time) (first bool, err error) {
	err = k.g.try("End", func() error {
		first, err = k.Keeper.End(ctx, guest, session, now, until)
		return err
	})
	return first, err
}

func (k keeper) EndAll(ctx context.Context, guest string) (round int, err error) {
	err = k.g.try("EndAll", func() error {
		round, err = k.Keeper.EndAll(ctx, guest)
		return err
	})
	return round, err
}

func (k keeper) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	err = k.g.try("Ended", func() error {
		ended, round, err = k.Keeper.Ended(ctx, guest, session)
		return err
	})
	return ended, round, err
}

func (k keeper) AddPasskey(ctx context.Context, p guests.Passkey, by guests.Badge) error {
	return k.g.try("AddPasskey", func() error { return k.Keeper.AddPasskey(ctx, p, by) })
}

func (k keeper) Passkey(ctx context.Context, id []byte) (p guests.Passkey, there bool, err error) {
	err = k.g.try("Passkey", func() error {
		p, there, err = k.Keeper.Passkey(ctx, id)
		return err
	})
	return p, there, err
}

func (k keeper) UsePasskey(ctx context.Context, id []byte, at time.Time, check json.RawMessage) error {
	return k.g.try("UsePasskey", func() error { return k.Keeper.UsePasskey(ctx, id, at, check) })
}

func (k keeper) RemovePasskey(ctx context.Context, guest string, id []byte) error {
	return k.g.try("RemovePasskey", func() error { return k.Keeper.RemovePasskey(ctx, guest, id) })
}

func (k keeper) Tables(ctx context.Context, guest string) (all []guests.Table, err error) {
	err = k.g.try("Tables", func() error {
		all, err = k.Keeper.Tables(ctx, guest)
		return err
	})
	return all, err
}

func (k keeper) ForgetTable(ctx context.Context, guest string, table wire.ID) error {
	return k.g.try("ForgetTable", func() error { return k.Keeper.ForgetTable(ctx, guest, table) })
}

func (k keeper) Forget(ctx context.Context, guest string) error {
	return k.g.try("Forget", func() error { return k.Keeper.Forget(ctx, guest) })
}
