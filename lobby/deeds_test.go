package lobby_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/match/runner"
	"caveau/store/deedstest"
	"caveau/table"
	"caveau/wire"
)

// Alone passes the examiner that nodes pass in a database.
func TestAlone(t *testing.T) { deedstest.Deeds(t, new(runner.Alone)) }

// A register has the deeds of several nodes, which hear of a table what each of them is told.
type register struct {
	lapsed time.Time // since when nobody has had what is taken next; zero for nothing of that
	mu     sync.Mutex
	owner  map[wire.ID]string
	term   map[wire.ID]int64
	last   int64
	fails  error
	nodes  []string                                                 // that were begun among others
	asked  int                                                      // how often it was asked for a table
	vain   int                                                      // how often one was to be taken that is another's
	takes  time.Duration                                            // to ask it
	late   time.Duration                                            // and to take a table
	until  map[string]time.Time                                     // the leases
	over   map[string]bool                                          // those that were swept
	hears  map[string][]int64                                       // which nodes each does
	away   func(node string) (there, back time.Duration, lost bool) // how long it takes to ask for a lease; lost: and in vain
}

// node is one of them.
type node struct {
	*register
	name string
	log  fact.Log
}

var _ fact.Shared = &node{}

func (n *node) Take(ctx context.Context, id wire.ID) (int64, error) {
	n.mu.Lock()
	late := n.late
	n.mu.Unlock()
	time.Sleep(late)
	if entries, err := n.log.Entries(ctx, id, 0); err == nil && len(entries) == 0 {
		return 0, nil // nobody's: there is no such table
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.over[n.name]:
		return 0, fact.ErrEpoch
	case n.fails != nil || n.owner[id] != "" && n.owner[id] != n.name:
		n.vain++
		return 0, n.fails
	}
	n.last++
	n.owner[id], n.term[id] = n.name, n.last
	return n.last, nil
}

func (n *node) Give(_ context.Context, id wire.ID, term int64, _ fact.Left) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.owner[id] == n.name && n.term[id] == term {
		delete(n.owner, id)
	}
	return n.fails
}

func (n *node) Confirm(ctx context.Context, id wire.ID, term int64) (last int, err error) {
	time.Sleep(n.takes)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	if n.owner[id] == n.name && n.term[id] == term {
		all, err := n.log.Entries(ctx, id, 0)
		return len(all), err
	}
	return 0, n.fails
}

func (n *node) Taken(context.Context) ([]wire.ID, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var others []wire.ID
	for id, owner := range n.owner {
		if owner != n.name {
			others = append(others, id)
		}
	}
	return others, n.fails
}

func (n *node) Now(context.Context) (time.Time, error) { return time.Now(), nil }

func (n *node) Idle(context.Context, wire.ID, int64) (time.Duration, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lapsed.IsZero() {
		return 0, nil
	}
	return time.Since(n.lapsed), nil
}

// Living counts them as they were begun.
func (n *node) Living(_ context.Context, lasts time.Duration) (nodes []fact.Node, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i, name := range n.nodes {
		if left := time.Until(n.until[name]); left > 0 && left <= lasts {
			nodes = append(nodes, fact.Node{Number: int64(i + 1), Hears: n.hears[name]})
		}
	}
	return nodes, n.fails
}

func (n *node) Renew(_ context.Context, lasts time.Duration, hears ...int64) error {
	there, back, lost := n.away(n.name)
	time.Sleep(there)
	if lost {
		return errors.New("nobody answers")
	}
	n.mu.Lock()
	is, now := n.over[n.name] || time.Now().After(n.until[n.name]), time.Now()
	if !is {
		n.until[n.name], n.hears[n.name] = now.Add(lasts), hears
	}
	n.mu.Unlock()
	time.Sleep(back)
	if is {
		return fact.ErrEpoch
	}
	return nil
}

func (n *node) Sweep(context.Context) (free []wire.ID, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for name, until := range n.until {
		n.over[name] = n.over[name] || !until.After(time.Now())
	}
	for id, owner := range n.owner {
		if n.over[owner] {
			delete(n.owner, id)
			free = append(free, id)
		}
	}
	slices.Sort(free)
	return free, nil
}

func (n *node) Speaks(context.Context) (int, error) { return wire.Speaks, nil }

// have has a node own a table, whoever owned it before.
func (n *register) have(id wire.ID, name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last++
	n.owner[id], n.term[id] = name, n.last
}

func (n *register) owns(id wire.ID) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.owner[id]
}

func newRegister() *register {
	return &register{
		owner: map[wire.ID]string{}, term: map[wire.ID]int64{}, until: map[string]time.Time{}, over: map[string]bool{}, hears: map[string][]int64{},
		away: func(string) (time.Duration, time.Duration, bool) { return 0, 0, false },
	}
}

// lend gives a node a lease, and end ends it.
func (n *register) lend(name string) { n.lasts(name, time.Now().Add(time.Minute)) }
func (n *register) end(name string)  { n.lasts(name, time.Time{}) }

func (n *register) lasts(name string, until time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.until[name] = until
}

// openAs opens the lobby of a node.
func (h *house) openAs(deeds *register, name string) *lobby.Lobby {
	h.t.Helper()
	deeds.lend(name)
	l, err := lobby.Open(h.t.Context(), lobby.Config{
		Log: h.log, Deeds: &node{deeds, name, h.log}, Shelf: h.shelf, Clock: matchtest.Clock{}, Rand: matchtest.Rand(9), Untouched: time.Hour,
		Slog: slog.New(slog.NewTextHandler(&h.said, nil)),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return l
}

// A table is run by the node that has taken it, as long as it is awake there; others read it, and run it afterwards.
func TestATableIsOneNodes(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := newRegister()
		open := func(name string) *lobby.Lobby { return h.openAs(deeds, name) }
		look := func(l *lobby.Lobby, id wire.ID, code string) {
			t.Helper()
			if err := l.Look(t.Context(), id, func(*table.Table, wire.Card) {}); code == "" && err != nil || code != "" && wire.AsError(err).Code != code {
				t.Errorf("the table is woken: %v, want %q", err, code)
			}
		}
		h.lobby.Close()
		h.lobby = open("here")
		there := open("there")
		setup := toy(2, "first")
		setup.AwayTime = 3600
		id := h.make(setup)
		ana := h.as("Ana", id)
		ana.ok(wire.Command{Do: "start"})
		look(there, id, "busy")
		look(there, "nowhere", "no_table")
		if c, err := there.Card(t.Context(), id); err != nil || c.State != table.Running {
			t.Errorf("elsewhere the table is %s (%v)", c.State, err)
		}
		if owner := deeds.owns(id); owner != "here" {
			t.Errorf("it is owned by %q", owner)
		}
		ana.client.Close()
		time.Sleep(2 * time.Minute) // it rests
		if owner := deeds.owns(id); owner != "" {
			t.Errorf("when it rests it is owned by %q", owner)
		}
		look(there, id, "")
		look(h.lobby, id, "busy")
		func() { // it breaks there, and somebody comes at once
			there.Look(t.Context(), id, func(*table.Table, wire.Card) { panic("a bug") })
			look(there, id, "")
		}()
		synctest.Wait()
		if owner := deeds.owns(id); owner != "there" {
			t.Errorf("when it was broken and woken it is owned by %q", owner)
		}
		there.Close()
		look(h.lobby, id, "")
		h.lobby.Close()
		if owner := deeds.owns(id); owner != "" {
			t.Errorf("when all have closed it is owned by %q", owner)
		}
		deeds.fails = errors.New("nobody answers")
		h.lobby = open("here")
		look(h.lobby, id, "storage")
		synctest.Wait()
		if !strings.Contains(h.said.String(), "whose a table is") {
			t.Errorf("the house says\n%s", &h.said)
		}
	})
}

// Where other nodes write to the log whoever is refused waits until it was asked, and one question is enough for all who wait. Where the table is another's by
// then nobody is told anything: who waits and who watches is cut off, and who comes is told to try again.
func TestWhoeverIsRefusedWaitsForTheLog(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := newRegister()
		deeds.takes = time.Second
		h.lobby.Close()
		h.lobby = h.openAs(deeds, "here")
		id := h.make(toy(2))
		ana := h.as("Ana", id)
		var bens []*person
		say := func(p *person) { p.client.Do(wire.Command{ID: "?", Do: "start", Table: id}) }
		for range 10 {
			bens = append(bens, h.as("Ben", id))
		}
		say(bens[0])
		synctest.Wait()
		for _, ben := range bens[1:] {
			say(ben)
		}
		time.Sleep(1500 * time.Millisecond)
		for i, ben := range bens {
			if ben.read(); i == 0 && (len(ben.said) < 2 || ben.said[1].Error.Code != "not_host") || i > 0 && len(ben.said) > 1 {
				t.Errorf("Ben %d is told %+v", i, ben.said)
			}
		}
		time.Sleep(time.Second)
		for i, ben := range bens {
			if ben.read(); len(ben.said) != 2 || ben.said[1].Error.Code != "not_host" {
				t.Errorf("Ben %d is told %+v", i, ben.said)
			}
		}
		if deeds.asked != 2 {
			t.Errorf("the log is asked %d times", deeds.asked)
		}
		deeds.have(id, "there")
		say(bens[0])
		time.Sleep(500 * time.Millisecond)
		say(bens[1]) // he has not got so far
		time.Sleep(time.Second)
		for who, p := range map[string]*person{"Ana": ana, "who asked": bens[0]} {
			before := len(p.said)
			if p.read(); len(p.said) > before {
				t.Errorf("%s is told %+v", who, p.said[before:])
			}
			if _, cut := p.client.Take(nil); !cut {
				t.Errorf("%s is not cut off", who)
			}
		}
		if err := h.lobby.CloseTable(t.Context(), id); wire.AsError(err).Code != "busy" {
			t.Errorf("who comes then is told %v", err)
		}
		if deeds.owns(id) != "there" {
			t.Error("it was given back by whoever had lost it")
		}
	})
}
