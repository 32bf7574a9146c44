package storm

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/wire"
)

// What does not stop at the gate fails by its kind, for as long as it ails: then it is no matter who comes first. Of one kind it may be said that
// another ails from when it has been done: something is noted, and cannot be read.

// An ailment is that something fails, or that its answer is lost; after another thing was done, if it says so.
type ailment struct {
	what, after string
	fate        fate
}

// ailments are what can go wrong with what is kept of guests while they have something done.
var ailments = []ailment{
	{"End", "", failed}, {"EndAll", "", failed}, {"Ended", "", failed}, {"Ended", "EndAll", failed}, {"Ended", "End", failed}, {"Forget", "", failed}, {"Forget", "EndAll", failed},
	{"Names", "Name", failed}, {"Name", "", failed}, {"Names", "", failed}, {"Passkey", "", failed}, {"UsePasskey", "", failed}, {"AddPasskey", "", failed}, {"RemovePasskey", "", failed},
	{"EndAll", "Forget", failed}, {"EndAll", "Name", failed}, {"Ended", "UsePasskey", failed}, {"Tables", "", failed}, {"MakeProgram", "", failed}, {"Way", "", failed}, {"TakeWay", "", failed},
	{"KeepWay", "", failed}, {"Passkeys", "", failed},
	{"End", "", lost}, {"EndAll", "", lost}, {"Forget", "", lost}, {"Name", "", lost}, {"AddPasskey", "", lost}, {"UsePasskey", "", lost}, {"RemovePasskey", "", lost},
	{"MakeProgram", "", lost}, {"KeepWay", "", lost}, {"TakeWay", "", lost},
}

// endings are those where somebody ends his session, has himself forgotten, is turned out, or ends his other sessions.
var endings = [4][]ailment{
	{{"Ended", "End", failed}, {"End", "", failed}, {"End", "", lost}},
	{
		{"EndAll", "Forget", failed}, {"EndAll", "Name", failed}, {"Names", "Name", failed}, {"Forget", "", lost}, {"Forget", "", failed}, {"Forget", "Forget", failed}, {"Tables", "", failed},
		{"Name", "", lost}, {"Name", "", failed},
	},
	{{"Forget", "", failed}, {"Forget", "Forget", failed}, {"EndAll", "Forget", failed}, {"Forget", "", lost}, {"Tables", "", failed}},
	{{"Ended", "EndAll", failed}, {"EndAll", "", lost}, {"EndAll", "", failed}},
}

// ofNames are those where somebody takes another name, ofWays where he goes on at another device.
var (
	ofNames = []ailment{{"Names", "Name", failed}, {"Name", "", lost}, {"Name", "", lost}, {"Name", "", failed}, {"Names", "", failed}, {"Ended", "", failed}, {"EndAll", "Name", failed}}
	ofWays  = []ailment{
		{"End", "", failed}, {"End", "", lost}, {"TakeWay", "", failed}, {"TakeWay", "", lost}, {"Way", "", failed}, {"KeepWay", "", failed}, {"KeepWay", "", lost}, {"Ended", "End", failed},
		{"EndAll", "", failed}, {"EndAll", "", lost}, {"Names", "", failed}, {"Ended", "", failed},
	}
)

// ofNotices are those where a browser is to be told something.
var ofNotices = []ailment{{"Subscribe", "", failed}, {"Subscribe", "", lost}, {"Unsubscribe", "", failed}, {"Unsubscribe", "", lost}, {"Subscriptions", "", failed}, {"Ended", "", failed}}

// ofLog are those of the log, whatever is done: people come to tables meanwhile, and the house looks after what sleeps.
var ofLog = []string{"Resting", "Due", "Names", "Alive", "Resting", "Name", "Tell", "Subscriptions"}

// ails is that something is as bad as that from now on, or from when another thing has been done.
func (g *gate) ails(a ailment) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sick, g.then = a, ailment{}
	if a.after != "" {
		g.sick, g.then = ailment{}, a
	}
}

// ailing tells whether something fails, or is to.
func (g *gate) ailing() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.sick != ailment{} || g.then != ailment{}
}

// heal is that nothing ails any more.
func (w *World) heal() {
	g := w.house.gate
	if !g.ailing() {
		return
	}
	g.mu.Lock()
	if alive := g.sick.what == "Alive"; alive {
		w.emptied = time.Now()
	}
	unread := g.sick.what == "Outages"
	g.sick, g.then = ailment{}, ailment{}
	g.mu.Unlock()
	if n := len(w.closed); n > 0 && unread {
		w.unheard = append(w.unheard, closing{from: w.closed[n-1].to, to: time.Now().Add(pulse)})
	}
	w.smooth, w.untold = w.opened(), w.opened()+pulse
	if n := len(w.closed); n > 0 {
		w.closed[n-1].sick = true
	}
	for _, e := range w.tables { // what it could not note it gives back
		e.left = nil
	}
}

// ailing has somebody do something, while now and then something goes wrong with what is kept of him.
func (w *World) ailing(ailments []ailment, n int, do func(int)) {
	a := ailments[n>>10%len(ailments)]
	if n>>16%5 > 1 || w.house.clock.stopped {
		a = ailment{}
	} else {
		w.note("%s ails, after %q: %v", a.what, a.after, a.fate)
		w.house.gate.ails(a)
	}
	do(n)
	if n>>19%2 > 0 && a.what == "Names" && a.fate == failed { // nor can it be read when it is asked for once more
		w.wait(5 * time.Second)
	}
	w.heal()
	if a.fate == lost {
		w.noticesWhoIsGone()
	}
}

// noticesWhoIsGone: a session has ended, and nobody could say so. Then all of it has: no line of it is left, whoever says what again.
func (w *World) noticesWhoIsGone() {
	for i, p := range slices.Clone(w.people[:len(names)]) {
		if p.guest == "" || w.house.clock.stopped || !strings.HasPrefix(w.ask(p, i, "GET", "/api/passkeys", ""), "HTTP/1.1 401") {
			continue
		}
		w.wait(time.Second)
		for _, g := range p.pages {
			if g.device == "" && g.cable != nil && !g.stuck() {
				w.fail("the session of %s has ended, though nobody could say so, and he still has a line", g.label)
			}
			if g.device == "" {
				g.cut()
			}
		}
		p.pages[1].stays()
		w.ends(func(o *way) bool { return o.of == p && o.session == sessionOf(p.cookie) })
		w.silent(func(b *browser) bool { return b.of == p }, true)
		p.checkBefore()
		p.pages[1].cut()
		w.gone = append(w.gone, p)
		w.comes(i)
		w.forgotten(p, true)
		p.perhapsAlone()
	}
}

// try does something, unless it ails.
func (g *gate) try(what string, do func() error) error {
	g.mu.Lock()
	ails := answered
	if g.sick.what == what {
		ails = g.sick.fate
	}
	g.mu.Unlock()
	switch {
	case ails == failed:
		return errDisk
	case g.isDead():
		return errDead
	}
	err := do()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.then.after == what && err == nil {
		g.sick, g.then = g.then, ailment{}
	}
	if err == nil && ails == lost {
		err = errLost
	}
	return err
}

// Resting is asked for by whoever makes a table his own.
func (g *gate) Resting(ctx context.Context, id wire.ID) (rest fact.Rest, rests bool, err error) {
	g.mu.Lock()
	if g.owners == nil {
		g.owners = map[wire.ID]int{}
	}
	g.owners[id]++
	g.mu.Unlock()
	err = g.try("Resting", func() error {
		rest, rests, err = g.Log.Resting(ctx, id)
		return err
	})
	if err == nil {
		g.w.mu.Lock()
		defer g.w.mu.Unlock()
		g.w.owned = append(g.w.owned, id)
	}
	return rest, rests, err
}

// unheard tells whether an answer is lost, of that.
func (g *gate) unheard(what string) bool { return g.sickOf(what, lost) }

// sickOf tells whether that is the fate of something.
func (g *gate) sickOf(what string, f fate) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.sick == ailment{what, "", f}
}

// cannotLoad tells whether something ails without which nobody owns a table.
func (g *gate) cannotLoad() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.sick.fate == failed && (g.sick.what == "Resting" || g.sick.what == "Names")
}

// owned is how often somebody has made a table his own.
func (g *gate) owned(id wire.ID) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.owners[id]
}

func (g *gate) Due(ctx context.Context, by time.Time) (all []wire.ID, err error) {
	err = g.try("Due", func() error {
		all, err = g.Log.Due(ctx, by)
		return err
	})
	return all, err
}

func (g *gate) Finished(ctx context.Context, by time.Time) (all []wire.ID, err error) {
	err = g.try("Finished", func() error {
		all, err = g.Log.Finished(ctx, by)
		return err
	})
	return all, err
}

func (g *gate) LastAlive(ctx context.Context) (at time.Time, err error) {
	err = g.try("LastAlive", func() error {
		at, err = g.Log.LastAlive(ctx)
		return err
	})
	return at, err
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

func (k keeper) EndAll(ctx context.Context, by guests.Badge, back guests.Way) (round int, err error) {
	err = k.g.try("EndAll", func() error {
		round, err = k.Keeper.EndAll(ctx, by, back)
		return err
	})
	return round, err
}

func (k keeper) Ended(ctx context.Context, guest, session string) (ended bool, round int, err error) {
	err = k.g.try("Ended", func() error {
		ended, round, err = k.Keeper.Ended(ctx, guest, session)
		return err
	})
	if session != "" && k.g.sickOf("Ended", late) {
		time.Sleep(lateAnswer)
	}
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

func (k keeper) UsePasskey(ctx context.Context, id []byte, at time.Time, check json.RawMessage) (there bool, err error) {
	err = k.g.try("UsePasskey", func() error {
		there, err = k.Keeper.UsePasskey(ctx, id, at, check)
		return err
	})
	return there, err
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

func (k keeper) Subscribe(ctx context.Context, s guests.Subscription) error {
	return k.g.try("Subscribe", func() error { return k.Keeper.Subscribe(ctx, s) })
}

func (k keeper) Unsubscribe(ctx context.Context, guest, endpoint string) error {
	return k.g.try("Unsubscribe", func() error { return k.Keeper.Unsubscribe(ctx, guest, endpoint) })
}

func (k keeper) Subscriptions(ctx context.Context, guest string) (all []guests.Subscription, err error) {
	err = k.g.try("Subscriptions", func() error {
		all, err = k.Keeper.Subscriptions(ctx, guest)
		return err
	})
	return all, err
}

func (k keeper) Tell(ctx context.Context, guest string, table wire.ID, n int) (first bool, err error) {
	err = k.g.try("Tell", func() error {
		first, err = k.Keeper.Tell(ctx, guest, table, n)
		return err
	})
	return first, err
}

func (k keeper) MakeProgram(ctx context.Context, place string, round int, program wire.Guest, by guests.Badge) (first bool, err error) {
	err = k.g.try("MakeProgram", func() error {
		first, err = k.Keeper.MakeProgram(ctx, place, round, program, by)
		return err
	})
	return first, err
}

func (k keeper) KeepWay(ctx context.Context, way guests.Way, now time.Time) error {
	return k.g.try("KeepWay", func() error { return k.Keeper.KeepWay(ctx, way, now) })
}

func (k keeper) Way(ctx context.Context, sum []byte, now time.Time) (way guests.Way, there bool, err error) {
	err = k.g.try("Way", func() error {
		way, there, err = k.Keeper.Way(ctx, sum, now)
		return err
	})
	return way, there, err
}

func (k keeper) TakeWay(ctx context.Context, way guests.Way) (first bool, err error) {
	err = k.g.try("TakeWay", func() error {
		first, err = k.Keeper.TakeWay(ctx, way)
		return err
	})
	return first, err
}

func (k keeper) Passkeys(ctx context.Context, guest string) (all []guests.Passkey, err error) {
	err = k.g.try("Passkeys", func() error {
		all, err = k.Keeper.Passkeys(ctx, guest)
		return err
	})
	return all, err
}

func (k keeper) ForgetTables(ctx context.Context, guest string) error {
	return k.g.try("Forget", func() error { return k.Keeper.ForgetTables(ctx, guest) })
}

func (k keeper) Forget(ctx context.Context, guest string) error {
	return k.g.try("Forget", func() error { return k.Keeper.Forget(ctx, guest) })
}
