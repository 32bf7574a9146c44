package secrets

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"caveau/game"
)

// Twin worlds of somebody from whom all others take his seat: until then he could tell them apart, by his hand perhaps. From then on he
// sees what everybody sees, and not what a bot draws there.
func TestTwinWorldsOfOneWhoIsTurnedOut(t *testing.T) {
	for i, info := range examined.Games() {
		for _, e := range info.Editions {
			r := rulebook{info.Name, e.Name, e.MaxSeats}
			if r.players < 4 { // three people are there, and a bot
				continue
			}
			for _, aid := range aids {
				t.Run(r.String()+" "+string(aid), func(t *testing.T) {
					p, err := newPair(r, game.Watcher, sweptMoves, rand.New(rand.NewPCG(uint64(3000+i), 1)))
					if err != nil {
						t.Fatal(err)
					}
					books := [2]*book{p.turnOut(t, 0, aid), p.turnOut(t, 1, aid)}
					for _, path := range []string{"WebSocket", "HTTP"} {
						ben := listener{1, people[1], path}
						one, two := books[0].from(ben, turnedOutAt), books[1].from(ben, turnedOutAt)
						if len(one) < 10 {
							t.Errorf("%s, has heard only %d things since he was turned out", ben, len(one))
						}
						if difference := differ(one, two); difference != "" {
							t.Errorf("%s, was turned out, and can tell two worlds apart that are one to whoever looks on:\n%s", ben, difference)
						}
					}
				})
			}
		}
	}
}

// turnedOutAt is after how many moves that happens.
const turnedOutAt = 2

// from is what a listener heard since so many moves were made.
func (b *book) from(e listener, ply int) (list []heard) {
	for _, h := range b.pages[e] {
		if h.ply >= ply {
			list = append(list, h)
		}
	}
	return list
}

// turnOut is one world in which Ben is turned out, and goes on looking and asking.
func (p *pair) turnOut(t *testing.T, which int, aid game.Aid) (heard *book) {
	synctest.Test(t, func(t *testing.T) {
		play := &play{pair: p, which: which, aid: aid, words: p.vocabulary(), known: map[string]int{}, rng: rand.New(rand.NewPCG(1, 3))}
		play.world = &world{deal: p.deals[which], secret: play.plant}
		play.house = newHouse(t, play.world)
		play.open()
		t.Cleanup(func() { play.close() })
		play.gather()
		play.start()
		ben := play.seated[1]
		for i, s := range p.steps {
			if i == turnedOutAt {
				play.turnOut(ben)
			}
			if play.move(s); i < turnedOutAt {
				continue
			}
			play.say(ben, fmt.Sprintf(`{"id": "ID", "do": "watch", "table": "TABLE", "seq": %d}`, i%3))
			play.say(ben, `{"id": "ID", "do": "leave", "table": "TABLE"}`)
			play.touch(ben, &s)
			for _, path := range ofATable() {
				answer := ben.ask(request{method: "GET", path: strings.Replace(path, "{table}", play.table, 1)})
				if strings.Contains(answer, `"move":`) {
					t.Errorf("Ben was turned out, and is told what to do with a hand that is not his: %s", answer)
				}
			}
		}
		heard = play.book
	})
	return heard
}

// ofATable are the addresses at which whoever likes asks after a table.
func ofATable() (paths []string) {
	for _, route := range keys(requests) {
		if path, asks := strings.CutPrefix(route, "GET "); asks && strings.Contains(path, "{table}") {
			paths = append(paths, path)
		}
	}
	return paths
}

// turnOut has all others free Ben's seat. A bot plays there from now on.
func (p *play) turnOut(ben *person) {
	p.say(p.seated[0], `{"id": "ID", "do": "free", "table": "TABLE", "seat": "B"}`)
	seq, _ := p.newest()
	p.mustBe("propose")
	for _, one := range p.seated[2:] {
		if one != nil {
			p.say(one, `{"id": "ID", "do": "agree", "table": "TABLE", "seq": `+strconv.Itoa(seq)+`}`)
		}
	}
	p.mustBe("free")
	p.seated[1], p.out = nil, ben
	p.book.turn(turnedOutAt)
}
