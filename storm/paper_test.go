package storm

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"caveau/company"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// A paper is what somebody writes down who reads the log of a table and knows the rules of the house: who sits where, what is being asked, how
// the deal comes about, and when whose clock began. It says once more, in words of its own, what table, company and ceremony say.
type paper struct {
	seats           []place
	founder, acting string // guests
	listed          bool
	shut, broken    bool // it was closed, and the game broken off
	next            wire.ID
	asks            *question

	version fair.Version
	secret  *fair.Bits
	failed  []fair.Attempt
	phase   phase
	since   time.Duration // how long the house had been open when it came to that
	first   string
	choices map[string][]string
	moved   bool // it began with a position of a record
	came    int  // with so many moves
	dealt   bool
	showed  game.Seats // who has shown his number, at the toy
	began   []place    // who sat there when it was dealt
	played  []ply

	made    time.Time         // its time
	asked   time.Time         // when it came to the present position
	posed   int               // by which entry
	at      time.Time         // of the last entry
	changes map[string]int    // that each guest has made
	was     map[string]string // what a log of before calls each guest
	clock   time.Time         // when the clock of whoever is asked began
	had     []string          // who has had all his time at this position
	gaps    []fact.Outage     // in which no clock ran there, as it is written
}

// A place is a seat, and who has it.
type place struct {
	guest, bot        string
	left, away, freed bool
	sat               time.Duration // how long the house had been open when he sat down, or came back
	seal, number      *fair.Bits    // that he gives to the deal
	gave, late        bool          // at an attempt before: he opened his number, or he did not
}

// A question is what people are asked to agree to.
type question struct {
	seq    int
	do, by string
	seat   game.Seat
	agreed game.Seats
	on     time.Time
	at     time.Duration // how long the house had been open then
}

// What a deal waits for.
type phase int

const (
	start phase = iota
	numbers
	seals
)

// stood is since when it is as it is.
func (p *paper) stood() time.Time {
	if p.dealt {
		return p.asked
	}
	return p.made
}

func (p *paper) begun() bool { return p.phase != start || p.dealt }

func (p *paper) host() string {
	if p.acting != "" {
		return p.acting
	}
	return p.founder
}

// seatOf is where a guest sits, -1 for nowhere.
func (p *paper) seatOf(guest string) int {
	return slices.IndexFunc(p.seats, func(s place) bool { return guest != "" && s.guest == guest })
}

// shut tells whether a number was sealed there, and is not open.
func (s place) shut() bool { return s.seal != nil && s.number == nil }

func (p *paper) any(is func(place) bool) bool { return slices.ContainsFunc(p.seats, is) }

// attempt is the deal as it has been tried last.
func (p *paper) attempt() fair.Attempt {
	a := fair.Attempt{Seal: p.version.Seal(*p.secret, p.failed...), Secret: *p.secret, Numbers: []fair.Number{}}
	for i, s := range p.seats {
		if s.seal != nil {
			a.Numbers = append(a.Numbers, fair.Number{Seat: game.Seat(i).String(), Seal: *s.seal, Number: s.number})
		}
	}
	return a
}

// note writes down what was done.
func (p *paper) note(f fact.Any, seq int, at time.Time, now time.Duration) {
	if at.After(p.at) {
		p.at = at
	}
	hears := func(g fact.Guest) {
		if g.Was != "" {
			p.was[g.ID] = g.Was
		}
	}
	switch f := f.(type) {
	case *fact.Made:
		hears(f.Host)
		p.made = p.at
		p.founder, p.listed, p.version, p.secret, p.moved = f.Host.ID, f.Setup.Listed, f.Derivation, f.Secret, f.Imported != nil
		if p.first, p.choices = f.Setup.First, f.Setup.Choices; p.version == "" {
			p.version = fair.Deal1
		}
		if p.moved {
			for _, m := range f.Imported.Moves {
				p.plays(m, fact.ByPerson)
			}
			p.came = len(f.Imported.Moves)
		}
		for _, c := range f.Chairs {
			hears(c.Guest)
			p.seats = append(p.seats, place{guest: c.Guest.ID, bot: c.Bot, sat: now})
		}
	case *fact.Sat:
		hears(f.Guest)
		if old := p.seatOf(f.Guest.ID); old >= 0 {
			p.seats[old] = place{}
		}
		p.seats[f.Seat] = place{guest: f.Guest.ID, sat: now}
		p.settled(company.ToSit, f.Seat)
	case *fact.Stood:
		p.goes(f.Seat, p.begun(), false)
	case *fact.Freed:
		p.goes(f.Seat, f.Left, f.All)
	case *fact.Botted:
		p.seats[f.Seat] = place{bot: f.Bot}
	case *fact.Hosted:
		p.acting = p.seats[f.Seat].guest
	case *fact.Resumed:
		p.acting = ""
	case *fact.Missed:
		p.seats[f.Seat].away = true
	case *fact.Returned:
		s := &p.seats[f.Seat]
		s.left, s.away, s.freed, s.sat = false, false, false, now
		p.settled(company.ToSit, f.Seat)
	case *fact.Resealed:
		p.version, p.secret = fair.Deal1, &f.Secret
	case *fact.Sealed:
		p.seats[f.Seat].seal = &f.Seal
	case *fact.Called:
		p.phase, p.since = numbers, now
	case *fact.Unsealed:
		p.seats[f.Seat].number = &f.Number
	case *fact.Anew:
		p.failed = append(p.failed, p.attempt())
		for i, s := range p.seats {
			s.gave, s.late = s.number != nil || s.gave && !s.shut(), s.late || s.shut()
			s.seal, s.number = nil, nil
			p.seats[i] = s
		}
		p.secret, p.phase, p.since = &f.Secret, seals, now
	case *fact.Dealt:
		p.dealt, p.posed, p.began = true, seq, slices.Clone(p.seats)
	case *fact.Moved:
		p.posed = seq
		p.plays(f.Seat.String()+" "+f.Words, f.By)
	case *fact.Proposed:
		p.asks = &question{seq: seq, do: f.Do, by: f.Guest.ID, seat: f.Seat, on: at, at: now}
	case *fact.Agreed:
		if p.asks != nil {
			p.asks.agreed = p.asks.agreed.With(f.Seat)
		}
	case *fact.Declined:
		p.asks = nil
	case *fact.Again:
		p.next = f.Next
	case *fact.Unlisted:
		p.listed = false
	case *fact.Shut:
		p.shut = true
	case *fact.Broke:
		p.broken = true
	case *fact.Idle:
		p.gaps = append(p.gaps, fact.Outage{From: f.From, To: f.To})
	}
}

func (p *paper) plays(move, by string) {
	p.played = append(p.played, ply{move, by})
	if move[2:] == "show" {
		p.showed = p.showed.With(game.Seat(move[0] - 'A'))
	}
}

// time notes whose clock runs, and since when: he has all his time at a new position, and so has somebody who sits down there.
func (p *paper) time(f fact.Any, turn game.Seat) {
	switch f := f.(type) {
	case *fact.Dealt, *fact.Moved:
		p.had, p.asked = nil, p.at
	case *fact.Sat:
		if f.Seat != turn {
			return
		}
	default:
		return
	}
	if turn >= game.Seat(len(p.seats)) {
		return
	}
	if who := p.seats[turn].guest; !slices.Contains(p.had, who) {
		p.clock, p.had = p.at, append(p.had, who)
	}
}

// goes is that somebody does not play any more; keeps: the seat is his all the same.
func (p *paper) goes(s game.Seat, keeps, all bool) {
	if !keeps {
		p.seats[s] = place{}
		return
	}
	who := &p.seats[s]
	who.left, who.away, who.freed = true, false, all
	p.settled(company.ToFree, s)
}

// settled is that something has happened, and nobody need be asked whether it shall.
func (p *paper) settled(do string, s game.Seat) {
	if p.asks != nil && p.asks.do == do && p.asks.seat == s {
		p.asks = nil
	}
}

// asked are the seats that a question is put to, where all are there.
func (p *paper) allAsked() (asked game.Seats) {
	q := p.asks
	for i, s := range p.seats {
		seat := game.Seat(i)
		wants := q.do == company.ToSit && q.seat == seat // he is asked for his own seat
		if s.guest != "" && !wire.IsProgram(s.guest) && s.guest != q.by && !(q.do == company.ToFree && q.seat == seat) && (!s.left || wants) {
			asked = asked.With(seat)
		}
	}
	return asked
}

// may fails where the house does what it may not, by what is written so far.
func (w *World) may(e *evening, f fact.Any, by fact.Receipt) {
	p, who := e.paper, by.Guest
	no := func(why string) {
		w.fail("table %s, entry %d: %s, by %q: %s", e.id, len(e.log)+1, wire.Message(f), who, why)
	}
	his := func(s game.Seat) {
		if who != p.seats[s].guest {
			no("it is said by somebody who does not sit there")
		}
	}
	hosts := func() {
		if who != p.host() {
			no("that is the host's to say, and that is " + p.host())
		}
	}
	if _, made := f.(*fact.Made); !made && p.founder == "" {
		no("nobody has made the table")
	}
	_, again := f.(*fact.Again)
	if e.shadow.State() == table.Over && !again {
		no("the game is over")
	}
	switch f := f.(type) {
	case *fact.Made:
		if p.founder != "" {
			no("it was made before")
		}
	case *fact.Sat:
		w.maySit(e, f, who, no)
	case *fact.Stood:
		if his(f.Seat); p.seats[f.Seat].left {
			no("he has left before")
		}
	case *fact.Botted:
		if hosts(); p.begun() || p.seats[f.Seat].guest != "" {
			no("there is no seat for a bot")
		}
	case *fact.Hosted:
		if s := p.seats[f.Seat]; who != "" || s.guest == "" || s.guest == p.host() || s.left || wire.IsProgram(s.guest) {
			no("he is no host")
		}
	case *fact.Resumed:
		if p.acting == "" {
			no("he was the host all the time")
		}
	case *fact.Missed:
		if s := p.seats[f.Seat]; !p.dealt || s.guest == "" || s.left || s.away {
			no("nobody is missed there")
		}
	case *fact.Returned:
		w.mayReturn(e, f, who, no)
	case *fact.Sealed:
		if his(f.Seat); p.dealt || p.phase == numbers || p.secret == nil || p.seats[f.Seat].late {
			no("it is not the time to seal a number")
		}
	case *fact.Unsealed:
		s := p.seats[f.Seat]
		if his(f.Seat); p.dealt || p.phase != numbers || s.seal == nil || p.version.SealNumber(p.attempt().Seal, f.Seat.String(), f.Number) != *s.seal {
			no("that is not the number that he sealed, or not the time for it")
		}
	case *fact.Called, *fact.Anew, *fact.Dealt:
		w.mayDeal(e, f, who, no)
	case *fact.Moved:
		if f.By == fact.ByClock && e.shadow.Sitter(f.Seat).Bot != "" {
			no("nobody has a clock there: a bot plays")
		}
	case *fact.Proposed:
		if who != f.Guest.ID || p.asks != nil || !p.dealt {
			no("nobody can be asked that now")
		}
		if f.Do != company.ToSit {
			hosts()
		}
	case *fact.Agreed:
		if his(f.Seat); p.asks == nil || !p.allAsked().Has(f.Seat) || p.asks.agreed.Has(f.Seat) {
			no("he is not asked")
		}
	case *fact.Declined:
		switch {
		case p.asks == nil:
			no("nobody is asked")
		case who == "" && !w.set && (!w.everSet || p.asks.at >= w.begun) && !e.elsewhere[len(e.log)+1] && w.opened()-p.asks.at < lapse-time.Second:
			no("people have some minutes to answer")
		case who != "" && who != p.asks.by && (p.seatOf(who) != int(f.Seat) || !p.allAsked().Has(f.Seat)):
			no("he is not asked")
		}
	case *fact.Freed:
		switch {
		case f.Ruled && (f.Left != p.dealt || f.All != p.dealt):
			no("whoever is turned out of a game comes back only if somebody agrees, and before it is dealt he has no seat to come back to")
		case f.Ruled:
		case p.begun() && !p.dealt:
			no("it is being dealt")
		case who != "":
			hosts()
		case p.asks == nil || p.asks.do != company.ToFree || p.asks.seat != f.Seat:
			no("nobody was asked whether he is to go")
		}
	case *fact.Broke:
		if who != "" {
			hosts()
		} else if p.asks == nil || p.asks.do != company.ToBreak {
			no("nobody was asked")
		}
	case *fact.Again:
		seated := f.Guest == nil && p.seatOf(who) == int(f.Seat)
		hosts := f.Guest != nil && f.Guest.ID == who && (who == p.founder || who == p.acting) && p.seatOf(who) < 0
		if p.next != "" || !seated && !hosts || e.shadow.State() != table.Over {
			no("there is a table for another game, or he has no part in it")
		}
	case *fact.Shut:
		w.mayShut(e, f, who, no)
	case *fact.Unlisted:
		if who != "" || !p.listed {
			no("it is not in the list")
		}
	}
}

// maySit: a seat is free, or its player has left it in the game and somebody there has agreed.
func (w *World) maySit(e *evening, f *fact.Sat, who string, no func(string)) {
	p, s, q := e.paper, e.paper.seats[f.Seat], e.paper.asks
	switch had := p.seatOf(f.Guest.ID); {
	case who != "" && who != f.Guest.ID:
		no("he sits down by the word of another")
	case s.bot != "" || s.guest != "" && !s.left:
		no("the seat is taken")
	case !p.begun():
	case !p.dealt:
		no("it is being dealt")
	case had >= 0:
		no("he has a seat")
	case q == nil && who == "" || q != nil && (q.do != company.ToSit || q.by != f.Guest.ID || q.seat != f.Seat):
		no("nobody was asked")
	case who != "" && q == nil:
		no("he would see a hand, and nobody has agreed")
	case q.agreed == 0 || s.guest != "" && !s.freed && !wire.IsProgram(s.guest) && !q.agreed.Has(f.Seat):
		no("nobody has agreed, or not whose seat it is")
	}
}

// mayShut: a table is put away that has not begun, when its host says so, or nobody is there and nobody has come for long.
func (w *World) mayShut(e *evening, f *fact.Shut, who string, no func(string)) {
	here := slices.ContainsFunc(w.people, func(p *person) bool { return p.here(e.id) })
	switch {
	case f.Ruled:
	case who != "" && (who != e.paper.host() || e.paper.begun()):
		no("he is not the host, or the game has begun")
	case who != "":
	case e.paper.begun(), here:
		no("somebody is there, or the game has begun")
	case !w.everSet && time.Since(e.at) < untouched-time.Minute:
		no("somebody was there a moment ago")
	case !w.everSet && time.Since(w.born) < time.Minute-time.Second:
		no("the house has just opened, and nobody has had a minute to come back")
	}
}

// changesAtOnce is how much somebody may change about a table, whenever he does.
const changesAtOnce = 60

// mayReturn: he comes back to his seat; from whom all took it, when somebody has agreed.
func (w *World) mayReturn(e *evening, f *fact.Returned, who string, no func(string)) {
	s, q := e.paper.seats[f.Seat], e.paper.asks
	back := q != nil && q.do == company.ToSit && q.seat == f.Seat && q.by == s.guest && q.agreed != 0
	switch {
	case !s.left && !s.away:
		no("he has been there all the time")
	case s.freed && !back:
		no("all have taken the seat from him, and nobody has agreed to his coming back")
	case who != "" && who != s.guest:
		no("it is not his seat")
	case who == "" && s.left && !back:
		no("he has left, and has not said that he is back")
	}
}

// mayDeal: a deal is called for when all seats are taken, waits for every number, and follows from the secret and from those that are open.
func (w *World) mayDeal(e *evening, f fact.Any, who string, no func(string)) {
	p := e.paper
	gives, shut := p.any(func(s place) bool { return s.seal != nil }), p.any(place.shut)
	waited := w.opened()-p.since >= numberTime-time.Second || w.set || w.took > time.Second
	switch f := f.(type) {
	case *fact.Called:
		switch {
		case p.dealt || p.phase == numbers:
			no("numbers are being opened, or it has been dealt")
		case p.phase == start && (who != p.host() || !gives || p.any(func(s place) bool { return s.guest == "" && s.bot == "" })):
			no("the host has not said it, there is an empty seat, or nobody has sealed a number")
		case p.phase == seals && !waited && p.any(func(s place) bool { return s.gave && s.seal == nil }):
			no("somebody has still to seal another number")
		}
	case *fact.Anew:
		used := p.secret != nil && *p.secret == f.Secret || slices.ContainsFunc(p.failed, func(a fair.Attempt) bool { return a.Secret == f.Secret })
		if p.phase != numbers || !shut || !p.version.Again() || used {
			no("no number is shut, or the secret has been used before")
		}
	case *fact.Dealt:
		switch {
		case p.dealt, p.any(func(s place) bool { return s.guest == "" && s.bot == "" }) && p.phase == start:
			no("it has been dealt, or there is an empty seat")
		case p.phase == start && (who != p.host() || gives && !p.moved):
			no("the host has not said it, or numbers are to be opened")
		case p.phase == seals, shut && p.version.Again():
			no("a number is shut")
		case !p.moved && p.secret != nil:
			proof := fair.Proof{Version: p.version, Failed: p.failed, Attempt: p.attempt(), First: p.first, Choices: p.choices}
			seed, err := proof.Seed()
			if err != nil {
				no("the seals do not fit: " + err.Error())
			}
			for i, has := range f.Seeds {
				if has != p.version.BotSeed(seed, game.Seat(i).String()) {
					no("the deal does not follow from the secret and the numbers that are open")
				}
			}
		}
	}
}

// How long the house waits for those who do not answer, and for a number.
const (
	lapse      = 5 * time.Minute
	numberTime = 5 * time.Second
)

// checkPaper: what the table says of itself is what somebody with a pencil says.
func (w *World) checkPaper(e *evening) {
	p := e.paper
	over := e.shadow.State() == table.Over
	if over {
		p.asks = nil
	}
	var told struct {
		Frame struct {
			About wire.About
			Shown struct {
				Up   []game.Seat
				Nums []int
			}
			Outcome *wire.Outcome
		}
	}
	if err := json.Unmarshal(e.shadow.Frames(e.id, table.Present{}, e.shadow.Seq(), true, p.at).For(game.Watcher, false), &told); err != nil {
		w.fail("table %s has a frame that is no JSON: %v", e.id, err)
	}
	about := told.Frame.About
	wrong := func(what string, says, is any) {
		w.fail("table %s, entry %d: of %s it says %s, and by the log it is %s", e.id, len(e.log), what, wire.Message(says), wire.Message(is))
	}
	if e.shadow.Host() != p.host() {
		wrong("the host", e.shadow.Host(), p.host())
	}
	if listed := e.shadow.Card(e.id, table.Present{}).Listed; listed != p.listed {
		wrong("its being listed", listed, p.listed)
	}
	if says := about.Setup.Imported; p.moved != (says != nil) || p.moved && *says != p.came {
		wrong("how many moves it began with", says, p.came)
	}
	if about.Next != p.next {
		wrong("the next game", about.Next, p.next)
	}
	if e.shadow.Seats() != len(p.seats) || len(about.Seats) != len(p.seats) {
		wrong("its seats", e.shadow.Seats(), len(p.seats))
	}
	for i, s := range p.seats {
		seat := game.Seat(i)
		plays := s.bot != "" || p.dealt && (s.guest == "" || s.left || s.away)
		is, says := e.shadow.Sitter(seat), about.Seats[i]
		if is.Guest != s.guest || is.Left != s.left || is.Away != s.away || says.Bot != s.bot || p.begun() == p.dealt && plays != (is.Bot != "") ||
			says.Standin != (plays && s.bot == "") || says.Program != wire.IsProgram(s.guest) || says.Host != (s.guest != "" && s.guest == p.host()) {
			wrong(seat.String(), []any{is, says}, []any{s.guest, s.bot, s.left, s.away})
		}
		if p.dealt && !w.story.Real {
			w.checkEyes(e, seat, s)
		}
	}
	w.checkAsked(e, about.Proposal, wrong)
	w.checkSeal(e, about.Seal, over, wrong)
	if p.dealt && !w.story.Real {
		want := p.showed.List()
		if over {
			want = game.Seats(1<<len(p.seats) - 1).List()
		}
		if !slices.Equal(told.Frame.Shown.Up, want) {
			wrong("what lies on the table", told.Frame.Shown.Up, want)
		}
		if says, is := told.Frame.Outcome, p.outcome(told.Frame.Shown.Nums); over != (says != nil) || over && (says.Why != is.Why || !slices.Equal(says.Winners, is.Winners)) {
			wrong("how it ended", says, is)
		}
	}
	if began, limit := e.shadow.Clock(); p.dealt && !over && limit > 0 && !began.Equal(p.clock) {
		wrong("when the clock began", began, p.clock)
	}
}

// mostMoves is where a table stops the toy.
const mostMoves = 300

// outcome is how the toy ended where those are the numbers that all had: the highest wins that was shown, and nobody where it was stopped.
func (p *paper) outcome(numbers []int) (o wire.Outcome) {
	switch {
	case p.shut:
		o.Why = "closed"
	case p.broken:
		o.Why = "broken"
	case len(p.played) == mostMoves:
		o.Why = "stopped"
	case len(numbers) == len(p.seats):
		for _, s := range p.showed.List() {
			if len(o.Winners) == 0 || numbers[s] > numbers[o.Winners[0]] {
				o.Winners = []game.Seat{s}
			}
		}
	}
	return o
}

// checkEyes: whoever has a seat sees his hand, unless all have taken it from him.
func (w *World) checkEyes(e *evening, seat game.Seat, s place) {
	var told struct {
		Frame struct {
			Own   json.RawMessage
			Moves []string
		}
	}
	text := e.shadow.Frames(e.id, table.Present{}, e.shadow.Seq(), true, e.paper.at).For(seat, false)
	if err := json.Unmarshal(text, &told); err != nil {
		w.fail("table %s has a frame that is no JSON: %v", e.id, err)
	}
	if (told.Frame.Own == nil) != s.freed {
		w.fail("table %s: whoever sits on %s sees the hand %s, and it was taken from him: %t", e.id, seat, told.Frame.Own, s.freed)
	}
	if asked := e.shadow.Turn() == seat && s.guest != "" && !s.left && !s.away && e.shadow.State() == table.Running; asked != (len(told.Frame.Moves) > 0) {
		w.fail("table %s: whoever sits on %s is asked for a move: %t, and is told that he could say %q", e.id, seat, asked, told.Frame.Moves)
	}
}

func (w *World) checkAsked(e *evening, says *wire.Proposal, wrong func(string, any, any)) {
	q := e.paper.asks
	if (says == nil) != (q == nil) {
		wrong("what is asked", says, q)
	}
	if q == nil {
		return
	}
	by := game.NoSeat
	if s := e.paper.seatOf(q.by); s >= 0 {
		by = game.Seat(s)
	}
	if says.Seq != q.seq || says.Do != q.do || says.Seat != q.seat || by != game.NoSeat && says.By != by || !slices.Equal(says.Agreed, q.agreed.List()) {
		wrong("what is asked", says, []any{q.seq, q.do, q.by, q.seat, q.agreed.List()})
	}
}

// checkSeal: the secret is sealed until the game is over, and the numbers are those that people have sealed who sit there now.
func (w *World) checkSeal(e *evening, says *wire.Seal, over bool, wrong func(string, any, any)) {
	p := e.paper
	if p.secret == nil || says == nil {
		if says != nil || p.secret != nil {
			wrong("the seal", says, p.secret)
		}
		return
	}
	is := p.attempt()
	if p.dealt {
		is.Numbers = nil
	}
	switch {
	case says.Version != p.version, says.Seal != is.Seal, says.Called != (p.phase == numbers), len(says.Failed) != len(p.failed):
		wrong("the seal", says, is.Seal)
	case !same(wire.Message(append([]fair.Number{}, says.Numbers...)), wire.Message(append([]fair.Number{}, is.Numbers...))):
		wrong("the numbers", says.Numbers, is.Numbers)
	case (says.Secret != nil) != over, over && *says.Secret != *p.secret:
		wrong("the secret", says.Secret, over)
	}
}

// patience is how long a command may wait for its table.
const patience = 10 * time.Second

// checkWhispers: what somebody has seen of another's he alone is told, be it he or a bot who plays for him; and nobody, if all have taken the seat from him.
func (w *World) checkWhispers(e *evening, f fact.Any) {
	m, moved := f.(*fact.Moved)
	if !moved || m.Words != "peek" || w.story.Real {
		return
	}
	for i := range len(e.paper.seats) + 1 {
		eyes, hears := game.Watcher, false
		if i < len(e.paper.seats) {
			eyes = game.Seat(i)
			hears = eyes == m.Seat && !e.paper.seats[i].freed
		}
		frames := e.shadow.Frames(e.id, table.Present{}, e.shadow.Seq()-1, false, e.paper.at)
		for _, text := range [][]byte{frames.For(eyes, false), frames.WithLog(eyes, false)} {
			if told := bytes.Contains(text, []byte(`"verb":"peek","what":`)); told != hears {
				w.fail("table %s, entry %d: %s has peeked, and with the eyes of %s it is seen what: %t; it may be: %t", e.id, len(e.log), m.Seat, eyes, told, hears)
			}
		}
	}
}
