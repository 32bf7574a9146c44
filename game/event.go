package game

import (
	"encoding/json"
	"fmt"
)

// An Event is one sentence of what happened: who did what, where, to whom, and by which paragraph of which rulebook.
// Its words are the rulebook's; a client looks the sentence up under the verb, in the reader's language.
type Event struct {
	Seat Seat   `json:"seat,omitzero"`  // who did it
	Verb string `json:"verb"`           // what was done: open, rest, stake, give …
	At   string `json:"at,omitempty"`   // where: a grave, or an end of a row
	What string `json:"what,omitempty"` // what was seen or moved: red, rat, vampire red
	N    int    `json:"n,omitempty"`    // how many there are now, or how many are due
	To   Seat   `json:"to,omitzero"`    // to whom
	Rule string `json:"rule,omitempty"` // the ruling or the rulebook's chapter: P7, 2004 ch. 2

	// Secret is who alone may know What; nobody named means everyone may.
	Secret Seats `json:"-"`
	// Stays is whether At and What lie open for everyone from now on to the end, so that the visible log may keep them.
	Stays bool `json:"-"`
}

// UnmarshalJSON reads an event as it is written: a seat that is absent is nobody.
func (e *Event) UnmarshalJSON(text []byte) error {
	type plain Event
	read := plain{Seat: NoSeat, To: NoSeat}
	err := json.Unmarshal(text, &read)
	*e = Event(read)
	return err
}

// AppendJSON writes the event as encoding/json does.
func (e Event) AppendJSON(t JSON) JSON {
	t = append(t, '{').TextIn("seat", e.Seat.String()).Key("verb").Text(e.Verb).TextIn("at", e.At).TextIn("what", e.What)
	return append(t.NumberIn("n", e.N).TextIn("to", e.To.String()).TextIn("rule", e.Rule), '}')
}

// For is the event as seat s may know it. It is the one place in the house where an event is redacted.
func (e Event) For(s Seat) Event {
	if e.Secret != 0 && !e.Secret.Has(s) {
		e.What = ""
	}
	return e
}

// Faded is what stays of an event on the visible log: who did what, not where and not what was seen, unless the rulebook
// says that it lies open for good. These are games of memory; only a table that remembers everything for its players
// keeps more (AidAll).
func (e Event) Faded(aid Aid) Event {
	if aid != AidAll && !e.Stays {
		e.At, e.What = "", ""
	}
	return e
}

// Events collects what happens in one move. A nil *Events hears nothing and costs nothing.
type Events struct{ list []Event }

// Say adds an event that everyone may know. Where nothing is to be said of a place or a thing, it is nil.
func (ev *Events) Say(s Seat, verb string, at, what fmt.Stringer, rule string) {
	if ev != nil {
		ev.add(s, verb, at, what, 0, NoSeat, rule)
	}
}

// Count adds an event that everyone may know and that says how many.
func (ev *Events) Count(s Seat, verb string, n uint8, rule string) {
	if ev != nil {
		ev.add(s, verb, nil, nil, int(n), NoSeat, rule)
	}
}

// Between adds an event that everyone may know, of one seat towards another.
func (ev *Events) Between(s, to Seat, verb string, at, what fmt.Stringer, rule string) {
	if ev != nil {
		ev.add(s, verb, at, what, 0, to, rule)
	}
}

// Tell adds an event whole, for what the others cannot say: a thing and a number together, or something that only some
// may know (Secret).
func (ev *Events) Tell(e Event) {
	if ev != nil {
		ev.list = append(ev.list, e)
	}
}

// Stays says of the event added last that its place and its thing lie open for everyone to the end.
func (ev *Events) Stays() {
	if ev != nil {
		ev.list[len(ev.list)-1].Stays = true
	}
}

// List is what was said, in order.
func (ev *Events) List() []Event { return ev.list }

func (ev *Events) add(s Seat, verb string, at, what fmt.Stringer, n int, to Seat, rule string) {
	e := Event{Seat: s, Verb: verb, N: n, To: to, Rule: rule}
	if at != nil {
		e.At = at.String()
	}
	if what != nil {
		e.What = what.String()
	}
	ev.list = append(ev.list, e)
}
