package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"caveau/company"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
)

// What follows from each fact. To apply one that is in the log cannot fail, unless the log was damaged or the rules were changed under it.

// apply makes a fact that is in the log part of the table. Of a move that was decided here r is what it led to.
func (t *Table) apply(f fact.Any, r *result, by fact.Receipt, end *fact.Ending, at time.Time) error {
	t.seq = t.seq + 1
	if at.After(t.at) { // the clock on the wall may be set back
		t.at = at
	}
	if err := t.follow(f, r); err != nil {
		return err
	}
	if t.ended = t.overNow(); t.ended {
		t.people.Proposal = nil // there is nothing left to agree to
	}
	_, move := f.(*fact.Moved)
	if by.ID != "" {
		t.done[by.Key()] = true
		if !move {
			t.people.Changed(by.Guest, t.at)
		}
	}
	if end != nil {
		t.end = end
	}
	if t.State() == Over || !move {
		t.about = t.seq
	}
	return nil
}

// follow does what follows from a fact.
func (t *Table) follow(f fact.Any, r *result) error {
	switch f := f.(type) {
	case *fact.Made:
		return t.applyMade(f)
	case *fact.Kept:
		return t.applyKept(f)
	case *fact.Sat:
		t.applySat(f)
	case *fact.Stood:
		t.applyStood(f)
	case *fact.Botted:
		t.applyBotted(f)
	case *fact.Hosted:
		t.applyHosted(f)
	case *fact.Resealed:
		t.applyResealed(f)
	case *fact.Sealed:
		t.ceremony.Seal(f.Seat, f.Seal)
	case *fact.Called:
		t.ceremony.Call(t.at)
	case *fact.Unsealed:
		t.ceremony.Unseal(f.Seat, f.Number)
	case *fact.Anew:
		t.applyAnew(f)
	case *fact.Dealt:
		return t.applyDealt(f)
	case *fact.Moved:
		return t.applyMoved(f, r)
	case *fact.Missed:
		t.applyMissed(f)
	case *fact.Returned:
		t.applyReturned(f)
	case *fact.Freed:
		t.applyFreed(f)
	case *fact.Renamed:
		t.hear(f.Guest)
	case *fact.Broke:
		t.applyBroke(f)
	case *fact.Again:
		t.applyAgain(f)
	case *fact.Shut:
		t.applyShut(f)
	case *fact.Unlisted:
		t.applyUnlisted()
	case *fact.Proposed:
		t.applyProposed(f)
	case *fact.Agreed:
		t.applyAgreed(f)
	case *fact.Declined:
		t.applyDeclined(f)
	case *fact.Resumed:
		t.applyResumed()
	case *fact.Idle:
		t.outages.Add(f.Outage())
	default:
		return fmt.Errorf("%T: %w", f, errNothingFollows)
	}
	return nil
}

var errNothingFollows = errors.New("nothing follows from such an entry")

// applyMade: the table stands, with whoever sits at it from the first.
func (t *Table) applyMade(f *fact.Made) error {
	g, ok := t.shelf.Game(f.Setup.Game)
	derivation := cmp.Or(f.Derivation, fair.Deal1)
	if !ok || t.seq != 1 || !derivation.Known() {
		return fmt.Errorf("a table of %q cannot be made here", f.Setup.Game)
	}
	t.game, t.setup, t.people.Founder, t.imported, t.made = g, f.Setup, t.hear(f.Host), f.Imported, t.at
	t.standin = f.Stands(t.shelf.Bots(f.Setup.Game))
	t.ceremony.Begin(derivation, f.Secret)
	for _, c := range f.Chairs {
		t.people.Chairs = append(t.people.Chairs, company.Chair{Guest: t.hear(c.Guest), Bot: c.Bot, Sat: t.at})
	}
	return nil
}

// applyKept: a game that was played on a device stands here as it came.
func (t *Table) applyKept(f *fact.Kept) error {
	made, dealt, err := f.Opened(t.shelf)
	if t.kept = f; err == nil {
		err = t.applyMade(made)
	}
	if err == nil {
		err = t.applyDealt(dealt)
		t.broken = f.Broken() && t.Turn() != game.NoSeat
	}
	return err
}

// applySat: somebody took an empty seat, or came back to his own, and has got up from the one that he had.
func (t *Table) applySat(f *fact.Sat) {
	guest := t.hear(f.Guest)
	if old := t.SeatOf(guest); old != game.Watcher {
		t.ceremony.Lose(old)
	}
	t.ceremony.Lose(f.Seat)
	since := 0
	if t.state != nil {
		since = t.seq
	}
	t.people.Sit(f.Seat, guest, t.at, since)
	if t.Turn() == f.Seat {
		t.allow(guest)
	}
	t.tellOf(f.Seat, "sit", guest)
}

// hear is whom a fact names, with the name that it has if it is an old one.
func (t *Table) hear(g fact.Guest) string {
	t.people.Names.Heard(g.ID, g.Was)
	return g.ID
}

// allow gives whoever is asked the full time for the move, once: nobody holds a table up by coming and going.
func (t *Table) allow(guest string) {
	if !slices.Contains(t.allowed, guest) {
		t.clock, t.allowed = t.at, append(t.allowed, guest)
	}
}

// applyStood: somebody left his seat; once the game runs, a bot plays it until he sits down again.
func (t *Table) applyStood(f *fact.Stood) {
	c := &t.people.Chairs[f.Seat]
	t.tell(f.Seat, "leave", *c)
	if t.begun() {
		t.people.Leave(f.Seat, false)
		t.tell(f.Seat, "standin", *c)
		return
	}
	*c = company.Chair{}
	t.ceremony.Lose(f.Seat)
}

// applyBotted: the host gave an empty seat to a bot, or took it away from one.
func (t *Table) applyBotted(f *fact.Botted) { t.people.Chairs[f.Seat] = company.Chair{Bot: f.Bot} }

// applyHosted: the host was gone too long, and somebody who is there stands in for him.
func (t *Table) applyHosted(f *fact.Hosted) {
	t.people.Acting = t.people.Chairs[f.Seat].Guest
	t.tellOf(f.Seat, "host", t.people.Acting)
}

// applyResumed: the host is back.
func (t *Table) applyResumed() {
	t.people.Acting = ""
	t.tellOf(game.NoSeat, "host", t.people.Founder)
}

// applyResealed: the table was made before deals were sealed, and has a secret now.
func (t *Table) applyResealed(f *fact.Resealed) { t.ceremony.Begin(fair.Deal1, &f.Secret) }

// applyAnew: numbers were not opened in time, and the ceremony begins again.
func (t *Table) applyAnew(f *fact.Anew) {
	for _, seat := range t.ceremony.Anew(f.Secret, t.at).List() {
		t.tellOf(seat, "unopened", t.people.Chairs[seat].Guest)
	}
}

// applyDealt: the game began.
func (t *Table) applyDealt(f *fact.Dealt) error {
	state, err := t.game.Read(t.setup.Rules(), f.Deal)
	if err != nil {
		return errors.New("the deal is not accepted") // not why: it is a secret
	}
	t.state = state
	here := t.lines
	t.lines = nil // what came with the position was before all that happened here
	for _, move := range f.Moves {
		if err := t.bring(move); err != nil {
			return err
		}
	}
	t.lines = append(t.lines, here...)
	t.first, t.dealt = t.state.Turn(), t.seq
	t.reach(t.state)
	t.keepDeal(f)
	if t.first != game.NoSeat && t.kept == nil { // else it came whole
		t.tell(t.first, "start", t.players[t.first])
	}
	return nil
}

// keepDeal is what follows from the deal without any rules.
func (t *Table) keepDeal(f *fact.Dealt) {
	t.deal, t.seeds = f.Deal, f.Seeds
	if t.ceremony.Sealed() {
		proof := t.prove()
		t.proof = &proof
	}
	t.players = slices.Clone(t.people.Chairs)
}

// A result is what a move led to when it was decided, so that it is played once. The log has the move alone.
type result struct {
	after  game.State
	events []game.Event
}

// play plays a move, if the rules allow it.
func (t *Table) play(m *fact.Moved) (*result, error) {
	after, events, err := t.state.Play(m.Seat, m.Words)
	if err != nil {
		return nil, err
	}
	return &result{after, events}, nil
}

// applyMoved: a move of the game, with what it led to, if that is known.
func (t *Table) applyMoved(f *fact.Moved, r *result) (err error) {
	if r == nil {
		if r, err = t.play(f); err != nil {
			return t.unplayable(err)
		}
	}
	if f.By == fact.ByClock {
		t.tell(f.Seat, "timeout", t.people.Chairs[f.Seat])
	}
	looks := 0
	for _, e := range r.events {
		t.lines = append(t.lines, line{seq: t.seq, event: e})
		if slices.Contains(t.game.Info().Looks, e.Verb) {
			looks++
		}
	}
	t.moves = append(t.moves, *f)
	t.behind = t.setup.Behind(t.behind-t.at.Sub(t.reached), looks)
	t.reach(r.after)
	return nil
}

// reach: the table is at a new position, and whoever is asked has the full time.
func (t *Table) reach(state game.State) {
	t.state, t.asked, t.reached, t.allowed = state, t.seq, t.at, t.allowed[:0]
	if turn := state.Turn(); turn != game.NoSeat {
		t.allow(t.people.Chairs[turn].Guest)
	}
}

// unplayable says of the next move that it is refused. It does not say its words: they may be a secret.
func (t *Table) unplayable(err error) error { return fmt.Errorf("move %d: %w", len(t.moves)+1, err) }

// applyMissed: somebody is gone longer than the table allows, and a bot plays for him.
func (t *Table) applyMissed(f *fact.Missed) {
	c := &t.people.Chairs[f.Seat]
	c.Away = true
	t.tell(f.Seat, "away", *c)
	t.tell(f.Seat, "standin", *c)
}

// applyReturned: whoever was gone is back.
func (t *Table) applyReturned(f *fact.Returned) {
	t.people.Return(f.Seat, t.at)
	t.tell(f.Seat, "back", t.people.Chairs[f.Seat])
}

// applyFreed: the host took the seat from its player.
func (t *Table) applyFreed(f *fact.Freed) {
	c := &t.people.Chairs[f.Seat]
	who := *c
	if f.Left {
		t.people.Leave(f.Seat, f.All)
	} else {
		*c = company.Chair{}
		t.ceremony.Lose(f.Seat)
	}
	t.tell(f.Seat, ruled("free", f.Ruled), who)
	if t.state != nil {
		t.tell(f.Seat, "standin", who)
	}
}

// applyBroke: the host broke the running game off. A log of before does not say who that was, but he had proposed it, if anybody was asked.
func (t *Table) applyBroke(f *fact.Broke) {
	guest := cmp.Or(t.hear(f.Guest), t.Host())
	if p := t.people.Proposal; f.Guest.ID == "" && p != nil && p.Do == company.ToBreak {
		guest = p.By
	}
	t.broken, t.people.Proposal = true, nil
	t.tellOf(game.NoSeat, "broken", guest)
}

// applyAgain: after the end, there is a table for another game.
func (t *Table) applyAgain(f *fact.Again) {
	if t.next = f.Next; f.Guest != nil {
		t.tellOf(game.NoSeat, "rematch", t.hear(*f.Guest))
		return
	}
	t.tell(f.Seat, "rematch", t.people.Chairs[f.Seat])
}

// applyShut: the table is closed.
func (t *Table) applyShut(f *fact.Shut) {
	t.closed = true
	t.tellOf(game.NoSeat, ruled("closed", f.Ruled), "")
}

// applyUnlisted: the table is in the lobby's list no more.
func (t *Table) applyUnlisted() {
	t.setup.Listed = false
	t.tellOf(game.NoSeat, ruled("unlist", true), "")
}

// ruled is the verb of a line that says whether whoever runs the house did it.
func ruled(verb string, so bool) string {
	if so {
		return "rule-" + verb
	}
	return verb
}
