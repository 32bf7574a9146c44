// Package bus is how pages and tables speak to each other that live at several nodes of a house (ADR 17). A page speaks to its node, and that
// to whoever owns the table; at home both are calls. Between nodes go letters, which may be lost, come twice, late, or one before the other:
//
//   - An Ask is all that a node wants of a table now: who watches, and what was said and is not answered yet. It is said again and again, and the newest
//     wins, so none has to arrive but one. What is said has a number, and is begun once.
//   - A Told is what an owner answers. Its lines are numbered, and passed on in order and once; those that a node has not heard are told again.
//   - A Roll is what a node says to another of all the tables there of which it wants what it wanted, and Present the answer: while nothing happens at tables
//     there are as many letters as there are pairs of nodes (ADR 21).
//   - News are what a node says to all others, whatever table it is about.
//
// A node's line to a table lasts as long as the owner does. After another owner, or one that had given the node up, it begins a new one, at which
// everybody watches again from the last entry that was passed on to him; what was said and is not answered is said once more, and known
// again by its id.
package bus

import (
	"context"
	"time"

	"caveau/match"
	"caveau/ruling"
	"caveau/wire"
)

// A Bus carries letters. Nothing here but Join may block, and a letter is not changed by whoever gets it.
type Bus interface {
	// Join brings a node what is meant for it, until ctx ends.
	Join(ctx context.Context, x *Exchange)
	// Own is that a node owns a table from now on, and is to be asked for it; Disown, that it does not any more. Own may come before Join.
	Own(node int64, table wire.ID)
	Disown(node int64, table wire.ID)
	// Send sends an Ask to whoever owns the table (several may believe that they do, and only one can write), a Told, a Roll or a Present to the node that
	// it names, and News to all other nodes.
	Send(Letter)
	// There tells whether the bus reaches this node, as far as is known here.
	There() bool
}

// A Letter is an Ask, a Told, a Roll, a Present, or News.
type Letter interface{ isLetter() }

func (Ask) isLetter()     {}
func (Told) isLetter()    {}
func (Roll) isLetter()    {}
func (Present) isLetter() {}
func (News) isLetter()    {}

// An Ask is what a node wants of a table.
type Ask struct {
	From  int64 // the node, in one life of it
	Table wire.ID
	Line  int64 // a later line has a greater number
	N     int64 // and so has a later letter
	Heard int   // how many of the owner's lines were passed on
	Watch []Watcher
	Said  []Said
}

// A Watcher is a page that watches, and the last entry that was passed on to it; 0 if none was yet.
type Watcher struct {
	Client match.Client
	Since  int
}

// Said is what a page, or whoever runs the house, said and nobody has answered.
type Said struct {
	N       int64 // later ones have greater numbers
	Client  match.Client
	Command wire.Command
	Ruling  ruling.Ruling
	Within  time.Duration // how long somebody waits for the answer
}

// A Told is what an owner tells a node.
type Told struct {
	To    int64
	From  int64 // the owner's node; 0: it is of a version that calls no rolls
	Ask   int64 // the number of the last Ask that came from the node
	Table wire.ID
	Term  int64 // of the owner: a later one has a greater number
	Line  int64
	First int // the number of the first of these lines, or of the next one; the first ever is 1
	Lines []Line
	Anew  bool // the owner does not know that line, or not any more
}

// A Roll says of tables at another node that all is as the last Ask of each said. It stands for an Ask of each.
type Roll struct {
	From, To int64
	N        int64 // greater than that of any letter before
	Calls    []Call
}

// A Call is what a node knows of a table elsewhere.
type Call struct {
	Table wire.ID
	Term  int64 // of the owner
	Line  int64
	Ask   int64 // the number of the last one
	Heard int   // as in an Ask
}

// Present is the answer to a Roll: of which tables all is so, and of which not; those wait for an Ask. Of a table at which something was told that the
// node has not heard it is told again instead.
type Present struct {
	To         int64
	Here, Gone []Call
}

// A Line is a message for pages with the same eyes.
type Line struct {
	Pages   []int64
	Message []byte
	Answer  []byte // as in match.Send, and so are these:
	Re      int64
	Seq     int
}

// News are what a node says to all others, with every beat: the newest wins, so none has to arrive but one.
type News struct {
	From    int64
	N       int64  // later news have a greater number
	Name    string // by which pages may ask for the node (ADR 22), "" for none; the bus knows it
	Signs   []Sign
	Changes []Change   // of late
	Spent   []Spending // of late, as far as the bus has room for it
	Uses    []Use      // since the news before, or now
}

// A Sign hangs on the door of a table.
type Sign struct {
	wire.Card
	Term  int64 // for which whoever hung it out owned the table
	Awake bool  // and owns it still
}

// Newer tells whether it says more of the table than another.
func (s Sign) Newer(than Sign) bool {
	return s.Term > than.Term || s.Term == than.Term && s.Awake && !than.Awake
}

// A Change is that something is noted otherwise now, which all nodes know: whoever hears of it looks.
type Change struct {
	N     int64  // of the node's; later ones have a greater number
	Guest string // what he is called, or which sessions of his have ended; "": what the house has noted for itself
}

// A Spending is that somebody has had something of which each may have only so much in all the house, such as a new table.
type Spending struct {
	N              int64  // of the node's; later ones have a greater number
	What           string // of which kind
	Address, Guest string // whose it counts as; "": nobody's. The address is veiled, alike at all nodes
}

// A Use is how much somebody uses at the node of which each may use only so much in all the house.
type Use struct {
	What string // of which kind
	Who  string // a guest, or an address as it is counted
	N    int
}

const (
	// Beat is how often nodes say what they want.
	Beat = 500 * time.Millisecond
	// callTime is how long ago an owner may have said that he knows what a node wants; then he is asked again, and not only called.
	callTime = 2 * Beat
	// askTime is for how long a table may be called and not asked.
	askTime = 60 * Beat
	// quietTime is how long nobody may answer for a table; then the node tries to take it.
	quietTime = 3 * Beat
	// silence is how long a node may not be heard; then its pages are not there.
	silence = 6 * Beat
	// doubtTime is how long a node that lives may not be heard; then nobody is taken for away. It is over before silence is.
	doubtTime = silence - Beat
	// mostLines may wait for a node.
	mostLines = 4096
)
