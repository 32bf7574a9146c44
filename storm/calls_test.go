package storm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"caveau/company"
	"caveau/game"
	"caveau/match"
	"caveau/push"
	"caveau/table"
	"caveau/wire"
)

// Whoever is waited for and does not look is called (match/call.go), in all browsers of his that want to be told (package crier), by services
// that are busy, gone, or cannot be reached. He is called once for a turn, and not for nothing; a browser is forgotten where its service
// says so, and nowhere else.

// A browser wants to be told.
type browser struct {
	of       *person
	endpoint string
	session  string
	over     bool          // it does not want to be told any more, or its session has ended
	doubted  bool          // perhaps
	since    time.Duration // how long the house had been open when it said so last
	told     map[string]int
	asked    map[string]bool   // what its service was asked to bring, by the calls
	gone     time.Duration     // how long the house had been open when its service said that it is not there any more; 0 if it has not, or it wants again
	owed     map[string]*retry // what its service was too busy for, by the calls
	given    map[string]bool   // what it was too busy for, and nobody tries any more
}

// A retry is that something is to be brought again, if it is so yet.
type retry struct {
	call      called
	tried     int
	asked, by time.Duration // how long the house had been open when it was tried last, and when it is to be tried again
}

// A cry is what a service was asked to bring to a browser.
type cry struct {
	endpoint string
	topic    string
	text     []byte
	err      error // what it answered
	ttl      time.Duration
	at       time.Time // when it was asked, by the house's clock
}

// called is that the house has somebody called.
type called struct {
	id   wire.ID
	call match.Call
	at   time.Duration // how long the house had been open then
	left time.Duration // of his time then, by what is said of it; nothing where no clock runs
	once bool          // it is the first time
	seen bool          // it has been looked at what came of it
}

// key is what is to be told, once.
func (c called) key() string { return fmt.Sprint(c.id, c.call.Why, c.call.N) }

// How long after it was reached, or after he went, whoever is waited for is called; and how long he may look before he is taken to have seen it.
const (
	callTime = 10 * time.Second
	seenTime = 2 * time.Minute
)

// A game goes on over days where everybody has a day for a move, or more; and this part of it is left when he is told that it is nearly over.
const (
	day      = 24 * time.Hour
	lateTime = 6
)

// hears notes a call of the lobby's, and has it cried.
func (p *process) hears(id wire.ID, game string, c match.Call) {
	if p.gate.isDead() {
		return
	}
	p.w.mu.Lock()
	p.w.calling = append(p.w.calling, called{id: id, call: c})
	p.w.mu.Unlock()
	p.crier.Call(id, game, c)
}

// brings has a message brought to a push service.
func (p *process) brings(ctx context.Context, to push.Subscription, m push.Message) error {
	if p.gate.isDead() {
		return errDead
	}
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	err := p.w.service
	if p.w.jammed[to.Endpoint] {
		err = push.Later{Err: errors.New("busy")}
	}
	p.w.cries = append(p.w.cries, cry{to.Endpoint, m.Topic, slices.Clone(m.Text), err, m.TTL, p.clock.Now()})
	return p.sender(service{err}).Send(ctx, to, m)
}

// sender is the house's, of messages to services that answer so.
func (p *process) sender(answers http.RoundTripper) *push.Sender {
	return push.New(push.Config{
		Secrets: [][]byte{[]byte("the house's, for push services")}, Origin: origin, Random: rand.NewChaCha8([32]byte{}), Now: p.clock.Now, Service: answers,
	})
}

// A service is what all push services are, and answers so that its error is what comes of it.
type service struct{ error }

func (s service) RoundTrip(*http.Request) (*http.Response, error) {
	answer := &http.Response{StatusCode: http.StatusCreated, Header: http.Header{}, Body: http.NoBody}
	var later push.Later
	switch {
	case s.error == push.ErrGone:
		answer.StatusCode = http.StatusGone
	case errors.As(s.error, &later):
		answer.StatusCode = http.StatusServiceUnavailable
		if later.After > 0 {
			answer.StatusCode = http.StatusTooManyRequests
			answer.Header.Set("Retry-After", fmt.Sprint(int(later.After/time.Second)))
		}
	case s.error != nil:
		answer.StatusCode = http.StatusForbidden
	}
	return answer, nil
}

// services are what they answer.
var services = []error{nil, nil, push.Later{Err: errors.New("busy")}, push.Later{After: 2 * time.Hour, Err: errors.New("busy for long")}, push.Later{After: time.Minute, Err: errors.New("busy")}, push.ErrGone, errors.New("refused")}

// serves is what the services answer from now on.
func (w *World) serves(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.service, w.jammed = err, nil
}

// listens looks at who was called, and what came of it. The caller has taken it from under the lock.
func (w *World) listens(calling []called, cries []cry) {
	slices.SortFunc(calling, func(a, b called) int {
		return strings.Compare(string(a.id)+a.call.Guest+a.call.Why, string(b.id)+b.call.Guest+b.call.Why)
	})
	slices.SortFunc(cries, func(a, b cry) int { return strings.Compare(a.endpoint+string(a.text), b.endpoint+string(b.text)) })
	for _, c := range calling {
		if c.at = w.opened(); !c.call.Until.IsZero() {
			c.left = time.Until(c.call.Until)
		}
		c.once = !slices.ContainsFunc(w.called, func(o called) bool { return o.call.Guest == c.call.Guest && o.key() == c.key() })
		w.note("called %s of %s: %s %d", c.call.Guest, c.id, c.call.Why, c.call.N)
		w.checkCall(w0(w, c.id), c)
		w.called = append(w.called, c)
	}
	for _, c := range cries {
		w.note("cried to %s: %s: %v", c.endpoint, c.text, c.err)
		w.checkCry(c)
	}
}

// checkCall: he is waited for there, does not look, and has not been called for that before, since the table was read from the log.
func (w *World) checkCall(e *evening, c called) {
	no := func(why string) { w.fail("table %s: %s is called, %+v: %s", e.id, c.call.Guest, c.call, why) }
	s := e.paper.seatOf(c.call.Guest)
	p := w.guest(c.call.Guest)
	began, limit := e.shadow.Clock()
	_, n := e.shadow.Reached()
	switch {
	case s < 0 || e.paper.seats[s].left || e.shadow.State() != table.Running:
		no("he does not play there")
	case p != nil && p.here(e.id):
		no("he is there")
	case slices.ContainsFunc(w.called, func(o called) bool {
		return o.id == c.id && o.call.Guest == c.call.Guest && o.call.N == c.call.N && o.at >= e.loaded
	}):
		no("he has been called before")
	case c.call.Why == match.Turned && (e.shadow.Turn() != game.Seat(s) || c.call.N != 2*n):
		no("it is not his turn")
	case c.call.Why != match.Begun && (c.call.Until.IsZero() != (limit == 0) || limit > 0 && c.call.Until.Before(began.Add(limit))),
		c.call.Why != match.Begun && limit > 0 && !w.everSet && !w.house.gate.ailing() && !w.amid(c.call.Until) && (w.spent(e, e.paper.clock, c.call.Until)-limit).Abs() > 1500*time.Millisecond:
		no(fmt.Sprintf("his time is up at another time: he would have had %v, and he has %v", w.spent(e, e.paper.clock, c.call.Until), limit))
	case c.call.Why == match.Late && (e.shadow.Turn() != game.Seat(s) || c.call.N <= 2*n || c.call.N >= 2*(n+1)):
		no("it is not his turn, or that is the number of another call")
	case c.call.Why == match.Late && (limit < day || !w.everSet && w.spent(e, e.paper.clock, time.Now()) < limit-limit/lateTime-time.Second):
		no("his time is not nearly over, or he has no days for a move")
	}
	if early := w.tooEarly(e, c); early != "" {
		no(early)
	}
}

// subject is whose browser hears of which table.
type subject struct {
	endpoint string
	table    wire.ID
}

// checkCry: it is brought to a browser that wants it, of somebody who was called, and not twice.
func (w *World) checkCry(c cry) {
	i := slices.IndexFunc(w.browsers, func(b *browser) bool { return b.endpoint == c.endpoint && !b.over })
	if i < 0 {
		w.fail("%s is told %s, and no browser wants that", c.endpoint, c.text)
	}
	b := w.browsers[i]
	var said struct {
		Table wire.ID
		Why   string
	}
	if err := json.Unmarshal(c.text, &said); err != nil {
		w.fail("%s is told what is no JSON: %s", c.endpoint, c.text)
	}
	what := subject{c.endpoint, said.Table}
	for topic, other := range w.topics { // a service keeps the newest of each, and knows nothing else by it
		if (topic == c.topic) != (other == what) {
			w.fail("%v has the topic %q, and %v has %q", what, c.topic, other, topic)
		}
	}
	w.topics[c.topic] = what
	var last *called
	for i, o := range w.called {
		if o.id == said.Table && o.call.Guest == b.of.guest && o.call.Why == said.Why {
			last = &w.called[i]
		}
	}
	if last == nil {
		w.fail("%s is told %s, and %s was not called for that", c.endpoint, c.text, b.of.name)
	}
	if e := w0(w, said.Table); last.call.Why == match.Turned && e.reached < w.opened()-time.Second && w.opened()-w.smooth > 5*time.Second && last.call.N != 2*e.moved {
		w.fail("%s is told %s, and that was entry %d: it is entry %d by now", c.endpoint, c.text, last.call.N/2, e.moved)
	}
	w.checkWords(c, b)
	key := last.key()
	if b.asked[key] = true; b.given[key] {
		w.fail("%s was too busy %d times, or for too long, and is asked again to tell %s", c.endpoint, len(triedAfter), c.text)
	}
	tried := 1
	if o := b.owed[key]; o != nil {
		tried = o.tried + 1
		delete(b.owed, key)
	}
	var later push.Later
	if errors.As(c.err, &later) {
		w.later = append(w.later, time.Now())
	}
	switch {
	case c.err == nil:
		if b.told[key]++; b.told[key] > 1 {
			w.fail("%s is told twice %s", c.endpoint, c.text)
		}
	case errors.Is(c.err, push.ErrGone):
		b.doubted, b.gone = true, w.opened() // it is to be forgotten; if that can be noted
	case errors.As(c.err, &later) && (tried == len(triedAfter) || later.After > time.Hour):
		b.given[key] = true
	case errors.As(c.err, &later):
		b.owed[key] = &retry{*last, tried, w.opened(), w.opened() + max(later.After, triedAfter[tried])}
	}
}

// triedAfter is how long it is waited before each of them where a service is busy.
var triedAfter = []time.Duration{0, 30 * time.Second, 5 * time.Minute, 30 * time.Minute}

// checkCries: of whoever is called, every browser that wants to be told is, at once, however busy the services of others are; where that could not be
// read or noted, when it is tried again.
func (w *World) checkCries() {
	for i, c := range w.called {
		if c.seen || w.opened() < c.at+3*time.Second {
			continue
		}
		smooth := c.at >= max(w.smooth, w.begun)+time.Second
		if again := c.at + triedAfter[1]; !smooth && w.tellsYet(c) && w.smooth < again-5*time.Second {
			if w.opened() < again+3*time.Second {
				continue
			}
			smooth = true
		}
		w.called[i].seen = true
		if !c.once || !smooth || w.everSet || !c.call.Until.IsZero() && c.left < time.Minute {
			continue
		}
		for _, b := range w.browsers {
			if b.of.guest == c.call.Guest && !b.over && !b.doubted && b.since < c.at && !b.asked[c.key()] {
				w.fail("table %s: %s is called, %+v, and %s, which wants to be told, is not", c.id, b.of.name, c.call, b.endpoint)
			}
		}
	}
}

// tellsYet tells whether the house has been open since somebody was called to his turn, who is waited for still and has not come.
func (w *World) tellsYet(c called) bool {
	e, p := w0(w, c.id), w.guest(c.call.Guest)
	return c.at > w.begun && c.call.Why == match.Turned && (c.call.Until.IsZero() || c.left > time.Hour) && p != nil && !e.unknown() && e.shadow.State() == table.Running &&
		c.call.N == 2*e.moved && !p.here(e.id) && !p.perhapsHere(e.id) && w.lastHere(p, e.id) < c.at
}

// retries is what may wait to be brought again: for half an hour, or as long as the service says.
func (w *World) retries() (n int) {
	w.later = slices.DeleteFunc(w.later, func(at time.Time) bool { return time.Since(at) > time.Hour })
	return len(w.later)
}

// checkRetries: what a service was too busy for is brought again, unless the turn is over.
func (w *World) checkRetries() {
	for _, b := range w.browsers {
		for key, o := range b.owed {
			switch {
			case o.asked < w.begun, b.over, b.doubted, w.everSet, !w.stillSo(o.call):
				delete(b.owed, key)
			case o.asked < w.smooth: // it may be late, and counts all the same
			case w.opened() > o.by+time.Second:
				w.fail("%s was too busy %d times to tell %s of %+v, and is not asked again", b.endpoint, o.tried, b.of.name, o.call.call)
			}
		}
	}
}

// checkCalled: who is waited for, and does not look, has been called.
func (w *World) checkCalled() {
	for _, e := range w.tables {
		turn := e.shadow.Turn()
		if e.unknown() || turn == game.NoSeat || e.shadow.State() != table.Running || e.visits.life != w.life || e.loaded > e.ran || w.everSet {
			continue
		}
		who := e.shadow.Sitter(turn)
		p := w.guest(who.Guest)
		_, limit := e.shadow.Clock()
		if p == nil || who.Left || who.Bot != "" || p.here(e.id) || p.perhapsHere(e.id) || limit > 0 && w.spent(e, e.paper.clock, time.Now()) > limit-2*callTime {
			continue
		}
		since := max(p.lastHere[e.id], e.paper.seats[turn].sat, p.hungUp)
		if since > e.ran+seenTime-10*time.Second || w.opened()-max(since, e.reached, w.smooth, w.begun) < callTime+5*time.Second {
			continue
		}
		if !slices.ContainsFunc(w.called, func(c called) bool {
			return c.id == e.id && c.call.Guest == who.Guest && c.call.Why == match.Turned && c.call.N == 2*e.moved
		}) {
			w.fail("table %s: %s is waited for since entry %d, has been gone for %v, and is not called", e.id, p.name, e.moved, w.opened()-since)
		}
	}
}

// checkBegun: who was not there when his game began, and has not come since, has been called.
func (w *World) checkBegun() {
	for _, e := range w.tables {
		if e.unknown() || e.shadow.State() != table.Running || e.visits.life != w.life || e.loaded > e.begun || w.everSet || e.elsewhere[e.dealt] {
			continue
		}
		for _, s := range e.paper.seats {
			p := w.guest(s.guest)
			if p == nil || s.left || p.here(e.id) || p.perhapsHere(e.id) || max(p.lastHere[e.id], s.sat, p.hungUp) > e.begun-e.behind || w.opened()-max(e.begun, w.smooth, w.begun) < callTime+5*time.Second {
				continue
			}
			if !slices.ContainsFunc(w.called, func(c called) bool { return c.id == e.id && c.call.Guest == s.guest && c.at >= e.begun }) {
				w.fail("table %s: its game began at entry %d, %s is not there, and has not been called", e.id, e.dealt, p.name)
			}
		}
	}
}

// checkLate: where somebody has days for a move, does not look, and has little of his time left, he has been called for that as well.
func (w *World) checkLate() {
	for _, e := range w.tables {
		turn := e.shadow.Turn()
		if e.unknown() || turn == game.NoSeat || !e.overDays() || w.everSet {
			continue
		}
		who := e.shadow.Sitter(turn)
		p := w.guest(who.Guest)
		_, limit := e.shadow.Clock()
		if p == nil || who.Left || who.Bot != "" || p.here(e.id) || p.perhapsHere(e.id) {
			continue
		}
		since := max(p.lastHere[e.id], e.paper.seats[turn].sat, p.hungUp, w.smooth, w.begun)
		if spent := w.spent(e, e.paper.clock, time.Now()); spent < limit-limit/lateTime+time.Minute || spent > limit-time.Minute || w.opened()-since < time.Minute {
			continue
		}
		if !slices.ContainsFunc(w.called, func(c called) bool {
			return c.id == e.id && c.call.Guest == who.Guest && c.call.Why == match.Late && c.call.N == 2*e.moved+1
		}) {
			w.fail("table %s: %s has days for a move, and little of it left, and is not called", e.id, p.name)
		}
	}
}

// overDays tells whether a game goes on there over days: nobody is there all the time, and nobody is taken for away.
func (e *evening) overDays() bool {
	_, limit := e.shadow.Clock()
	return e.shadow.State() == table.Running && limit >= day
}

// patience is how long somebody may be gone until another is the host.
func (e *evening) patience() time.Duration {
	if _, limit := e.shadow.Clock(); e.overDays() {
		return limit
	}
	return e.shadow.Away()
}

// mostDays is how often people play for days on an evening: that takes its time.
const mostDays = 2

// playsForDays is that two play who have a day for each move, and are there for a moment of it: whoever is asked is told so, and once more when his time is nearly
// over. The house may be closed for a while meanwhile. Then he comes, or his time runs out.
func (w *World) playsForDays(n int) {
	rng := rand.New(rand.NewPCG(w.story.Seed, uint64(n)))
	if w.house.clock.stopped || w.story.Real || w.days >= mostDays || len(w.tables) > 12 {
		return
	}
	w.days++
	host := w.people[rng.IntN(len(names))]
	setup := map[string]any{"game": "toy", "edition": "", "seats": 2, "listed": rng.IntN(2) == 0, "sit": true, "moveTime": 24 * 3600, "awayTime": 30, "botTime": []int{0, 1000}}
	e, all := w.gathers(host, 2, setup, false)
	if e == nil {
		return
	}
	if rng.IntN(3) == 0 { // whoever made it goes before it begins, and somebody else is the host soon, however long a move may take
		for _, g := range host.pages {
			g.cut()
		}
		w.wait(30*time.Second + soon + 15*time.Second)
	}
	if g := host.at(e); g != nil {
		g.send(g.new(wire.Command{Do: "start", Table: e.id}))
	}
	w.wait(time.Second)
	all[rng.IntN(2)].pages[0].wantsToKnow(1)
	w.playsOn(e, rng.IntN(3))
	w.cutAll()
	if what := []string{"Subscriptions", "Tell", ""}[rng.IntN(3)]; what != "" && !w.house.clock.stopped { // just when whoever is waited for is called
		w.note("%s ails", what)
		w.house.gate.ails(ailment{what: what, fate: failed})
		w.wait(20 * time.Second)
		w.heal()
	}
	w.wait([]time.Duration{19*time.Hour + 50*time.Minute, time.Hour}[rng.IntN(2)])
	w.checkLetGo()
	if rng.IntN(3) == 0 && !w.house.clock.stopped {
		w.kill(rng.IntN(8), 1)
		w.wait([]time.Duration{time.Second, 3 * time.Hour}[rng.IntN(2)])
		w.begin()
	}
	if rng.IntN(3) == 0 {
		w.playsOn(e, 1)
		w.cutAll()
	}
	w.wait(20*time.Hour + 10*time.Minute)
	if rng.IntN(2) == 0 {
		w.wait(5 * time.Hour)
	}
	if rng.IntN(2) == 0 && !w.house.clock.stopped {
		w.readsAtTheSecondTry(e)
	}
	w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) }) // else it would go on for days
}

// checkLetGo: a table at which nobody looks, and where somebody has a day to think, is let go.
func (w *World) checkLetGo() {
	awake := func() (n int) {
		n = w.house.lobby.Counts().Tables[table.Running]
		for _, e := range w.tables {
			if e.unknown() || e.shadow.State() == table.Running && !e.overDays() {
				n--
			}
		}
		return n
	}
	for range 10 { // it may be woken just now
		if awake() <= 0 {
			return
		}
		w.wait(2 * time.Minute)
	}
	w.fail("nobody looks, and %d games over days are awake", awake())
}

// readsAtTheSecondTry is that a table is woken day after day, and cannot be read at once, or for a while. The game goes on all the same.
func (w *World) readsAtTheSecondTry(e *evening) {
	for i := range 4 {
		before := e.shadow.Seq()
		for j := range 3 {
			if w.house.unread = 1; i+j == 0 {
				w.house.unread, e.givenUp = 6, true // at once the house gives up for a while
			}
			w.wait(10 * time.Hour)
			w.house.unread = 0
		}
		if e.shadow.State() == table.Running && e.shadow.Seq() == before {
			w.fail("table %s: for more than a day nobody moves, who has a day for each move", e.id)
		}
	}
}

// wantsToKnow is that a browser of somebody's wants to be told, or not any more.
func (g *page) wantsToKnow(n int) {
	w, p := g.p.w, g.p
	if w.house.clock.stopped || p.brings != nil || p.nameless {
		return
	}
	session := sessionOf(g.cookie())
	at := slices.IndexFunc(w.browsers, func(b *browser) bool { return b.of == p && b.session == session && !b.over })
	switch {
	case at >= 0 && n%3 == 0:
		b := w.browsers[at]
		b.doubted, b.gone = true, 0
		answer := w.answer(w.request(slices.Index(w.people, p), g.shows(), "DELETE", "/api/notices", fmt.Sprintf(`{"endpoint":%q}`, b.endpoint)))
		b.over = strings.HasPrefix(answer, "HTTP/1.1 204")
	case at >= 0 && n%3 == 1:
		g.subscribes(w.browsers[at])
	case at < 0:
		g.subscribes(nil)
	}
}

// mostBrowsers is in how many somebody is told that he is waited for: if there are more, it is the newest of them.
const mostBrowsers = 10

// subscribes is that a browser says that it wants to be told, or says it again; nil for one that has not said it before.
func (g *page) subscribes(b *browser) {
	w, p := g.p.w, g.p
	if b == nil {
		if p.browsers() == mostBrowsers {
			return
		}
		b = &browser{of: p, session: sessionOf(g.cookie()), endpoint: fmt.Sprintf("https://push.example/%s-%d", p.name, len(w.browsers)), doubted: true, told: map[string]int{}, asked: map[string]bool{}, owed: map[string]*retry{}, given: map[string]bool{}}
		w.browsers = append(w.browsers, b)
	}
	well := w.well()
	b.gone = 0
	answer := w.answer(w.request(slices.Index(w.people, p), g.shows(), "POST", "/api/notices", fmt.Sprintf(`{"subscription":{"endpoint":%q,"expirationTime":null,"keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg",`+
		`"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}},"language":%q}`, b.endpoint, b.language())))
	if b.doubted = !strings.HasPrefix(answer, "HTTP/1.1 204"); b.doubted && well && w.well() {
		w.fail("%s wants to be told when he is waited for, and is answered %.200q", g.label, answer)
	}
	b.since = w.opened()
}

// browsers are how many of his want to be told, or may want it.
func (p *person) browsers() (n int) {
	for _, b := range p.w.browsers {
		if b.of == p && !b.over {
			n++
		}
	}
	return n
}

// checkBrowsers: those are to be told that have said so, and no others.
func (w *World) checkBrowsers() {
	for i, p := range w.people {
		if p.brings != nil || p.nameless {
			continue
		}
		has := w.ask(p, i, "GET", "/api/notices", "")
		for _, b := range w.browsers {
			told := strings.Contains(has, `"`+b.endpoint+`"`)
			if told && b.gone > max(w.smooth, w.begun)+10*time.Second {
				w.fail("the service of %s has forgotten it, and the house has not", b.endpoint)
			}
			if !b.doubted && told != (b.of == p && !b.over) {
				w.fail("a browser of %s wants to be told when he is waited for, over: %t; that it does %s is told: %t", b.of.name, b.over, p.name, told)
			}
		}
	}
}

// silent: with a session its browsers are told nothing any more; perhaps: nobody knows whether it has ended.
func (w *World) silent(which func(*browser) bool, perhaps bool) {
	for _, b := range w.browsers {
		if which(b) {
			b.doubted, b.over = true, b.over || !perhaps
		}
	}
}

// waitedFor is that people who play go, and are told by their browsers that it is their turn; the services are busy, or have gone, for a while.
func (w *World) waitedFor(n int) {
	switch n >> 17 {
	case 3:
		w.playsForDays(n)
		return
	case 5:
		w.busyForLong(n)
		return
	}
	rng := rand.New(rand.NewPCG(w.story.Seed, uint64(n)))
	e := w.playing(rng)
	if e == nil || w.house.clock.stopped || e.unknown() || e.shadow.State() != table.Running {
		return
	}
	for _, p := range w.people[:len(names)] {
		p.at(e)
		p.pages[rng.IntN(pages)].wantsToKnow(1)
	}
	turn := e.shadow.Turn()
	if turn == game.NoSeat {
		return
	}
	w.wait([]time.Duration{0, time.Second, 12 * time.Second}[rng.IntN(3)])
	w.serves(services[rng.IntN(len(services))])
	if p := w.guest(e.shadow.Sitter(turn).Guest); p != nil && slices.Contains(w.people, p) && rng.IntN(4) > 0 {
		for _, g := range p.pages {
			g.cut()
		}
	} else {
		w.cutAll()
	}
	if rng.IntN(2) == 0 { // he comes and plays before he is told, and goes again
		w.wait(14 * time.Second)
		w.playsOn(e, 1+rng.IntN(2*len(e.paper.seats)))
		w.cutAll()
		w.serves(services[rng.IntN(len(services))])
	}
	w.wait([]time.Duration{14 * time.Second, time.Minute, 40 * time.Minute, 40 * time.Minute, 80 * time.Minute}[rng.IntN(5)])
	w.serves(nil)
	w.wait(time.Minute)
	w.checkBrowsers()
	if n>>18 == 0 {
		w.oneIsBusy(e)
	}
}

// busyForLong is that all services are busy for as long as anybody tries, while somebody is waited for who has nothing to fear. One of his browsers may not
// want to know meanwhile.
func (w *World) busyForLong(n int) {
	if w.house.clock.stopped || w.story.Real || len(w.tables) > 10 {
		return
	}
	e, all := w.gathers(w.people[n%len(names)], 2, map[string]any{"game": "toy", "edition": "", "seats": 2, "listed": false, "sit": true, "awayTime": 2 * 3600}, false)
	if e == nil {
		return
	}
	if g := all[0].at(e); g != nil {
		g.send(g.new(wire.Command{Do: "start", Table: e.id}))
	}
	for _, p := range all[:2] {
		p.pages[0].wantsToKnow(1)
		if n/8%2 == 0 && p.brings == nil && !p.nameless && p.browsers() < mostBrowsers {
			p.pages[0].subscribes(nil)
		}
	}
	w.serves(push.Later{After: time.Duration(n/4%2) * time.Minute, Err: errors.New("busy")})
	for _, g := range slices.Concat(all[0].pages, all[1].pages) {
		g.cut()
	}
	if n/8%2 == 0 {
		w.wait(20 * time.Second)
		for _, p := range all[:2] {
			p.pages[0].wantsToKnow(0)
		}
	}
	w.wait(50 * time.Minute)
	w.serves(nil)
	w.wait(time.Minute)
	w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) }) // else it stands there for hours
}

// oneIsBusy is that somebody is waited for who has many browsers, whose service is busy; when he has played, others are waited for, whose services are
// not.
func (w *World) oneIsBusy(e *evening) {
	w.playsOn(e, 1) // so that it is a turn of which nobody has been told
	turn := e.shadow.Turn()
	if turn == game.NoSeat || w.house.clock.stopped {
		return
	}
	p := w.guest(e.shadow.Sitter(turn).Guest)
	if p == nil || p.brings != nil || !slices.Contains(w.people, p) {
		return
	}
	for range mostBrowsers - 1 - p.browsers() {
		p.pages[0].subscribes(nil)
	}
	w.jams(p)
	w.cutAll()
	w.wait(12 * time.Second)
	w.playsOn(e, 1)
	w.cutAll()
	w.wait(15 * time.Second)
	w.serves(nil)
}

// jams is that the service of all browsers of somebody is busy, until it serves again.
func (w *World) jams(p *person) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.jammed = map[string]bool{}
	for _, b := range w.browsers {
		w.jammed[b.endpoint] = b.of == p
	}
}

// playsOn is that so many moves are made at a table, by those who are asked for them.
func (w *World) playsOn(e *evening, moves int) {
	for range moves {
		if turn := e.shadow.Turn(); turn != game.NoSeat {
			if p := w.guest(e.shadow.Sitter(turn).Guest); p != nil && slices.Contains(w.people, p) {
				p.plays(e)
			}
		}
		w.wait(time.Second)
	}
}

// plays is that somebody makes a move at a table where he is asked for one.
func (p *person) plays(e *evening) {
	g := p.at(e)
	if g == nil || g.seen[e.id].frame == nil {
		return
	}
	if v := g.seen[e.id]; len(v.list("moves")) > 0 {
		g.send(g.new(wire.Command{Do: "play", Table: e.id, Seat: v.text("you"), Seq: v.seq, Move: v.list("moves")[0]}))
	}
}

// spills is that some do not read when they have made a move, and others are answered meanwhile: what waits for each stays his.
func (w *World) spills(n int) {
	e := w.playing(rand.New(rand.NewPCG(w.story.Seed, uint64(n))))
	if e == nil || w.house.clock.stopped || e.unknown() {
		return
	}
	var slow []*page
	for range 3 + n%4 {
		turn := e.shadow.Turn()
		if turn == game.NoSeat {
			break
		}
		p := w.guest(e.shadow.Sitter(turn).Guest)
		if p == nil || !slices.Contains(w.people, p) || p.at(e) == nil {
			w.wait(time.Second)
			continue
		}
		if g := p.at(e); !g.stuck() { // one message fits, and what follows has to wait
			slow = append(slow, g)
			g.late, g.stalled = true, w.opened()
			g.cable.change(func() { g.cable.stuck, g.cable.room = true, 1 })
			g.send(g.new(wire.Command{Do: "ping"}))
			w.settle()
		}
		p.plays(e)
		w.wait(100 * time.Millisecond)
	}
	for _, g := range slow {
		if g.cable != nil {
			g.late, g.stalled = true, w.opened()
			g.cable.change(func() { g.cable.stuck, g.cable.room = false, window })
		}
	}
	w.settle()
}

// still is that nobody says anything for a while, some or all are gone, and the house is closed and opened meanwhile, or is not: what has been
// agreed to, or waits for its time, is done without anybody's help.
func (w *World) still(n int) {
	if w.house.clock.stopped {
		return
	}
	if n/2048%4 == 0 {
		w.absentHost(n / 8192)
	}
	if n/2048%4 == 1 {
		w.backAtHisTurn(n / 8192)
	}
	if n/512%4 > 0 {
		w.goesUnasked(n)
	} else if n%4 == 0 {
		w.cutAll()
	}
	if n%4 == 1 {
		for _, g := range w.people[n/8%len(names)].pages {
			g.cut()
		}
	}
	for range 1 + n/4%4 {
		w.wait([]time.Duration{35 * time.Second, 4 * time.Minute, 8 * time.Minute, 14 * time.Minute}[n/16%4])
		switch n / 64 % 4 {
		case 0:
			w.kill(n, 1)
			w.begin()
		case 1:
			w.end()
			w.begin()
		}
		w.checkUnfinished()
	}
}

// backAtHisTurn is that somebody whose turn it is comes back while a bot thinks about what to do for him, and the answer of the log is lost that he has. He moves himself.
func (w *World) backAtHisTurn(n int) {
	if w.story.Real || len(w.tables) > 8 || w.house.troubled() {
		return
	}
	setup := map[string]any{"game": "toy", "edition": "", "seats": 2, "sit": true, "awayTime": 30, "botTime": []int{1000, 1000}}
	e, all := w.gathers(w.people[n%len(names)], 2, setup, false)
	if e == nil {
		return
	}
	if g := all[0].at(e); g != nil {
		g.send(g.new(wire.Command{Do: "start", Table: e.id}))
	}
	w.wait(time.Second)
	turn := e.shadow.Turn()
	if e.shadow.State() != table.Running || turn > 1 {
		return
	}
	for _, g := range all[turn].pages {
		g.cut()
	}
	for range 400 {
		if w.wait(100 * time.Millisecond); e.shadow.Sitter(turn).Away {
			w.house.loses = 1
			all[turn].at(e)
			break
		}
	}
	w.wait(3 * time.Second)
	w.house.loses = 0
}

// goesUnasked is that a host wants a game to end, and all say yes who are asked, but for one, who goes and says nothing.
func (w *World) goesUnasked(n int) {
	e := w.playing(rand.New(rand.NewPCG(w.story.Seed, uint64(n))))
	if e == nil || e.unknown() || e.shadow.State() != table.Running {
		return
	}
	if host := w.guest(e.paper.host()); e.paper.asks == nil && host != nil && slices.Contains(w.people, host) {
		for _, s := range e.paper.seats {
			if p := w.guest(s.guest); p != nil && slices.Contains(w.people, p) {
				p.at(e)
			}
		}
		if g := host.at(e); g != nil {
			g.send(g.new(wire.Command{Do: company.ToBreak, Table: e.id}))
			w.wait(50 * time.Millisecond)
		}
	}
	q := e.paper.asks
	if q == nil {
		return
	}
	all := e.paper.allAsked().List()
	if q.do == company.ToSit { // whose seat it is has to say it himself
		all = slices.DeleteFunc(all, func(s game.Seat) bool { return s == q.seat })
	}
	for i, seat := range all {
		p := w.guest(e.paper.seats[seat].guest)
		if p == nil || !slices.Contains(w.people, p) {
			continue
		}
		if i == len(all)-1 {
			p.at(e)
			w.wait(time.Second)
			for _, g := range p.pages {
				g.cut()
			}
		} else if g := p.at(e); g != nil {
			g.send(g.new(wire.Command{Table: e.id, Do: "agree", Seq: q.seq}))
			w.wait(20 * time.Millisecond)
		}
	}
}
