package secrets

import (
	"path/filepath"
	"testing"

	"caveau/catalog"
	"caveau/game"
	"caveau/tools/pebbles"
)

// examined is the catalogue that the tests are run over: all that we serve, and a game that nobody is served. No test here
// knows a game but by it; those of the planted faults and of the paths name what they are planted in and ask for.
var examined = catalog.House.With(pebbles.Entry)

// A listing is a rulebook, and how much the table helps.
type listing struct {
	rulebook
	aid game.Aid
}

var aids = [...]game.Aid{game.AidNone, game.AidMarks, game.AidAll}

// rulebooks are all that is in the catalogue: each edition with each aid, and each time for another number of players as
// far as there are three.
func rulebooks() (list []listing) {
	for _, info := range examined.Games() {
		for i, e := range info.Editions {
			numbers := min(e.MaxSeats-e.MinSeats+1, len(aids))
			for j, aid := range aids {
				players := e.MinSeats + (j+len(info.Editions)-1-i)%numbers
				list = append(list, listing{rulebook{info.Name, e.Name, players}, aid})
			}
		}
	}
	return list
}

// oneEach is every edition once, each with another aid than the one before and, as far as there are three, for another
// number of players.
func oneEach() (list []listing) {
	all := rulebooks()
	for i := 0; i < len(all); i += len(aids) {
		list = append(list, all[i+(2*(i/len(aids))+2)%len(aids)])
	}
	return list
}

// Whatever may come onto the shelf is on it.
func TestEveryGameIsListed(t *testing.T) {
	served := catalog.House.Games()
	if packages, err := filepath.Glob("../games/*"); err != nil || len(packages) != len(served) {
		t.Errorf("there are the games %v (%v), and %d are served", packages, err, len(served))
	}
	for _, info := range examined.Games() {
		if examined.FaceDown(info.Name).Open == nil {
			t.Errorf("%s does not say what lies face down", info.Name)
		}
	}
}
