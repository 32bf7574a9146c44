package dawn

import "caveau/game"

// A Colour is one of the six of the vampires and the lids. Garlic has the colour of its owner, which has nothing to do
// with these; it is named by his seat.
type Colour uint8

// The colours, in the order of the record.
const (
	White Colour = iota + 1
	Black
	Yellow
	Red
	Green
	Blue
)

const (
	numColours = 6
	ofEach     = 10 // lids and vampires of a colour
)

var colourNames = [...]string{"", "white", "black", "yellow", "red", "green", "blue"}

func (c Colour) String() string { return colourNames[c] }

// A Lid is what is on the under side of a grave's lid: a colour or a rat.
type Lid uint8

const (
	bare Lid = 0 // no lid: one of the twenty graves that two players leave bare
	Rat  Lid = numColours + 1
)

var lidNames = [...]string{"", "white", "black", "yellow", "red", "green", "blue", "rat", ""}

func (l Lid) String() string { return lidNames[l] }

// A Content is what lies in a grave: nothing, a vampire, or somebody's garlic.
type Content uint8

const (
	empty       Content = 0
	firstGarlic Content = 8
)

func vampire(c Colour) Content       { return Content(c) }
func garlic(owner game.Seat) Content { return firstGarlic + Content(owner) }

func (c Content) isVampire() bool  { return empty < c && c < firstGarlic }
func (c Content) isGarlic() bool   { return c >= firstGarlic }
func (c Content) owner() game.Seat { return game.Seat(c - firstGarlic) }

var contentNames = [...]string{
	"", "vampire white", "vampire black", "vampire yellow", "vampire red", "vampire green", "vampire blue", "",
	"garlic A", "garlic B", "garlic C", "garlic D", "garlic E", "garlic F", "",
}

func (c Content) String() string { return contentNames[c] }

// A side is an end of a row.
type side uint8

const (
	left side = iota
	right
)

func (s side) String() string { return [...]string{"left", "right"}[s] }
