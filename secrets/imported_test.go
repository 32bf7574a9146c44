package secrets

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/record"
)

// Twin worlds once more, of tables that begin with a position from a record: whoever did not bring it is told nothing that he
// may not know, in the log of what was before neither, and a bot remembers nothing that its seat was not shown.
func TestTwinWorldsOfAnImport(t *testing.T) {
	for i, r := range oneEach() {
		for _, target := range r.audiences() {
			t.Run(fmt.Sprintf("%s, %d players, aid %q, %s", r, r.players, r.aid, who(target)), func(t *testing.T) {
				p, err := newPair(r.rulebook, target, sweptMoves, rand.New(rand.NewPCG(uint64(1000+10*i)+uint64(target), 1)))
				if err != nil {
					t.Fatal(err)
				}
				p.compare(t, p.importAndPlay(t, 0, r.aid), p.importAndPlay(t, 1, r.aid), true)
			})
		}
	}
}

// importAndPlay is one world: a table that begins in the middle of the pair's game, and on which it is played on.
func (p *pair) importAndPlay(t *testing.T, which int, aid game.Aid) (heard *book) {
	synctest.Test(t, func(t *testing.T) {
		play := &play{pair: p, which: which, aid: aid, words: []string{"fly"}, known: map[string]int{}, rng: rand.New(rand.NewPCG(1, 3))}
		play.world = &world{secret: func(e fact.Entry) fact.Entry { return e }}
		play.house = newHouse(t, play.world)
		play.open()
		t.Cleanup(func() { play.close() })
		n := len(p.steps) / 2
		if i := slices.IndexFunc(p.steps, step.secret); i >= 0 && !p.isBot(p.target) {
			n = i + 1 // what was said in secret is said in the record; a bot has to be asked after it, and is asked sooner
		}
		play.begin(n)
		for i, s := range p.steps[n:] {
			play.book.turn(n + i + 1)
			play.move(s)
		}
		play.restart(nil)
		heard = play.book
	})
	return heard
}

// begin makes the table after so many moves of the pair. Ana brings the record, so she may not be asked what she knows.
func (p *play) begin(n int) {
	text, err := record.WriteDeal(p.deals[p.which])
	if err != nil {
		p.t.Fatal(err)
	}
	rec := record.Record{Game: p.game, Edition: p.edition, Players: people[:p.players], Deal: text}
	for _, s := range p.steps {
		rec.Moves = append(rec.Moves, s.seat.String()+" "+s.words[p.which])
	}
	for i := range p.players {
		p.seated = append(p.seated, p.person(people[i], game.Seat(i)))
	}
	p.eve, p.max = p.person("Eve", game.Watcher), p.person("Max", game.Watcher)
	p.stranger = &person{h: p.house, name: "a stranger", seat: game.Watcher}
	setup := map[string]any{
		"record": rec, "ply": n, "sit": true, "listed": true, "aid": p.aid, "botTime": []int{50000, 60000},
		"moveTime": moveTime / time.Second, "awayTime": awayTime / time.Second,
	}
	if p.players > 2 {
		setup["bots"] = []string{p.bot()}
	}
	body, err := json.Marshal(setup)
	if err != nil {
		p.t.Fatal(err)
	}
	ana := p.seated[0]
	p.table = find(p.t, ana.ask(request{method: "POST", path: "/api/tables", body: string(body)}), `"table":"([^"]+)"`)
	if p.players > 2 {
		p.seated[p.players-1] = nil
	}
	for _, one := range p.everyone() {
		p.comeIn(one)
		if int(one.seat) < p.players && one != ana {
			p.say(one, `{"id": "ID", "do": "sit", "table": "TABLE", "seat": "SEAT"}`)
		}
	}
	p.eve.ask(request{method: "GET", path: "/api/tables/" + p.table})
	p.stranger.ask(request{method: "GET", path: "/api/tables"})
	for _, one := range []*person{ana, p.seated[1]} {
		one.ask(request{method: "GET", path: "/api/tables/" + p.table + "/record"})
	}
	p.began = n
	p.book.turn(n)
	p.say(ana, `{"id": "ID", "do": "start", "table": "TABLE"}`)
	p.mustBe("start")
	p.restart(nil)
}
