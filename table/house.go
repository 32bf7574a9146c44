package table

import (
	"time"

	"caveau/ceremony"
	"caveau/company"
	"caveau/fact"
	"caveau/fair"
	"caveau/game"
)

// What the house decides by itself, when its time has come (package match has the timers).

// ByHouse is that a fact is to be written because the house says so: its time has come.
func ByHouse(f fact.Any) *Decision { return &Decision{fact: f} }

// Dealt is the deal that follows from the table's secret and the numbers that are open.
func (t *Table) Dealt() (*Decision, error) {
	f, err := t.shuffle()
	if err != nil {
		return nil, err
	}
	return &Decision{fact: f}, nil
}

// Moved is a move that a bot makes: for a seat that is played by one (fact.ByBot), or because the time has run out (fact.ByClock).
// For words that are no legal move it plays the first legal one; legal tells whether they were.
func (t *Table) Moved(s game.Seat, words, by string) (d *Decision, legal bool) {
	d, err := t.decision(&fact.Moved{Seat: s, Words: words, By: by}, fact.Receipt{})
	if legal = err == nil; !legal {
		d, err = t.decision(&fact.Moved{Seat: s, Words: t.state.Moves()[0], By: by}, fact.Receipt{})
	}
	if err != nil {
		panic("table: the first legal move is none: " + err.Error())
	}
	return d, legal
}

// What those timers need to know.

// Sealable tells whether the table has still to get a secret.
func (t *Table) Sealable() bool { return !t.ceremony.Sealed() && t.imported == nil }

// Ceremony is what the deal waits for; Failed, how often it was tried.
func (t *Table) Ceremony() ceremony.Wait { return t.ceremony.Wait() }
func (t *Table) Failed() int             { return t.ceremony.Failed() }

// At is the time of the last entry.
func (t *Table) At() time.Time { return t.at }

// Reached is when the present position was reached, and by which entry.
func (t *Table) Reached() (at time.Time, seq int) { return t.reached, t.asked }

// Clock is when the clock of whoever is asked began, and how long he has; 0: as long as he likes.
func (t *Table) Clock() (began time.Time, limit time.Duration) { return t.clock, t.setup.Limit() }

// Away is how long somebody may be gone until a bot plays for him, or another is the host.
func (t *Table) Away() time.Duration { return t.setup.Patience() }

// Host is whose table it is, or who stands in for him. Founder is whose it is even when he is not there.
func (t *Table) Host() string    { return t.people.Host() }
func (t *Table) Founder() string { return t.people.Founder }

// Sitter is who has that seat.
func (t *Table) Sitter(s game.Seat) company.Sitter {
	return t.people.Chairs[s].Sitter(t.begun(), t.standin)
}

// Seats is how many there are. Standin is the bot that moves for people who are gone, or whose time has run out.
func (t *Table) Seats() int      { return len(t.people.Chairs) }
func (t *Table) Standin() string { return t.standin }

// Seen is all that whoever plays a seat may know.
type Seen struct {
	Seat   game.Seat    // where it sits
	View   any          // the seat's view of the position, as game.State.View makes it
	Events []game.Event // everything that the seat was told since the deal, in order
	Moves  []string     // what it may say, two or more, in the rules' order
	Seed   uint64       // the bot's own randomness, the same at every move of the seat; it stands in the record
	Aid    game.Aid     // how much the table helps its people to remember, and so its bots
}

// Seen is what a bot on that seat gets.
func (t *Table) Seen(s game.Seat) Seen {
	seen := Seen{Seat: s, View: t.state.View(s), Moves: t.state.Moves(), Seed: t.seeds[s], Aid: t.setup.Aid}
	for _, l := range t.lines {
		if !l.house {
			seen.Events = append(seen.Events, l.event.For(s))
		}
	}
	return seen
}

// Game is the name of the game that is played here.
func (t *Table) Game() string { return t.setup.Game }

// BotTime is how long a bot takes for the present position: somewhere between what the table agreed on, as follows from the
// chance, and longer where pages would come to lie too far behind.
func (t *Table) BotTime(chance fair.Bits) time.Duration {
	return t.setup.Pause(chance, t.asked, t.behind)
}
