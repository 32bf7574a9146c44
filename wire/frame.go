package wire

import (
	"encoding/json"
	"time"

	"caveau/fair"
	"caveau/game"
)

// A Frame is what one audience is sent after one entry: the whole table as that audience may see it. Every audience gets
// a frame for every Seq, so that no gap betrays a secret and a client that missed something knows it. What is as at the start is
// left out; docs/protocol.md says what that means for each field.
//
// This is the type to read a frame with. Package table writes frames piece by piece, so that what all audiences see alike is
// encoded once.
type Frame struct {
	Seq     int             `json:"seq"`
	About   *About          `json:"about"` // nil: as in the frame before
	Events  []game.Event    `json:"events"`
	Log     []game.Event    `json:"log"`
	Shown   json.RawMessage `json:"shown"`
	Turn    game.Seat       `json:"turn"`
	Asked   string          `json:"asked"`
	Cites   string          `json:"cites"`
	Clock   *Left           `json:"clock"`
	Outcome *Outcome        `json:"outcome"` // nil while the game goes on
	You     game.Seat       `json:"you"`
	Host    bool            `json:"host"` // you are the host
	Own     json.RawMessage `json:"own"`
	Moves   []string        `json:"moves"`
}

// UnmarshalJSON reads a frame in which nobody is left out.
func (f *Frame) UnmarshalJSON(text []byte) error {
	type plain Frame
	*f = Frame{Turn: game.NoSeat, You: game.NoSeat}
	return json.Unmarshal(text, (*plain)(f))
}

// About is what a frame says of the table besides the game: it is told when it has changed, and to whoever begins to watch.
type About struct {
	State    string  `json:"state"`
	Setup    Terms   `json:"setup"`
	Seats    []Chair `json:"seats"`
	Watchers int     `json:"watchers,omitempty"`
	Waits    bool    `json:"waits,omitempty"` // the bot that is to move waits for a free processor
	Seal     *Seal   `json:"seal,omitempty"`
	Next     ID      `json:"next,omitempty"`
	Host     string  `json:"host"` // his name
	// Proposal is what those who are there are asked to agree to; nil if nothing.
	Proposal *Proposal `json:"proposal,omitempty"`
}

// A Proposal is what somebody wants to do that others have to agree to.
type Proposal struct {
	Seq    int         `json:"seq"`    // its name, for those who answer
	Do     string      `json:"do"`     // free, break or sit
	Name   string      `json:"name"`   // of whoever proposes
	By     game.Seat   `json:"by"`     // his seat, NoSeat if he has none
	Seat   game.Seat   `json:"seat"`   // that is to be freed or taken
	Asked  []game.Seat `json:"asked"`  // whose players are asked
	Agreed []game.Seat `json:"agreed"` // those of them who have agreed
}

// Terms are what a frame says of the table's set-up.
type Terms struct {
	Game     string              `json:"game"`
	Edition  string              `json:"edition"`
	Seats    int                 `json:"seats"`
	Aid      game.Aid            `json:"aid,omitempty"`
	MoveTime int                 `json:"moveTime,omitempty"`
	AwayTime int                 `json:"awayTime"`
	Listed   bool                `json:"listed,omitempty"`
	First    string              `json:"first,omitempty"`
	Choices  map[string][]string `json:"choices,omitempty"`
	Options  map[string]int      `json:"options,omitempty"`
	Imported *int                `json:"imported,omitempty"` // how many moves came with the position; absent where it was dealt
	Device   bool                `json:"device,omitempty"`   // it was played on somebody's device, and is only kept here
}

// A Chair is what a frame says of a seat.
type Chair struct {
	Seat     game.Seat `json:"seat"`
	Name     string    `json:"name,omitempty"`
	Bot      string    `json:"bot,omitempty"`
	Nameless bool      `json:"nameless,omitempty"` // it is a person's who has no name any more
	Program  bool      `json:"program,omitempty"`  // it is no person's, but a program's that somebody brought
	Here     bool      `json:"here,omitempty"`     // connected; a bot always is
	Host     bool      `json:"host,omitempty"`     // its player is the host
	Standin  bool      `json:"standin,omitempty"`  // a bot plays for a person who is not there, or for nobody
}

// Left is the time for a move, in milliseconds: what is left of it, and how much it was.
type Left struct {
	Left int64 `json:"left"`
	Of   int64 `json:"of"`
}

// An Outcome is how a table ended.
type Outcome struct {
	Winners []game.Seat `json:"winners,omitempty"`
	Why     string      `json:"why,omitempty"`    // "", stopped, broken or closed
	Scores  []int       `json:"scores,omitempty"` // by seat, where the rulebook counts points
}

// A Seal is what everyone may see of a table's sealed deal.
type Seal struct {
	Version fair.Version  `json:"version"`
	Seal    fair.Bits     `json:"seal"`              // of the table's secret
	Called  bool          `json:"called"`            // whoever sealed a number opens it now, for the start was said
	Failed  []Failed      `json:"failed,omitempty"`  // the attempts in which a number was not opened; after each it began again
	Numbers []fair.Number `json:"numbers,omitempty"` // until it is dealt; then they are in the record's proof
	Secret  *fair.Bits    `json:"secret,omitempty"`  // when the table is over, dealt or not
}

// A Failed attempt at a deal is the seal that was shown in it, and who kept his number shut. The rest is in the record's proof.
type Failed struct {
	Seal fair.Bits `json:"seal"`
	Shut []string  `json:"shut"` // seats
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
	Imported *int      `json:"imported,omitempty"` // as in Terms
	Device   bool      `json:"device,omitempty"`   // as in Terms
	Language string    `json:"language,omitempty"` // of whoever made the table
}

// Mine is what somebody is told of a table of his own that is not over.
type Mine struct {
	Card
	You   game.Seat `json:"you"`   // where he sits, NoSeat if he is the host alone
	Turn  game.Seat `json:"turn"`  // who is asked, NoSeat before the start
	Since time.Time `json:"since"` // since when that is so
}

// Played is what somebody is told of a game of his that is over.
type Played struct {
	Card
	You     game.Seat `json:"you"` // where he sat
	Ended   time.Time `json:"ended"`
	Outcome Outcome   `json:"outcome"`
}

// A Sign is one seat on a door sign.
type Sign struct {
	Seat     game.Seat `json:"seat"`
	Name     string    `json:"name"`
	Bot      string    `json:"bot"`
	Nameless bool      `json:"nameless,omitempty"` // as in Chair
	Program  bool      `json:"program,omitempty"`  // as in Chair
}
