package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"caveau/fair"
	"caveau/game"
	"caveau/terms"
	"caveau/wire"
)

// A fact is what an entry of the log says: it was decided, and it is durable. To apply it cannot fail, unless the log was
// damaged or the rules were changed under it. Whatever has a time has that of the entry (Table.at).
type fact interface{ apply(*Table) error }

// The kinds of facts, as the log names them.
var facts = map[string]func() fact{
	"made":    func() fact { return new(made) },
	"sit":     func() fact { return new(sat) },
	"leave":   func() fact { return new(stood) },
	"bot":     func() fact { return new(botted) },
	"host":    func() fact { return new(hosted) },
	"secret":  func() fact { return new(resealed) },
	"seal":    func() fact { return new(sealed) },
	"call":    func() fact { return new(called) },
	"unseal":  func() fact { return new(unsealed) },
	"start":   func() fact { return new(dealt) },
	"move":    func() fact { return new(moved) },
	"away":    func() fact { return new(missed) },
	"back":    func() fact { return new(returned) },
	"free":    func() fact { return new(freed) },
	"rematch": func() fact { return new(again) },
	"closed":  func() fact { return new(shut) },
	"break":   func() fact { return new(broke) },
	"rename":  func() fact { return new(renamed) },
}

// made: the table stands, with whoever sits at it from the first.
type made struct {
	Setup  terms.Setup `json:"setup"`
	Host   wire.Guest  `json:"host"`
	Chairs []chair     `json:"chairs"`
	// Secret seals the deal (package fair). Tables that were made before deals were sealed have none.
	Secret *fair.Bits `json:"secret,omitempty"`
	// Imported is the position that the table begins with, where it is not dealt.
	Imported *terms.Import `json:"imported,omitempty"`
}

// UnmarshalJSON reads logs of before set-ups had choices, too: there each stands in the set-up under its own name.
func (f *made) UnmarshalJSON(text []byte) error {
	type plain made
	var old struct{ Setup map[string]json.RawMessage }
	if err := errors.Join(json.Unmarshal(text, (*plain)(f)), json.Unmarshal(text, &old)); err != nil {
		return err
	}
	for name, value := range old.Setup {
		var words []string
		if !slices.Contains(setupKeys, name) && json.Unmarshal(value, &words) == nil && len(words) > 0 {
			f.Setup.Choices = map[string][]string{name: words} // no game had more than one
		}
	}
	return nil
}

// setupKeys are the names in the JSON of a Setup.
var setupKeys = func() (keys []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[terms.Setup]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		keys = append(keys, name)
	}
	return keys
}()

func (f *made) apply(t *Table) error {
	g, ok := t.shelf.Game(f.Setup.Game)
	if !ok || t.seq != 1 {
		return fmt.Errorf("a table of %q cannot be made here", f.Setup.Game)
	}
	t.game, t.setup, t.host, t.secret, t.imported = g, f.Setup, f.Host, f.Secret, f.Imported
	t.chairs, t.made = append(t.chairs, f.Chairs...), t.at
	for i := range t.chairs {
		t.chairs[i].sat = t.at
	}
	return nil
}

// sat: somebody took an empty seat, or came back to his own. Before the start one may change seats.
type sat struct {
	Seat  game.Seat  `json:"seat"`
	Guest wire.Guest `json:"guest"`
}

func (f *sat) apply(t *Table) error {
	if old := t.SeatOf(f.Guest.ID); old != game.Watcher {
		t.chairs[old] = chair{}
	}
	t.chairs[f.Seat] = chair{Guest: f.Guest, sat: t.at}
	if t.Turn() == f.Seat {
		t.allow(f.Guest.ID)
	}
	t.tell(f.Seat, "sit", f.Guest.Name)
	return nil
}

// allow gives whoever is asked the full time for the move, once: nobody holds a table up by coming and going.
func (t *Table) allow(guest string) {
	if !slices.Contains(t.allowed, guest) {
		t.clock, t.allowed = t.at, append(t.allowed, guest)
	}
}

// resealed: the table was made before deals were sealed, and has a secret now.
type resealed struct {
	Secret fair.Bits `json:"secret"`
}

func (f *resealed) apply(t *Table) error {
	t.secret = &f.Secret
	return nil
}

// stood: somebody left his seat; once the game runs, a bot plays it until he sits down again.
type stood struct {
	Seat game.Seat `json:"seat"`
}

func (f *stood) apply(t *Table) error {
	c := &t.chairs[f.Seat]
	who := c.Guest
	t.tell(f.Seat, "leave", who.Name)
	if t.begun() {
		c.left, c.away = true, false
		t.tell(f.Seat, "standin", who.Name)
		return nil
	}
	*c = chair{}
	if who.ID == t.host.ID {
		t.passHost()
	}
	return nil
}

// passHost makes the first person who still sits there the host, if there is one.
func (t *Table) passHost() {
	for i, c := range t.chairs {
		if c.person() {
			t.host = c.Guest
			t.tell(game.Seat(i), "host", c.Guest.Name)
			return
		}
	}
}

// botted: the host gave an empty seat to a bot, or took it away from one.
type botted struct {
	Seat game.Seat `json:"seat"`
	Bot  string    `json:"bot"`
}

func (f *botted) apply(t *Table) error {
	t.chairs[f.Seat] = chair{Bot: f.Bot}
	return nil
}

// hosted: the host was gone too long, and somebody who is there took over.
type hosted struct {
	Seat game.Seat `json:"seat"`
}

func (f *hosted) apply(t *Table) error {
	t.host = t.chairs[f.Seat].Guest
	t.tell(f.Seat, "host", t.host.Name)
	return nil
}

// dealt: the game began. All chance of it is here.
type dealt struct {
	Deal  json.RawMessage `json:"deal"`            // in the record's words
	Moves []string        `json:"moves,omitempty"` // that came with an imported position
	Seeds []uint64        `json:"seeds"`           // by seat, for the bots
}

func (f *dealt) apply(t *Table) error {
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
	f.write(t)
	t.tell(t.first, "start", t.players[t.first])
	return nil
}

// write is what of it needs no rules.
func (f *dealt) write(t *Table) {
	t.deal, t.seeds = f.Deal, f.Seeds
	if t.secret != nil {
		proof := t.prove(*t.secret)
		t.proof = &proof
	}
	for _, c := range t.chairs {
		t.players = append(t.players, c.name())
	}
}

// moved: a move of the game.
type moved struct {
	Seat  game.Seat `json:"seat"`
	Words string    `json:"words"`
	By    string    `json:"by,omitempty"`
}

func (f *moved) apply(t *Table) error {
	p, err := t.play(f.Seat, f.Words, f.By)
	if err != nil {
		return t.unplayable(err)
	}
	return p.apply(t)
}

// played: a move with what it led to when it was decided, so that it is played once. In the log it is the move.
type played struct {
	moved  moved
	after  game.State
	events []game.Event
}

// play plays a move, if the rules allow it.
func (t *Table) play(seat game.Seat, words, by string) (*played, error) {
	after, events, err := t.state.Play(seat, words)
	if err != nil {
		return nil, err
	}
	return &played{moved{seat, words, by}, after, events}, nil
}

func (f *played) apply(t *Table) error {
	m := f.moved
	if m.By == ByClock {
		t.tell(m.Seat, "timeout", t.chairs[m.Seat].Guest.Name)
	}
	for _, e := range f.events {
		t.lines = append(t.lines, line{seq: t.seq, event: e})
	}
	t.moves = append(t.moves, said{m.Seat, m.Words, m.By})
	t.reach(f.after)
	return nil
}

// reach: the table is at a new position, and whoever is asked has the full time.
func (t *Table) reach(state game.State) {
	t.state, t.asked, t.reached, t.allowed = state, t.seq, t.at, t.allowed[:0]
	if turn := state.Turn(); turn != game.NoSeat {
		t.allow(t.chairs[turn].Guest.ID)
	}
}

// unplayable says of the next move that it is refused. It does not say its words: they may be a secret.
func (t *Table) unplayable(err error) error { return fmt.Errorf("move %d: %w", len(t.moves)+1, err) }

// missed: somebody is gone longer than the table allows, and a bot plays for him.
type missed struct {
	Seat game.Seat `json:"seat"`
}

func (f *missed) apply(t *Table) error {
	t.chairs[f.Seat].away = true
	t.tell(f.Seat, "away", t.chairs[f.Seat].Guest.Name)
	t.tell(f.Seat, "standin", t.chairs[f.Seat].Guest.Name)
	return nil
}

// returned: whoever was gone is back.
type returned struct {
	Seat game.Seat `json:"seat"`
}

func (f *returned) apply(t *Table) error {
	c := &t.chairs[f.Seat]
	c.left, c.away, c.sat = false, false, t.at
	t.tell(f.Seat, "back", c.Guest.Name)
	return nil
}

// freed: the host took the seat from its player.
type freed struct {
	Seat game.Seat `json:"seat"`
}

func (f *freed) apply(t *Table) error {
	who := t.chairs[f.Seat].Guest
	t.chairs[f.Seat] = chair{}
	t.tell(f.Seat, "free", who.Name)
	if t.state != nil {
		t.tell(f.Seat, "standin", who.Name)
	}
	return nil
}

// renamed: somebody who belongs here came back with another name. A record has the names of those who began.
type renamed struct {
	Guest wire.Guest `json:"guest"`
}

func (f *renamed) apply(t *Table) error {
	for i := range t.chairs {
		if t.chairs[i].Guest.ID == f.Guest.ID {
			t.chairs[i].Guest = f.Guest
		}
	}
	if t.host.ID == f.Guest.ID {
		t.host = f.Guest
	}
	return nil
}

// again: after the end, there is a table for another game.
type again struct {
	Next wire.ID   `json:"next"`
	Seat game.Seat `json:"seat"` // whose wish it was
}

func (f *again) apply(t *Table) error {
	t.next = f.Next
	t.tell(f.Seat, "rematch", t.chairs[f.Seat].Guest.Name)
	return nil
}

// broke: the host broke the running game off.
type broke struct {
	Host string `json:"host"`
}

func (f *broke) apply(t *Table) error {
	t.broken = true
	t.tell(game.NoSeat, "broken", f.Host)
	return nil
}

// shut: nobody came, and the table was put away.
type shut struct{}

func (*shut) apply(t *Table) error {
	t.closed = true
	t.tell(game.NoSeat, "broken", "")
	return nil
}
