package lobby_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/store/storetest"
	"caveau/table"
	"caveau/wire"
)

// Alone passes the examiner that nodes pass in a database.
func TestAlone(t *testing.T) { storetest.Deeds(t, lobby.Alone()) }

// A register has the deeds of several nodes, which hear of a table what each of them is told.
type register struct {
	mu    sync.Mutex
	owner map[wire.ID]string
	term  map[wire.ID]int64
	last  int64
	fails error
}

// node is one of them.
type node struct {
	*register
	fact.Deeds // it neither renews nor sweeps
	name       string
}

func (n *node) Take(_ context.Context, id wire.ID) (int64, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fails != nil || n.owner[id] != "" && n.owner[id] != n.name {
		return 0, n.fails
	}
	n.last++
	n.owner[id], n.term[id] = n.name, n.last
	return n.last, nil
}

func (n *node) Give(_ context.Context, id wire.ID, term int64) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.owner[id] == n.name && n.term[id] == term {
		delete(n.owner, id)
	}
	return n.fails
}

func (n *register) owns(id wire.ID) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.owner[id]
}

// A table is run by the node that has taken it, as long as it is awake there; others read it, and run it afterwards.
func TestATableIsOneNodes(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		deeds := &register{owner: map[wire.ID]string{}, term: map[wire.ID]int64{}}
		open := func(name string) *lobby.Lobby {
			l, err := lobby.Open(t.Context(), lobby.Config{
				Log: h.log, Deeds: &node{register: deeds, name: name}, Shelf: h.shelf, Clock: matchtest.Clock{}, Rand: matchtest.Rand(9), Untouched: time.Hour,
				Slog: slog.New(slog.NewTextHandler(&h.said, nil)),
			})
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
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
		if !strings.Contains(h.said.String(), "whose a table is") {
			t.Errorf("the house says\n%s", &h.said)
		}
	})
}
