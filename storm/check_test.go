package storm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"caveau/catalog"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/limit"
	"caveau/lobby"
	"caveau/record"
	"caveau/slots"
	"caveau/table"
	"caveau/wire"
)

// What is right, whatever happens:
//
//   - what was acknowledged is in the log, once, and in the name of whoever said it;
//   - nobody is told what is not in the log, and every page is told of every entry, of what it missed and of nothing else;
//   - nobody who is there is taken for away, and nobody too early;
//   - what all have to agree to is done when all have;
//   - bots say what they say, and take their time;
//   - no clock is given time, and none is taken any;
//   - a table that waits for the house goes on by itself, when what went wrong is over;
//   - what a page knows in the end is what follows from the log;
//   - when all have gone nothing of them is left in the house.

var realShelf slots.Shelf = catalog.House

// checkEntry: an entry was written.
func (w *World) checkEntry(one writ) {
	w.Told.Entries++
	f, by, _, err := fact.Read(one.entry.Data)
	if err != nil {
		w.fail("entry %d of %s cannot be read: %v", one.entry.Seq, one.id, err)
	}
	if kept, is := f.(*fact.Kept); is {
		w.checkKept(one, kept)
		return
	}
	e := w.evening(one.id)
	if e == nil {
		e = w.newEvening(one.id)
		e.made = w.opened()
	}
	if by.ID != "" {
		w.checkReceipt(one, by)
	}
	before := *e.paper
	before.seats = slices.Clone(before.seats)
	w.may(e, f, by)
	w.checkStall(e, f, by)
	w.checkFact(e, f, by, one.entry.At)
	w.write(e, f, one.entry)
	w.checkPaper(e)
	w.checkTold(e, f, before)
	w.checkWhispers(e, f)
	e.noteSeats(w.people)
	e.written, e.at = w.opened(), time.Now()
	if n := len(w.closed); n > 0 && !w.everSet && one.entry.At.Before(w.closed[n-1].to) {
		e.at = one.entry.At // the process was stopped between the two: a table is as old as it says itself
	}
	if e.paper.dealt && !before.dealt {
		e.dealt, e.begun, e.behind = len(e.log), w.opened(), time.Second+30*w.took
	}
	if _, moved := e.shadow.Reached(); moved != e.moved {
		// A clock begins when a move is decided, and a slow disk makes the next one's time shorter.
		e.moved, e.left, e.ran, e.reached = moved, nil, w.opened()-w.took, w.opened()
	}
}

// write writes down what the log has.
func (w *World) write(e *evening, f fact.Any, entry fact.Entry) {
	e.log = append(e.log, entry)
	if err := e.shadow.Replay(entry); err != nil {
		w.fail("table %s: what is written does not follow from the log: %v", e.id, err)
	}
	e.paper.note(f, entry.Seq, entry.At, w.opened())
	if q := e.paper.asks; q != nil && q.seq == entry.Seq { // it was decided before the disk took it
		q.at -= w.took
	}
	e.sittings = append(e.sittings, slices.Clone(e.paper.seats))
	if _, by, _, _ := fact.Read(entry.Data); by.ID != "" {
		e.paper.changes[by.Guest]++
	}
	e.paper.time(f, e.shadow.Turn())
}

// checkDeleted: a table is deleted when it has been over for as long as it is kept.
func (w *World) checkDeleted(id wire.ID) {
	w.note("deleted %s", id)
	if w.checkDropped(id) {
		return
	}
	e := w.evening(id)
	if e == nil || e.shadow.State() != table.Over {
		w.fail("table %s is deleted, and it is not over", id)
	}
	if kept := time.Since(e.at); !w.everSet && kept < keepPlayed-time.Minute {
		w.fail("table %s is deleted, and has been over for %v", id, kept)
	}
	for _, p := range w.people {
		if p.here(id) {
			w.fail("table %s is deleted, and %s looks at it", id, p.name)
		}
	}
	e.deleted = true
}

// checkAllDeleted: in the end nothing is left of what was played, unless the clock was set, so that nobody knows how long ago that is. What
// is not deleted at once is tried again, and meanwhile it is there for whoever looks. While somebody has one of them open, the oldest perhaps,
// it stays, and no other for its sake.
func (w *World) checkAllDeleted() {
	if w.everSet {
		return
	}
	if n := int(w.story.Seed % 6); n < 3 {
		w.house.fail = n
	} else {
		w.house.lose = n - 3
	}
	if w.story.Seed%4 == 1 {
		w.house.gate.ails(ailment{what: "Finished", fate: failed})
	}
	g, kept := w.staysAtTheOldest()
	for i := range 8 {
		w.wait(47 * time.Minute)
		for _, e := range w.tables[:min(len(w.tables), 3)] {
			if answer := w.ask(w.people[0], 0, "GET", "/api/tables/"+string(e.id), ""); !e.newer && strings.HasPrefix(answer, "HTTP/1.1 200") == e.deleted {
				w.fail("whoever asks for table %s is answered %.80q, and its being deleted is %t", e.id, answer, e.deleted)
			}
		}
		if w.heal(); i == 5 && kept != nil {
			for _, e := range w.tables {
				if e != kept && !e.unknown() {
					w.fail("table %s has been over for hours, and is still there while %s looks at %s", e.id, g.p.name, kept.id)
				}
			}
			g.cut()
			w.house.fail, w.house.lose = 0, 0 // else it may be that one alone that is not deleted at once, for an hour
		}
	}
	for _, e := range w.tables {
		if !e.unknown() {
			w.fail("table %s has been over for hours, and is still there", e.id)
		}
	}
	for _, k := range w.keepsakes {
		if k.there {
			w.fail("the game %s of a device has been there for hours, and is still", k.id)
		}
	}
}

// staysAtTheOldest is that somebody opens the game that has been over for longest, on some evenings, and leaves it open.
func (w *World) staysAtTheOldest() (g *page, kept *evening) {
	if w.story.Seed%3 != 1 {
		return nil, nil
	}
	for _, e := range w.tables {
		if !e.unknown() && e.shadow.Watchable() == nil && (kept == nil || e.at.Before(kept.at)) {
			kept = e
		}
	}
	if kept != nil {
		g = w.people[0].pages[0]
		g.order = []wire.ID{kept.id}
		g.dial()
	}
	return g, kept
}

// checkReceipt: a command is done at most once, and in nobody else's name.
func (w *World) checkReceipt(one writ, by fact.Receipt) {
	var s *said
	if who := w.guest(by.Guest); who != nil {
		s = who.saidAs(by.ID)
	}
	switch {
	case s == nil:
		w.fail("table %s, entry %d: %s has not said %q", one.id, one.entry.Seq, by.Guest, by.ID)
	case s.command != by.Command || s.command.Table != one.id:
		w.fail("table %s, entry %d: %+v was said, %+v is done", one.id, one.entry.Seq, s.command, by.Command)
	case !w.everSet && s.command.Do != "rematch" && s.at > w.resumed && w.opened()-s.who.talked > time.Minute && one.entry.At.Sub(s.said) > patience+time.Second:
		w.fail("table %s, entry %d: %+v was said %v before, and nobody waits for it any more", one.id, one.entry.Seq, s.command, one.entry.At.Sub(s.said))
	case s.command.Do == "phrase":
		w.fail("table %s, entry %d: a phrase is kept", one.id, one.entry.Seq)
	case s.entries > 0:
		w.fail("table %s, entry %d: %s has done twice what he said as %s", one.id, one.entry.Seq, s.who.name, by.ID)
	}
	s.entries = one.entry.Seq
}

// checkFact: what the house does by itself, it does when it may.
func (w *World) checkFact(e *evening, f fact.Any, by fact.Receipt, at time.Time) {
	w.checkNotMissed(e, f, by)
	switch f := f.(type) {
	case *fact.Missed:
		if e.overDays() {
			w.fail("table %s: %s is taken for away, and has days for a move, wherever he is", e.id, f.Seat)
		}
		if p := w.guest(e.shadow.Sitter(f.Seat).Guest); p != nil && p.here(e.id) {
			w.fail("table %s: %s is there, and taken for away", e.id, p.name)
		} else if gone := w.opened() - max(e.paper.seats[f.Seat].sat, w.lastHere(p, e.id)); p != nil && !w.set && gone < e.shadow.Away()-time.Second {
			w.fail("table %s: %s is taken for away after %v, and may be away for %v", e.id, p.name, gone, e.shadow.Away())
		}
	case *fact.Hosted:
		if p := w.guest(e.shadow.Host()); p != nil && p.here(e.id) {
			w.fail("table %s: its host %s is there, and another one stands in for him", e.id, p.name)
		} else if gone := w.opened() - w.lastHere(p, e.id); p != nil && !w.set && gone < e.patience()-time.Second {
			w.fail("table %s: another one stands in for its host %s after %v, and he may be away for %v", e.id, p.name, gone, e.patience())
		}
	case *fact.Proposed:
		e.wants, e.agreed, e.asks = f.Guest.ID, 0, len(e.log)+1
	case *fact.Agreed:
		e.agreed = e.agreed.With(f.Seat)
		w.checkAnswer(e, by)
	case *fact.Declined:
		w.checkAnswer(e, by)
	case *fact.Called:
		e.called = w.opened() - w.took
	case *fact.Anew:
		if had := w.opened() - e.called; !w.set && had < 4*time.Second {
			w.fail("table %s: somebody has not opened his number within %v, and has five seconds for it", e.id, had)
		}
	case *fact.Again:
		w.checkRematch(e, f.Next, by.Guest)
	case *fact.Broke:
		w.checkConsent(e, e.wants, f.Guest.ID)
	case *fact.Freed:
		if about := e.shadow.Sitter(f.Seat).Guest; f.All && !f.Ruled && !wire.IsProgram(about) { // of a program nobody is asked
			w.checkConsent(e, cmp.Or(by.Guest, e.wants), about) // he may say it when nobody is there to be asked
		}
	case *fact.Moved:
		w.checkMove(e, f, by, at)
	}
}

// lastHere is how long the house had been open when somebody was last at a table; 0 for never.
func (w *World) lastHere(p *person, id wire.ID) time.Duration {
	if p == nil {
		return 0
	}
	return p.lastHere[id]
}

// checkAnswer: an answer is to the question that is asked.
func (w *World) checkAnswer(e *evening, by fact.Receipt) {
	if by.ID != "" && by.Seq != e.asks {
		w.fail("table %s: %s answers question %d, and it counts for question %d", e.id, by.ID, by.Seq, e.asks)
	}
}

// checkRematch: at the table for another game sit those who sat here, but for who had left; whoever asks for it is its host, or asked before when no more
// than the table could be written.
func (w *World) checkRematch(e *evening, next wire.ID, asked string) {
	again := w.evening(next)
	if again == nil || len(again.log) == 0 {
		w.fail("table %s: the next game is at %s, which the log does not have", e.id, next)
	}
	before := func(s *said) bool {
		return s.command.Do == "rematch" && s.command.Table == e.id && s.tryAgain()
	}
	if host := w.guest(again.paper.founder); host != nil && slices.ContainsFunc(host.all, before) {
		asked = host.guest
	}
	seats := slices.Clone(e.paper.seats)
	for i, s := range seats {
		if s.left && s.guest != asked {
			seats[i] = place{}
		}
	}
	w.checkMade(again, asked, seats)
	w.checkFirst(e, again)
	w.checkSetup(e, again)
	w.checkOrphans(e, again)
}

// checkOrphans: who asks again for another game, whose link could not be written, is led to the table that was founded for it, and no second one is left behind.
func (w *World) checkOrphans(e, again *evening) {
	led := map[wire.ID]bool{again.id: true}
	for _, o := range w.tables {
		led[o.paper.next] = true
	}
	made := func(o *evening, from, to string) string { return between(string(o.log[0].Data), from, to) }
	setup, all := made(again, `"setup":`, `"host"`), made(again, `"chairs":`, `"secret"`)
	if strings.Count(all, `"id":"`)-strings.Count(all, `"id":""`) < 2 { // whoever makes a table sits there alone
		return
	}
	before := w.founded[again.id] - time.Second - 3*w.latency // those of the same people may begin anew at two tables at once
	for _, o := range w.tables {
		if at := w.founded[o.id]; !led[o.id] && at > max(w.begun, e.loaded) && at < before && made(o, `"setup":`, `"host"`) == setup && made(o, `"chairs":`, `"secret"`) == all {
			w.fail("table %s: another game is at %s, and %s was founded for it before", e.id, again.id, o.id)
		}
	}
}

// checkFirst: whoever sat behind him who began begins the next game, whoever has chosen or dealt that; and what began with a position does so again.
func (w *World) checkFirst(e, again *evening) {
	i := slices.IndexFunc(e.log, func(one fact.Entry) bool { return strings.Contains(string(one.Data), `{"kind":"start"`) })
	if i < 0 || w.story.Real {
		return
	}
	if e.paper.moved {
		is, was := between(string(again.log[0].Data), `"imported":`, `"seeds"`), between(string(e.log[0].Data), `"imported":`, `"seeds"`)
		if is != was {
			w.fail("table %s began with the position %s, and the next one, %s, does with %s", e.id, was, again.id, is)
		}
		return
	}
	began := between(string(e.log[i].Data), `"first":"`, `"`)
	want := game.Seat((int(began[0]-'A') + 1) % len(e.paper.seats)).String()
	if is := between(string(again.log[0].Data), `"first":"`, `"`); is != want {
		w.fail("table %s: %s began, and at the next game, %s, begins %q", e.id, began, again.id, is)
	}
}

// checkMade: a table has that host, and those sit there from the first.
func (w *World) checkMade(e *evening, host string, seats []place) {
	f, _, _, err := fact.Read(e.log[0].Data)
	made, is := f.(*fact.Made)
	if err != nil || !is || made.Host.ID != host || len(made.Chairs) != len(seats) {
		w.fail("table %s is not as it was to be made: %s", e.id, e.log[0].Data)
	}
	for i, c := range made.Chairs {
		if c.Guest.ID != seats[i].guest || c.Bot != seats[i].bot {
			w.fail("table %s was made with %s on %s, and %+v was to sit there", e.id, wire.Message(c), game.Seat(i), seats[i])
		}
	}
}

// checkConsent: what all have to agree to is done when everybody has who is there, but for whoever wants it and for whom it is about.
func (w *World) checkConsent(e *evening, wants, about string) {
	for s := range game.Seat(e.shadow.Seats()) {
		who := e.shadow.Sitter(s)
		if p := w.guest(who.Guest); p != nil && p.brings == nil && !who.Left && p.here(e.id) && p.guest != about && p.guest != wants && !e.agreed.Has(s) {
			w.fail("table %s: something is done that all have to agree to, and %s has not", e.id, p.name)
		}
	}
}

// checkMove: a seat is played by whose it is, by a bot where there is a bot, and by the clock when the time is up.
func (w *World) checkMove(e *evening, f *fact.Moved, by fact.Receipt, at time.Time) {
	who := e.shadow.Sitter(f.Seat)
	switch {
	case f.Seat != e.shadow.Turn():
		w.fail("table %s: seat %s moves, and %s is asked", e.id, f.Seat, e.shadow.Turn())
	case f.By == fact.ByBot && who.Bot == "":
		w.fail("table %s: a bot moves for %s, who plays himself", e.id, f.Seat)
	case f.By == fact.ByBot && !w.wouldSay(e, who.Bot, f.Words), f.By == fact.ByClock && !w.wouldSay(e, e.shadow.Standin(), f.Words):
		w.fail("table %s: %q is moved for %s, and that is not what its bot says", e.id, f.Words, f.Seat)
	case f.By == fact.ByBot && w.hurries(e, at):
		w.fail("table %s: the bot on %s moves before anybody could follow", e.id, f.Seat)
	case f.By == fact.ByPerson && by.Guest != who.Guest:
		w.fail("table %s: %s moves for %s, which is not his seat", e.id, by.Guest, f.Seat)
	case f.By == fact.ByPerson && (by.Seq < e.paper.posed || by.Seq > len(e.log)):
		w.fail("table %s: the move %s was for frame %d, and the position is that of entry %d", e.id, by.ID, by.Seq, e.paper.posed)
	case f.By == fact.ByPerson && who.Left: // who is away, and moves, is back
		w.fail("table %s: somebody moves for %s, who has left", e.id, f.Seat)
	case f.By == fact.ByClock:
		if _, limit := e.shadow.Clock(); w.spent(e, e.paper.clock, at) < limit && !w.amid(at) {
			w.fail("table %s: the time of %s is said to be up, after %v of %v", e.id, f.Seat, w.spent(e, e.paper.clock, at), limit)
		} else if had := w.opened() - e.ran; !w.set && !e.elsewhere[e.moved] && had < limit-time.Second {
			w.fail("table %s: the time of %s is said to be up, after %v of %v in which the house was open", e.id, f.Seat, had, limit)
		} else if had = w.opened() - max(e.reached, e.paper.seats[f.Seat].sat); !w.set && had > limit+time.Duration(1+w.breaks)*gift && had < w.opened()-w.smooth {
			w.fail("table %s: the time of %s is said to be up after %v, and it was after %v", e.id, f.Seat, had, limit)
		}
	}
}

// wouldSay tells whether a bot says that now: it knows what its seat knows, and answers the same whenever it is asked the same. Of one that
// does not behave nobody knows.
func (w *World) wouldSay(e *evening, name, words string) bool {
	if !behaves(e.shadow.Game(), name) {
		return true
	}
	return w.says(e, name) == words
}

// says is what a bot says at a table that asks it.
func (w *World) says(e *evening, name string) string {
	seen := e.shadow.Seen(e.shadow.Turn())
	switch name { // without their thinking
	case "pensive":
		return seen.Moves[0]
	case "brooding":
		return seen.Moves[len(seen.Moves)-1]
	}
	bot, known := w.shelf().Bot(e.shadow.Game(), name)
	if !known {
		w.fail("table %s: nobody is called %q", e.id, name)
	}
	return bot.Move(w.house.ctx, seen)
}

// hurries tells whether a bot takes less time than it has at the least, while somebody looks. How much that is follows from chance that
// nobody knows here, so it is tried with other chance.
func (w *World) hurries(e *evening, at time.Time) bool {
	least, most := time.Hour, time.Duration(0)
	for i := range byte(64) {
		pause := e.shadow.BotTime(fair.Bits{i})
		least, most = min(least, pause), max(most, pause)
	}
	reached, _ := e.shadow.Reached()
	somebody := w.present(e) != table.Present{}
	return somebody && !w.set && !e.elsewhere[len(e.log)+1] && at.Sub(reached) < least-(most-least)/8
}

func behaves(game, bot string) bool {
	return game == twin || !slices.Contains([]string{"mad", "frail", "slow", "lost"}, bot)
}

func (w *World) guest(id string) *person {
	for _, p := range slices.Concat(w.people, w.gone) {
		if id != "" && p.guest == id {
			return p
		}
	}
	return nil
}

// here tells whether a page of his watches the table, as the house has told it.
func (p *person) here(id wire.ID) bool {
	for _, g := range p.pages {
		if g.watches(id) {
			return true
		}
	}
	return false
}

func (g *page) watches(id wire.ID) bool {
	v := g.seen[id]
	return g.cable != nil && g.life == g.p.w.life && v != nil && v.watching
}

// A message is what a page is told.
type message struct {
	text []byte

	Re    string
	OK    bool
	Seq   int
	Error *wire.Error
	Table wire.ID // that it is about
	Frame map[string]json.RawMessage
	Lobby []json.RawMessage // the door signs; nil for none of that

	Phrase json.RawMessage // that somebody says
}

func (g *page) read(text []byte) (m message) {
	if err := json.Unmarshal(text, &m); err != nil {
		g.p.w.fail("%s is told what is no JSON: %s", g.label, text)
	}
	if s := g.p.saidAs(m.Re); s != nil {
		m.Table = s.command.Table
	}
	m.text = text
	return m
}

// told: a page is told something.
func (g *page) told(m message) {
	switch {
	case m.Re != "":
		g.answered(m.Re, m.OK, m.Seq, m.Error)
	case m.Frame != nil:
		g.framed(m.Table, m.Frame)
	case m.Lobby != nil:
		switch {
		case !g.looks:
			g.p.w.fail("%s does not look at the lobby, and is told of it: %s", g.label, m.text)
		case bytes.Equal(m.text, g.listed):
			g.p.w.fail("%s is told once more how the lobby looks, and nothing there is another: %s", g.label, m.text)
		}
		g.signs, g.listed = m.Lobby, slices.Clone(m.text)
	case m.Phrase != nil:
		g.phrased(m)
	case m.Error != nil:
		g.p.w.fail("%s is told %s, for nothing that he said", g.label, m.text)
	}
}

// answered: a command was done, and is in the log; or it was not.
func (g *page) answered(re string, ok bool, seq int, refused *wire.Error) {
	w := g.p.w
	s := g.p.saidAs(re)
	if s == nil {
		w.fail("%s is answered %q, which he did not say", g.label, re)
	}
	if first := slices.IndexFunc(g.waits, func(o waiting) bool { return o.said.command.Do == "ping" }); s.command.Do == "ping" && s.times == 1 && (first < 0 || g.waits[first].said != s) {
		w.fail("%s is answered %q, twice or not in its turn", g.label, re)
	}
	g.waits = slices.DeleteFunc(g.waits, func(w waiting) bool { return w.said == s })
	v := g.seen[s.command.Table]
	if e := w.evening(s.command.Table); s.command.Do == "watch" && ok && e != nil && e.paper.shut && !e.elsewhere[len(e.log)] && w.well() && !g.late {
		w.fail("%s looks at table %s, which was closed", g.label, e.id)
	}
	if s.command.Do == "watch" && v != nil {
		v.watching, v.asked = ok || v.watching && refused.Code == wire.CodeBusy, false // who watched already watches on
		if ok {
			v.frame, v.had, v.came = nil, s.command.Seq, w.looks // the next one is whole
		}
	}
	if s.ok, s.refused = s.ok || ok, ""; !ok {
		s.refused = refused.Code
	}
	if lobby := s.command.Do == "lobby"; ok && (lobby || s.command.Do == "unlobby") {
		g.looks, g.listed = lobby, nil
	}
	if v != nil {
		v.refused = s.refused == wire.CodeLate
	}
	switch {
	case g.late:
	case s.command.Do == "phrase":
		g.checkPhrase(s, refused)
	case !ok:
		w.checkRefusal(s, refused)
	}
	if !ok || !s.lasts() {
		return
	}
	e := w.evening(s.command.Table)
	if s.entries == 0 && !g.late {
		w.checkNeedless(s, e)
	}
	switch {
	case seq > len(e.log):
		w.fail("%s is told that entry %d is kept, and the log has %d", g.label, seq, len(e.log))
	case s.command.Do == "play" && s.entries == 0:
		w.fail("%s is told that his move %s is made, and it is not in the log", g.label, re)
	case s.entries > seq:
		w.fail("%s is told that %s is in entry %d, and it is in entry %d", g.label, re, seq, s.entries)
	}
}

// checkRefusal: a table that refuses something knows all that is written.
func (w *World) checkRefusal(s *said, refused *wire.Error) {
	e := w.evening(s.command.Table)
	calm := !w.house.troubled() && !w.since.IsZero() && w.opened()-w.smooth > 30*time.Second
	switch {
	case e == nil || e.unknown():
		return
	case s.command.Do == "rematch" && refused.Code != wire.CodeBusy && refused.Code != wire.CodeStorage && refused.Code != wire.CodeTooMany && refused.Code != wire.CodeGone:
		w.checkAgain(e, s, refused)
	}
	switch {
	case refused.Code == wire.CodeNoTable:
		w.fail("table %s: %s is told that there is none, and it is in the log", e.id, s.who.name)
	case refused.Code == wire.CodeGone && e.shadow.Watchable() == nil:
		w.fail("table %s: %s is told that it was closed, and it is %s", e.id, s.who.name, e.shadow.State())
	case calm && (refused.Code == wire.CodeStorage || refused.Code == wire.CodeBusy && s.command.Do == "watch"):
		w.fail("table %s: nothing is wrong, and %+v is refused: %v", e.id, s.command, refused)
	}
	v := verdict{against: "nothing is known of that"}
	if s.lasts() && s.command.Do != "rematch" && refused.Code != wire.CodeGone {
		v = w.judge(e, s)
	}
	switch refused.Code {
	case wire.CodeTooMany:
		if s.command.Do != "rematch" && e.paper.changes[s.who.guest] < changesAtOnce {
			w.fail("table %s: %s has changed %d things there, and is told that he changes too much", e.id, s.who.name, e.paper.changes[s.who.guest])
		}
		return
	case wire.CodeStorage:
		return
	case wire.CodeBusy:
		if calm && v.against == "" {
			w.fail("table %s: %+v is refused: %v; nothing is wrong, and the table has nothing else to do", e.id, s.command, refused)
		}
		return
	}
	if v.against == "" {
		w.fail("table %s: %+v is refused: %v; nothing speaks against it, and that it is so already is %t", e.id, s.command, refused, v.so)
	}
	if s.entries > 0 && s.command.Do != "rematch" {
		w.fail("table %s: %+v is entry %d, and %s, who says it again, is refused: %v", e.id, s.command, s.entries, s.who.name, refused)
	}
	var codes []string
	for _, d := range w.decided(e, s) {
		if d.err != nil {
			codes = append(codes, wire.AsError(d.err).Code)
		}
	}
	if s.lasts() && !slices.Contains(codes, refused.Code) {
		w.fail("table %s: %+v is refused with %q, and by what is written it is: %q", e.id, s.command, refused.Code, codes)
	}
}

// checkNeedless: what made no entry, and is said to be done, was so before.
func (w *World) checkNeedless(s *said, e *evening) {
	if e == nil || e.unknown() {
		return
	}
	if q, seat := e.paper.asks, e.paper.seatOf(s.who.guest); q != nil && q.do == s.command.Do && q.seat.String() == s.command.Seat && q.at < s.at && q.by != s.who.guest && seat != int(q.seat) {
		w.fail("table %s: %s is told that %+v is done, and that is what somebody else asks for", e.id, s.who.name, s.command)
	}
	if v := w.judge(e, s); s.command.Do != "rematch" && !v.so {
		w.fail("table %s: %s is told that %+v is done, and it is not; what speaks against it: %q", e.id, s.who.name, s.command, v.against)
	}
	if all := w.decided(e, s); !slices.ContainsFunc(all, func(d decided) bool { return d.err == nil && !d.new }) {
		w.fail("table %s: %s is told that %+v is done, and it is not: %v", e.id, s.who.name, s.command, all)
	}
}

// A decided is what follows from a command: something, nothing, or an error.
type decided struct {
	new bool
	err error
}

// decided is what may follow from a command, whoever was there a moment ago.
func (w *World) decided(e *evening, s *said) (all []decided) {
	who := wire.Guest{ID: s.who.guest}
	if s.command.Do == "rematch" {
		f, err := e.shadow.Rematch(who)
		return []decided{{f != nil, err}}
	}
	present := w.present(e).Seats
	may := []game.Seats{present, 0, 1<<game.MaxSeats - 1}
	if about, err := game.ParseSeat(s.command.Seat); err == nil {
		may = append(may, present.With(about), game.Seats(0).With(about)) // he alone
	}
	for _, here := range may {
		d, err := e.shadow.Decide(s.command, who, here)
		all = append(all, decided{d != nil, err})
	}
	return all
}

// soon is within what time, of that in which the house is open and the log takes what it is given, everybody is told and answered: what may
// have come before has been tried again by then.
const soon = 2 * time.Minute

// checkPages: every page that reads is told of every entry and is answered, and one that does not read is hung up on.
func (w *World) checkPages() {
	if w.house.troubled() {
		w.smooth = w.opened()
	}
	if open := !w.since.IsZero() && len(w.room) >= len(names); open && w.opened()-w.smooth > 5*time.Second {
		w.checkQuiet()
		w.checkClosed()
		w.checkBots()
		w.checkCalled()
		w.checkBegun()
		w.checkLate()
		w.checkCries()
		w.checkRetries()
	}
	w.checkOwed()
	if w.opened()-w.smooth < soon {
		return
	}
	for _, p := range w.people {
		for _, g := range p.pages {
			w.checkPage(g, w.opened()-soon)
		}
	}
}

// checkQuiet: where nothing has happened for a moment, everybody has been told how it stands. Of what is played that is looked at all the
// while; this is about who is there, and the lobby.
func (w *World) checkQuiet() {
	for _, p := range w.people {
		for _, g := range p.pages {
			if g.cable != nil && (g.late || g.stuck()) {
				w.blind = w.opened() // nobody knows what it will find that it was told
				return
			}
		}
	}
	if w.opened()-w.blind < 5*time.Second || w.opened() < w.untold {
		for _, e := range w.tables { // who goes and comes back meanwhile has gone
			e.calm = calm{}
		}
		return
	}
	quiet := true
	for _, e := range w.tables {
		if now := (calm{w.present(e), len(e.log), w.renames, e.visits.life}); now != e.calm || e.paper.was[w.erasing] != "" {
			e.calm, e.since, e.seen = now, w.opened(), false
		}
		if w.opened()-e.since < time.Second {
			quiet, w.listed = false, false
		} else if !e.seen {
			e.seen = true
			w.callByName(e)
			w.checkWhatIsSeen(e)
		}
	}
	if quiet && !w.listed {
		w.listed = true
		w.checkCounts()
		w.checkLobby(func(g *page) bool { return g.looks && g.cable != nil && !g.late && !g.stuck() })
	}
}

// checkCounts: the house knows how many tables there are that are not over, those too that it could not read.
func (w *World) checkCounts() {
	count, least, most := w.house.gate.loading(), 0, 0
	for state, n := range w.house.lobby.Counts().Tables {
		if state != table.Over {
			count += n
		}
	}
	for _, e := range w.tables {
		switch over := !e.newer && e.shadow.State() == table.Over; {
		case over && !e.deleted && e.elsewhere[len(e.log)]: // another process has ended it, and this one may not have read that
			most++
			continue
		case over, e.deleted:
			continue
		}
		if most++; e.found == w.life || e.visits.life == w.life {
			least++
		}
	}
	w.checkAsleep()
	if count < least || count-w.house.gate.loading() > most {
		w.fail("the house counts %d tables that are not over, and there are %d to %d: %v", count, least, most, w.house.lobby.Counts().Tables)
	}
}

// checkAsleep: the house has what it has made, and what it has let go the log knows to rest, or else the next house would wake it.
func (w *World) checkAsleep() {
	if !w.well() || w.house.closing || w.unread() > 0 {
		return
	}
	asleep, awake := w.house.lobby.Counts().Tables[lobby.Resting], 0
	var all []wire.ID
	for _, e := range w.tables {
		if e.deleted || e.shadow.State() == table.Over {
			continue
		}
		if e.found != w.life && e.loaded == 0 && e.made > w.smooth+10*time.Second { // this process has made it, and nothing has been wrong since
			w.fail("table %s was made, and nobody has it", e.id)
		}
		rest, rests, err := w.log.Resting(w.house.ctx, e.id)
		if last := w.rests(e.id); err == nil && rests && last != len(e.log) {
			w.fail("table %s rests by the log after entry %d, and it was noted last that it does after entry %d", e.id, len(e.log), last)
		}
		if all = append(all, e.id); e.visits.life == w.life && (err != nil || !rests || rest.Seq != len(e.log)) { // else it could not be read, and is lost until somebody comes
			awake++
		}
	}
	if asleep+awake > len(all) {
		w.fail("of %d tables %d are asleep, and of %d the log does not know that they are: %v", len(all), asleep, awake, all)
	}
}

// checkUnfinished: whoever runs the house is shown all tables that are not over, those too that sleep.
func (w *World) checkUnfinished() {
	if !w.well() || w.house.clock.stopped {
		return
	}
	least, most := 0, 0
	for _, e := range w.tables {
		switch {
		case e.deleted:
		case e.unknown():
			most++
		case e.shadow.State() != table.Over:
			least, most = least+1, most+1
		}
	}
	all := 0
	err := w.rules(func(ctx context.Context) (err error) {
		_, all, err = w.house.lobby.Unfinished(ctx, math.MaxInt32, 0)
		return err
	})
	if err == nil && (all < least || all > most) {
		w.fail("whoever runs the house is told of %d tables that are not over, and there are %d to %d", all, least, most)
	}
}

// calm is what may change about a table.
type calm struct {
	present table.Present
	entries int
	renames int
	life    int // of the process that has read it
}

// checkPage: whatever came up before that time has been told.
func (w *World) checkPage(g *page, by time.Duration) {
	switch {
	case g.cable == nil || g.late && !g.stuck():
		return
	case g.stuck():
		if g.stalled < by {
			w.fail("%s has not read for minutes, and still has its line", g.label)
		}
		return
	}
	for id, v := range g.seen {
		if e := w.evening(id); e != nil && !e.unknown() && v.watching && v.frame != nil && v.seq < len(e.log) && e.written < by {
			w.fail("%s looks at table %s, and is not told of entry %d", g.label, id, v.seq+1)
		}
	}
	for _, s := range g.waits {
		if s.at < by {
			w.fail("%s has had no answer to %+v for minutes", g.label, s.said.command)
		}
	}
}

// checkTimers: there are no more timers than there is to wait for: one for each table and each bot that thinks, for each game of a device that was
// looked at, for each browser that is to be told again, and those of the house.
func (w *World) checkTimers() {
	if _, running := w.house.clock.counts(); running > alarms+1+2*len(w.tables)+len(w.keepsakes)+w.retries()+w.slowed {
		w.fail("%d timers run for %d tables", running, len(w.tables))
	}
}

// framed: a page is told how a table stands.
func (g *page) framed(id wire.ID, frame map[string]json.RawMessage) {
	w, v, e := g.p.w, g.seen[id], w0(g.p.w, id)
	if v == nil || v.asked && !v.watching && v.frame == nil {
		return // it did not want to know any more; or asks again, and that was told before
	}
	var seq int
	json.Unmarshal(frame["seq"], &seq)
	switch {
	case seq > len(e.log):
		w.fail("%s is told of entry %d of %s, and the log has %d", g.label, seq, id, len(e.log))
	case v.frame != nil && v.watching && seq != v.seq && seq != v.seq+1:
		w.fail("%s is told of entry %d of %s, and knows of %d", g.label, seq, id, v.seq)
	case v.frame == nil && frame["about"] == nil:
		w.fail("%s is told nothing about %s at first: %v", g.label, id, frame)
	}
	if asked := e.visits.asked; seq < asked[g.p.guest] {
		asked[g.p.guest] = seq // the table did not know yet what was written
	}
	w.checkFrame(g, e, v, seq, frame)
	if first, known := e.visits.first[g.p.guest]; v.frame == nil && !g.late && (!known || seq < first) {
		e.visits.first[g.p.guest] = seq
	}
	if frame["about"] == nil {
		frame["about"] = v.frame["about"]
	}
	v.reads(seq, frame)
	v.seq, v.frame, v.about, v.refused = seq, frame, about{}, false
	if err := json.Unmarshal(frame["about"], &v.about); err != nil {
		w.fail("%s is told about %s: %v", g.label, id, err)
	}
	if !g.late { // it may be a frame of some time ago
		w.checkLeft(e, seq, frame["clock"])
	}
}

// reads takes what a frame says of the log, as a page does: all of it, or what has happened.
func (v *view) reads(seq int, frame map[string]json.RawMessage) {
	var lines []line
	switch log := frame["log"]; {
	case log != nil:
		v.log, v.logged, v.lines = log, seq, nil
		json.Unmarshal(log, &lines)
	case seq > v.seq:
		json.Unmarshal(frame["events"], &lines)
	}
	v.lines = append(v.lines, lines...)
}

// checkFrame: a page is told what follows from the log, with what happened since it was told last, and with nothing else. A frame that was
// on its way while the table went on is not compared.
func (w *World) checkFrame(g *page, e *evening, v *view, seq int, frame map[string]json.RawMessage) {
	from, to := v.seq, v.seq
	switch {
	case v.refused: // whoever was late is told once more what happened last, if he was there
		from, to = e.visits.missed(g.p.guest, seq-1, seq)
	case v.frame == nil:
		from, to = e.visits.missed(g.p.guest, v.had, seq)
	}
	if seq != e.shadow.Seq() {
		return
	}
	seat := e.shadow.SeatOf(g.p.guest)
	if took := e.took(seat); v.refused || v.frame == nil {
		from, to = max(from, took), max(to, took)
	}
	var wrong string
	for since := to; since >= max(0, from); since-- {
		var want struct{ Frame map[string]json.RawMessage }
		text := e.shadow.Frames(e.id, table.Present{}, since, true, time.Now()).For(seat, g.p.guest == e.shadow.Host())
		if err := json.Unmarshal(text, &want); err != nil {
			w.fail("table %s has a frame that is no JSON: %v", e.id, err)
		}
		key := differs(frame, want.Frame)
		if key == "" {
			return
		}
		wrong = fmt.Sprintf("%s: %s, and by the log it is %s", key, frame[key], want.Frame[key])
	}
	w.fail("table %s, entry %d: %s is told (having had %d) %s", e.id, seq, g.label, v.seq, wrong)
}

// took is the entry by which somebody has taken a seat while the game went on: what was told there before is not his. It is 0 where he has sat there from the start.
func (e *evening) took(seat game.Seat) (entry int) {
	begun := false
	for i, one := range e.log {
		switch f, _, _, _ := fact.Read(one.Data); f := f.(type) {
		case *fact.Dealt:
			begun = true
		case *fact.Sat:
			if begun && f.Seat == seat {
				entry = i + 1
			}
		}
	}
	return entry
}

// visits are who looked at a table when, as far as it can know.
type visits struct {
	life             int            // of the process that read the table from the log last
	loaded           int            // the last entry when it was read from the log
	asked            map[string]int // the last entry when a guest asked for it for the first time since then
	first            map[string]int // and at the latest: that of the first frame that he has got since then
	seated, unseated map[string]int // the last entry after which he had a seat, and had none
}

// loading is that a table is to be read from the log. If it cannot be it is not known again before somebody comes; but if he only looks it up,
// who reads it, its sign hangs on.
func (w *World) loading(e *evening, f fate) {
	switch v := &e.visits; {
	case w.reading, w.house.gate.cannotLoad():
		v.life = perhaps
	case f != answered:
		v.life = 0
	}
}

// perhaps is the process that may know a table, or not.
const perhaps = -1

// load is that the house has read a table from the log and made it its own, mostly because somebody asks for it who may be gone by then.
func (w *World) load(e *evening) {
	v := &e.visits
	v.life, v.loaded, e.loaded = w.life, len(e.log), w.opened()
	w.unstall(e)
	e.talks = map[string]*talk{} // nobody knows any more what was said
	for guest := range v.asked {
		v.asked[guest] = v.loaded
	}
	clear(v.first)
}

func (e *evening) noteSeats(people []*person) {
	for _, p := range people {
		if e.shadow.SeatOf(p.guest) == game.Watcher {
			e.visits.unseated[p.guest] = e.shadow.Seq()
		} else {
			e.visits.seated[p.guest] = e.shadow.Seq()
		}
	}
}

// missed is after which entry, between two, a guest is told what happened who comes back and says what he had: whoever sat there all
// the time since the table was read from the log is told everything since then, whoever looks on everything since he first did, also if he
// had no line meanwhile, and nobody what was before he came.
func (v *visits) missed(guest string, had, seq int) (from, to int) {
	if had <= 0 || had > seq {
		return seq, seq
	}
	switch last, sat := v.seated[guest]; {
	case sat && v.unseated[guest] < v.loaded:
		from, to = v.loaded, v.loaded
	case sat && last >= v.loaded:
		from, to = v.loaded, seq
	default:
		from, to = max(v.asked[guest], v.loaded), seq
		if first, known := v.first[guest]; known {
			to = first
		}
	}
	return max(had, from), max(had, to)
}

// differs is a key in which a frame is not as it should be; "" for none. Who is there and what they are called the shadow does not know, and
// clocks go on.
func differs(got, want map[string]json.RawMessage) string {
	for key := range merged(got, want) {
		switch key {
		case "about", "clock", "log":
		case "events":
			if !same(nameless(got[key]), nameless(want[key])) {
				return key
			}
		default:
			if !same(got[key], want[key]) {
				return key
			}
		}
	}
	return ""
}

func merged(a, b map[string]json.RawMessage) map[string]json.RawMessage {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// ofPeople is what tables themselves tell of people.
var ofPeople = strings.Fields("sit leave standin host unopened start timeout away back free propose lapse withdraw agree decline broken closed unlist rematch")

// nameless is what happened, without what people are called.
func nameless(events json.RawMessage) json.RawMessage {
	var list []map[string]json.RawMessage
	if json.Unmarshal(events, &list) != nil {
		return events
	}
	for _, event := range list {
		if verb, _, _ := strings.Cut(strings.TrimPrefix(strings.Trim(string(event["verb"]), `"`), "rule-"), "-"); slices.Contains(ofPeople, verb) {
			delete(event, "what")
		}
	}
	return wire.Message(list)
}

func w0(w *World, id wire.ID) *evening {
	if e := w.evening(id); e != nil {
		return e
	}
	w.fail("somebody is told of table %s, which the log does not have", id)
	return nil
}

// left is how much time somebody was last told that the asked one has.
type left struct {
	who    string
	breaks int // how often the house had been closed, killed or stopped
	time   time.Duration
}

// What a process that is killed or stopped may give the players: the time since the house was last known to be open, and the time that browsers
// need to find the way back.
const gift = 14 * time.Second

// checkLeft: who is asked has never more time than he had, and where his time runs that is told.
func (w *World) checkLeft(e *evening, seq int, clock json.RawMessage) {
	var told struct{ Left, Of int64 }
	if turn := e.shadow.Turn(); seq == e.shadow.Seq() && turn != game.NoSeat && !e.unknown() {
		_, limit := e.shadow.Clock()
		if who := e.shadow.Sitter(turn); (clock != nil) != (limit > 0 && who.Guest != "" && !who.Left && !who.Away) {
			w.fail("table %s: %+v is asked, and has %v; of his time it is told %s", e.id, who, limit, clock)
		}
	}
	if clock == nil || json.Unmarshal(clock, &told) != nil || seq < e.moved || e.shadow.Turn() == game.NoSeat || w.house.hanging {
		return
	}
	now := left{e.shadow.Sitter(e.shadow.Turn()).Guest, w.breaks, time.Duration(told.Left) * time.Millisecond}
	old := e.left
	if e.left = &now; w.set {
		old, e.left = nil, nil
	}
	switch {
	case told.Left < 0 || told.Left > told.Of:
		w.fail("table %s: %d of %d milliseconds are left", e.id, told.Left, told.Of)
	case !w.everSet && !w.house.gate.ailing() && !w.about(e, now.time, time.Duration(told.Of)*time.Millisecond):
		w.fail("table %s: %v of %d milliseconds are left, and %v have gone by", e.id, now.time, told.Of, w.spent(e, e.paper.clock, time.Now()))
	case !w.set && !w.house.gate.ailing() && !e.elsewhere[e.moved] && now.time < time.Duration(told.Of)*time.Millisecond-(w.opened()-e.ran)-time.Second:
		w.fail("table %s: %v of %d milliseconds are left, and the house has been open for %v", e.id, now.time, told.Of, w.opened()-e.ran)
	case old == nil || old.who != now.who:
	case now.time > old.time+time.Duration(now.breaks-old.breaks)*gift:
		w.fail("table %s: %v are left, and it was %v", e.id, now.time, old.time)
	}
}

// calm is the end of the evening: nothing goes wrong any more. The house does what it owes by itself; then everybody comes back and is
// told the truth; then everybody leaves, and nothing is left.
func (w *World) calm() {
	w.note("# calm")
	w.wall.set(0, 0)
	w.set = true // the clock may have been wrong until now
	w.calmLog()
	if w.house.clock.stopped {
		w.house.goOn()
	}
	w.wait(soon + 5*time.Second)
	w.checkTablesGoOn()
	w.checkKnown()
	w.checkAnswers()
	w.checkViews()
	w.checkWho()
	w.checkRecords()
	w.checkNames()
	w.checkScreen()
	w.everybodyLooks()
	w.checkNothingIsLeft()
}

// checkTablesGoOn: where the house has something to do, it does it, and nobody has to come and look.
func (w *World) checkTablesGoOn() {
	for _, e := range w.tables {
		if e.newer || e.shadow.State() != table.Running {
			continue
		}
		seq, why := e.shadow.Seq(), w.owes(e)
		if why == "" {
			continue
		}
		_, limit := e.shadow.Clock()
		for until := time.Now().Add(max(limit, e.shadow.Away()) + 2*time.Minute); e.shadow.Seq() == seq && time.Now().Before(until); {
			w.wait(10 * time.Second)
		}
		if e.shadow.Seq() == seq {
			w.fail("table %s stands still: %s", e.id, why)
		}
	}
}

// owes is what the house has to do at a table by itself within some minutes; "" if it waits for somebody.
func (w *World) owes(e *evening) string {
	if e.shadow.State() != table.Running {
		return "nobody has begun"
	}
	turn := e.shadow.Turn()
	who := e.shadow.Sitter(turn)
	_, limit := e.shadow.Clock()
	switch p := w.guest(who.Guest); {
	case who.Bot != "":
		return "it is the turn of a bot on " + turn.String()
	case limit > 0:
		return "the time of " + turn.String() + " runs out"
	case p != nil && !p.here(e.id):
		return p.name + " on " + turn.String() + " is away"
	}
	return ""
}

// checkAnswers: everybody comes back, says again what had no answer, and gets one.
func (w *World) checkAnswers() {
	for _, p := range w.people {
		for _, g := range p.pages {
			g.cut()
		}
	}
	w.wait(time.Second)
	for _, p := range w.people {
		for range 3 { // what is told to try again is tried again
			p.pages[0].dial()
			w.wait(3 * time.Second)
		}
	}
	for _, p := range w.people {
		for _, e := range w.tables {
			if p.pages[0].seen[e.id] == nil {
				p.pages[0].watch(e.id)
			}
		}
	}
	w.wait(3 * time.Second)
	for _, p := range w.people {
		for _, s := range p.all {
			e := w.evening(s.command.Table)
			switch lasting := s.lasts(); {
			case lasting && s.times > 0 && s.tryAgain() && s.refused != wire.CodeBusy && !e.unknown():
				w.fail("%s has had no answer to %+v, or only %q", p.name, s.command, s.refused)
			case lasting && s.ok && s.entries > len(e.log):
				w.fail("%s was told that %+v was done, and the log has lost it", p.name, s.command)
			}
		}
	}
}

// checkViews: what people see is what follows from the log.
func (w *World) checkViews() {
	for _, e := range w.tables {
		w.callByName(e)
	}
	for _, e := range w.tables {
		if e.unknown() || e.shadow.Watchable() != nil {
			continue
		}
		w.checkLog(e)
		w.checkPeople(e)
		present := w.present(e)
		for _, p := range w.people {
			if g := p.pages[0]; !g.watches(e.id) || g.seen[e.id].frame == nil {
				w.fail("%s does not see table %s, though all is well", p.name, e.id)
			}
			w.compare(p.pages[0], e, present)
		}
	}
}

// checkWho: everybody is known by what he shows, and nobody any more whose session has ended, or who was turned out.
func (w *World) checkWho() {
	for i, p := range w.people {
		if hello := w.ask(p, i, "GET", "/api/hello", ""); !p.nameless && !strings.Contains(hello, p.guest) {
			w.fail("%s comes back, and is answered %s", p.name, hello)
		}
	}
	w.checkDevices()
	w.checkBrowsers()
	for _, p := range w.gone[max(0, len(w.gone)-6):] {
		if hello := w.ask(p, 0, "GET", "/api/hello", ""); strings.Contains(hello, p.guest) {
			w.fail("the session of %s has ended, and he is known by what he shows: %s", p.name, hello)
		}
	}
}

// checkRecords: a game that is over has a record, which anybody can check, and no other has.
func (w *World) checkRecords() {
	for _, e := range w.tables {
		if e.unknown() || !e.paper.dealt {
			continue
		}
		var rec record.Record
		err := w.rules(func(ctx context.Context) (err error) {
			rec, err = w.house.lobby.Record(ctx, e.id)
			return err
		})
		if over := e.shadow.State() == table.Over; over != (err == nil) {
			w.fail("table %s is over: %t; its record is refused with %v", e.id, over, err)
		}
		if err != nil || e.paper.secret == nil && !e.paper.moved || w.story.Old {
			continue
		}
		w.checkNote(e, rec)
		text, err := json.Marshal(rec)
		verdict := record.Verify(text, w.shelf())
		if e.paper.moved { // whoever brought the position knew all that lay hidden
			if verdict.OK() {
				w.fail("table %s began with a position of a record, and its own is said to prove something: %+v", e.id, verdict)
			}
			continue
		}
		if err != nil || !verdict.OK() {
			w.fail("table %s has a record that is not as it should be: %v %+v", e.id, err, verdict.Checks)
		}
		if seal := e.paper.attempt().Seal; verdict.Proof.Seal != seal {
			w.fail("table %s: the record is of the seal %s, and %s was shown", e.id, verdict.Proof.Seal, seal)
		}
	}
}

// checkWhatIsSeen: who looks at a table sees what is so.
func (w *World) checkWhatIsSeen(e *evening) {
	if e.unknown() || e.shadow.Watchable() != nil {
		return
	}
	present := w.present(e)
	for _, p := range w.people {
		for _, g := range p.pages {
			if g.watches(e.id) && g.seen[e.id].frame != nil && g.seen[e.id].seq == len(e.log) && !g.late && !g.stuck() {
				w.compare(g, e, present)
			}
		}
	}
}

// checkPeople: everybody is there, so nobody counts as away, and the host is he whose table it is.
func (w *World) checkPeople(e *evening) {
	if e.shadow.State() == table.Over {
		return
	}
	founder := w.guest(e.shadow.Founder())
	if slices.Contains(w.people, founder) && e.shadow.Host() != founder.guest {
		w.fail("table %s: %s is there, whose table it is, and is not its host", e.id, founder.name)
	}
	for s := range game.Seat(e.shadow.Seats()) {
		if who := e.shadow.Sitter(s); who.Away && !who.Left && slices.Contains(w.people, w.guest(who.Guest)) {
			w.fail("table %s: %s on %s is there, and counts as away", e.id, w.guest(who.Guest).name, s)
		}
	}
}

// callByName tells the shadow of a table what people are called, as the log has it.
func (w *World) callByName(e *evening) {
	for _, p := range slices.Concat(w.people, w.gone) {
		if p.guest == "" {
			continue // he is just coming in
		}
		names, err := w.log.Names(w.house.ctx, p.guest)
		if err != nil || names[p.guest] == "" && !p.nameless && !p.unnamed || p.called != "" && names[p.guest] != p.called && !p.nameless {
			w.fail("the log does not know what %s is called, %s: %v, %v", p.name, p.called, names, err)
		}
		e.shadow.Call(p.guest, names[p.guest])
	}
	for _, guest := range w.erased {
		e.shadow.Call(guest, "")
	}
}

// checkLobby: whoever looks at the lobby has been told of every listed table that can be read and is not over, and of no other; as the log
// says it.
func (w *World) checkLobby(looks func(*page) bool) {
	want, doubted := map[wire.ID]json.RawMessage{}, map[wire.ID]bool{}
	for _, e := range w.tables {
		w.callByName(e)
		known := e.visits.life == w.life // else it was made, and nobody could be told so
		if card := e.shadow.Card(e.id, w.present(e)); card.Listed && card.State != table.Over && !e.newer && known {
			want[e.id] = wire.Message(card)
		}
		doubted[e.id] = e.visits.life == perhaps
	}
	for _, p := range w.people {
		for _, g := range p.pages {
			if looks(g) {
				g.checkSigns(want, doubted)
			}
		}
	}
}

func (g *page) checkSigns(want map[wire.ID]json.RawMessage, doubted map[wire.ID]bool) {
	var signs []json.RawMessage
	for _, sign := range g.signs {
		if !doubted[wire.ID(between(string(sign), `"table":"`, `"`))] {
			signs = append(signs, sign)
		}
	}
	if len(signs) != len(want) {
		g.p.w.fail("%s sees %d signs in the lobby, and there are %d tables: %s", g.label, len(signs), len(want), signs)
	}
	for _, sign := range signs {
		var card wire.Card
		if err := json.Unmarshal(sign, &card); err != nil || !same(sign, want[card.Table]) {
			g.p.w.fail("%s sees the sign %s, and the log says %s", g.label, sign, want[card.Table])
		}
		g.p.w.checkSign(card)
	}
}

// everybodyLooks has everybody look at the lobby.
func (w *World) everybodyLooks() {
	for _, p := range w.people {
		p.pages[0].send(p.pages[0].new(wire.Command{Do: "lobby"}))
	}
	w.wait(3 * time.Second)
	w.checkLobby(func(g *page) bool { return g == g.p.pages[0] })
}

// compare: clocks go on, and events are told once; the visible log is compared where nothing has happened since it was told.
func (w *World) compare(g *page, e *evening, present table.Present) {
	p, v := g.p, g.seen[e.id]
	present.Waits = v.about.Waits // checkBots looks at that
	text := e.shadow.Frames(e.id, present, e.shadow.Seq(), true, time.Now()).WithLog(e.shadow.SeatOf(p.guest), p.guest == e.shadow.Host())
	var told struct{ Frame map[string]json.RawMessage }
	if err := json.Unmarshal(text, &told); err != nil {
		w.fail("table %s has a frame that is no JSON: %v", e.id, err)
	}
	w.checkAbout(g, e, present)
	want := told.Frame
	if v.logged == e.shadow.Seq() && !same(v.log, want["log"]) {
		w.fail("table %s: %s reads the log %s, and it is %s", e.id, p.name, v.log, want["log"])
	}
	var lines []line
	json.Unmarshal(want["log"], &lines)
	if len(v.lines) < len(lines) {
		w.fail("table %s: %s reads %d lines in the log, and there are %d", e.id, p.name, len(v.lines), len(lines))
	}
	for i, j := len(v.lines)-1, len(lines)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		reads, is := v.lines[i], lines[j]
		if reads.Verb != is.Verb || reads.Seat != is.Seat || reads.What != is.What && is.What != "" {
			w.fail("table %s: %s reads the line %v in the log, and it is %v", e.id, p.name, reads, is)
		}
	}
	got := map[string]json.RawMessage{}
	for key, value := range v.frame {
		got[key] = value
	}
	for _, frame := range []map[string]json.RawMessage{got, want} {
		for _, key := range []string{"clock", "events", "log"} {
			delete(frame, key)
		}
	}
	for key := range got {
		if !same(got[key], want[key]) {
			w.fail("table %s: %s sees %s: %s, and the log says %s", e.id, p.name, key, got[key], want[key])
		}
	}
	for key := range want {
		if got[key] == nil {
			w.fail("table %s: %s does not see %s: %s", e.id, p.name, key, want[key])
		}
	}
}

// checkAbout: whoever looks is told what everybody there is called, and who is there.
func (w *World) checkAbout(g *page, e *evening, present table.Present) {
	var about wire.About
	if err := json.Unmarshal(g.seen[e.id].frame["about"], &about); err != nil {
		w.fail("%s is told about %s: %v", g.label, e.id, err)
	}
	names := w.names(e)
	wrong := about.Watchers != present.Watchers || about.State != e.shadow.State() || about.Host != names[e.paper.host()]
	for i, s := range e.paper.seats {
		says := about.Seats[i]
		here := s.bot != "" || present.Seats.Has(game.Seat(i))
		wrong = wrong || says.Here != here || says.Name != names[s.guest] || says.Bot != s.bot || says.Nameless != (s.guest != "" && names[s.guest] == "")
	}
	if q := e.paper.asks; q != nil {
		wrong = wrong || !slices.Equal(about.Proposal.Asked, (e.paper.allAsked()&present.Seats).List()) || about.Proposal.Name != names[q.by]
	}
	if wrong {
		w.fail("table %s: %s is told %s; there are %+v, and they are called %v", e.id, g.label, g.seen[e.id].frame["about"], present, names)
	}
}

// names are what those at a table are called, and those who were there from the first, as the log has it; of whom nothing is noted, what a log of before calls him.
func (w *World) names(e *evening) map[string]string {
	var guests []string
	for _, s := range slices.Concat(e.paper.seats, e.paper.began) {
		guests = append(guests, s.guest)
	}
	if q := e.paper.asks; q != nil {
		guests = append(guests, q.by)
	}
	names, err := w.log.Names(w.house.ctx, append(guests, e.paper.host())...)
	if err != nil {
		w.fail("the log does not know names: %v", err)
	}
	for guest, was := range e.paper.was {
		if _, noted := names[guest]; !noted {
			names[guest] = was
		}
	}
	return names
}

// checkSign: the door says what is so.
func (w *World) checkSign(card wire.Card) {
	e := w.evening(card.Table)
	if e == nil {
		return
	}
	names, p := w.names(e), e.paper
	wrong := card.State != e.shadow.State() || !card.Listed || card.Host != names[p.host()] || card.Watchers != w.present(e).Watchers || len(card.Seats) != len(p.seats) ||
		!card.Made.Equal(p.made) || card.Seal != nil && (card.Seal.Seal != p.attempt().Seal || card.Seal.Numbers != nil || card.Seal.Failed != nil)
	for i, s := range p.seats {
		wrong = wrong || card.Seats[i].Name != names[s.guest] || card.Seats[i].Bot != s.bot || card.Seats[i].Program != wire.IsProgram(s.guest)
	}
	if wrong {
		w.fail("the door of table %s says %s, and there are %+v, called %v", e.id, wire.Message(card), p.seats, names)
	}
}

func same(a, b json.RawMessage) bool {
	var x, y any
	return bytes.Equal(a, b) || json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// checkLog: the log is what was written.
func (w *World) checkLog(e *evening) {
	entries, err := w.log.Entries(w.house.ctx, e.id, 0)
	if err != nil || len(entries) != len(e.log) {
		w.fail("table %s: %d entries were written, and the log has %d: %v", e.id, len(e.log), len(entries), err)
	}
	for i := range entries {
		if !bytes.Equal(entries[i].Data, e.log[i].Data) || !entries[i].At.Equal(e.log[i].At) || entries[i].Over != e.log[i].Over {
			w.fail("table %s: entry %d is not what was written", e.id, i+1)
		}
	}
}

// present is who is there.
func (w *World) present(e *evening) (p table.Present) {
	for _, who := range w.people {
		for _, g := range who.pages {
			if !g.watches(e.id) {
				continue
			}
			if seat := e.shadow.SeatOf(who.guest); seat == game.Watcher {
				p.Watchers++
			} else {
				p.Seats = p.Seats.With(seat)
			}
		}
	}
	return p
}

// checkNothingIsLeft: half of the people stop watching, and half hang up; then the house does what is to be done, and then nothing.
func (w *World) checkNothingIsLeft() {
	for i, p := range w.people {
		g := p.pages[0]
		if i%2 == 0 {
			g.cut()
			continue
		}
		for _, id := range slices.Clone(g.order) {
			g.send(g.new(wire.Command{Do: "unwatch", Table: id}))
		}
	}
	for _, e := range w.tables {
		if !e.unknown() && e.overDays() { // whoever runs the house may not have been able to, before
			w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) })
		}
	}
	for range 6 { // bots take their time, and games are long
		if w.wait(2 * untouched); !slices.ContainsFunc(w.tables, func(e *evening) bool { return !e.newer && e.shadow.State() != table.Over }) {
			break
		}
	}
	for _, e := range w.tables {
		switch state := e.shadow.State(); {
		case state == table.Over:
			w.Told.Over++
		case !e.newer:
			w.fail("table %s is %s, and nobody has been there for hours: %s", e.id, state, w.owes(e))
		}
	}
	w.checkRecords()
	if signs := w.ask(w.people[0], 0, "GET", "/api/tables", ""); !strings.HasSuffix(strings.TrimSpace(signs), "[]") {
		w.fail("every table is over, and there are still signs: %s", signs)
	}
	for _, p := range w.people {
		p.pages[0].cut()
	}
	w.wait(10 * time.Minute)
	w.checkPlaces()
	if n := w.house.server.Sockets(); n > 0 {
		w.fail("nobody is there, and the house says that %d connections are open", n)
	}
	if c := w.house.lobby.Counts(); c.Thinking+c.Waiting > 0 || len(c.Tables) > w.unread() {
		w.fail("nobody is there, and every table is over: %+v", c)
	}
	set, running := w.resting()
	calls := w.calls
	w.wait(time.Hour)
	newer := 0 // tables that cannot be read: five times in ten minutes it is tried
	for _, e := range w.tables {
		if e.newer {
			newer++
		}
	}
	if w.calls-calls > 30*newer {
		w.fail("nobody is there and nothing is to be done, and the log was asked %d times in an hour", w.calls-calls)
	}
	later, still := w.resting()
	if most := alarmsAnHour; later-set > most || still != running || running > alarms {
		w.fail("nobody is there, and %d timers run (%d an hour before), %d were set in an hour", still, running, later-set)
	}
	if n, stacks := goroutines(); n > w.routines {
		w.fail("nobody is there, and there are %d goroutines; at the beginning there were %d:\n%s", n, w.routines, stacks)
	}
	w.checkAllDeleted()
	w.checkHeap()
	w.end()
	if _, running := w.house.clock.counts(); running != 0 {
		w.fail("the house is closed, and %d timers run", running)
	}
}

// checkPlaces: nobody is there, every game is over, and all have as much room as in the beginning.
func (w *World) checkPlaces() {
	w.throng()
	for i, p := range w.people {
		if n := w.roomFor(i, p); n != w.room[i] {
			w.fail("nobody is there, and there is room for %d lines of %s, and was for %d", n, p.name, w.room[i])
		}
	}
	w.class()
	w.floods()
	free := newPlaces()
	for _, e := range w.tables {
		if e.newer {
			free.Hold("before", "") // nobody can read it, and know that it is over
		}
	}
	for _, p := range w.people {
		if was, is := w.roomForTables(free, p), w.roomForTables(w.house.places, p); is != was {
			w.fail("every table is over, and %s has room for %d, and had for %d", p.name, is, was)
		}
	}
}

// roomForTables is how many tables somebody could make besides.
func (w *World) roomForTables(places *limit.Places, p *person) (n int) {
	from := address(slices.Index(w.people, p))
	for places.Take(from, p.guest) {
		defer places.Give(from, p.guest)
		n++
	}
	return n
}

// throng is that more come from one address than there is room for. Whoever is not let in has no place.
func (w *World) throng() {
	var all []*cable
	for range 100 {
		all = append(all, w.knock(0, handshake("")))
	}
	for _, c := range all {
		c.change(func() { c.cut = true })
	}
	w.wait(time.Second)
}

// class is that many say at one address, on some evenings, each no more than he may and together too much. They wait for each other; nobody is taken for one
// who says too much, and all are answered.
func (w *World) class() {
	const lines, each = 12, mostAtOnce - 40
	if w.story.Seed%3 != 2 {
		return
	}
	var all []*cable
	w.slowed = lines
	defer func() { w.slowed = 0 }()
	for range lines {
		all = append(all, w.knock(len(w.people), handshake("")))
	}
	for n := range each {
		for _, c := range all {
			c.send(frame(opText, wire.Message(wire.Command{ID: strconv.Itoa(n), Do: "ping"})))
		}
		if n%20 == 0 {
			w.settle() // else it would be an accident who is told faster than he can be written to
		}
	}
	answered := make([]int, lines)
	for range 40 {
		w.wait(time.Second / 2)
		for i, c := range all {
			said, gone := c.take()
			if answered[i] += bytes.Count(said, []byte(`"re":`)); gone && answered[i] < each {
				w.fail("a class says much at one address, and line %d of it is cut after %d answers: %.200q", i, answered[i], said)
			}
		}
	}
	for i, c := range all {
		if answered[i] != each {
			w.fail("a class says much at one address, each %d things, and line %d of it is answered %d times", each, i, answered[i])
		}
		c.change(func() { c.cut = true })
	}
	w.wait(time.Second)
}

// floods is that somebody who looks at a table says far too much, on some evenings, and is hung up on. He comes no more, and the table can sleep.
func (w *World) floods() {
	at := slices.IndexFunc(w.tables, func(e *evening) bool { return !e.unknown() && e.shadow.Watchable() == nil })
	if w.story.Seed%3 != 0 || at < 0 {
		return
	}
	w.slowed = 1
	defer func() { w.slowed = 0 }()
	c, heard := w.knock(len(w.people), handshake("")), ""
	c.send(frame(opText, wire.Message(wire.Command{ID: "look", Do: "watch", Table: w.tables[at].id})))
	for n := range mostAtOnce + 2*limits.Flood {
		c.send(frame(opText, wire.Message(wire.Command{ID: strconv.Itoa(n), Do: "ping"})))
		if n%20 == 0 {
			w.settle()
		}
	}
	for range 20 {
		w.wait(time.Second / 2)
		said, _ := c.take()
		heard += string(said)
	}
	if _, gone := c.take(); !gone || !strings.Contains(heard, `"flood"`) {
		w.fail("somebody says far too much, and is not told so, or not hung up on: %t, %.300q", gone, heard[max(0, len(heard)-300):])
	}
	w.wait(time.Minute)
}

// unread is 1 if there is a table that a later version has written to.
func (w *World) unread() int {
	if slices.ContainsFunc(w.tables, func(e *evening) bool { return e.newer }) {
		return 1
	}
	return 0
}

// roomFor is how many lines somebody gets at once, of his own and for people without a name; they are cut again.
func (w *World) roomFor(i int, p *person) (n int) {
	var all []*cable
	for _, shows := range []string{p.shows(), ""} {
		for range 100 {
			c := w.knock(i, handshake(shows))
			all = append(all, c)
			if answer, _ := c.take(); !bytes.HasPrefix(answer, []byte("HTTP/1.1 101")) {
				break
			}
			n++
		}
	}
	for _, c := range all {
		c.change(func() { c.cut = true })
	}
	w.wait(time.Second)
	return n
}

// What a house keeps running when nobody is there: the pulse, the alarm of tables, the watch over them and that over sockets, and whoever
// deletes what was played; and how often they look.
const (
	alarms       = 5
	alarmsAnHour = 3600/10 + 3600/10 + 3600/5 + 3600*19/20 + 20
)

// resting is how many timers were ever set, and how many run. In the very moment in which one of them goes off, and while the log is asked then, it is not set anew.
func (w *World) resting() (set, running int) {
	for range 2 {
		if set, running = w.house.clock.counts(); running < alarms {
			w.wait(time.Second)
		}
	}
	return set, running
}

// goroutines are how many there are in this bubble, and what they do.
func goroutines() (n int, stacks []byte) {
	stacks = make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	head, _, _ := bytes.Cut(stacks, []byte("\n"))
	_, bubble, _ := bytes.Cut(head, []byte(", synctest bubble "))
	for _, one := range bytes.Split(stacks, []byte("\n\n")) {
		if head, _, _ := bytes.Cut(one, []byte("\n")); bytes.HasSuffix(head, append([]byte(", synctest bubble "), bubble...)) {
			n++
		}
	}
	return n, stacks
}
