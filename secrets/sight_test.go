package secrets

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"caveau/game"
)

// Twin worlds at the table alone, many of them, and as far into the game as somebody cannot tell them apart: what he sees, however much the
// table helps, what he is asked, and how each word is refused that he cannot say now.
func TestTwinSights(t *testing.T) {
	for _, info := range examined.Games() {
		for _, e := range info.Editions {
			for players := e.MinSeats; players <= e.MaxSeats; players++ {
				r := rulebook{info.Name, e.Name, players}
				t.Run(fmt.Sprint(r, " ", players), func(t *testing.T) {
					t.Parallel()
					for seed := range uint64(r.sights()) {
						r.compareSights(t, seed)
					}
				})
			}
		}
	}
}

// sights is how many pairs are looked at. Nothing here knows a goroutine: where races are looked for, one is enough.
func (r rulebook) sights() int {
	switch {
	case racing:
		return 1
	case testing.Short():
		return 8
	}
	return 40
}

// compareSights plays one pair for one target to its end.
func (r rulebook) compareSights(t *testing.T, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 11))
	audiences := r.audiences()
	target := audiences[rng.IntN(len(audiences))]
	deal, err := r.rules().Deal(r.setup(), rng)
	if err != nil {
		t.Fatal(err)
	}
	other := r.swap(deal, deal, target, rng)
	if other == deal {
		return // nothing is hidden from him
	}
	p := &pair{rulebook: r, target: target, deals: [2]game.State{deal, other}, limit: map[game.Seat]int{}}
	p.last = p.deals
	words := r.vocabulary()
	touchy := p.about(words)
	for ply := 0; ; ply++ {
		p.compareSight(t, ply, words, slices.Clone(touchy), rng)
		if t.Failed() {
			return
		}
		_, next, ok := p.step(rng, false)
		if !ok {
			return
		}
		p.last = next.states
	}
}

// compareSight compares what the target has of both positions.
func (p *pair) compareSight(t *testing.T, ply int, words, touchy []string, rng *rand.Rand) {
	t.Helper()
	one, two := p.last[0], p.last[1]
	differ := func(what string, a, b any) {
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %s can tell two worlds apart after %d moves: %s is %.300v in one of them, and %.300v in the other", p, who(p.target), ply, what, a, b)
		}
	}
	for _, aid := range aids {
		differ("what lies on the table", one.Shown(aid), two.Shown(aid))
		if p.target != game.Watcher {
			differ("what is before him", one.Own(p.target, aid), two.Own(p.target, aid))
		}
	}
	if p.target != game.Watcher {
		differ("his view", one.View(p.target), two.View(p.target))
	}
	differ("who is asked", one.Turn(), two.Turn())
	differ("what is asked", one.Asks(), two.Asks())
	if one.Turn() == p.target {
		differ("what he may say", one.Moves(), two.Moves())
	}
	legal := map[string]bool{}
	for _, w := range append(one.Moves(), two.Moves()...) {
		legal[w] = true
	}
	for range 20 {
		touchy = append(touchy, words[rng.IntN(len(words))])
	}
	for _, w := range touchy {
		if p.target == game.Watcher || p.target == one.Turn() && legal[w] {
			continue
		}
		_, _, a := one.Play(p.target, w)
		_, _, b := two.Play(p.target, w)
		differ(fmt.Sprintf("the answer to %q", w), a, b)
	}
}
