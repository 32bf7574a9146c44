package match

import (
	"encoding/json"
	"time"

	"caveau/game"
)

// A Frame is what one audience is sent after one entry: the whole table as that audience may see it. Every audience gets
// a frame for every Seq, so that no gap betrays a secret and a client that missed something knows it.
//
// No field of it can hold a position: what lies on the table comes from State.Shown, as JSON already, what happened from
// Event.For, and the log from Event.Faded.
type Frame struct {
	Seq      int             `json:"seq"`
	You      game.Seat       `json:"you"`
	State    string          `json:"state"`
	Setup    Rules           `json:"setup"`
	Seats    []Chair         `json:"seats"`
	Watchers int             `json:"watchers"`
	Events   []game.Event    `json:"events"`
	Log      []game.Event    `json:"log"`
	Shown    json.RawMessage `json:"shown"`
	Own      json.RawMessage `json:"own,omitempty"`
	Turn     game.Seat       `json:"turn"`
	Moves    []string        `json:"moves"`
	Asked    string          `json:"asked"`
	Cites    string          `json:"cites,omitempty"`
	Clock    *Left           `json:"clock,omitempty"`
	Outcome  Outcome         `json:"outcome"`
	Next     ID              `json:"next"`
	Seal     *Seal           `json:"seal"`
}

// Rules is what a frame says of the table's set-up.
type Rules struct {
	Game     string         `json:"game"`
	Edition  string         `json:"edition"`
	Seats    int            `json:"seats"`
	Aid      game.Aid       `json:"aid"`
	MoveTime int            `json:"moveTime"`
	AwayTime int            `json:"awayTime"`
	Listed   bool           `json:"listed"`
	First    string         `json:"first"`
	Bare     []string       `json:"bare"`
	Options  map[string]int `json:"options,omitempty"`
	Imported *int           `json:"imported,omitempty"` // how many moves came with the position; absent where it was dealt
}

// A Chair is what a frame says of a seat.
type Chair struct {
	Seat    game.Seat `json:"seat"`
	Name    string    `json:"name"`
	Bot     string    `json:"bot"`
	Here    bool      `json:"here"`    // connected; a bot always is
	Host    bool      `json:"host"`    // its player is the host
	Standin bool      `json:"standin"` // a bot plays for a person who is not there, or for nobody
}

// Left is the time for a move, in milliseconds: what is left of it, and how much it was.
type Left struct {
	Left int64 `json:"left"`
	Of   int64 `json:"of"`
}

// An Outcome is how a table ended.
type Outcome struct {
	Over    bool        `json:"over"`
	Winners []game.Seat `json:"winners"`
	Why     string      `json:"why"` // "", stopped or broken
}

// A Card is what a door sign says.
type Card struct {
	Table    ID        `json:"table"`
	Game     string    `json:"game"`
	Edition  string    `json:"edition"`
	State    string    `json:"state"`
	Listed   bool      `json:"listed"`
	Host     string    `json:"host"`
	Seats    []Sign    `json:"seats"`
	Watchers int       `json:"watchers"`
	Made     time.Time `json:"made"`
	Seal     *Seal     `json:"seal"`
	Imported *int      `json:"imported,omitempty"` // as in Rules
}

// A Sign is one seat on a door sign.
type Sign struct {
	Seat game.Seat `json:"seat"`
	Name string    `json:"name"`
	Bot  string    `json:"bot"`
}

// longestLog is how many events of the log a frame carries, longestMissed how many frames' events somebody is told who
// lost them.
const (
	longestLog    = 300
	longestMissed = 30
)

// frame is the table as the audience may see it, with what happened after frame since.
func (m *match) frame(audience game.Seat, since int) Frame {
	t := m.table
	f := Frame{
		Seq: t.seq, You: audience, State: t.phase(), Setup: t.terms(), Seats: m.chairs(), Watchers: m.watchers(),
		Events: t.events(audience, since), Turn: t.turn(), Moves: []string{}, Clock: m.left(), Outcome: t.outcome(), Next: t.next, Seal: t.seal(),
		Shown: json.RawMessage("null"),
	}
	if t.state == nil {
		return f
	}
	if t.imports() != nil && since < t.dealt {
		f.Log = t.log(audience) // there is a past all at once
	}
	f.Shown = message(t.state.Shown(t.setup.Aid))
	if own := t.state.Own(audience, t.setup.Aid); own != nil {
		f.Own = message(own)
	}
	if f.Turn == game.NoSeat {
		return f
	}
	moves := t.state.Moves()
	asks := t.state.Asks()
	f.Asked, f.Cites = asks.Word, asks.Rule
	if f.Turn == audience && !t.chairs[audience].played() {
		f.Moves = moves
	}
	return f
}

func (t *table) terms() Rules {
	s := t.setup
	return Rules{s.Game, s.Edition, s.Seats, s.Aid, s.MoveTime, s.AwayTime, s.Listed, s.First, s.Bare, s.Options, t.imports()}
}

func (t *table) outcome() Outcome {
	o := Outcome{Over: t.phase() == stateOver, Winners: []game.Seat{}}
	switch {
	case t.closed, t.broken:
		o.Why = "broken"
	case !o.Over:
	case t.end != nil: // by the rules that it was played by
		o.Winners, o.Why = append(o.Winners, t.end.Winners...), t.end.Why
	case t.state == nil || !t.state.Outcome().Over:
		o.Why = "stopped"
	default:
		o.Winners = t.state.Outcome().Winners.List()
	}
	return o
}

// events is what the audience is told of the frames after since.
func (t *table) events(audience game.Seat, since int) []game.Event {
	list := []game.Event{}
	for _, l := range t.after(max(since, t.seq-longestMissed)) {
		list = append(list, l.event.For(audience))
	}
	return list
}

// after is the lines of the entries after since.
func (t *table) after(since int) []line {
	i := len(t.lines)
	for i > 0 && t.lines[i-1].seq > since {
		i--
	}
	return t.lines[i:]
}

// log is what the visible log still holds for the audience.
func (t *table) log(audience game.Seat) []game.Event {
	list := []game.Event{}
	for _, l := range t.lines[max(0, len(t.lines)-longestLog):] {
		e := l.event.For(audience)
		if !l.house {
			e = e.Faded(t.setup.Aid)
		}
		list = append(list, e)
	}
	return list
}

// chairs is what everyone may know of the seats.
func (m *match) chairs() []Chair {
	list := make([]Chair, len(m.table.chairs))
	running := m.table.state != nil
	for i, c := range m.table.chairs {
		list[i] = Chair{
			Seat: game.Seat(i), Name: c.Guest.Name, Bot: c.Bot,
			Here:    c.Bot != "" || c.person() && m.here[c.Guest.ID] > 0,
			Host:    c.person() && c.Guest.ID == m.table.host.ID,
			Standin: running && c.Bot == "" && c.played(),
		}
	}
	return list
}

// watchers is how many look on from no seat. Somebody at two browsers counts twice.
func (m *match) watchers() (n int) {
	for c := range m.subs {
		if m.table.seatOf(c.Guest.ID) == game.Watcher {
			n++
		}
	}
	return n
}

// left is the clock of whoever is asked, nil if none runs.
func (m *match) left() *Left {
	of := m.table.setup.moveTime()
	if turn := m.table.turn(); of == 0 || turn == game.NoSeat || m.table.chairs[turn].played() {
		return nil
	}
	left := max(0, of-m.lobby.Clock.Now().Sub(m.full))
	return &Left{left.Milliseconds(), of.Milliseconds()}
}

// card is the table's door sign.
func (m *match) card() Card {
	t := m.table
	c := Card{
		Table: m.id, Game: t.setup.Game, Edition: t.setup.Edition, State: t.phase(), Listed: t.setup.Listed,
		Host: t.host.Name, Watchers: m.watchers(), Made: t.made.UTC(), Seats: make([]Sign, len(t.chairs)), Seal: t.seal(), Imported: t.imports(),
	}
	if c.Seal != nil {
		c.Seal.Numbers = nil // they are for those who look at the table
	}
	for i, chair := range t.chairs {
		c.Seats[i] = Sign{game.Seat(i), chair.Guest.Name, chair.Bot}
	}
	return c
}
