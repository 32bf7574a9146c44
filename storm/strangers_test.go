package storm

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"caveau/wire"
)

// What is not for everybody: a stranger finds no table in a house for invited people, by whatever door he tries, and a program does nothing that is for
// people.

// triesDoors is that a stranger has the links of some tables, while the house is for invited people. He is told nothing of them.
func (w *World) triesDoors() {
	asks := func(path string) string { return w.answer(w.request(2, "", "GET", path, "")) }
	_, bare, _ := strings.Cut(asks("/games"), "\r\n\r\n")
	for _, e := range w.tables[max(0, len(w.tables)-2):] {
		for _, door := range []string{"", "/record", "/story", "/advice", "/qr.svg"} {
			if answer := asks("/api/tables/" + string(e.id) + door); !strings.HasPrefix(answer, "HTTP/1.1 403") {
				w.fail("the house is for invited people only, and a stranger who asks for %s%s is answered %.200q", e.id, door, answer)
			}
		}
		if _, page, _ := strings.Cut(asks("/t/"+string(e.id)), "\r\n\r\n"); page != bare {
			w.fail("the house is for invited people only, and a stranger who has the link of %s sees %.300q", e.id, page)
		}
	}
}

// oversteps is that a program of somebody's tries what is for people: it talks, takes a name, makes what outlasts it, or ends what is not its own. It is
// refused, whatever it asks for, and nothing has come of it.
func (p *person) oversteps(n int) {
	w, i := p.w, slices.Index(p.w.people, p)
	if g := p.pages[0]; g.cable != nil && len(g.order) > 0 {
		id := g.order[n%len(g.order)]
		for _, o := range g.order {
			if g.seen[o].text("you") != "" {
				id = o
			}
		}
		g.send(g.new(wire.Command{Do: "phrase", Table: id, Move: p.words()}))
	}
	doors := []struct{ method, path, body string }{
		{"POST", "/api/guest", `{"name":"Zoe"}`}, {"POST", "/api/passkeys/make", ""}, {"POST", "/api/guest/way", "{}"}, {"POST", "/api/programs", `{"name":"Tool"}`}, {"GET", "/api/programs", ""},
		{"POST", "/api/notices", fmt.Sprintf(`{"subscription":{"endpoint":"https://push.example.org/%s","keys":{}}}`, p.name)}, {"GET", "/api/guest/export", ""},
		{"POST", "/api/guest/end", "{}"}, {"DELETE", "/api/guest", ""},
	}
	for at := range 3 {
		door := doors[(n/8+at*(1+n/128%4))%len(doors)]
		if answer := w.ask(p, i, door.method, door.path, door.body); !strings.HasPrefix(answer, "HTTP/1.1 403") && !strings.HasPrefix(answer, "HTTP/1.1 5") {
			w.fail("%s asks for %s %s, which is for people, and is answered %.200q", p.name, door.method, door.path, answer)
		}
	}
	if hello := w.ask(p, i, "GET", "/api/hello", ""); strings.HasPrefix(hello, "HTTP/1.1 200") && !strings.Contains(hello, p.guest) || strings.HasPrefix(hello, "HTTP/1.1 401") {
		w.fail("%s has tried what is for people, and is nobody any more: %.200q", p.name, hello)
	}
}

// talker is that somebody sits down with a program of his, and it talks.
func (w *World) talker(n int) {
	p := w.people[n%len(names)]
	if w.house.clock.stopped || p.nameless {
		return
	}
	w.calmLog()
	if len(p.programs()) == 0 {
		p.tool(1)
	}
	all := p.programs()
	e := w.founds(p, map[string]any{"game": "toy", "edition": "", "seats": 2, "listed": false, "sit": true}, []place{{guest: p.guest}, {}})
	if len(all) == 0 || e == nil {
		return
	}
	his := all[n/4%len(all)].pages[0]
	for _, g := range []*page{p.pages[0], his} {
		if g.cable == nil {
			g.dial()
		}
		if g.cable == nil {
			return
		}
		g.watch(e.id)
		w.settle()
	}
	his.send(his.new(wire.Command{Do: "sit", Table: e.id, Seat: "B"}))
	w.wait(50 * time.Millisecond)
	if his.cable != nil {
		his.send(his.new(wire.Command{Do: "phrase", Table: e.id, Move: his.p.words()}))
	}
	w.wait(time.Second)
}

// looksOn is that somebody who has read a list of his games asks for the rest of it after one of them, and is told that.
func (p *person) looksOn(played []wire.Played) {
	w, gone := p.w, p.w.goneGames()
	for _, i := range slices.Compact([]int{0, len(played) / 2, len(played) - 1}) {
		if i < 0 || i >= len(played) {
			return
		}
		rest, ok := tablesOf[wire.Played](w, p, "/api/tables/played?after="+string(played[i].Table))
		if !ok || gone != w.goneGames() {
			return
		}
		if !slices.EqualFunc(rest, played[i+1:], func(a, b wire.Played) bool { return a.Table == b.Table }) {
			w.fail("%s has %d games on his list, asks for those after the first %d, and is told %s", p.name, len(played), i+1, wire.Message(rest))
		}
	}
}

// goneGames is how many games are in the log no longer.
func (w *World) goneGames() (n int) {
	for _, e := range w.tables {
		if e.unknown() {
			n++
		}
	}
	for _, k := range w.keepsakes {
		if !k.there {
			n++
		}
	}
	return n
}
