package storm

import (
	"encoding/json"
	"slices"

	"caveau/company"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
	"caveau/table"
	"caveau/wire"
)

// What somebody with a pencil says of each word: that all is so already, that something speaks against it, or neither; then it is done. What the
// table answers has to be that. And of what is done everybody is told who did it, and whom it is about.

// A verdict is what is said of a command. Neither: it is to be done. Both: it depends on who was there a moment ago.
type verdict struct {
	so      bool
	against string
}

var already = verdict{so: true}

func no(why string) verdict { return verdict{against: why} }

// judge is the verdict on a command at a table that is there and was not closed. The house counts who was there a moment ago, and here nobody is who has gone:
// so it is not said that nobody could agree where somebody may.
func (w *World) judge(e *evening, s *said) verdict {
	p, c, who := e.paper, s.command, s.who.guest
	over, mine := e.shadow.State() == table.Over, p.seatOf(who)
	seat := -1
	if len(c.Seat) == 1 && c.Seat >= "A" && int(c.Seat[0]-'A') < len(p.seats) {
		seat = int(c.Seat[0] - 'A')
	}
	switch c.Do {
	case "leave":
		if mine < 0 || over || p.seats[mine].left {
			return already
		}
		return verdict{}
	case "seal", "unseal":
		return p.judgeNumber(c, mine)
	case "agree", "decline":
		return p.judgeAnswer(c, who, mine)
	case "start", "break":
		seat = 0 // no matter
	}
	switch {
	case seat < 0:
		return no("there is no such seat")
	case c.Do != "sit" && c.Do != "play" && who != p.host():
		return no("that is the host's to say")
	case c.Do == "start":
		return p.judgeStart()
	case c.Do == "bot":
		return w.judgeBot(e, c, p.seats[seat])
	case c.Do == "play":
		return judgeMove(e, c, seat, p.seats[seat].guest != who || p.seats[seat].left)
	case over:
		return no("the game is over")
	case c.Do == "break" && !p.dealt:
		return no("there is no game")
	case c.Do == "break":
		return w.judgeWish(e, question{do: c.Do, by: who, seat: game.NoSeat})
	case c.Do == "free" && p.seats[seat].left:
		return already
	case c.Do == "free" && p.seats[seat].guest == "":
		return no("there is nobody to be freed")
	case c.Do == "free" && p.begun() && !p.dealt:
		return no("it is being dealt")
	case c.Do == "free" && (!p.dealt || wire.IsProgram(p.seats[seat].guest)):
		return verdict{}
	case c.Do == "free":
		return w.judgeWish(e, question{do: c.Do, by: who, seat: game.Seat(seat)})
	}
	return w.judgeSit(e, who, seat, mine)
}

func (p *paper) judgeNumber(c wire.Command, mine int) verdict {
	bits, err := fair.Parse(c.Bits)
	if err != nil || mine < 0 {
		return no("those are no bits, or he does not sit there")
	}
	s := p.seats[mine]
	switch {
	case c.Do == "unseal" && s.number != nil && *s.number == bits:
		return already
	case c.Do == "unseal" && (p.phase != numbers || p.dealt || s.seal == nil || p.version.SealNumber(p.attempt().Seal, game.Seat(mine).String(), bits) != *s.seal):
		return no("it is not the time, or not the number that he sealed")
	case c.Do == "unseal":
	case p.dealt || p.phase == numbers || p.secret == nil || s.late:
		return no("it is not the time, or he kept one shut")
	case s.seal != nil && *s.seal == bits:
		return already
	}
	return verdict{}
}

func (p *paper) judgeAnswer(c wire.Command, who string, mine int) verdict {
	q := p.asks
	switch {
	case q == nil || q.seq != c.Seq:
		return no("that is not being asked")
	case c.Do == "decline" && who == q.by:
		return verdict{}
	case mine < 0 || !p.allAsked().Has(game.Seat(mine)):
		return no("he is not asked")
	case c.Do == "agree" && q.agreed.Has(game.Seat(mine)):
		return already
	}
	return verdict{}
}

func (p *paper) judgeStart() verdict {
	if p.begun() || p.any(func(s place) bool { return s.guest == "" && s.bot == "" }) || p.secret == nil && !p.moved {
		return no("it has begun, there is an empty seat, or no secret yet")
	}
	return verdict{}
}

func (w *World) judgeBot(e *evening, c wire.Command, s place) verdict {
	switch {
	case e.paper.begun() || s.guest != "":
		return no("it has begun, or somebody sits there")
	case s.bot == c.Bot:
		return already
	case c.Bot != "" && !slices.Contains(w.shelf().Bots(e.shadow.Game()), c.Bot):
		return no("nobody is called so")
	}
	return verdict{}
}

func judgeMove(e *evening, c wire.Command, seat int, anothers bool) verdict {
	p := e.paper
	switch {
	case !p.dealt || anothers || e.shadow.State() == table.Over:
		return no("it is not his seat, or nothing is played")
	case c.Seq < p.posed || c.Seq > len(e.log):
		return no("it was for another position")
	case e.shadow.Turn() != game.Seat(seat) || !slices.Contains(e.shadow.Seen(game.Seat(seat)).Moves, c.Move):
		return no("it is not his turn, or no such move")
	}
	return verdict{}
}

func (w *World) judgeSit(e *evening, who string, seat, mine int) verdict {
	p, s := e.paper, e.paper.seats[seat]
	wish := question{do: company.ToSit, by: who, seat: game.Seat(seat)}
	owner := w.guest(s.guest)
	switch {
	case mine == seat && s.freed:
		return w.judgeWish(e, wish)
	case mine == seat && (s.left || s.away):
		return verdict{}
	case mine == seat:
		return already
	case mine >= 0 && p.begun():
		return no("he has another one")
	case s.bot != "" || s.guest != "" && !s.left:
		return no("somebody sits there")
	case s.guest != "" && !s.freed && !wire.IsProgram(s.guest) && (owner == nil || !owner.here(e.id)):
		return verdict{p.asksAlready(wish), "it is kept for somebody who is not there"}
	case p.dealt:
		return w.judgeWish(e, wish)
	case p.begun():
		return no("it is being dealt")
	}
	return verdict{}
}

// judgeWish is the verdict on what others have to agree to.
func (w *World) judgeWish(e *evening, wish question) verdict {
	p := e.paper
	switch {
	case p.asksAlready(wish):
		return already
	case p.asks != nil:
		return no("something else is being asked")
	}
	asked := (&paper{seats: p.seats, asks: &wish}).allAsked()
	for _, s := range asked.List() {
		if who := w.guest(p.seats[s].guest); who != nil && slices.ContainsFunc(who.pages, func(g *page) bool { return g.watches(e.id) && g.seen[e.id].came < w.looks }) {
			return verdict{} // who comes at this moment may have come after it was said
		}
	}
	if wish.do == company.ToBreak {
		return verdict{} // nobody need agree
	}
	return no("nobody may be there who could agree")
}

// asksAlready tells whether that is being asked.
func (p *paper) asksAlready(wish question) bool {
	q := p.asks
	return q != nil && q.do == wish.do && q.by == wish.by && q.seat == wish.seat
}

// A telling is a line of which everybody is told: what was done, at which seat, and by whom, or to whom.
type telling struct{ Verb, Seat, What string }

// tellings are those of something that is done at a table, of people: of moves the game tells. Called is what they are called.
func (p *paper) tellings(f fact.Any, first game.Seat, called func(guest string) string) (all []telling) {
	tell := func(verb string, seat game.Seat, guest string) {
		t := telling{Verb: verb, What: called(guest)}
		if int(seat) < len(p.seats) {
			t.Seat = seat.String()
		}
		all = append(all, t)
	}
	sits := func(verb string, seat game.Seat) { tell(verb, seat, p.seats[seat].guest) }
	ruled := map[bool]string{true: "rule-"}
	switch f := f.(type) {
	case *fact.Sat:
		tell("sit", f.Seat, f.Guest.ID)
	case *fact.Stood:
		sits("leave", f.Seat)
	case *fact.Freed:
		sits(ruled[f.Ruled]+"free", f.Seat)
	case *fact.Hosted:
		sits("host", f.Seat)
	case *fact.Resumed:
		tell("host", game.NoSeat, p.founder)
	case *fact.Missed:
		sits("away", f.Seat)
	case *fact.Returned:
		sits("back", f.Seat)
	case *fact.Broke:
		tell("broken", game.NoSeat, p.whoBroke(f))
	case *fact.Shut:
		tell(ruled[f.Ruled]+"closed", game.NoSeat, "")
	case *fact.Unlisted:
		tell("rule-unlist", game.NoSeat, "")
	case *fact.Again:
		if f.Guest == nil {
			sits("rematch", f.Seat)
		} else {
			tell("rematch", game.NoSeat, f.Guest.ID)
		}
	case *fact.Proposed:
		tell("propose-"+f.Do, f.Seat, f.Guest.ID)
	case *fact.Agreed:
		sits("agree", f.Seat)
	case *fact.Declined:
		switch q := p.asks; {
		case q == nil: // an earlier version wrote that down
		case int(f.Seat) >= len(p.seats):
			tell("lapse", game.NoSeat, q.by)
		case p.seats[f.Seat].guest == q.by:
			sits("withdraw", f.Seat)
		default:
			sits("decline", f.Seat)
		}
	case *fact.Dealt:
		if sits("start", first); p.seats[first].bot != "" {
			all[0].What = p.seats[first].bot
		}
	case *fact.Anew:
		for i, s := range p.seats {
			if s.shut() {
				sits("unopened", game.Seat(i))
			}
		}
	case *fact.Moved:
		if f.By == fact.ByClock {
			sits("timeout", f.Seat)
		}
	}
	switch f.(type) {
	case *fact.Stood, *fact.Freed, *fact.Missed:
		if p.dealt {
			all = append(all, telling{"standin", all[0].Seat, all[0].What})
		}
	}
	return all
}

// whoBroke is who broke a game off. A log of before does not say it; whoever asked for it, or the host.
func (p *paper) whoBroke(f *fact.Broke) string {
	switch q := p.asks; {
	case f.Guest.ID != "":
		return f.Guest.ID
	case q != nil && q.do == company.ToBreak:
		return q.by
	}
	return p.host()
}

// checkTold: of what is done at a table, which was like that before, everybody is told, in the words for it, and by whom it was.
func (w *World) checkTold(e *evening, f fact.Any, before paper) {
	called := func(guest string) string {
		if w.guest(guest) == nil {
			return "" // nobody knows, or nobody is named
		}
		e.shadow.Call(guest, "somebody called "+guest) // until callByName
		return "somebody called " + guest
	}
	want := before.tellings(f, e.shadow.Turn(), called)
	if m, moved := f.(*fact.Moved); moved && !w.story.Real {
		want = append(want, telling{Verb: m.Words, Seat: m.Seat.String()})
	}
	var told struct{ Frame struct{ Events []telling } }
	if err := json.Unmarshal(e.shadow.Frames(e.id, table.Present{}, e.shadow.Seq()-1, false, e.paper.at).For(game.Watcher, false), &told); err != nil {
		w.fail("table %s has a frame that is no JSON: %v", e.id, err)
	}
	says := told.Frame.Events
	if len(says) < len(want) || !slices.EqualFunc(says[:len(want)], want, telling.is) {
		w.fail("table %s, entry %d: everybody is told %q of %s, and it is %q", e.id, len(e.log), says, wire.Message(f), want)
	}
}

// is tells whether that is what is to be told. What somebody is called who is not known here is not looked at.
func (says telling) is(want telling) bool {
	return says.Verb == want.Verb && says.Seat == want.Seat && (want.What == "" || says.What == want.What)
}
