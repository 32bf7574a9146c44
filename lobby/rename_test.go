package lobby_test

import (
	"testing"
	"time"

	"caveau/bus"
	"caveau/lobby/daybook"
	"caveau/wire"
)

// Who is renamed at one node is called so at tables that another owns: soon, and where every letter is lost with the next pulse. So is who is erased before
// the first pulse after he sat down.
func TestANameAcrossNodes(t *testing.T) {
	for _, of := range []struct {
		mute  bool
		names []string
	}{{false, []string{"Benjamin", ""}}, {true, []string{"Benjamin", ""}}, {true, []string{""}}} {
		mute := of.mute
		inNodes(t, func(t *testing.T, n *nodes, here, there *house) {
			id, asleep := here.make(inTheLobby()), here.make(inTheLobby())
			here.letSleep(asleep)
			ana, ben, eve := here.as("Ana", id), here.as("Ben", id), here.looker("Eve")
			ben.ok(wire.Command{Do: "sit", Seat: "B"})
			if len(of.names) > 1 {
				time.Sleep(daybook.Pulse)
			}
			wait := bus.Beat + soon
			if n.sides[1].mute.Store(mute); mute {
				wait = daybook.Pulse + soon
			}
			for _, name := range of.names {
				if err := there.lobby.Rename(t.Context(), wire.Guest{ID: "id of Ben", Name: name}); err != nil {
					t.Fatal(err)
				}
				time.Sleep(wait)
				ana.read()
				eve.lists()
				for what, seats := range map[string][]wire.Sign{"at the door": eve.lobby[0].Seats, "at the door of one that sleeps": eve.lobby[1].Seats} {
					if seats[1].Name != name {
						t.Errorf("letters are lost: %t, and %s Ben is called %q, not %q", mute, what, seats[1].Name, name)
					}
				}
				if got := ana.frame.Seats[1].Name; got != name {
					t.Errorf("letters are lost: %t, and Ana sees %q, not %q", mute, got, name)
				}
			}
		})
	}
}
