package storm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/owner"
	"caveau/slots"
	"caveau/table"
	"caveau/wire"
)

// Who comes into the house, and what is known of him there: invitations, programs, tables of one's own.

const keyOfTheHouse = "the key of the house, in tests"

// An invitation is for so many people.
type invitation struct {
	n, code   string
	times     int
	came      int // for certain
	perhaps   int // as the house may have counted: the answer of the disk was lost
	takenBack bool
	until     time.Time
}

// tellsHouse is what the house answers to whoever runs it: he is let in by a key, once in the life of a process.
func (w *World) tellsHouse(method, path, body string) string {
	p := w.house
	if p.keeper == "" {
		answer := w.answer(w.request(0, "", "POST", "/api/owner/enter", fmt.Sprintf(`{"key":%q}`, owner.Key([]byte(keyOfTheHouse), p.clock.Now()))))
		p.keeper, _, _ = strings.Cut(between(answer, "Set-Cookie: ", "\r\n"), ";")
	}
	return w.answer(w.request(0, "Cookie: "+p.keeper+"\r\n", method, path, body))
}

// party is that the house is for invited people only, for a while. Whoever was invited comes, and more people want to.
func (w *World) party(n int) {
	if w.house.clock.stopped {
		return
	}
	w.calmLog()
	stranger := w.knock(1, handshake(""))
	if !strings.HasPrefix(w.tellsHouse("PUT", "/api/owner/house", `{"invited":true}`), "HTTP/1.1 204") {
		stranger.change(func() { stranger.cut = true })
		return // the clock was set, and no key is newer than the last one
	}
	w.wait(3 * time.Second)
	if _, gone := stranger.take(); !gone {
		w.fail("the house is for invited people only, and a stranger who was there still has his line")
	}
	w.house.noting = []fate{answered, answered, failed, lost}[n/64%4]
	inv := &invitation{times: 1 + n%3}
	answer := w.tellsHouse("POST", "/api/owner/invitations", fmt.Sprintf(`{"for":"some","days":1,"times":%d}`, inv.times))
	if inv.code = between(answer, "/i/", `"`); inv.code != "" {
		inv.n, _, _ = strings.Cut(inv.code, "-")
		inv.until = w.house.clock.Now().Add(23 * time.Hour)
		w.invited = append(w.invited, inv)
	}
	for i := range 5 {
		bits := n >> (3 + i)
		switch {
		case bits%4 == 1:
			w.house.noting = []fate{failed, lost}[bits/4%2]
		case bits%16 == 3 && i > 0:
			w.kill(n, 1)
			w.begin()
		case bits%8 == 6 && len(w.invited) > 0:
			back := w.invited[bits/8%len(w.invited)]
			if strings.HasPrefix(w.tellsHouse("DELETE", "/api/owner/invitations/"+back.n, ""), "HTTP/1.1 204") {
				back.takenBack = true
			}
		}
		if len(w.invited) > 0 {
			w.comesBy(w.invited[len(w.invited)-1-bits/16%min(3, len(w.invited))])
		}
	}
	for _, words := range []string{`{"name":"Zoe"}`, `{"name":"Zoe","invitation":"1-AAAAAAAAAAAAAAAAAAAA"}`} {
		if answer := w.answer(w.request(2, "", "POST", "/api/guest", words)); !strings.HasPrefix(answer, "HTTP/1.1 403") {
			w.fail("the house is for invited people only, and a stranger is answered %.80q", answer)
		}
	}
	if answer := w.answer(w.request(2, "", "GET", "/api/tables", "")); !strings.HasPrefix(answer, "HTTP/1.1 403") {
		w.fail("the house is for invited people only, and a stranger sees its tables: %.80q", answer)
	}
	w.triesDoors()
	line := w.knock(1, handshake(""))
	if answer, _ := line.take(); bytes.HasPrefix(answer, []byte("HTTP/1.1 101")) {
		w.fail("the house is for invited people only, and a stranger has a line")
	}
	line.change(func() { line.cut = true })
	w.house.noting = answered
	for range 3 {
		if strings.HasPrefix(w.tellsHouse("PUT", "/api/owner/house", `{"invited":false}`), "HTTP/1.1 204") {
			return
		}
		w.end() // another key is needed, and the clock was set back
		w.wait(time.Minute)
		w.begin()
	}
	w.fail("whoever runs the house cannot open it again")
}

// comesBy is that somebody comes by an invitation: as many as were invited, and no more.
func (w *World) comesBy(inv *invitation) {
	if noted := w.house.noting; noted == answered && inv.came%2 == 0 { // he types a name that is none, and the invitation is as good as before
		if answer := w.answer(w.request(2, "", "POST", "/api/guest", fmt.Sprintf(`{"name":" ","invitation":%q}`, inv.code))); strings.HasPrefix(answer, "HTTP/1.1 200") {
			w.fail("somebody without a name is answered %.80q", answer)
		}
	}
	if w.house.noting == answered && inv.times != 2 { // his name cannot be written, and he is to try again
		w.house.gate.ails(ailment{"Name", "", failed})
		if answer := w.answer(w.request(2, "", "POST", "/api/guest", fmt.Sprintf(`{"name":"Zoe","invitation":%q}`, inv.code))); strings.HasPrefix(answer, "HTTP/1.1 200") {
			w.fail("somebody whose name could not be written is answered %.80q", answer)
		}
		w.heal()
	}
	noted := w.house.noting
	answer := w.answer(w.request(2, "", "POST", "/api/guest", fmt.Sprintf(`{"name":"Zoe","invitation":%q}`, inv.code)))
	came := strings.HasPrefix(answer, "HTTP/1.1 200")
	now := w.house.clock.Now()
	switch {
	case came && (inv.takenBack || inv.came >= inv.times):
		w.fail("invitation %s is for %d people, %d have come, and taken back: %t; and one more comes", inv.n, inv.times, inv.came, inv.takenBack)
	case came:
		inv.came++
	case noted == answered && !inv.takenBack && inv.came+inv.perhaps < inv.times && now.Before(inv.until) && !w.everSet:
		w.fail("invitation %s is for %d people, %d have come, and the next is answered %.80q", inv.n, inv.times, inv.came, answer)
	case noted == lost:
		inv.perhaps++
	}
	w.house.noting = answered
}

// tool is that somebody brings a program or two, which do what people do; or that he revokes one, and brings another.
func (p *person) tool(n int) {
	w, i := p.w, slices.Index(p.w.people, p)
	if w.house.clock.stopped {
		return
	}
	all := p.programs()
	switch {
	case len(all) == 0:
		w.brings(p, i)
		if n/512%4 > 0 {
			w.brings(p, i)
		}
	case n%4 == 0:
		his := all[n/4%len(all)]
		his.nameless = true // from now on, or from when it could not be noted
		w.mayForget(his)
		if strings.HasPrefix(w.ask(p, i, "DELETE", "/api/programs/"+his.nth, ""), "HTTP/1.1 204") {
			w.revoked(his)
		} else {
			w.perhapsRevoked(his)
		}
		w.brings(p, i)
	default:
		w.heal()
		his := all[n/8%len(all)]
		g := his.pages[0]
		if g.cable == nil {
			g.dial()
			return
		}
		for range 2 {
			if s := g.choose(n / 8); s != nil && g.cable != nil {
				g.send(s)
			}
		}
		if n/256%3 == 0 {
			his.oversteps(n / 768)
		}
	}
}

// programs are those that somebody has brought.
func (p *person) programs() (his []*person) {
	for _, o := range p.w.people {
		if o.brings == p {
			his = append(his, o)
		}
	}
	return his
}

// brings is that somebody gets a token for a program. There are three at most, so that people have something to say too.
func (w *World) brings(p *person, i int) {
	if len(w.people) >= len(names)+3 {
		return
	}
	answer := w.ask(p, i, "POST", "/api/programs", `{"name":"Tool"}`)
	his := &person{w: w, name: p.name + "sbot" + between(answer, `"id":"`, `"`), brings: p, token: between(answer, `"token":"`, `"`), nth: between(answer, `"id":"`, `"`), talked: -time.Hour, lastHere: map[wire.ID]time.Duration{}}
	if his.token == "" {
		return
	}
	w.heal()
	hello := w.ask(his, len(w.people), "GET", "/api/hello", "")
	if his.guest = between(hello, `"guest":{"id":"`, `"`); !wire.IsProgram(his.guest) {
		w.fail("a program of %s has a token, and is answered %s", p.name, hello)
	}
	for n := range pages {
		his.pages = append(his.pages, &page{p: his, label: fmt.Sprint(his.name, n+1), seen: map[wire.ID]*view{}})
	}
	w.people = append(w.people, his)
	w.room = append(w.room, w.room[0])
	his.pages[0].dial()
}

// revoked is that a program is none any more: its lines are closed, and its token is good for nothing. The others of whom it was go on.
func (w *World) revoked(his *person) {
	at := slices.Index(w.people, his)
	his.nameless = true
	w.wait(time.Second)
	for _, g := range his.pages {
		if g.cable != nil && !g.stuck() {
			w.fail("%s was revoked, and still has a line", g.label)
		}
		g.cut()
	}
	if answer := w.ask(his, at, "GET", "/api/hello", ""); !strings.HasPrefix(answer, "HTTP/1.1 401") {
		w.fail("%s was revoked, and its token is answered %.80q", his.name, answer)
	}
	line := w.knock(at, handshake(his.shows()))
	if answer, _ := line.take(); bytes.HasPrefix(answer, []byte("HTTP/1.1 101")) {
		w.fail("%s was revoked, and gets a line by its token", his.name)
	}
	line.change(func() { line.cut = true })
	w.forgot(his)
	w.gone = append(w.gone, his)
	w.people, w.room = slices.Delete(w.people, at, at+1), slices.Delete(w.room, at, at+1)
	w.renames++
}

// perhapsRevoked is that a program was to be revoked, and that could not be noted, or half of it could.
func (w *World) perhapsRevoked(his *person) {
	w.heal()
	if strings.HasPrefix(w.ask(his, slices.Index(w.people, his), "GET", "/api/hello", ""), "HTTP/1.1 401") {
		w.revoked(his)
	}
}

// unnames is that whoever runs the house takes somebody's name away. He plays on, here and elsewhere, and has none, whatever his cookie says and
// however long he has had his line; until he gives himself another.
func (w *World) unnames(n int) {
	p, other := w.people[n%len(names)], w.people[(n+1)%len(names)]
	if w.house.clock.stopped {
		return
	}
	w.calmLog()
	p.pages[0].dial()
	w.wait(time.Second)
	w.renames++
	p.called, p.unnamed = "", true
	taken := w.rules(func(ctx context.Context) error { return w.house.lobby.Rename(ctx, wire.Guest{ID: p.guest}) }) == nil
	for i, host := range []*person{other, p} {
		if w.story.Real || len(w.tables) > 12 || n/128%3 == i {
			continue
		}
		e := w.founds(host, map[string]any{"game": "toy", "edition": "", "seats": 2, "listed": n/384%2 == 0, "sit": true}, []place{{guest: host.guest}, {}})
		if e == nil || host == p {
			continue
		}
		if g := p.at(e); g != nil {
			g.send(g.new(wire.Command{Do: "sit", Table: e.id, Seat: "B"}))
			w.settle()
		}
	}
	if called, err := w.log.Names(w.house.ctx, p.guest); err != nil || taken && called[p.guest] != "" {
		w.fail("the name of %s was taken away, and he has given himself none; he is called %v: %v", p.name, called, err)
	}
	w.wait(2 * time.Second)
	for p.unnamed { // he is asked for another until it is noted
		w.calmLog()
		p.rename(3*n + 1) // himself, and nobody of a log of before
	}
}

// looksUpHis is that somebody looks at the list of his tables: there are those where he sits, or whose host he is, that are not over, and no
// others; whose turn it is there, and since when.
func (p *person) looksUpHis() {
	w := p.w
	mine, ok := tablesOf[wire.Mine](w, p, "/api/tables/mine")
	if !ok {
		return
	}
	for _, e := range w.tables {
		his := (e.paper.seatOf(p.guest) >= 0 || p.guest == e.paper.founder || p.guest == e.paper.acting) && !e.unknown() && e.shadow.State() != table.Over
		i := slices.IndexFunc(mine, func(m wire.Mine) bool { return m.Table == e.id })
		if his != (i >= 0) {
			w.fail("%s looks up his tables: that %s is one of them is %t, and it is told: %t", p.name, e.id, his, i >= 0)
		}
		if !his {
			continue
		}
		you := game.NoSeat
		if s := e.paper.seatOf(p.guest); s >= 0 {
			you = game.Seat(s)
		}
		if m := mine[i]; m.You != you && !(you == game.NoSeat && m.You >= game.MaxSeats) || m.Turn != e.shadow.Turn() || m.State != e.shadow.State() || !m.Since.Equal(e.paper.stood()) {
			w.fail("%s looks up table %s, and is told %s; he sits on %s, it is the turn of %s since %s", p.name, e.id, wire.Message(m), you, e.shadow.Turn(), e.paper.stood())
		}
	}
}

// hangsOut tells whether somebody is named on the door of a table that is played at.
func (p *person) hangsOut(e *evening) bool {
	return p.brings == nil && !e.unknown() && e.paper.listed && e.shadow.State() == table.Running && e.paper.seatOf(p.guest) >= 0
}

// seals is what there is to do before a game is dealt, and what may go wrong there: somebody seals a number, opens it, or has another seat by
// then, or none.
func (g *page) seals(n int) {
	for i := range g.p.w.tables {
		if g.sealsAt(g.p.w.tables[(i+n)%len(g.p.w.tables)], n/16) {
			return
		}
	}
}

func (g *page) sealsAt(e *evening, pick int) bool {
	v := g.seen[e.id]
	if g.cable == nil || v == nil || !v.watching || v.frame == nil || v.about.State != "open" || v.about.Seal == nil {
		return false
	}
	c := wire.Command{Table: e.id}
	you, empty, host := v.text("you"), v.empty(), v.text("host") == "true"
	switch {
	case you == "" && empty == "":
		return false
	case you == "":
		c.Do, c.Seat = "sit", empty
	case v.about.Seal.Called && pick%8 == 0:
		c.Do = "leave"
	case v.about.Seal.Called && pick%8 < 3:
		return true // he keeps it shut
	case v.about.Seal.Called:
		c.Do, c.Bits = "unseal", g.p.number(v).String()
	case !slices.ContainsFunc(v.about.Seal.Numbers, func(n struct{ Seat, Seal string }) bool { return n.Seat == you }):
		c.Do, c.Bits = "seal", g.p.sealed(v, you)
	case pick%4 == 0 && empty != "":
		c.Do, c.Seat = "sit", empty
	case pick%4 == 1:
		c.Do = "leave"
	case host && pick%4 == 2 && len(v.about.Seal.Numbers) > 0: // of one who has sealed a number the seat is taken
		c.Do, c.Seat = "free", v.about.Seal.Numbers[pick/4%len(v.about.Seal.Numbers)].Seat
	case host && empty != "":
		c.Do, c.Seat, c.Bot = "bot", empty, "first"
	case host:
		c.Do = "start"
	default:
		return false
	}
	g.send(g.new(c))
	return true
}

// meet is that all come together at a table of their own, and begin; some of them give a number to the deal, and not all of those open it. Or
// all give one, and whenever numbers are to be opened another of them does not.
func (w *World) meet(n int) {
	if w.house.clock.stopped || len(w.tables) > 8 || w.story.Real {
		return
	}
	host, seats := w.people[n%len(names)], 3+n/4%2
	setup := map[string]any{"game": "toy", "edition": "", "seats": seats, "listed": n%3 > 0, "sit": true, "moveTime": []int{0, 20, 1800}[n/8%3], "awayTime": []int{30, 2400}[n/8%2], "botTime": []int{0, 1000}}
	e, all := w.gathers(host, seats, setup, n>>18 > 0)
	if e == nil {
		return
	}
	inTurn := n%3 == 0
	for i, p := range all[:seats] {
		if inTurn || n>>(5+i)%2 == 0 {
			p.pages[0].sealsAt(e, 0)
		}
	}
	w.wait(50 * time.Millisecond)
	if g := host.pages[0]; g.cable != nil {
		g.send(g.new(wire.Command{Do: "start", Table: e.id}))
	}
	w.wait(50 * time.Millisecond)
	if g := host.pages[0]; n%5 == 1 && g.cable != nil && e.paper.begun() { // whose seat is to be taken, which is too late: what was sealed stands
		g.send(g.new(wire.Command{Do: "free", Table: e.id, Seat: game.Seat(1 + n/5%(seats-1)).String()}))
		w.wait(20 * time.Millisecond)
	}
	if n%2 == 1 && e.paper.phase == numbers && e.paper.any(place.shut) { // the house is closed for longer than anybody has to open his
		w.kill(n, 1)
		w.wait(2 * numberTime)
		w.begin()
		for _, p := range all {
			p.pages[0].dial()
		}
	}
	for round := range 4 {
		w.wait(50 * time.Millisecond)
		for i, p := range all[:seats] {
			pick := n >> (2*i + 3*round)
			if inTurn {
				pick = map[bool]int{true: 1, false: 3}[2*i == round] // he keeps it shut, or opens it
			}
			p.pages[0].sealsAt(e, pick)
			w.wait(20 * time.Millisecond)
		}
		if inTurn && round%2 == 0 || n>>(12+round)%2 == 0 {
			w.wait(numberTime + time.Second)
		}
	}
}

// gathers has all come to a table of somebody, who sits first, and as many sit down as have room; nil if that is not to be. Unnamed: at first it
// cannot be read what they are called; then it can, and they say it again.
func (w *World) gathers(host *person, seats int, setup map[string]any, unnamed bool) (*evening, []*person) {
	e := w.founds(host, setup, append([]place{{guest: host.guest}}, make([]place, seats-1)...))
	if e == nil {
		return nil, nil
	}
	all := slices.Concat([]*person{host}, slices.DeleteFunc(slices.Clone(w.people[:len(names)]), func(p *person) bool { return p == host }))
	for i, p := range all {
		g := p.pages[0]
		if g.cable == nil {
			g.dial()
		}
		if g.cable == nil {
			return nil, nil
		}
		g.watch(e.id)
		w.settle()
		if i > 0 && i < seats && g.cable != nil {
			sit := g.new(wire.Command{Do: "sit", Table: e.id, Seat: string(rune('A' + i))})
			if unnamed {
				w.smooth = w.opened()
				w.house.gate.ails(ailment{what: "Names", fate: failed})
				g.send(sit)
				w.settle()
				w.heal()
			}
			g.send(sit)
		}
		w.wait(50 * time.Millisecond)
	}
	return e, all
}

// empty is a seat that nobody has; "" for none.
func (v *view) empty() (seat string) {
	for _, s := range v.about.Seats {
		if s.Name == "" && s.Bot == "" {
			seat = s.Seat
		}
	}
	return seat
}

// quarrel is that somebody wants what others have to agree to; and then he goes, or they do, or nobody says anything for minutes.
func (g *page) quarrel(n int) {
	w := g.p.w
	for i := range w.tables {
		e := w.tables[(i+n)%len(w.tables)]
		v := g.seen[e.id]
		if g.cable == nil || v == nil || !v.watching || v.frame == nil || v.about.State != "running" {
			continue
		}
		c := wire.Command{Table: e.id, Do: "break"}
		you, seat := v.text("you"), n/8%len(v.about.Seats)
		switch {
		case v.about.Proposal != nil && n%4 == 0:
			c.Do, c.Seq = "decline", v.about.Proposal.Seq
		case v.about.Proposal != nil:
			c.Do, c.Seq = "agree", v.about.Proposal.Seq
		case v.text("host") == "true" && n%3 > 0:
			c.Do, c.Seat = "free", v.about.Seats[seat].Seat
		case v.text("host") == "true":
		case you == "" || n%3 == 0:
			c.Do, c.Seat = "sit", v.about.Seats[seat].Seat
		default:
			c.Do = "leave"
		}
		g.send(g.new(c))
		switch n / 64 % 16 {
		case 0:
			w.wait(lapse + 5*time.Second)
		case 1, 2:
			w.wait(time.Second)
			if g.cable != nil {
				g.send(g.new(wire.Command{Table: e.id, Do: "leave"}))
			}
		case 3, 4:
			g.cut()
		case 5, 6, 7, 8: // whom it is about goes by himself, or comes back
			w.wait(100 * time.Millisecond)
			about := w.guest(e.paper.seats[seat].guest)
			if about == nil || !slices.Contains(w.people, about) || e.unknown() || w.house.clock.stopped {
				return
			}
			his := about.pages[0]
			if his.cable == nil {
				his.dial()
			}
			if his.cable != nil {
				his.send(his.new(wire.Command{Table: e.id, Do: []string{"leave", "leave", "sit"}[n%3], Seat: v.about.Seats[seat].Seat}))
			}
		}
		return
	}
}

// brink is that somebody does something at the very moment at which it may be too late, or is too early yet.
func (g *page) brink(n int) {
	w := g.p.w
	if w.house.clock.stopped || len(w.tables) > 10 || w.story.Real || g.p.brings != nil || g.p.nameless {
		return
	}
	switch n / 20 % 8 {
	case 1, 5:
		w.threePlay(g.p, "awayTime", 120, w.inTime)
	case 2, 6:
		w.threePlay(g.p, "awayTime", 30, w.isBack)
	case 3:
		w.threePlay(g.p, "awayTime", 120, w.oneByOne)
	default:
		w.threePlay(g.p, "moveTime", 20, func(e *evening, all []*person) { w.atTheLast(e, all, n) })
	}
}

// threePlay has somebody play with two others, for so many seconds of something, and closes their table when they have done that.
func (w *World) threePlay(host *person, of string, seconds int, do func(e *evening, all []*person)) {
	e, all := w.gathers(host, 3, map[string]any{"game": "toy", "edition": "", "seats": 3, "listed": false, "sit": true, of: seconds}, false)
	if e == nil {
		return
	}
	host.pages[0].tells(e, wire.Command{Do: "start"})
	w.wait(time.Second)
	if !e.unknown() && e.shadow.Turn() != game.NoSeat && !w.house.troubled() && !w.house.clock.stopped {
		do(e, all)
	}
	w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) })
}

// tells has a page say something at a table.
func (g *page) tells(e *evening, c wire.Command) *said {
	c.Table = e.id
	s := g.new(c)
	g.send(s)
	return s
}

// atTheLast is that somebody says something as his time is up, and before a bot has moved for him. Who moves then has moved, and whoever is asked next has his time.
func (w *World) atTheLast(e *evening, all []*person, n int) {
	turn := e.shadow.Turn()
	_, limit := e.shadow.Clock()
	w.wait(max(0, limit-w.spent(e, e.paper.clock, w.house.clock.Now())) + []time.Duration{-20, 30, 100, 200, 300}[n%5]*time.Millisecond)
	g := all[turn].pages[0]
	if v := g.seen[e.id]; v != nil && len(v.list("moves")) > 0 {
		g.tells(e, wire.Command{Do: []string{"leave", "play", "play", "unwatch"}[n/5%4], Seat: turn.String(), Seq: v.seq, Move: v.list("moves")[0]})
		w.wait(2 * time.Second)
	}
}

// isBack is that somebody leaves, is gone for longer than anybody may be, and sits down again where he sat, before he looks. From then on he may be gone for as long again.
func (w *World) isBack(e *evening, all []*person) {
	p, seat := all[2], game.Seat(2)
	p.pages[0].tells(e, wire.Command{Do: "leave"})
	w.wait(time.Second)
	for _, g := range p.pages {
		g.cut()
	}
	w.wait(40 * time.Second)
	if p.pages[1].dial(); !w.house.troubled() && e.shadow.Turn() != game.NoSeat { // this one has never looked here
		p.pages[1].tells(e, wire.Command{Do: "sit", Seat: seat.String()})
		w.wait(5 * time.Second)
	}
}

// oneByOne is that those who are asked go, one after the other. When the last has been gone for long enough nobody is asked any more, and what was asked for is done.
func (w *World) oneByOne(e *evening, all []*person) {
	all[0].pages[0].tells(e, wire.Command{Do: "break"})
	w.wait(time.Second)
	if e.unknown() || e.paper.asks == nil {
		return
	}
	for _, p := range all[1:3] {
		for _, g := range p.pages {
			g.cut()
		}
		w.wait(20 * time.Second)
	}
	w.wait(12 * time.Second)
	if !w.house.troubled() && !e.unknown() && all[0].pages[0].cable != nil && e.shadow.State() != table.Over {
		w.fail("table %s: two who were asked have gone, and what was asked for is not done", e.id)
	}
}

// inTime is that somebody agrees while there is time, and the log is so slow with what others have said before that the time is up when that is done.
// It counts. Of some the other who is asked has gone by then, so that all have agreed.
func (w *World) inTime(e *evening, all []*person) {
	alone := len(w.tables)%2 == 0
	all[0].pages[0].tells(e, wire.Command{Do: "break"})
	for _, g := range all[1].pages {
		if alone {
			g.cut()
		}
	}
	w.wait(lapse - 1500*time.Millisecond)
	if e.unknown() || e.paper.asks == nil || e.shadow.Turn() == game.NoSeat || w.house.troubled() || w.house.clock.stopped {
		return
	}
	was, entries, asks, turn := w.latency, len(e.log), e.paper.asks.seq, e.shadow.Turn()
	w.latency = 3 * time.Second
	all[2].pages[0].tells(e, wire.Command{Do: "agree", Seq: asks})
	w.wait(400 * time.Millisecond)
	all[turn].pages[0].tells(e, wire.Command{Do: "play", Seat: turn.String(), Seq: entries, Move: e.shadow.Seen(turn).Moves[0]})
	w.wait(100 * time.Millisecond)
	agrees := all[1].pages[0].tells(e, wire.Command{Do: "agree", Seq: asks})
	w.wait(12 * time.Second)
	w.latency = was
	for _, entry := range e.log[entries:] {
		f, _, _, _ := fact.Read(entry.Data)
		if f, lapsed := f.(*fact.Declined); lapsed && int(f.Seat) >= len(e.paper.seats) && (alone || agrees.entries == 0) {
			w.fail("table %s: all have agreed in time, or %s could not, and what was asked for lapses", e.id, all[1].name)
		}
	}
}

// jam is that the rules of a table break while much waits there to be done: a command after another, of somebody who looks and of somebody who
// does not, and somebody who asks how it stands. All are answered.
func (g *page) jam(n int) {
	w := g.p.w
	if g.cable == nil || w.house.troubled() || !g.up {
		return
	}
	for _, e := range w.tables {
		v := g.seen[e.id]
		if v == nil || !g.watches(e.id) || v.frame == nil || e.unknown() || e.shadow.State() != table.Running {
			continue
		}
		if n/64%3 == 0 {
			g.hangs(e, n)
			return
		}
		moves := v.list("moves")
		if len(moves) == 0 {
			continue
		}
		line := g.cable
		g.send(g.new(wire.Command{Table: e.id, Do: "play", Seat: v.text("you"), Seq: v.seq, Move: moves[n%len(moves)]}))
		w.house.armed, w.house.after = e.id, 1+n%2
		g.send(g.new(wire.Command{Table: e.id, Do: "leave"}))
		i := n / 2 % len(names)
		other := w.people[i]
		card := w.request(i, other.shows(), "GET", "/api/tables/"+string(e.id), "")
		if o := other.pages[1]; o != g && o.cable != nil && o.up {
			o.send(o.new(wire.Command{Table: e.id, Do: "sit", Seat: "A"}))
			o.send(o.new(wire.Command{Table: e.id, Do: "leave"}))
		}
		if answer := w.answer(card); answer == "" && !w.house.troubled() {
			w.fail("the rules of table %s broke, and whoever asks for it has no answer", e.id)
		}
		if broke := w.house.armed == "" && !w.house.brittle.Load(); broke && g.cable == line && !w.house.troubled() {
			w.fail("the rules of table %s broke, and %s, who looks at it, is left there", e.id, g.label)
		}
		w.house.armed = ""
		return
	}
}

// hangs is that the rules of a table do not come back for a while. Whoever waits there, and whoever comes, is told that it is busy; when they have come
// back it goes on.
func (g *page) hangs(e *evening, n int) {
	w := g.p.w
	w.house.hanging = true
	defer func() { w.house.hanging = false }()
	w.house.hangs.Store(true)
	g.watch(e.id)
	if w.settle(); w.house.hangs.Swap(false) {
		return // nobody was told how it stands
	}
	line := g.cable
	says := func() *said {
		s := g.new([]wire.Command{{Table: e.id, Do: "leave"}, {Table: e.id, Do: "sit", Seat: "A"}}[n%2])
		g.send(s)
		return s
	}
	other := g
	for i := range names { // somebody else who looks on leaves meanwhile, before that is noticed or after
		if o := w.people[(n/2+i)%len(names)].pages[n/16%2]; o != g && o.cable != nil && o.up && o.watches(e.id) {
			other = o
			break
		}
	}
	first := says()
	w.wait(2 * time.Second)
	if other != g && n/32%2 == 0 {
		other.cut()
	}
	w.wait(28 * time.Second)
	second := says()
	w.wait(time.Second)
	if other != g && n/32%2 > 0 {
		other.watch(e.id) // which is refused, and yet he looks on
		w.wait(time.Second)
		other.cut()
	}
	for _, s := range []*said{first, second} {
		if g.cable == line && s.refused != wire.CodeBusy {
			w.fail("the rules of table %s hang, and %s is told of %+v: %q", e.id, g.label, s.command, s.refused)
		}
	}
	w.wait(hangTime)
	last := says()
	if w.wait(2 * time.Second); g.cable == line && (!last.ok && last.refused == "" || last.refused == wire.CodeBusy && e.paper.asks == nil) {
		w.fail("the rules of table %s have come back, and %s is told of %+v: %q", e.id, g.label, last.command, last.refused)
	}
}

// hangTime is for how long.
const hangTime = 80 * time.Second

// slowly has handshakes take their time.
type slowly struct {
	http.Handler
	p *process
}

func (s slowly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ws" && s.p.slow > 0 {
		w = slowDoor{w, s.p.slow}
	}
	s.Handler.ServeHTTP(w, r)
}

type slowDoor struct {
	http.ResponseWriter
	takes time.Duration
}

func (d slowDoor) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(d.ResponseWriter).Hijack()
	time.Sleep(d.takes)
	return conn, buffers, err
}

// brittle is a shelf whose rules break once when they are told to.
type brittle struct {
	slots.Shelf
	p *process
}

func (b brittle) Game(name string) (game.Game, bool) {
	g, known := b.Shelf.Game(name)
	return brittleGame{g, b.p}, known
}

// Bot is a player who is watched while he thinks.
func (b brittle) Bot(game, name string) (slots.Bot, bool) {
	bot, known := b.Shelf.Bot(game, name)
	return pondering{bot, game + " " + name, b.p}, known
}

type pondering struct {
	slots.Bot
	name string
	p    *process
}

// A thought is what a bot has been asked, and has not come back from.
type thought struct {
	began   time.Time
	dropped time.Time // since when nobody wants to know it any more
}

// late tells whether it has taken so long that nobody asks its bot any more: while somebody waits for it, or when he does no longer.
func (t *thought) late() bool {
	return time.Since(t.began) > botLimit+time.Second || !t.dropped.IsZero() && time.Since(t.dropped) > time.Second
}

// botLimit is how long a bot may think before its table moves for it.
const botLimit = 5 * time.Second

// Move is asked of a bot that has come back from whatever took it too long: until then it is left alone.
func (b pondering) Move(ctx context.Context, seen table.Seen) string {
	w, mine := b.p.w, &thought{began: time.Now()}
	w.mu.Lock()
	for _, t := range b.p.thoughts[b.name] {
		if !b.p.paused && t.late() {
			b.p.besieged = b.name
		}
	}
	b.p.thoughts[b.name] = append(b.p.thoughts[b.name], mine)
	w.mu.Unlock()
	defer context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		mine.dropped = time.Now()
	})()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		b.p.thoughts[b.name] = slices.DeleteFunc(b.p.thoughts[b.name], func(t *thought) bool { return t == mine })
	}()
	return b.Bot.Move(ctx, seen)
}

type brittleGame struct {
	game.Game
	p *process
}

func (g brittleGame) Deal(s game.Setup, c game.Chance) (game.State, error) {
	return g.state(g.Game.Deal(s, c))
}

func (g brittleGame) Read(s game.Setup, text json.RawMessage) (game.State, error) {
	return g.state(g.Game.Read(s, text))
}

func (g brittleGame) state(s game.State, err error) (game.State, error) {
	if err != nil {
		return nil, err
	}
	return brittleState{s, g.p}, nil
}

type brittleState struct {
	game.State
	p *process
}

func (s brittleState) Play(seat game.Seat, words string) (game.State, []game.Event, error) {
	next, events, err := s.State.Play(seat, words)
	return brittleState{next, s.p}, events, err
}

// Asks is asked whenever somebody is told how it stands.
func (s brittleState) Asks() game.Question {
	if s.p.hangs.CompareAndSwap(true, false) {
		time.Sleep(hangTime)
	}
	if s.p.frail.cracks.CompareAndSwap(true, false) {
		s.p.broken++
		panic(theyBreak)
	}
	return s.State.Asks()
}

// theyBreak is what rules say that break; nobody hears it but whoever looks after a table, unless the house falls with it.
const theyBreak = "the rules broke"

// Outcome is asked whenever something has been written.
func (s brittleState) Outcome() game.Outcome {
	if s.p.brittle.CompareAndSwap(true, false) {
		s.p.broken++
		panic(theyBreak)
	}
	if s.p.frail.sticks.CompareAndSwap(true, false) {
		time.Sleep(hangTime)
	}
	return s.State.Outcome()
}
