package storm

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing/synctest"
	"time"

	"caveau/fair"
	"caveau/game"
	"caveau/wire"
)

// A person has a cookie, and pages that he may have open.
type person struct {
	w      *World
	name   string
	cookie string
	before []string // cookies of the same session
	token  string   // of a program, instead of a cookie
	brings *person  // whose program it is
	nth    string   // among his
	guest  string
	pages  []*page

	talked      time.Duration             // how long the house had been open when he said much
	purses      map[string]*purse         // how often he may do what
	nameless    bool                      // he has been forgotten
	perhapsOver bool                      // his session may have ended, and that it has could not be noted, or nobody was told
	unnamed     bool                      // whoever runs the house has taken his name, and he has given himself no other yet
	called      string                    // his name, if that is certain
	lastHere    map[wire.ID]time.Duration // how long the house had been open when he was last at a table
	hungUp      time.Duration             // and when it hung up on him last, or he did who did not read
	all         []*said                   // what he has said
	held        []*said                   // what he has on his tongue
	phrases     int                       // that he has said
}

// A page is a browser's, with a line to the house while it has one.
type page struct {
	p      *person
	device string // the cookie of another device, where the page is; "" for a page in the person's own browser
	label  string
	cable  *cable
	life   int               // of the process that it is connected to
	up     bool              // the handshake was answered
	late   bool              // it reads what it was told some time ago
	bytes  []byte            // that came, and were not understood yet
	looks  bool              // at the lobby
	signs  []json.RawMessage // of it, as it was told last
	listed []byte            // the same, as it was said
	later  [][]byte          // that go to the server when it runs again
	seen   map[wire.ID]*view
	order  []wire.ID

	dozed   int           // when the loop looked so often, it read what it had been told before
	waits   []waiting     // for answers, on this line
	stalled time.Duration // how long the house had been open when it stopped reading
	showed  badge         // to be let in, on this line
}

// waiting is for the answer to something that was said when the house had been open for so long.
type waiting struct {
	said *said
	at   time.Duration
}

// A view is what a page knows of a table.
type view struct {
	asked    bool // the table was asked for, and that was not answered
	watching bool
	refused  bool // somebody was late, and is told once more how it stands
	came     int  // when the loop looked so often it began to watch
	had      int  // what it said it had when it asked
	seq      int
	frame    map[string]json.RawMessage
	about    about
	log      json.RawMessage
	logged   int    // the entry after which the log was told
	lines    []line // of the log, and what happened since
}

// A line is one of the log, as somebody reads it.
type line struct{ Seat, Verb, What string }

// about is what people look at to know what they could do.
type about struct {
	State string
	Waits bool
	Seats []struct {
		Seat, Name, Bot     string
		Here, Host, Standin bool
	}
	Seal *struct {
		Version fair.Version
		Seal    string
		Called  bool
		Numbers []struct{ Seat, Seal string }
	}
	Next     wire.ID
	Proposal *struct {
		Seq   int
		Asked []string
	}
}

// said is a command that somebody said, once or several times.
type said struct {
	who     *person
	command wire.Command
	times   int
	ok      bool   // he was told so
	refused string // else why not
	entries int    // that it made
	told    int    // how often all were told, of a phrase

	at   time.Duration // how long the house had been open when it was said last
	said time.Time     // and when that was
}

// tryAgain tells whether it is to be said again: there was no answer, or one that says so.
func (s *said) tryAgain() bool {
	return !s.ok && (s.refused == "" || s.refused == wire.CodeBusy || s.refused == wire.CodeStorage)
}

// lasts tells whether it changes a table, so that it is worth saying again.
func (s *said) lasts() bool {
	return s.command.Table != "" && s.command.Do != "watch" && s.command.Do != "unwatch" && s.command.Do != "phrase"
}

// come has everybody come, and gives them names.
func (w *World) come() {
	for i := range names {
		w.people = append(w.people, nil)
		p := w.comes(i)
		w.room = append(w.room, w.roomFor(i, p))
	}
	for i, n := range w.room {
		if n != mostLines {
			w.fail("nobody is there, and %s gets %d lines", names[i], n)
		}
	}
}

// comes is that somebody comes who is nobody yet.
func (w *World) comes(i int) *person {
	name := names[i]
	p := &person{w: w, name: name, talked: -time.Hour, lastHere: map[wire.ID]time.Duration{}}
	w.people[i] = p
	for p.guest == "" { // else the log does not take it now
		answer := w.ask(p, i, "POST", "/api/guest", fmt.Sprintf(`{"name":%q}`, strings.ToUpper(name[:1])+name[1:]))
		p.cookie, _, _ = strings.Cut(between(answer, "Set-Cookie: ", "\r\n"), ";")
		p.guest = between(answer, `"id":"`, `"`)
		if p.guest == "" && !w.house.troubled() {
			w.fail("%s gets no name: %s", name, answer)
		}
		if p.guest == "" {
			w.calmLog()
		}
	}
	for n := range pages {
		p.pages = append(p.pages, &page{p: p, label: fmt.Sprint(name, n+1), seen: map[wire.ID]*view{}})
	}
	return p
}

// goes is that somebody ends his session, has himself forgotten, or is turned out of the house. His lines are closed, his cookie is good for
// nothing, and he comes again as somebody else.
func (p *person) goes(n int) {
	w, i := p.w, slices.Index(p.w.people, p)
	w.renames++
	if w.house.clock.stopped {
		return
	}
	if n/32%3 == 0 {
		p.rename(n)
	}
	p.renewed(w.ask(p, i, "GET", "/api/hello", "")) // on another day he has another cookie
	for _, o := range w.people {
		o.nameless = o.nameless || o.brings == p && n%4 != 0 // from when it is said, or from when nobody knows
	}
	after := p.saysLater(n)
	if w.meanwhile != nil {
		w.meanwhile()
	}
	switch n % 4 {
	case 3:
		p.endsOthers(i)
		return
	case 0:
		line, session := p.pages[1].line(), sessionOf(p.cookie)
		if !strings.HasPrefix(w.ask(p, i, "POST", "/api/guest/end", "{}"), "HTTP/1.1 204") {
			p.perhapsOver = true
			w.perhapsEnds(func(o *way) bool { return o.session == session })
			return
		}
		w.ends(func(o *way) bool { return o.session == session })
		p.pages[1].outlasts(line)
	case 1:
		w.mayForget(p)
		p.nameless = true // from now on, or from when it could not be noted whether it is
		if !w.sayTwice(func() bool { return strings.HasPrefix(w.ask(p, i, "DELETE", "/api/guest", ""), "HTTP/1.1 204") }) {
			w.forgotten(p, true)
			w.isSomebodyYet(p, i, nil)
			p.perhapsAlone()
			w.noticesWhoIsGone()
			return
		}
		w.blotted[p.guest] = true
		w.checkBlotted()
	case 2:
		w.mayForget(p)
		turnsOut := func() bool {
			return w.rules(func(ctx context.Context) error { return w.house.server.TurnOut(ctx, p.guest) }) == nil
		}
		if !w.sayTwice(turnsOut) {
			w.forgotten(p, true)
			w.isSomebodyYet(p, i, turnsOut)
			p.perhapsAlone()
			w.noticesWhoIsGone()
			return
		}
	}
	if s := after(); s != nil {
		w.wait(3 * time.Second)
		if s.entries > 0 {
			w.fail("the session of %s has ended, and what he has said since is done: %+v", p.name, s.command)
		}
	}
	w.wait(time.Second)
	for _, g := range p.pages {
		if g.cable != nil && !g.stuck() {
			w.fail("the session of %s has ended, and he still has a line", g.label)
		}
		g.cut()
	}
	if hello := w.ask(p, i, "GET", "/api/hello", ""); strings.Contains(hello, p.guest) {
		w.fail("the session of %s has ended, and he is known by his cookie: %s", p.name, hello)
	}
	p.checkBefore()
	if device := p.pages[1].device; device != "" && n%4 != 0 && w.knows(device, p.guest) {
		w.fail("%s is not to be known any more, and is at another device", p.name)
	}
	w.ends(func(o *way) bool { return o.of == p })
	w.gone = append(w.gone, p)
	w.comes(i)
	if n%4 != 0 { // with all that is known of him
		w.forgot(p)
		w.forgotten(p, false)
		for _, his := range p.programs() {
			w.revoked(his)
		}
	}
	w.comesBack(p, n/4)
}

// saysLater is a page of somebody's that does not hear that its session ends, and says something afterwards.
func (p *person) saysLater(n int) (says func() *said) {
	g := p.pages[0]
	if n/4%2 == 0 || n%4 == 3 || g.line() == nil || g.device != "" {
		return func() *said { return nil }
	}
	line := g.cable
	g.stalled = p.w.opened()
	line.change(func() { line.stuck = true })
	return func() *said {
		for _, e := range p.w.tables {
			if s := p.w.judge(e, &said{who: p, command: wire.Command{Do: "leave"}}); g.cable == line && g.watches(e.id) && !e.unknown() && !s.so {
				word := g.new(wire.Command{Do: "leave", Table: e.id})
				g.send(word)
				return word
			}
		}
		return nil
	}
}

// isSomebodyYet: whoever could not be forgotten can say so again, or nothing of his is left; so nobody is, whose program is somebody. Of whom the house wants to
// forget it can say so again.
func (w *World) isSomebodyYet(p *person, i int, again func() bool) {
	if w.heal(); w.latency != usualLatency {
		return // it may be under way
	}
	if !strings.HasPrefix(w.ask(p, i, "GET", "/api/programs", ""), "HTTP/1.1 401") { // the hello is the same for whom nobody knows and who has no name any more
		return
	}
	if again != nil && !again() && w.well() {
		w.fail("%s was to be turned out, which could not be done; he is nobody, and it cannot be done again", p.name)
	}
	if names, err := w.log.Names(w.house.ctx, p.guest); again == nil && err == nil && names[p.guest] != "" {
		w.fail("%s was to be forgotten, which could not be done; he is nobody, and is called %q", p.name, names[p.guest])
	}
	for _, his := range p.programs() {
		if strings.HasPrefix(w.ask(his, slices.Index(w.people, his), "GET", "/api/hello", ""), "HTTP/1.1 200") {
			w.fail("%s was to be forgotten, which could not be done; he is nobody, and his program is somebody", p.name)
		}
	}
}

// perhapsAlone is that his programs were to go with him, and nobody knows whether they have.
func (p *person) perhapsAlone() {
	for _, his := range p.programs() {
		p.w.perhapsRevoked(his)
	}
}

// sayTwice is that somebody says what could not be done once more, when it can be.
func (w *World) sayTwice(say func() bool) bool {
	if say() {
		return true
	}
	ailed := w.house.gate.ailing()
	if w.heal(); w.between != nil {
		w.between()
	}
	return ailed && say()
}

// endsOthers is that somebody ends all sessions of his but this one, for which he gets another cookie.
func (p *person) endsOthers(i int) {
	w, before := p.w, p.cookie
	answer := w.ask(p, i, "POST", "/api/guest/end", `{"others":true}`)
	if !strings.HasPrefix(answer, "HTTP/1.1 204") {
		p.perhapsOver = true
		w.perhapsEnds(func(o *way) bool { return o.of == p })
		return
	}
	w.ends(func(o *way) bool { return o.of == p })
	w.wait(time.Second)
	for _, g := range p.pages {
		if g.cable != nil && !g.stuck() {
			w.fail("%s has ended his other sessions, and %s still has a line", p.name, g.label)
		}
		if g.cut(); g.device != "" && w.knows(g.device, p.guest) {
			w.fail("%s has ended his other sessions, and is known at another device", p.name)
		}
		g.device = ""
	}
	w.heal()
	p.checkBefore()
	p.cookie = before
	if strings.HasPrefix(w.ask(p, i, "GET", "/api/programs", ""), "HTTP/1.1 200") {
		w.fail("%s has ended his other sessions, and is known by a cookie of before", p.name)
	}
	p.cookie, _, _ = strings.Cut(between(answer, "Set-Cookie: ", "\r\n"), ";")
	if !strings.HasPrefix(w.ask(p, i, "GET", "/api/programs", ""), "HTTP/1.1 200") {
		w.fail("%s has ended his other sessions, and is not known by the cookie of this one", p.name)
	}
}

// address is where somebody lives.
func address(i int) string { return fmt.Sprintf("10.0.0.%d", 1+i) }

func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, found := strings.Cut(text, to)
	if !found {
		return ""
	}
	return text
}

// shows is how somebody shows who he is.
func (p *person) shows() string {
	switch {
	case p.token != "":
		return "Authorization: Bearer " + p.token + "\r\n"
	case p.cookie != "":
		return "Cookie: " + p.cookie + "\r\n"
	}
	return ""
}

// ask sends a request, and waits for the answer; "" if there is none.
func (w *World) ask(p *person, i int, method, path, body string) string {
	return w.answer(w.request(i, p.shows(), method, path, body))
}

// request sends a request of whoever shows that.
func (w *World) request(i int, shows, method, path, body string) *cable {
	c := newCable(&net.TCPAddr{IP: net.ParseIP(address(i)), Port: 4000}, w.stir)
	w.house.door.Call(c)
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\nContent-Length: %d\r\n", method, path, len(body))
	c.send([]byte(head + shows + "\r\n" + body))
	return c
}

// answer waits for what is answered to a request; "" for nothing.
func (w *World) answer(c *cable) string {
	answer := []byte{}
	for range 40 {
		w.wait(time.Second / 2)
		more, gone := c.take()
		if answer = append(answer, more...); gone {
			break
		}
	}
	c.change(func() { c.cut = true })
	w.lets(string(answer))
	return string(answer)
}

// do has the person do something at this page.
func (g *page) do(what string, n int) {
	switch what {
	case "act":
		g.act(n)
	case "play", "propose", "answer":
		g.forward(what, n)
	case "dial":
		g.dial()
	case "hang":
		if g.cable != nil {
			g.cable.change(func() { g.cable.hung = true })
		}
	case "cut":
		g.cut()
	case "stall", "read":
		if g.cable != nil {
			g.late, g.stalled = true, g.p.w.opened()
			g.cable.change(func() { g.cable.stuck = what == "stall" })
		}
	case "again":
		if all := g.p.all; len(all) > 0 {
			g.send(all[len(all)-1-n%min(len(all), 20)])
		}
	case "hold":
		if s := g.choose(n); s != nil {
			g.p.held = append(g.p.held, s)
		}
	case "late":
		if held := g.p.held; len(held) > 0 {
			g.send(held[0])
			g.p.held = held[1:]
		}
	case "forge":
		g.forge(n)
	case "claim":
		g.claim(n)
	case "rename":
		g.p.w.ailing(ofNames, n, g.p.rename)
	case "go":
		if n%4 == 1 && n/128%2 == 0 {
			g.p.tool(1) // there is more to be forgotten then
		}
		g.p.w.ailing(endings[n%4], n, g.p.goes)
	case "knock":
		g.p.w.strangers(g.p, n)
	case "sip":
		g.sips(n)
	case "chat":
		g.chat()
	case "flood":
		g.flood()
	case "seal":
		g.seals(n)
	case "quarrel":
		g.quarrel(n)
	case "brink":
		g.brink(n)
	case "jam":
		g.jam(n)
	case "tool":
		g.p.w.ailing(ailments, n, g.p.tool)
	case "way":
		g.p.w.ailing(ofWays, n, g.continues)
	case "passkey":
		g.p.w.ailing(ailments, n, g.hasKeys)
	case "phrase":
		g.says(n)
	case "greed":
		g.p.greedy(n)
	case "notice":
		g.p.w.ailing(ofNotices, n, g.wantsToKnow)
	case "mine":
		g.turns()
		g.p.looksUpHis()
		g.p.looksBack()
	case "keep":
		g.p.w.ailing(reads, n, g.p.keeps)
	case "away":
		g.p.w.ailing(reads, n, g.p.takesAway)
		g.p.looksBack()
	case "ask":
		g.p.asksAfter(n)
	case "look":
		g.p.looksAround(n)
	default:
		g.p.w.fail("nobody can %q", what)
	}
}

// rename gives the person another name.
func (p *person) rename(n int) {
	w := p.w
	if w.house.clock.stopped {
		return
	}
	if w.story.Old && n%3 == 0 {
		w.erases(n / 3)
		return
	}
	w.renames++
	name := fmt.Sprintf("%s the %dth", strings.ToUpper(p.name[:1])+p.name[1:], n%9+4)
	p.called = ""
	say := func() bool {
		answer := w.ask(p, slices.Index(w.people, p), "POST", "/api/guest", fmt.Sprintf(`{"name":%q}`, name))
		p.renewed(answer)
		return strings.HasPrefix(answer, "HTTP/1.1 200")
	}
	if once := n/9%2 == 0 || w.house.gate.unheard("Name"); once && say() || !once && w.sayTwice(say) { // once, and whatever becomes of it
		p.called, p.unnamed = name, false
	}
}

// renewed is that his cookie is another now, of the same session. Wherever the one of before lies, it is good as long.
func (p *person) renewed(answer string) {
	if cookie := cookieOf(answer, "caveau_guest"); cookie != "" {
		p.before, p.cookie = append(p.before, p.cookie), cookie
	}
}

// checkBefore: with his session all cookies end that he had of it.
func (p *person) checkBefore() {
	for _, cookie := range p.before[max(0, len(p.before)-3):] {
		if p.w.knows(cookie, p.guest) {
			p.w.fail("the session of %s has ended, and he is known by a cookie that he had before", p.name)
		}
	}
	p.before = nil
}

// erases is that the name is taken away of somebody of whom a log of before tells.
func (w *World) erases(n int) {
	e := w.tables[n%min(len(w.tables), 3)]
	guests := slices.Sorted(maps.Keys(e.paper.was))
	if len(guests) == 0 {
		return
	}
	guest := guests[n/3%len(guests)]
	w.erasing = guest
	defer func() { w.erasing = "" }()
	w.renames++
	if w.sayTwice(func() bool {
		return w.rules(func(ctx context.Context) error { return w.house.lobby.Rename(ctx, wire.Guest{ID: guest}) }) == nil
	}) {
		w.erased = append(w.erased, guest)
	}
	w.heal()
	for _, p := range w.people[:len(names)] {
		g := p.pages[1]
		if g.cable == nil {
			g.dial()
		}
		if g.cable != nil {
			g.watch(e.id)
		}
	}
	w.wait(3 * time.Second)
}

// dial opens a line, looks at the tables that the page knows, and says again what had no answer.
func (g *page) dial() {
	w := g.p.w
	if w.house.clock.stopped {
		return
	}
	g.cut()
	i := slices.Index(w.people, g.p)
	g.cable = newCable(&net.TCPAddr{IP: net.ParseIP(address(i)), Port: 5000}, w.stir)
	g.life, g.up, g.looks, g.bytes, g.later, g.showed = w.life, false, false, nil, nil, badgeOf(g.shows())
	for _, v := range g.seen {
		v.watching, v.asked = false, false
	}
	w.house.door.Call(g.cable)
	g.write([]byte(handshake(g.shows())))
	w.settle()
	if g == g.p.pages[1] { // who looks around
		g.send(g.new(wire.Command{Do: "lobby"}))
	}
	for _, id := range slices.Clone(g.order) {
		g.watch(id)
	}
	again := 0
	for _, s := range g.p.all {
		if s.tryAgain() && s.lasts() {
			g.send(s)
			again++
		}
	}
	if again > 20 {
		g.p.talked = w.opened()
	}
}

// handshake asks for a WebSocket, of whoever shows that.
func handshake(shows string) string {
	head := "GET /ws?protocol=3 HTTP/1.1\r\nHost: localhost:8080\r\nOrigin: " + origin + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
	return head + shows + "\r\n"
}

// knock opens a line that no page has, and says something.
func (w *World) knock(i int, words string) *cable {
	c := newCable(&net.TCPAddr{IP: net.ParseIP(address(i)), Port: 6000}, w.stir)
	w.house.door.Call(c)
	c.send([]byte(words))
	w.settle()
	return c
}

// strangers come with a page of another version, with words that are none, and without a name; most of them hang up.
func (w *World) strangers(p *person, n int) {
	if w.house.clock.stopped {
		return
	}
	i, shows := slices.Index(w.people, p), []string{p.shows(), ""}[n/4%2]
	words := handshake(shows)
	switch n % 4 {
	case 0:
		words = strings.Replace(words, "protocol=3", "protocol=2", 1)
	case 1:
		words = strings.Replace(words, "Sec-WebSocket-Key", "Some-Other-Key", 1)
	case 2:
		words = strings.Replace(words, "Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 12", 1)
	case 3:
		words = handshake("")
	}
	c := w.knock(i, words)
	if n%4 == 3 && len(w.tables) > 0 {
		c.send(frame(opText, wire.Message(wire.Command{ID: "1", Do: "watch", Table: w.tables[n/8%len(w.tables)].id})))
		w.tables[n/8%len(w.tables)].touched = time.Now().Add(time.Minute) // he may stay for a moment
		w.settle()
	}
	if answer, _ := c.take(); n%4 == 0 && bytes.HasPrefix(answer, []byte("HTTP/1.1 101")) && !bytes.Contains(answer, []byte(`"code":"reload"`)) {
		w.fail("a page of another version is not told to load again: %q", answer)
	}
	c.change(func() { c.cut, c.hung = n/8%2 == 0, true })
}

// flood says as much at once as anybody may, and does not read the answers. They are not all kept: he misses some, and is cut off.
func (g *page) flood() {
	w := g.p.w
	if !g.maySay() {
		return
	}
	// One message fits, and the next one waits to be written: how many else were on their way when he is cut off would depend on chance.
	g.cable.change(func() { g.cable.stuck, g.cable.room = true, 1 })
	for range 2 {
		if g.cable != nil {
			g.send(g.new(wire.Command{Do: "ping"}))
			w.settle()
		}
	}
	for range mostAtOnce - 32 {
		if g.cable != nil {
			g.send(g.new(wire.Command{Do: "lobby"}))
		}
	}
	if w.settle(); g.cable == nil {
		return
	}
	g.cable.change(func() { g.cable.stuck, g.cable.room = false, window })
	if w.wait(time.Second); g.cable != nil {
		w.fail("%s did not read, and whatever he was told was kept for him", g.label)
	}
}

// maySay tells whether somebody who reads what he is told can say much: who has done so a moment ago would be taken for one who says too
// much, and what he is still told then depends on chance.
func (g *page) maySay() bool {
	w := g.p.w
	if g.cable == nil || w.house.clock.stopped || !g.up || g.late || g.stuck() || w.opened()-g.p.talked < 20*time.Second {
		return false
	}
	g.p.talked, g.stalled = w.opened(), w.opened()
	return true
}

// chat says much now and then, and never more than one may.
func (g *page) chat() {
	w := g.p.w
	if !g.maySay() {
		return
	}
	line := g.cable
	for range 3 {
		for range mostAtOnce + 20 {
			g.send(g.new(wire.Command{Do: "ping"}))
			if g.cable != line {
				return
			}
		}
		if w.wait(15 * time.Second); g.cable != line && g.p.perhapsOver {
			return
		} else if g.cable != line {
			w.fail("%s says no more than anybody may, and has lost the line", g.label)
		}
	}
	g.p.talked = w.opened()
}

// sips is that somebody reads slowly, a message at a time, while he says much and is told it all: in order, and once.
func (g *page) sips(n int) {
	w := g.p.w
	if !g.maySay() {
		return
	}
	line := g.cable
	line.change(func() { line.stuck, line.room = true, 1 })
	if n>>18%4 > 0 {
		g.savours(line)
		return
	}
	for round := range 8 {
		for range 1 + n>>(2*round)%3 {
			if g.late = true; g.cable == line {
				g.send(g.new(wire.Command{Do: "ping"}))
			}
		}
		for range 1 + n>>(round+4)%2 {
			g.late = true
			g.bytes = append(g.bytes, line.sip()...)
			w.settle()
		}
	}
	line.change(func() { line.stuck, line.room = false, window })
	w.settle()
	pinged := func() bool {
		return g.cable == line && slices.ContainsFunc(g.waits, func(s waiting) bool { return s.said.command.Do == "ping" })
	}
	if pinged() { // others of his address may have said much
		w.wait(3 * time.Second)
	}
	if pinged() {
		w.fail("%s reads slowly, and is not told all", g.label)
	}
}

// savours is that many messages wait, of which he takes each within seconds: that is slow, and he is told all of them.
func (g *page) savours(line *cable) {
	w, waits := g.p.w, func(s waiting) bool { return s.said.command.Do == "ping" }
	for range 14 {
		if g.late = true; g.cable == line {
			g.send(g.new(wire.Command{Do: "ping"}))
		}
	}
	for n := 0; n < 60 && g.cable == line && slices.ContainsFunc(g.waits, waits); n++ {
		w.wait(1300 * time.Millisecond)
		g.late, g.stalled = true, w.opened()
		g.bytes = append(g.bytes, line.sip()...)
		w.settle()
	}
	if g.cable != line || slices.ContainsFunc(g.waits, waits) {
		w.fail("%s takes a message every second, and has lost the line, or is not told all", g.label)
	}
	g.late = true
	line.change(func() { line.stuck, line.room = false, window })
	w.settle()
}

// turns is that a page that shows the lobby shows something else, or the other way round.
func (g *page) turns() {
	if g.cable == nil || g.p.w.house.clock.stopped {
		return
	}
	g.send(g.new(wire.Command{Do: map[bool]string{true: "unlobby", false: "lobby"}[g.looks]}))
}

// forgets is a page that is loaded again, and shows the lobby.
func (g *page) forgets() {
	g.cut()
	g.seen, g.order = map[wire.ID]*view{}, nil
	g.dial()
}

// cut breaks the line.
func (g *page) cut() {
	if g.cable != nil {
		if g.stuck() {
			g.p.hungUp = g.p.w.opened()
		}
		g.cable.change(func() { g.cable.cut = true })
		g.lost()
	}
}

// stuck tells whether it does not read.
func (g *page) stuck() (stuck bool) {
	if g.cable == nil {
		return false
	}
	g.cable.change(func() { stuck = g.cable.stuck })
	return stuck
}

// noteHere notes at which tables somebody is.
func (g *page) noteHere() {
	for id := range g.seen {
		if g.watches(id) {
			g.p.lastHere[id] = g.p.w.opened()
			w0(g.p.w, id).touched = time.Now()
		}
	}
}

// perhapsHere tells whether he has asked for a table by a page that does not read: the house may know him there.
func (p *person) perhapsHere(id wire.ID) bool {
	return slices.ContainsFunc(p.pages, func(g *page) bool { return g.stuck() && g.seen[id] != nil && g.seen[id].asked })
}

// lost is that the line is gone.
func (g *page) lost() {
	g.noteHere()
	g.cable, g.up, g.waits = nil, false, nil
	for _, v := range g.seen {
		v.watching, v.asked = false, false
	}
}

// write sends bytes, at once or when the process runs again.
func (g *page) write(data []byte) {
	if g.p.w.house.clock.stopped {
		g.later = append(g.later, data)
		return
	}
	g.cable.send(data)
	synctest.Wait() // one thing at a time
}

func (g *page) deliver() {
	later := g.later
	g.later = nil
	for _, data := range later {
		if g.cable != nil {
			g.write(data)
		}
	}
}

// watch asks for a table.
func (g *page) watch(id wire.ID) {
	seq := 0
	if v := g.seen[id]; v != nil {
		seq = v.seq
	}
	g.send(g.new(wire.Command{Do: "watch", Table: id, Seq: seq}))
}

// new makes a command of the person's. All number what they say alike.
func (g *page) new(c wire.Command) *said {
	p := g.p
	c.ID = strconv.Itoa(len(p.all) + 1)
	s := &said{who: p, command: c}
	p.all = append(p.all, s)
	return s
}

// saidAs is what he has said under a number; nil for nothing.
func (p *person) saidAs(id string) *said {
	if n, err := strconv.Atoi(id); err == nil && 0 < n && n <= len(p.all) {
		return p.all[n-1]
	}
	return nil
}

// send says it, if there is a line; else it is said again when there is one.
func (g *page) send(s *said) {
	s.times++
	if g.cable == nil {
		return
	}
	s.at, s.said = g.p.w.opened(), time.Now()
	switch id := s.command.Table; s.command.Do {
	case "watch":
		if g.seen[id] == nil {
			g.seen[id], g.order = &view{}, append(g.order, id)
		}
		g.seen[id].asked = true
		if e := g.p.w.evening(id); e != nil {
			if _, was := e.visits.asked[g.p.guest]; !was {
				e.visits.asked[g.p.guest] = len(e.log)
			}
		}
	case "unwatch":
		g.noteHere()
		delete(g.seen, id)
		g.order = slices.DeleteFunc(g.order, func(o wire.ID) bool { return o == id })
	}
	if e := g.p.w.evening(s.command.Table); e != nil {
		e.touched = time.Now()
	}
	text, err := json.Marshal(s.command)
	if err != nil {
		panic(err) // a command is made of words and a number
	}
	g.p.w.note("%s says %s", g.label, text)
	g.waits = append(g.waits, waiting{s, g.p.w.opened()})
	g.write(frame(opText, text))
}

// The kinds of WebSocket messages (RFC 6455, section 5.2).
const (
	opText  = 1
	opClose = 8
	opPing  = 9
	opPong  = 10
)

// frame is a client's message; its mask is zero, so the text stands in it as it is.
func frame(op byte, text []byte) []byte {
	f := binary.BigEndian.AppendUint16([]byte{0x80 | op, 0x80 | 126}, uint16(len(text)))
	return append(append(f, 0, 0, 0, 0), text...)
}

// cutFrame cuts a server's message off the bytes that came; false if it is not whole yet.
func cutFrame(data []byte) (op byte, text, rest []byte, whole bool) {
	if len(data) < 2 {
		return 0, nil, data, false
	}
	n, head := int(data[1]), 2
	switch {
	case n == 126 && len(data) >= 4:
		n, head = int(binary.BigEndian.Uint16(data[2:])), 4
	case n == 127 && len(data) >= 10:
		n, head = int(binary.BigEndian.Uint64(data[2:])), 10
	case n >= 126:
		return 0, nil, data, false
	}
	if len(data) < head+n {
		return 0, nil, data, false
	}
	return data[0] & 15, data[head : head+n], data[head+n:], true
}

// listen takes what came.
func (g *page) listen() {
	if g.cable == nil {
		return
	}
	data, gone := g.cable.take()
	g.bytes = append(g.bytes, data...)
	if gone && g.cable != nil {
		g.p.w.note("%s has lost the line", g.label)
		g.p.w.blind, g.p.hungUp = g.p.w.opened(), g.p.w.opened()
		g.cable, g.up, g.waits = nil, false, nil
	}
}

// hear understands what came.
func (g *page) hear() {
	if !g.up && len(g.bytes) > 0 {
		end := bytes.Index(g.bytes, []byte("\r\n\r\n"))
		if end < 0 {
			return
		}
		if !bytes.HasPrefix(g.bytes, []byte("HTTP/1.1 101")) {
			g.p.w.fail("%s is not let in: %s", g.label, g.bytes[:end])
		}
		g.up, g.bytes = true, g.bytes[end+4:]
	}
	var all []message
	for {
		op, text, rest, whole := cutFrame(g.bytes)
		if !whole {
			break
		}
		g.bytes = rest
		switch {
		case op == opPing && g.cable != nil:
			g.write(frame(opPong, text))
		case op == opClose && g.cable != nil:
			g.checkFarewell(text)
			g.write(frame(opClose, text))
			if g.cable != nil {
				g.cable.change(func() { g.cable.hung = true })
			}
		case op == opText:
			all = append(all, g.read(bytes.Clone(text)))
		}
	}
	// Two tables tell a page what they have to tell in whatever order.
	slices.SortStableFunc(all, func(a, b message) int { return cmp.Compare(a.Table, b.Table) })
	if g.late {
		g.dozed = g.p.w.looks
	}
	defer func() { g.late = g.late && len(all) == 0 }()
	for _, m := range all {
		g.p.w.Told.Messages++
		g.p.w.note("%s is told %s", g.label, m.text)
		g.told(m)
	}
	if g.cable == nil {
		g.bytes = nil
		g.lost()
	}
}

// act has the person do what comes to mind.
func (g *page) act(n int) {
	if g.cable == nil {
		g.dial()
		return
	}
	if s := g.choose(n); s != nil {
		g.send(s)
	}
}

// choose is a command that makes sense, more or less.
func (g *page) choose(n int) *said {
	w := g.p.w
	if len(w.tables) == 0 || len(w.tables) < 6 && n%12 == 0 {
		w.found(g.p, n)
		return nil
	}
	e := w.tables[n%len(w.tables)]
	if n/7%8 > 0 {
		e = g.asked(e)
	}
	n /= 56
	v := g.seen[e.id]
	if v == nil || !v.watching && !v.asked {
		if g.cable != nil {
			g.watch(e.id)
		}
		return nil
	}
	if v.frame == nil {
		return nil
	}
	return g.atTable(e.id, v, n)
}

// forward is somebody who wants the game to end: he moves where he is asked, proposes to break it off, and answers who proposes something,
// be the game over or not.
func (g *page) forward(what string, n int) {
	for _, e := range g.p.w.tables {
		v := g.seen[e.id]
		if g.cable == nil || v == nil || !v.watching || v.frame == nil {
			continue
		}
		c := wire.Command{Table: e.id}
		moves := v.list("moves")
		switch {
		case what == "play" && len(moves) > 0:
			c.Do, c.Seat, c.Seq, c.Move = "play", v.text("you"), e.paper.posed-1, moves[n%len(moves)]
			if n%2 == 0 {
				g.send(g.new(c)) // as if it were the position before
			}
			c.Seq = v.seq
		case what == "propose" && v.about.State == "running" && v.text("host") == "true":
			c.Do, c.Seat = []string{"break", "free"}[n%2], string(rune('A'+n/2%4))
		case what == "answer" && v.about.Proposal != nil:
			c.Do, c.Seq = []string{"agree", "decline"}[n%2], v.about.Proposal.Seq
		default:
			continue
		}
		g.send(g.new(c))
		return
	}
}

// asked is a table at which the reader is asked for a move; that one, if there is none.
func (g *page) asked(that *evening) *evening {
	for _, e := range g.p.w.tables {
		if v := g.seen[e.id]; v != nil && v.watching && len(v.list("moves")) > 0 {
			return e
		}
	}
	return that
}

// atTable is what there is to say at a table.
func (g *page) atTable(id wire.ID, v *view, n int) *said {
	c := wire.Command{Table: id}
	you, moves := v.text("you"), v.list("moves")
	pick := n / 16
	switch {
	case n%16 < 11 && len(moves) > 0:
		c.Do, c.Seat, c.Seq, c.Move = "play", you, v.seq, moves[pick%len(moves)]
	case n%16 < 4 && v.about.Proposal != nil && slices.Contains(v.about.Proposal.Asked, you):
		c.Do, c.Seq = []string{"agree", "agree", "decline"}[pick%3], v.about.Proposal.Seq
	case n%16 < 13 && v.about.State == "open":
		g.prepare(&c, v, you, pick)
	case n%16 < 13 && v.about.State == "over":
		c.Do = "rematch"
	case n%16 == 12 && v.text("host") == "true":
		c.Do, c.Seat = []string{"break", "free"}[pick%2], string(rune('A'+pick/2%4))
	case n%16 < 13 && you != "":
		c.Do, c.Seat = "sit", you // as somebody does who is back
	case n%16 == 13:
		c.Do, c.Seat = "sit", string(rune('A'+pick%4))
	case n%16 == 14:
		c.Do = []string{"leave", "unwatch", "leave", "break"}[pick%4]
		if c.Do == "leave" && pick%8 > 3 { // and comes back
			g.send(g.new(c))
			c.Do, c.Seat = "sit", you
		}
	default:
		if pick%3 == 0 && you != "" { // somebody who does not wait to be asked
			c.Do, c.Seat, c.Seq, c.Move = "play", you, v.seq, "keep"
			break
		}
		c.Do, c.Seat, c.Seq, c.Move, c.Bits = []string{"free", "bot", "play", "seal", "free", "start"}[pick%6], string(rune('A'+pick%5)), max(0, v.seq-pick%3), "keep", strings.Repeat("ab", 32)
	}
	return g.new(c)
}

// prepare is what there is to do before a game begins.
func (g *page) prepare(c *wire.Command, v *view, you string, pick int) {
	empty := ""
	for _, s := range v.about.Seats {
		if s.Name == "" && s.Bot == "" {
			empty = s.Seat
		}
	}
	switch host := v.text("host") == "true"; {
	case you == "" && empty != "":
		c.Do, c.Seat = "sit", empty
	case v.about.Seal != nil && you != "" && v.about.Seal.Called:
		c.Do, c.Bits = "unseal", g.p.number(v).String()
	case v.about.Seal != nil && you != "" && pick%4 == 0:
		c.Do, c.Bits = "seal", g.p.sealed(v, you)
	case host && empty != "":
		c.Do, c.Seat, c.Bot = "bot", empty, botNames[pick%len(botNames)]
		if pick/32%3 == 0 {
			c.Bot = thinkers[pick/96%len(thinkers)]
		}
	case host:
		c.Do = "start"
	default:
		c.Do, c.Seat = "sit", "B"
	}
}

// botNames are those who are asked to sit; the last of them misbehave.
var botNames = []string{"first", "remembering:keen", "first", "echo", "mad", "slow"}

// thinkers are those who take some time to think, or all the time there is.
var thinkers = []string{"pensive", "brooding", "brooding", "lost", "frail"}

// number is what the person gives to the deal of the table that shows this seal.
func (p *person) number(v *view) fair.Bits {
	return fair.Bits(sha256.Sum256([]byte(p.name + v.about.Seal.Seal)))
}

func (p *person) sealed(v *view, seat string) string {
	seal, err := fair.Parse(v.about.Seal.Seal)
	if err != nil {
		p.w.fail("a table shows the seal %q: %v", v.about.Seal.Seal, err)
	}
	return v.about.Seal.Version.SealNumber(seal, seat, p.number(v)).String()
}

// forge says something that is somebody else's to say.
func (g *page) forge(n int) {
	w := g.p.w
	if g.cable == nil || len(w.tables) == 0 {
		return
	}
	e := w.tables[n%len(w.tables)]
	turn := e.shadow.Turn()
	if turn == game.NoSeat || e.shadow.SeatOf(g.p.guest) == turn {
		return
	}
	g.send(g.new(wire.Command{Do: "play", Table: e.id, Seat: turn.String(), Seq: e.shadow.Seq(), Move: []string{"keep", "show", "rest left"}[n/8%3]}))
}

// claim asks for a table, and says that the page has what it has not; or it answers a question of before.
func (g *page) claim(n int) {
	if g.cable == nil || len(g.order) == 0 {
		return
	}
	for _, id := range g.order {
		if v := g.seen[id]; n%4 > 0 && v.about.Proposal != nil {
			g.send(g.new(wire.Command{Do: []string{"agree", "decline"}[n/16%2], Table: id, Seq: max(1, v.about.Proposal.Seq-1-n/32%6)}))
			return
		}
	}
	id := g.order[n%len(g.order)]
	if e := g.p.w.evening(id); e != nil {
		g.send(g.new(wire.Command{Do: "watch", Table: id, Seq: n / 8 % (len(e.log) + 3)}))
	}
}

// found makes a table.
func (w *World) found(p *person, n int) {
	if w.house.clock.stopped {
		return
	}
	setup := map[string]any{
		"game": "toy", "edition": "", "seats": 2 + n/40%3, "listed": n%3 > 0, "sit": n%5 > 0, "moveTime": []int{0, 20, 60, 1800}[n/120%4], "awayTime": []int{30, 120, 2400}[n/480%3],
		"bots": []string{"first"}, "botTime": []int{[]int{0, 0, 1000}[n/2880%3], []int{2000, 30_000}[n/1440%2]},
	}
	if n>>10%6 == 0 { // bots take no time
		setup["botTime"] = []int{0, 0}
	}
	if w.story.Real {
		games := []struct {
			game, edition string
			seats         int
		}{{"toc-toc-toc", "", 3}, {"dawn-under", "2004", 3}, {"dawn-under", "rucola", 4}, {"dawn-under", "2017", 2}}
		one := games[n/1440%len(games)]
		setup["game"], setup["edition"], setup["seats"], setup["bots"] = one.game, one.edition, one.seats, []string{"random"}
	}
	if n>>16%4 == 0 && !w.story.Real {
		goOn(setup, n>>10)
	}
	seats := make([]place, setup["seats"].(int))
	bot := setup["bots"].([]string)[0]
	if n/7%3 == 0 { // who sits where is said seat by seat
		delete(setup, "sit")
		delete(setup, "bots")
		mine := n / 21 % len(seats)
		setup["places"] = map[string]string{string(rune('A' + mine)): "me", string(rune('A' + (mine+1)%len(seats))): bot}
		seats[mine].guest, seats[(mine+1)%len(seats)].bot = p.guest, bot
	} else {
		seats[len(seats)-1].bot = bot
		if setup["sit"] == true {
			seats[0].guest = p.guest
		}
	}
	if n>>14%6 == 0 { // at first it cannot be read what he is called
		w.house.gate.ails(ailment{what: "Names", fate: failed})
		w.founds(p, setup, seats)
		w.heal()
	}
	if n>>14%6 == 1 {
		w.hangsUpMeanwhile(p, setup, n>>17)
	}
	w.founds(p, setup, seats)
}

// goOn is that a table begins with a position of a record: of a game that is nearly over, or that has only just begun; or of one without end, which a table
// stops before long.
func goOn(setup map[string]any, n int) {
	seats := setup["seats"].(int)
	ply := n / 4 % (3 * seats)
	if n%4 == 0 {
		setup["edition"] = "endless"
		ply = mostMoves - 1 - n/4%(2*seats)
	}
	players, numbers, moves := []string{"Xaver", "Yvonne", "Zacharie", "Wanda"}[:seats], []int{40, 30, 60, 50}[:seats], make([]string, ply)
	var shown game.Seats
	for i := range moves {
		s, word := game.Seat(i%seats), []string{"keep", "peek", "show"}[(n+i/seats)%3]
		if word == "show" && shown.Has(s) {
			word = "peek"
		}
		if word == "show" {
			shown = shown.With(s)
		}
		moves[i] = s.String() + " " + word
	}
	setup["record"] = map[string]any{"format": "caveau/1", "game": setup["game"], "edition": setup["edition"], "players": players,
		"deal": map[string]any{"first": "A", "numbers": numbers}, "moves": moves}
}

// hangsUpMeanwhile is that somebody wants to make a table, and has gone before the log has taken it, if it does. Either it is made, or he has room for
// another.
func (w *World) hangsUpMeanwhile(p *person, setup map[string]any, n int) {
	body, err := json.Marshal(setup)
	if err != nil {
		panic(err)
	}
	usual := w.latency
	w.latency = 2 * time.Second
	if n%2 == 0 {
		w.house.fail++
	}
	p.imports(setup)
	line := w.request(slices.Index(w.people, p), p.shows(), "POST", "/api/tables", string(body))
	w.wait(time.Second)
	line.change(func() { line.cut = true })
	w.wait(3 * time.Second)
	w.latency = usual
}

// imports: a table with a position counts as a game that he brings, unless it cannot be made.
func (p *person) imports(setup map[string]any) {
	if setup["record"] != nil {
		p.w.spends(p, "games", "", gamesAtOnce, gameFills)
	}
}

// founds is that somebody makes a table, where those sit; nil if nobody knows whether he has.
func (w *World) founds(p *person, setup map[string]any, seats []place) *evening {
	body, err := json.Marshal(setup)
	if err != nil {
		panic(err)
	}
	calm := !w.house.troubled() && !w.since.IsZero() && w.opened()-w.smooth > 10*time.Second
	p.imports(setup)
	tables, room := len(w.tables), w.roomForTables(w.house.places, p)
	answer := w.ask(p, slices.Index(w.people, p), "POST", "/api/tables", string(body))
	if now := w.roomForTables(w.house.places, p); now < room && len(w.tables) == tables {
		w.fail("%s is answered %.30q, and has room for %d tables, and had for %d", p.name, answer, now, room)
	}
	if calm && !w.house.troubled() && !strings.HasPrefix(answer, "HTTP/1.1 201") {
		w.fail("nothing is wrong, and %s founds a table and is answered %s", p.name, answer)
	}
	id := wire.ID(between(answer, `"table":"`, `"`))
	w.note("%s makes the table %s", p.name, id)
	if id == "" {
		return nil
	}
	e := w.evening(id)
	if e == nil || len(e.log) == 0 {
		w.fail("the table %s is said to have been made, and the log does not have it", id)
	}
	w.checkMade(e, p.guest, seats)
	return e
}

// text is a word of the frame; list are words.
func (v *view) text(key string) string {
	var word string
	if json.Unmarshal(v.frame[key], &word) != nil {
		return string(v.frame[key])
	}
	return word
}

func (v *view) list(key string) (words []string) {
	json.Unmarshal(v.frame[key], &words) // none where there is none
	return words
}
