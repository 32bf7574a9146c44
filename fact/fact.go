package fact

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"caveau/fair"
	"caveau/game"
	"caveau/terms"
	"caveau/wire"
)

// Any is what an entry of the log says: one of the types below. It was decided, and it is durable. Whatever has a time has that of
// the entry.
type Any interface {
	kind() string // as the log names it
}

// all has a blank fact of each kind.
var all = []Any{
	&Made{}, &Sat{}, &Stood{}, &Botted{}, &Hosted{}, &Resealed{}, &Sealed{}, &Called{}, &Unsealed{}, &Anew{}, &Dealt{}, &Moved{},
	&Missed{}, &Returned{}, &Freed{}, &Renamed{}, &Broke{}, &Again{}, &Shut{},
	&Proposed{}, &Agreed{}, &Declined{}, &Resumed{}, &Unlisted{}, &Kept{}, &Idle{},
}

// Kinds is how the log names the kinds of facts.
func Kinds() (names []string) {
	for _, f := range all {
		names = append(names, f.kind())
	}
	return names
}

// blank makes a blank fact of that kind.
func blank(kind string) (Any, bool) {
	i := slices.IndexFunc(all, func(f Any) bool { return f.kind() == kind })
	if i < 0 {
		return nil, false
	}
	return reflect.New(reflect.TypeOf(all[i]).Elem()).Interface().(Any), true
}

func (*Made) kind() string     { return "made" }
func (*Sat) kind() string      { return "sit" }
func (*Stood) kind() string    { return "leave" }
func (*Botted) kind() string   { return "bot" }
func (*Hosted) kind() string   { return "host" }
func (*Resealed) kind() string { return "secret" }
func (*Sealed) kind() string   { return "seal" }
func (*Called) kind() string   { return "call" }
func (*Unsealed) kind() string { return "unseal" }
func (*Anew) kind() string     { return "anew" }
func (*Dealt) kind() string    { return "start" }
func (*Moved) kind() string    { return "move" }
func (*Missed) kind() string   { return "away" }
func (*Returned) kind() string { return "back" }
func (*Freed) kind() string    { return "free" }
func (*Renamed) kind() string  { return "rename" }
func (*Broke) kind() string    { return "break" }
func (*Again) kind() string    { return "rematch" }
func (*Shut) kind() string     { return "closed" }
func (*Proposed) kind() string { return "propose" }
func (*Agreed) kind() string   { return "agree" }
func (*Declined) kind() string { return "decline" }
func (*Resumed) kind() string  { return "resume" }
func (*Unlisted) kind() string { return "unlist" }
func (*Idle) kind() string     { return "idle" }

// Made: the table stands, with whoever sits at it from the first.
type Made struct {
	Setup  terms.Setup `json:"setup"`
	Host   Guest       `json:"host"`
	Chairs []Chair     `json:"chairs"`
	// Secret seals the deal (package fair). Tables that were made before deals were sealed have none.
	Secret *fair.Bits `json:"secret,omitempty"`
	// Derivation is how the deal follows from the secret and the numbers. Tables that were made when there was but one have none:
	// fair.Deal1, to their end.
	Derivation fair.Version `json:"derivation,omitempty"`
	// Imported is the position that the table begins with, where it is not dealt.
	Imported *terms.Import `json:"imported,omitempty"`
	// Standin is the bot that moves for people who are gone, or whose time has run out. Tables that were made before it was written
	// down have none: theirs is remembering:keen.
	Standin string `json:"standin,omitempty"`
}

// A Chair is a seat of a new table, and who has it.
type Chair struct {
	Guest Guest  `json:"guest"`         // the zero Guest: nobody
	Bot   string `json:"bot,omitempty"` // the name of the bot whose seat it is
}

// A Guest is a person, by his id alone. What he is called stands beside the log (fact.Log), where it can be changed and erased.
type Guest struct {
	ID  string
	Was string // what he was called, in logs of before or at a table that he comes from; it is read, and never written
}

// MarshalJSON writes no name, whatever is known.
func (g Guest) MarshalJSON() ([]byte, error) {
	return append(append(game.JSON(nil), '{').Key("id").Text(g.ID), '}'), nil
}

// UnmarshalJSON reads logs of before, too.
func (g *Guest) UnmarshalJSON(text []byte) error {
	var old wire.Guest
	err := json.Unmarshal(text, &old)
	g.ID, g.Was = old.ID, old.Name
	return err
}

// UnmarshalJSON reads logs of before set-ups had choices, too: there each stands in the set-up under its own name.
func (f *Made) UnmarshalJSON(text []byte) error {
	type plain Made
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

// Sat: somebody took an empty seat, or came back to his own. Before the start one may change seats.
type Sat struct {
	Seat  game.Seat `json:"seat"`
	Guest Guest     `json:"guest"`
}

// Stood: somebody left his seat; once the game runs, a bot plays it until he sits down again.
type Stood struct {
	Seat game.Seat `json:"seat"`
}

// Botted: the host gave an empty seat to a bot, or took it away from one.
type Botted struct {
	Seat game.Seat `json:"seat"`
	Bot  string    `json:"bot"` // "": nobody has it now
}

// Hosted: the host was gone too long, and whoever sits there, and is here, stands in for him.
type Hosted struct {
	Seat game.Seat `json:"seat"`
}

// Resealed: the table was made before deals were sealed, and has a secret now.
type Resealed struct {
	Secret fair.Bits `json:"secret"`
}

// Sealed: somebody who sits there sealed a number.
type Sealed struct {
	Seat game.Seat `json:"seat"`
	Seal fair.Bits `json:"seal"`
}

// Called: the start was said; or, after an attempt that failed, all have sealed again who do in time. What was sealed is opened.
type Called struct{}

// Unsealed: after the start was said, whoever sits there opened his number.
type Unsealed struct {
	Seat   game.Seat `json:"seat"`
	Number fair.Bits `json:"number"`
}

// Anew: a number was not opened in time, and the ceremony begins again with another secret. Whoever kept his shut gives none any
// more at this table.
type Anew struct {
	Secret fair.Bits `json:"secret"`
}

// Dealt: the game began. All chance of it is here.
type Dealt struct {
	Deal  json.RawMessage `json:"deal"`            // in the record's words
	Moves []string        `json:"moves,omitempty"` // that came with an imported position
	Seeds []uint64        `json:"seeds"`           // by seat, for the bots
}

// Moved: a move of the game.
type Moved struct {
	Seat  game.Seat `json:"seat"`
	Words string    `json:"words"`
	By    string    `json:"by,omitempty"`
}

// LastBy is by whom the last move of a seat was made; "" if it has made none.
func LastBy(moves []Moved, s game.Seat) string {
	for _, m := range slices.Backward(moves) {
		if m.Seat == s {
			return m.By
		}
	}
	return ""
}

// AppendJSON writes the move as encoding/json does.
func (f *Moved) AppendJSON(t game.JSON) game.JSON {
	return append(append(t, '{').Key("seat").Text(f.Seat.String()).Key("words").Text(f.Words).TextIn("by", f.By), '}')
}

// Who makes a move.
const (
	ByPerson = ""
	ByBot    = "bot"
	ByClock  = "clock" // a bot, because the time had run out
)

// Missed: somebody is gone longer than the table allows, and a bot plays for him.
type Missed struct {
	Seat game.Seat `json:"seat"`
}

// Returned: whoever was gone is back.
type Returned struct {
	Seat game.Seat `json:"seat"`
}

// Freed: the host took the seat from its player. Before the start, and in logs from before people were asked, nobody has it then.
type Freed struct {
	Seat game.Seat `json:"seat"`
	Left bool      `json:"left,omitempty"` // it still is his, and a bot plays until he comes back
	All  bool      `json:"all,omitempty"`  // all who were there agreed, and have to agree to his coming back
	// Ruled: whoever runs the house did it. All have to agree to his coming back as well.
	Ruled bool `json:"ruled,omitempty"`
}

// Proposed: somebody wants to do what those who are there have to agree to.
type Proposed struct {
	Do    string    `json:"do"` // as in package company
	Guest Guest     `json:"guest"`
	Seat  game.Seat `json:"seat"`
}

// Agreed: whoever sits there agrees.
type Agreed struct {
	Seat game.Seat `json:"seat"`
}

// Declined: whoever sits there does not, or takes back what he proposed; no seat: too much time has gone by.
type Declined struct {
	Seat game.Seat `json:"seat"`
}

// Resumed: the host is back, for whom another one stood in.
type Resumed struct{}

// Idle: nobody had the table from when a node had it last until another took it (ADR 17); or its log took nothing from when an entry came until it last said so.
type Idle struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Outage is that no clock ran then.
func (i *Idle) Outage() Outage { return Outage{From: i.From, To: i.To.Add(Grace)} }

func (*Idle) needs() int { return 2 }

// Renamed: somebody who belongs here came back with another name. It is in logs of before alone.
type Renamed struct {
	Guest Guest `json:"guest"`
}

// Broke: the host broke the running game off. Logs of before have the host's name in it, and not who it was: it follows from them.
type Broke struct {
	Guest Guest `json:"guest"`
}

// Again: after the end, there is a table for another game.
type Again struct {
	Next wire.ID   `json:"next"`
	Seat game.Seat `json:"seat"` // whose wish it was; A where it was the host's who has no seat
	// Guest is the host without a seat, whose wish it was. Earlier versions do not know him, and take it for the wish of whoever sits on A.
	Guest *Guest `json:"guest,omitempty"`
}

// Wish is that somebody on a seat, or the host without one, wants another game.
func Wish(next wire.ID, seat game.Seat, guest string) *Again {
	if seat == game.Watcher {
		return &Again{Next: next, Guest: &Guest{ID: guest}}
	}
	return &Again{Next: next, Seat: seat}
}

// Shut: the table is closed. Its host did it before it began, or nobody came, and it was put away; or whoever runs the house did it, whatever was going on there.
type Shut struct {
	Ruled bool `json:"ruled,omitempty"`
}

// Unlisted: whoever runs the house took the table from the lobby's list.
type Unlisted struct{}
