package wire

import (
	"encoding/json"
	"testing"

	"caveau/game"
)

// Seat A is a seat, and nobody is nobody.
func TestWhoProposes(t *testing.T) {
	for _, x := range []struct {
		p    Proposal
		want string
	}{
		{Proposal{By: 0, Seat: 1}, `{"seq":0,"do":"","name":"","by":"A","seat":"B","asked":null,"agreed":null}`},
		{Proposal{By: game.Watcher, Seat: game.NoSeat}, `{"seq":0,"do":"","name":"","by":"","seat":"","asked":null,"agreed":null}`},
	} {
		if got, err := json.Marshal(x.p); err != nil || string(got) != x.want {
			t.Errorf("a proposal is told as %s (%v), want %s", got, err, x.want)
		}
	}
}
