package storm

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// What somebody looks up without sitting down to it: games that are over, his own, one that he has brought from his device, a table that
// sleeps. To read is not to own, so whoever reads wakes nobody; and what cannot be read is not said to be nowhere.

// A keepsake is a game that somebody played on his device, and has brought to the house.
type keepsake struct {
	of    *person
	id    wire.ID // "" while nobody has been told
	text  string
	there bool      // the log has it
	asked bool      // somebody has said that it is to be kept, since the log has not
	mayGo bool      // or that it is to go
	at    time.Time // when it was written
}

// reads are what fails of what somebody looks up.
var reads = []ailment{{"Tables", "", failed}, {"ForgetTable", "", failed}, {"ForgetTable", "", lost}, {"Names", "", failed}, {"Tables", "ForgetTable", failed}, {"Ended", "", failed}}

// ofDevice is a game of a device, as a page has it.
func ofDevice(n int) string {
	return fmt.Sprintf(`{"format":"caveau/1","game":"toy","players":["Xaver","first"],"deal":{"first":"A","numbers":[%d,60]},`+
		`"moves":["A show","B keep","A keep","B keep","A keep","B keep"],"table":{"device":true}}`, 30+n)
}

// keeps is that somebody brings a game, once more too, or has one deleted; or a program of his does. Nobody else can do that.
func (p *person) keeps(n int) {
	w := p.w
	if w.house.clock.stopped || w.story.Real {
		return
	}
	if his := p.programs(); len(his) > 0 && n%3 == 0 {
		p = his[0]
	}
	if n>>14%3 == 0 {
		w.misreports(p, n>>16)
	}
	var k *keepsake
	for _, o := range w.keepsakes {
		if o.of == p && (k == nil || n/3%2 == 0) {
			k = o
		}
	}
	switch {
	case k == nil, n/6%4 == 0 && len(w.keepsakes) < 6:
		k = &keepsake{of: p, text: ofDevice(len(w.keepsakes))}
		if i := slices.IndexFunc(w.keepsakes, func(o *keepsake) bool { return !w.brought(p, o.text) }); i >= 0 && n/96%4 > 0 {
			k.text = w.keepsakes[i].text // two have played at one device, and each brings the game
		}
		w.keepsakes = append(w.keepsakes, k)
		w.keep(k, n/24)
	case n/6%4 == 1:
		w.keep(k, n/24)
	case k.id != "":
		if i := slices.IndexFunc(w.keepsakes, func(o *keepsake) bool { return o.of == p && o.there }); i >= 0 && !k.there {
			k = w.keepsakes[i]
		}
		w.drop(k, n/24)
	}
}

// brought tells whether somebody has brought that game, or tried to.
func (w *World) brought(p *person, text string) bool {
	return slices.ContainsFunc(w.keepsakes, func(k *keepsake) bool { return k.of == p && k.text == text })
}

// keep is that somebody brings a game. It may be that it cannot be noted, and he says it again.
func (w *World) keep(k *keepsake, n int) {
	i, well := slices.Index(w.people, k.of), w.well()
	k.asked = true
	if well {
		w.house.fail, w.house.lose = []int{0, 1, 0}[n%3], []int{0, 0, 1}[n%3]
	}
	for range 2 {
		answer := w.ask(k.of, i, "POST", "/api/tables/played", k.text)
		id := wire.ID(between(answer, `"table":"`, `"`))
		ok := strings.HasPrefix(answer, "HTTP/1.1 200")
		w.spends(k.of, "games", answer, gamesAtOnce, gameFills)
		switch {
		case strings.Contains(answer, `"too_many"`):
			return
		case ok && (id == "" || k.id != "" && k.id != id):
			w.fail("%s brings a game of his device once more, and is told %s, where it was %s", k.of.name, answer, k.id)
		case ok && !w.keepsake(id).there && !w.sweptSince(id):
			w.fail("%s is told that his game is kept as %s, and the log does not have it", k.of.name, id)
		case ok:
			k.id = id
			return
		case well && n%3 == 0 && w.well():
			w.fail("nothing is wrong, and %s, who brings a game of his device, is answered %.200q", k.of.name, answer)
		}
		w.house.fail, w.house.lose = 0, 0
	}
}

// drop is that somebody has his game deleted: others cannot, and when he is told that it is gone it is.
func (w *World) drop(k *keepsake, n int) {
	other := w.people[n%len(names)]
	if other != k.of && n/4%3 == 0 && w.keepsake(k.id) == k {
		was := k.mayGo
		k.mayGo = false
		w.ask(other, n%len(names), "DELETE", "/api/tables/played/"+string(k.id), "")
		k.mayGo = was
	}
	k.mayGo = true
	if k.there { // nothing else has been wrong for a while
		w.wait(11 * time.Second)
		w.looksIn(k)
	}
	var open *cable
	if k.there && n/192%2 == 0 {
		open = w.beholds(k)
	}
	defer func() { w.vanishes(k, open) }()
	if w.well() {
		w.house.fail, w.house.lose, w.house.unread = []int{1, 1, 0, 0, 0}[n/12%5], []int{0, 0, 1, 0, 0}[n/12%5], []int{0, 0, 0, 1, 0}[n/12%5]
	}
	for range 2 {
		answer := w.ask(k.of, slices.Index(w.people, k.of), "DELETE", "/api/tables/played/"+string(k.id), "")
		w.house.fail, w.house.lose, w.house.unread = 0, 0, 0
		if strings.HasPrefix(answer, "HTTP/1.1 204") {
			if k.there {
				w.fail("%s is told that the game %s of his device is deleted, and the log has it", k.of.name, k.id)
			}
			w.looksIn(k)
			return
		}
		w.wait(2 * time.Second)
		if k.of.looksBack(); n/48%2 == 0 { // he finds it there, or it is gone; and tries again, or does not
			return
		}
	}
}

// looksIn is that somebody looks at the game that he has brought: it is there while the log has it, and then it is nowhere, though he has just looked.
func (w *World) looksIn(k *keepsake) {
	was := k.there
	answer := w.ask(k.of, slices.Index(w.people, k.of), "GET", "/api/tables/"+string(k.id), "")
	shown, nowhere := strings.HasPrefix(answer, "HTTP/1.1 200"), strings.HasPrefix(answer, "HTTP/1.1 404")
	if was == k.there && (shown && !was || nowhere && was) {
		w.fail("%s looks at the game %s of his device, which is in the log: %t, and is answered %.200q", k.of.name, k.id, was, answer)
	}
}

// keepsake is the game of a device that is kept by that name.
func (w *World) keepsake(id wire.ID) *keepsake {
	for _, k := range w.keepsakes {
		if k.id == id {
			return k
		}
	}
	return &keepsake{}
}

// checkKept: the log has one more game of a device, which somebody has brought.
func (w *World) checkKept(one writ, f *fact.Kept) {
	for _, k := range w.keepsakes {
		if k.of.guest != f.Guest.ID || !strings.Contains(string(f.Record), between(k.text, `"deal":`, `,"moves"`)) {
			continue
		}
		if k.there || !k.asked || one.entry.Seq != 1 || !one.entry.Over || k.id != "" && k.id != one.id {
			w.fail("%s has brought a game of his device, in the log: %t, and it is written as entry %d of %s", k.of.name, k.there, one.entry.Seq, one.id)
		}
		k.id, k.there, k.asked, k.at = one.id, true, false, time.Now()
		return
	}
	w.fail("nobody has brought the game %s that is kept: %s", one.id, one.entry.Data)
}

// checkDropped: such a game goes when its guest wants it, when he goes himself, or when its time has come; false if it is none.
func (w *World) checkDropped(id wire.ID) bool {
	k := w.keepsake(id)
	if k.of == nil {
		return false
	}
	if kept := time.Since(k.at); !k.mayGo && !w.everSet && kept < keepPlayed-time.Minute {
		w.fail("the game %s of a device is deleted, which %s wants to keep, after %v", id, k.of.name, kept)
	}
	k.there, k.mayGo = false, false
	return true
}

// sweptSince tells whether a game that was kept long ago may have been deleted in the meantime.
func (w *World) sweptSince(id wire.ID) bool {
	at := w.keepsake(id).at
	return !at.IsZero() && (w.everSet || time.Since(at) >= keepPlayed-time.Minute)
}

// mayForget: whoever is forgotten has no games any more; nor have his programs.
func (w *World) mayForget(p *person) {
	for _, k := range w.keepsakes {
		k.mayGo = k.mayGo || k.of == p || k.of.brings == p
	}
}

// forgot: he is forgotten, and what he had kept is gone.
func (w *World) forgot(p *person) {
	for _, k := range w.keepsakes {
		if k.there && k.of == p {
			w.fail("%s is forgotten, and the game %s that he had brought is there", p.name, k.id)
		}
	}
}

// tablesOf is what the house answers to somebody who asks for a list of his own.
func tablesOf[T any](w *World, p *person, path string) (all []T, ok bool) {
	if w.house.troubled() || w.since.IsZero() || w.opened()-w.smooth < time.Second {
		return nil, false
	}
	entries := w.Told.Entries
	answer := w.ask(p, slices.Index(w.people, p), "GET", path, "")
	if entries != w.Told.Entries || w.house.troubled() {
		return nil, false // something happened meanwhile
	}
	got, err := http.ReadResponse(bufio.NewReader(strings.NewReader(answer)), nil) // a long one comes in pieces
	if err != nil || got.StatusCode != http.StatusOK || json.NewDecoder(got.Body).Decode(&all) != nil {
		w.fail("%s asks for %s, and is answered %s", p.name, path, answer)
	}
	return all, true
}

// looksBack is that somebody looks at the list of his games that are over: there are those where he sat to the end, and those that he has brought,
// but for those that he has taken from it, and no others.
func (p *person) looksBack() {
	w := p.w
	played, ok := tablesOf[wire.Played](w, p, "/api/tables/played")
	if !ok {
		return
	}
	listed := func(id wire.ID) *wire.Played {
		for i := range played {
			if played[i].Table == id {
				return &played[i]
			}
		}
		return nil
	}
	for _, k := range w.keepsakes {
		if has := listed(k.id) != nil; k.id != "" && has != (k.there && k.of == p) {
			w.fail("%s looks up his games: %s has brought %s, which is in the log: %t; it is told: %t", p.name, k.of.name, k.id, k.there, has)
		}
	}
	for _, e := range w.tables {
		seat := e.paper.seatOf(p.guest)
		his := seat >= 0 && e.paper.dealt && !e.unknown() && e.shadow.State() == table.Over
		one := listed(e.id)
		if e.taken[p.guest] && his {
			continue // it is looked at when he takes it away
		}
		if his != (one != nil) {
			w.fail("%s looks up his games: that %s is one of them is %t, and it is told: %t", p.name, e.id, his, one != nil)
		}
		if his && (one.You != game.Seat(seat) || !same(wire.Message(one.Outcome), wire.Message(e.shadow.Outcome())) || one.Ended.Before(one.Made) || one.Ended.After(e.paper.at)) {
			w.fail("%s looks up the game %s, and is told %s; he sat on %s, and it ended as %s", p.name, e.id, wire.Message(one), game.Seat(seat), wire.Message(e.shadow.Outcome()))
		}
	}
	if !slices.IsSortedFunc(played, func(a, b wire.Played) int { return b.Made.Compare(a.Made) }) {
		w.fail("%s looks up his games, and the newest are not the first: %s", p.name, wire.Message(played))
	}
	p.looksOn(played)
}

// takesAway is that somebody takes a game from his list; it stays for all others.
func (p *person) takesAway(n int) {
	w, i := p.w, slices.Index(p.w.people, p)
	for at := range w.tables {
		e := w.tables[(at+n)%len(w.tables)]
		if e.unknown() || e.paper.seatOf(p.guest) < 0 || e.taken[p.guest] {
			continue
		}
		state := e.shadow.State()
		var answer string
		w.sayTwice(func() bool {
			answer = w.ask(p, i, "DELETE", "/api/tables/played/"+string(e.id), "")
			return strings.HasPrefix(answer, "HTTP/1.1 204")
		})
		took := strings.HasPrefix(answer, "HTTP/1.1 204")
		if state != table.Over && e.shadow.State() != table.Over {
			if took {
				w.fail("%s takes %s from his list, and it is not over: %.80q", p.name, e.id, answer)
			}
			return
		}
		e.taken[p.guest] = true
		if played, ok := tablesOf[wire.Played](w, p, "/api/tables/played"); ok && took && slices.ContainsFunc(played, func(o wire.Played) bool { return o.Table == e.id }) {
			w.fail("%s has taken %s from his list, and it is there", p.name, e.id)
		}
		return
	}
}

// asksAfter is that somebody asks what stands on the door of a table, how its game went, or what he should do: several at once, of which some cannot be
// told. A table that sleeps sleeps on, unless it is to be woken.
func (p *person) asksAfter(n int) {
	w, i := p.w, slices.Index(p.w.people, p)
	if len(w.tables) == 0 || w.house.clock.stopped {
		return
	}
	e := w.tables[n%len(w.tables)]
	if n/8%3 == 0 {
		w.cutAll()
		w.wait(3 * time.Minute)
	}
	well, owned, entries, somebody := w.well(), w.house.gate.owned(e.id), w.Told.Entries, w.somebodyAt(e) || e.touched.After(time.Now()) // or a stranger
	if well && n/24%3 == 0 {
		w.house.unread, w.reading = 1+n/72%2, true
	}
	path := "/api/tables/" + string(e.id)
	asks := func(more string) string { return w.ask(p, i, "GET", path+more, "") }
	var waits []*cable
	for range n / 144 % 3 {
		waits = append(waits, w.request(i, p.shows(), "GET", path, ""))
	}
	card := asks("")
	for _, c := range waits {
		if answer := w.answer(c); answer == "" && well {
			w.fail("of several who ask for table %s at once one has no answer", e.id)
		}
	}
	w.house.unread, w.reading = 0, false
	if strings.HasPrefix(card, "HTTP/1.1 404") && !e.unknown() {
		w.fail("%s asks for table %s, which is in the log, and is answered %.80q", p.name, e.id, card)
	}
	if sitter := w.sitter(e); sitter != nil && n/432%2 == 0 {
		before := w.house.gate.owned(e.id)
		sitter.rename(n / 864)
		owned += w.house.gate.owned(e.id) - before // its sign is to say so
	}
	if card = asks(""); !w.well() && w.house.troubled() || e.unknown() || entries != w.Told.Entries {
		return
	}
	if well && !strings.HasPrefix(card, "HTTP/1.1 200") {
		w.fail("%s asks for table %s, where nothing is wrong, and is answered %.200q", p.name, e.id, card)
	}
	if well && w.well() {
		w.checkNamed(e, card)
	}
	if advice := asks("/advice"); entries == w.Told.Entries {
		p.checkAdvice(e, advice, well)
	}
	due, err := w.log.Due(w.house.ctx, w.house.clock.Now().Add(pulse))
	if woken := w.house.gate.owned(e.id) - owned; err == nil && !slices.Contains(due, e.id) && woken > 0 && !somebody && !w.somebodyAt(e) && !w.everSet {
		w.fail("%s asks after table %s, which sleeps, and it is woken", p.name, e.id)
	}
}

// sitter is somebody who sits at a table, nil for nobody.
func (w *World) sitter(e *evening) *person {
	for _, p := range w.people {
		if p.brings == nil && p.guest != "" && e.paper.seatOf(p.guest) >= 0 {
			return p
		}
	}
	return nil
}

// checkNamed: whoever asks for a table is told what people are called now.
func (w *World) checkNamed(e *evening, answer string) {
	w.callByName(e)
	var told wire.Card
	_, body, _ := strings.Cut(answer, "\r\n\r\n")
	if err := json.Unmarshal([]byte(body), &told); err != nil {
		w.fail("table %s is asked for, and the answer cannot be read: %v: %.200q", e.id, err, answer)
		return
	}
	names := func(c wire.Card) (all []string) {
		for _, s := range c.Seats {
			all = append(all, s.Name)
		}
		return append(all, c.Host)
	}
	if is, want := names(told), names(e.shadow.Card(e.id, table.Present{})); !slices.Equal(is, want) {
		w.fail("table %s is asked for, and people are called %q there; the log says %q", e.id, is, want)
	}
}

// somebodyAt tells whether a page is at a table, or wants to be.
func (w *World) somebodyAt(e *evening) (at bool) {
	w.eachPage(func(g *page) {
		if v := g.seen[e.id]; g.cable != nil && v != nil && (v.asked || v.watching) {
			at = true
		}
	})
	return at
}

// checkAdvice: whoever is asked for a move is advised one that he has, and nobody else is.
func (p *person) checkAdvice(e *evening, answer string, well bool) {
	w, turn := p.w, e.shadow.Turn()
	var moves []string
	s := e.paper.seatOf(p.guest)
	asked := s >= 0 && turn == game.Seat(s) && !e.paper.seats[s].left && e.shadow.State() == table.Running
	if asked {
		moves = e.shadow.Seen(turn).Moves
	}
	switch told := strings.HasPrefix(answer, "HTTP/1.1 200"); {
	case told && !slices.Contains(moves, between(answer, `"move":"`, `"`)):
		w.fail("table %s: %s is advised %s, and could say %q", e.id, p.name, answer, moves)
	case !told && asked && well && w.well() && !w.story.Real:
		w.fail("table %s: %s is asked for a move, and whoever could advise him answers %.200q", e.id, p.name, answer)
	}
}
