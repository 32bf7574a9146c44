// Package secrets has the tests that hold all the others to one promise: nobody is told what he may not know. It has no
// code of its own.
package secrets

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"caveau/game"
)

// replaced are the names of JSON values that differ between twin worlds although everyone is told them; no byte is
// changed for the comparison but here. Nothing belongs here but the deal's commitment: a hash of its secret, and what
// people seal with that hash. It is told before the deal, and tells nothing of it.
var replaced = []string{"seal"}

func withoutReplaced(data []byte) []byte {
	for _, name := range replaced {
		value := regexp.MustCompile(`"` + name + `":"[^"]*"`)
		data = value.ReplaceAllFunc(data, func(found []byte) []byte { return bytes.Repeat([]byte("x"), len(found)) })
	}
	return data
}

// Twin worlds: two whole houses, in which two games are played that an audience cannot tell apart, with the same commands.
// Every byte to that audience is the same, and comes at the same time: on its socket, in answers over HTTP, in what a bot is
// handed, in the server's own log. It is so for every rulebook, every audience, and however much the table helps.
func TestTwinWorlds(t *testing.T) {
	var secret sync.Map // the games in which something secret was said
	t.Cleanup(func() {
		for _, r := range rulebooks() {
			if _, said := secret.Load(r.game); !said && r.speaksInSecret() && !t.Failed() {
				t.Errorf("%s: nobody says anything that somebody else may not hear", r)
			}
		}
	})
	for i, r := range rulebooks() {
		if testing.Short() && i%len(aids) != i/len(aids)%len(aids) {
			continue // each edition once, with one aid or another
		}
		for _, target := range r.audiences() {
			seed := uint64(100*i) + uint64(target)
			t.Run(fmt.Sprintf("%s, %d players, aid %q, %s", r, r.players, r.aid, who(target)), func(t *testing.T) {
				t.Parallel()
				if twins(t, r.rulebook, target, r.aid, seed) {
					secret.Store(r.game, true)
				}
			})
		}
	}
}

// sweptMoves is during how many moves, the last ones, everybody asks and says all sorts of things.
const sweptMoves = 24

// twins compares the two worlds of one pair. It tells whether something secret was said in it.
func twins(t *testing.T, r rulebook, target game.Seat, aid game.Aid, seed uint64) (secret bool) {
	moves := sweptMoves
	if seed%3 == 0 {
		moves += 30
	}
	p, err := newPair(r, target, moves, rand.New(rand.NewPCG(seed, 1)))
	if err != nil {
		t.Fatal(err)
	}
	// A bot may know what it draws from: that is the same in both worlds only if it is planted.
	woken := seed%2 == 0 || p.isBot(target)
	p.compare(t, p.run(t, 0, aid, woken, seed), p.run(t, 1, aid, woken, seed), woken, zed)
	return p.secret()
}

// compare compares what was heard in both worlds. Those named, the target, a watcher and a stranger must have heard something.
func (p *pair) compare(t *testing.T, one, two *book, woken bool, needed ...listener) {
	t.Helper()
	for _, e := range listeners(one, two) {
		limit := p.limitOf(e, woken)
		if difference := differ(one.until(e, limit), two.until(e, limit)); difference != "" {
			t.Fatalf("%s, can tell two worlds apart that are one to %s:\n%s", e, who(p.target), difference)
		}
	}
	p.mustHaveHeard(t, one, woken, needed)
}

// isBot tells whether a bot sits there.
func (p *pair) isBot(s game.Seat) bool { return p.players > 2 && int(s) == p.players-1 }

// limitOf is how long the worlds are one to a listener.
func (p *pair) limitOf(e listener, woken bool) int {
	switch {
	case e == serverLog, e == numbers, e.name == zed.name:
		return len(p.steps) + 1
	case e == handedTo(e.seat) && (e.seat != p.target || !woken):
		return -1 // what it draws from is not the same
	}
	return p.limit[e.seat]
}

func listeners(books ...*book) (all []listener) {
	for _, b := range books {
		for e := range b.pages {
			if !slices.Contains(all, e) {
				all = append(all, e)
			}
		}
	}
	slices.SortFunc(all, func(a, b listener) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// until is what a listener heard as long as no more than so many moves were made.
func (b *book) until(e listener, ply int) (list []heard) {
	for _, h := range b.pages[e] {
		if h.ply <= ply {
			list = append(list, h)
		}
	}
	return list
}

// differ shows the first difference, if there is one.
func differ(one, two []heard) string {
	for i := range max(len(one), len(two)) {
		switch {
		case i >= len(one):
			return fmt.Sprintf("in one world nothing more, in the other, after %d moves: %.300q", two[i].ply, two[i].data)
		case i >= len(two):
			return fmt.Sprintf("in one world, after %d moves: %.300q, in the other nothing more", one[i].ply, one[i].data)
		}
		a, b := withoutReplaced(one[i].data), withoutReplaced(two[i].data)
		if one[i].at != two[i].at || !slices.Equal(one[i].sizes, two[i].sizes) || !bytes.Equal(a, b) {
			at := firstDifference(a, b)
			return fmt.Sprintf("after %d moves, byte %d of %d and %d:\nat %s: …%.300q\nat %s: …%.300q", one[i].ply, at, len(a), len(b),
				one[i].at, a[max(0, min(at, len(a))-100):], two[i].at, b[max(0, min(at, len(b))-100):])
		}
	}
	return ""
}

// firstDifference is where two texts differ. Where they begin with the lengths of two messages, that is no news.
func firstDifference(a, b []byte) int {
	first := -1
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case i >= 4:
			return i
		case first < 0:
			first = i
		}
	}
	if first < 0 {
		return min(len(a), len(b))
	}
	return first
}

// mustHaveHeard makes sure that there was something to compare.
func (p *pair) mustHaveHeard(t *testing.T, b *book, woken bool, needed []listener) {
	t.Helper()
	needed = append(needed, ada)
	for _, name := range []string{"Eve", "a stranger"} {
		needed = append(needed, listener{game.Watcher, name, "WebSocket"}, listener{game.Watcher, name, "HTTP"})
	}
	switch {
	case p.isBot(p.target):
		needed = append(needed, handedTo(p.target))
	case p.target != game.Watcher:
		needed = append(needed, listener{p.target, people[p.target], "WebSocket"}, listener{p.target, people[p.target], "HTTP"})
	}
	for _, e := range needed {
		if len(b.until(e, p.limitOf(e, woken))) == 0 {
			t.Errorf("%s, heard nothing", e)
		}
	}
}
