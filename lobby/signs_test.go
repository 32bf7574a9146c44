package lobby_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"caveau/bus"
	"caveau/lobby/daybook"
	"caveau/terms"
	"caveau/wire"
)

// soon is until a change of the signs is told at another node: each node collects them for a moment.
const soon = 2*250*time.Millisecond + bus.Beat

// inTheLobby is a table in the lobby.
func inTheLobby() terms.Setup {
	setup := toy(2)
	setup.Listed, setup.AwayTime = true, 3600
	return setup
}

// letSleep has a game begun at it, and nobody look any more.
func (h *house) letSleep(id wire.ID) {
	h.t.Helper()
	ana, ben := h.as("Ana", id), h.as("Ben", id)
	ben.ok(wire.Command{Do: "sit", Seat: "B"})
	ana.ok(wire.Command{Do: "start"})
	ana.client.Close()
	ben.client.Close()
	time.Sleep(3 * time.Minute)
}

// looker is somebody who looks at the lobby of a node.
func (h *house) looker(name string) *person {
	h.t.Helper()
	p := &person{t: h.t, name: name, client: h.lobby.Connect(visitor(name), func() {})}
	p.ok(wire.Command{Do: "lobby"})
	return p
}

// lists says which tables he was told of last.
func (p *person) lists() (ids []wire.ID) {
	p.t.Helper()
	p.read()
	for _, c := range p.lobby {
		ids = append(ids, c.Table)
	}
	return ids
}

// mustList checks what he was told of last.
func (p *person) mustList(what string, want ...wire.ID) {
	p.t.Helper()
	if got := p.lists(); !slices.Equal(got, want) {
		p.t.Errorf("%s: %s is told of %v, want %v", what, p.name, got, want)
	}
}

// Whoever looks at the lobby, at any node, soon sees the signs of all, in one order.
func TestOneLobbyOfAllNodes(t *testing.T) {
	for _, lost := range []int64{0, 3} {
		inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
			for _, s := range n.sides {
				s.lost.Store(lost)
			}
			wait := soon + time.Duration(lost)*bus.Beat
			eve, zoe := here.looker("Eve"), there.looker("Zoe")
			both := func(what string, want ...wire.ID) {
				t.Helper()
				time.Sleep(wait)
				eve.mustList(what, want...)
				zoe.mustList(what, want...)
			}
			first := here.make(inTheLobby())
			both("one", first)
			second := there.make(inTheLobby())
			both("two, the newest first", second, first)
			third := &person{t: t, name: "Cid", client: there.lobby.Connect(visitor("Cid"), func() {})}
			third.mustList("who does not look")
			ben := here.as("Ben", first)
			ben.ok(wire.Command{Do: "sit", Seat: "B"})
			time.Sleep(wait)
			if zoe.read(); zoe.lobby[1].Seats[1].Name != "Ben" || zoe.lobby[1].Watchers != 0 {
				t.Errorf("Zoe sees %+v", zoe.lobby[1])
			}
			if got := there.lobby.Cards(); len(got) != 2 || got[1].Seats[1].Name != "Ben" {
				t.Errorf("whoever asks is told %+v", got)
			}
			if err := here.lobby.CloseTable(t.Context(), first); err != nil {
				t.Error(err)
			}
			both("one is over", second)
			if err := there.lobby.Unlist(t.Context(), second); err != nil {
				t.Error(err)
			}
			both("one is taken from the list")
		})
	}
}

// When the list is told says nothing of tables that are not on it: what happens at them is not collected, and no change of the list comes sooner by it.
func TestTheListComesWhenItComes(t *testing.T) {
	told := func(t *testing.T, aside func(h *house, id wire.ID)) (after time.Duration) {
		inHouse(t, func(t *testing.T, h *house) {
			listed, unlisted := h.make(inTheLobby()), h.make(toy(2))
			ben, eve := h.as("Ben", listed), h.looker("Eve")
			time.Sleep(time.Second)
			aside(h, unlisted)
			time.Sleep(100 * time.Millisecond)
			ben.ok(wire.Command{Do: "sit", Seat: "B"})
			for start := time.Now(); len(eve.lists()) != 1 || eve.lobby[0].Seats[1].Name != "Ben"; after = time.Since(start) {
				time.Sleep(time.Millisecond)
			}
		})
		return after
	}
	alone := told(t, func(*house, wire.ID) {})
	for what, aside := range map[string]func(h *house, id wire.ID){
		"a table is made":    func(h *house, _ wire.ID) { h.make(toy(2)) },
		"somebody looks":     func(h *house, id wire.ID) { h.as("Cid", id) },
		"somebody sits down": func(h *house, id wire.ID) { h.as("Cid", id).ok(wire.Command{Do: "sit", Seat: "B"}) },
		"a game begins": func(h *house, id wire.ID) {
			h.as("Cid", id).ok(wire.Command{Do: "sit", Seat: "B"})
			h.as("Ana", id).ok(wire.Command{Do: "start"})
		},
		"a table is closed": func(h *house, id wire.ID) { h.lobby.CloseTable(h.t.Context(), id) },
		"somebody is renamed": func(h *house, id wire.ID) {
			h.as("Cid", id)
			h.lobby.Rename(h.t.Context(), wire.Guest{ID: guest("Cid").ID, Name: "Dora"})
		},
	} {
		if after := told(t, aside); after != alone {
			t.Errorf("where %s elsewhere just before, the list comes after %v and not after %v", what, after, alone)
		}
	}
}

// Of a table whose node dies the sign hangs on, and is never doubled: first as it was, then as whoever takes it says.
func TestASignOutlivesItsNode(t *testing.T) {
	for _, asleep := range []bool{false, true} {
		inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
			zoe := there.looker("Zoe")
			id := here.make(inTheLobby())
			if asleep {
				here.letSleep(id)
				synctest.Wait()
				if owner := n.deeds.owns(id); owner != "" {
					t.Fatalf("the table is owned by %q", owner)
				}
			}
			time.Sleep(soon)
			zoe.mustList("while its node lives", id)
			n.sides[0].mute.Store(true)
			n.sides[0].dead.Store(true)
			n.deeds.end("here")
			for range 200 {
				time.Sleep(100 * time.Millisecond)
				zoe.mustList("when it has died", id)
			}
			if owner := n.deeds.owns(id); !asleep && owner != "there" {
				t.Errorf("the table is owned by %q", owner)
			}
			there.as("Cid", id)
			time.Sleep(soon)
			if zoe.mustList("when somebody comes", id); zoe.lobby[0].Watchers != 1 {
				t.Errorf("Zoe sees %+v", zoe.lobby[0])
			}
			if err := there.lobby.CloseTable(t.Context(), id); err != nil {
				t.Error(err)
			}
			time.Sleep(soon)
			zoe.mustList("when it is over")
		})
	}
}

// A node that was not heard for a while has its signs back; none is lost or doubled, whoever else had hung it out meanwhile.
func TestANodeIsHeardAgain(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		eve, zoe := here.looker("Eve"), there.looker("Zoe")
		first, asleep := here.make(inTheLobby()), there.make(inTheLobby())
		there.letSleep(asleep)
		second := there.make(inTheLobby())
		here.as("Cid", first)
		there.as("Dot", second)
		for i, s := range n.sides {
			s.mute.Store(true)
			time.Sleep(30 * time.Second)
			s.mute.Store(false)
			for range 100 {
				time.Sleep(100 * time.Millisecond)
				for _, p := range []*person{eve, zoe} {
					p.mustList("node "+string(rune('0'+i))+" was not heard", second, first, asleep)
				}
			}
			if eve.lobby[0].Watchers != 1 || zoe.lobby[1].Watchers != 1 {
				t.Errorf("node %d was not heard: Eve sees %+v, Zoe %+v", i, eve.lobby[0], zoe.lobby[1])
			}
		}
		if err := here.lobby.CloseTable(t.Context(), asleep); err != nil {
			t.Error(err)
		}
		time.Sleep(daybook.Pulse + soon) // it was over before anybody was told that it was awake
		eve.mustList("one is over", second, first)
		zoe.mustList("one is over", second, first)
	})
}

// A table that ends where it was taken, while its old node is still said to have a sign out, has none when that is forgotten: though people still look.
func TestNoSignIsLeftOfATableThatIsOver(t *testing.T) {
	inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
		id := here.make(inTheLobby())
		time.Sleep(soon)
		n.sides[0].mute.Store(true)
		n.sides[0].dead.Store(true)
		n.deeds.end("here")
		time.Sleep(3 * time.Second)
		there.as("Cid", id)
		if err := there.lobby.CloseTable(t.Context(), id); err != nil {
			t.Error(err)
		}
		zoe := there.looker("Zoe")
		time.Sleep(daybook.Pulse + soon)
		zoe.mustList("it is over")
	})
}

// A sign of a table that sleeps, and was ended or taken from the list at a node that nobody hears, hangs no longer than to the next pulse.
func TestNoSignIsLeftForEver(t *testing.T) {
	for _, do := range []string{"close", "unlist"} {
		inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
			eve := here.looker("Eve")
			id := here.make(inTheLobby())
			here.letSleep(id)
			n.sides[1].mute.Store(true)
			eve.mustList("it sleeps", id)
			end := there.lobby.CloseTable
			if do == "unlist" {
				end = there.lobby.Unlist
			}
			if err := end(t.Context(), id); err != nil {
				t.Error(err)
			}
			time.Sleep(daybook.Pulse + soon)
			eve.mustList(do)
		})
	}
}
