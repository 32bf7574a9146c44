// Package terms is what a table agrees on before anybody is dealt anything: the game and its edition, the seats, the times, how
// much the table helps to remember; or a position from a record, to go on from there.
package terms

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"caveau/fair"
	"caveau/game"
	"caveau/wire"
)

// A Shelf is what there is to play.
type Shelf interface {
	// Game is the game of that name.
	Game(name string) (game.Game, bool)
	// Games says of every game that one can sit down to what there is to know before, the usual one first. There may be
	// others of which there are only records.
	Games() []game.Info
	// Bots are the names of a game's players, for instance random or remembering:keen.
	Bots(gameName string) []string
}

// A Setup is what a table agrees on. It stands in the log (fact.Made): its names in JSON stay.
type Setup struct {
	Game     string         `json:"game"`
	Edition  string         `json:"edition"`
	Seats    int            `json:"seats"`
	Bots     []string       `json:"bots,omitempty"`    // they take the last seats
	First    string         `json:"first,omitempty"`   // the seat that begins; "" leaves it to the deal
	Options  map[string]int `json:"options,omitempty"` // the rules' own, as in the record
	Aid      game.Aid       `json:"aid,omitempty"`     // how much the table helps to remember
	MoveTime int            `json:"moveTime"`          // seconds for a move, 0: as long as one likes
	AwayTime int            `json:"awayTime"`          // seconds until a bot plays for somebody who is gone
	BotTime  *[2]int        `json:"botTime,omitempty"` // how long bots take: least and most, in milliseconds
	Listed   bool           `json:"listed"`            // in the lobby, or by link only
	Sit      bool           `json:"sit,omitempty"`     // the host takes seat A

	// Places are who sits where from the first, by the seats' letters: Me, the maker, or a bot; the other seats are free. Where it is
	// said, neither Bots nor Sit is.
	Places map[string]string `json:"places,omitempty"`

	// Language is the maker's: one of Languages, in which his invitations speak.
	Language string `json:"language,omitempty"`

	// Choices are what the table settles about the deal instead of leaving it to chance, where the rules let it.
	Choices map[string][]string `json:"choices,omitempty"`

	// Record is a position to begin with, as Import has it: that of a record after Ply of its moves, or after all.
	Record json.RawMessage `json:"record,omitempty"`
	Ply    *int            `json:"ply,omitempty"`
}

// Languages are those that the house speaks, the usual one first.
var Languages = []string{"en", "fr", "ru"}

// Me is the maker of a table, in Places.
const Me = "me"

const (
	usualAwayTime = 120           // seconds
	longestMove   = 7 * 24 * 3600 // seconds
	longestAway   = 24 * 3600
	longestBot    = 60_000 // milliseconds
)

// What happened is shown one thing after the other, and bots go on while it is: pages make the pace, and people can hasten theirs. So
// where the table does not say how long a bot takes, it takes usualTime, in milliseconds, and longer only where pages would come to lie
// behind by more than lag; where somebody's time runs they do not lie behind.
var usualTime = [2]int{200, 350}

const lag = 15 * time.Second

// How long a page at the usual pace shows something at which all look, and how long a move besides.
const (
	lookTime = 1250 * time.Millisecond
	moveTime = 250 * time.Millisecond
)

// checked is the set-up with what it leaves open filled in, and the game it is of. What cannot be played is refused with
// the code bad_command.
func (s Setup) checked(shelf Shelf) (Setup, game.Game, error) {
	g, ok := shelf.Game(s.Game)
	listed := slices.IndexFunc(shelf.Games(), func(info game.Info) bool { return info.Name == s.Game })
	if !ok || listed < 0 {
		return s, nil, wire.Refuse(wire.CodeBadCommand, "there is no game called %.40q to sit down to", s.Game)
	}
	info := shelf.Games()[listed]
	if s.AwayTime == 0 {
		s.AwayTime = usualAwayTime
	}
	if s.Edition == "" && len(info.Editions) > 0 {
		s.Edition = info.Editions[0].Name
	}
	if fault := s.fault(info, shelf.Bots(s.Game)); fault != "" {
		return s, nil, wire.Refuse(wire.CodeBadCommand, "%s", fault)
	}
	// The rules look at the rest; the deal itself is drawn at the start.
	if _, err := g.Deal(s.Rules(), rand.New(rand.NewPCG(1, 1))); err != nil {
		return s, nil, wire.Refuse(wire.CodeBadCommand, "%v", err)
	}
	return s, g, nil
}

// fault says what is wrong with a set-up, as far as a table can tell; "" if nothing is.
func (s Setup) fault(info game.Info, bots []string) string {
	i := slices.IndexFunc(info.Editions, func(e game.Edition) bool { return e.Name == s.Edition })
	switch {
	case i < 0:
		return fmt.Sprintf("%s has no edition %q", s.Game, s.Edition)
	case s.Seats < info.Editions[i].MinSeats || s.Seats > info.Editions[i].MaxSeats || s.Seats > game.MaxSeats:
		return fmt.Sprintf("seats: %d to %d can play, not %d", info.Editions[i].MinSeats, info.Editions[i].MaxSeats, s.Seats)
	case len(s.Bots) > s.Seats, s.Sit && len(s.Bots) == s.Seats:
		return fmt.Sprintf("bots: %d are too many for %d seats", len(s.Bots), s.Seats)
	case s.First != "" && !s.Has(s.First):
		return fmt.Sprintf("first: there is no seat %q", s.First)
	case s.Language != "" && !slices.Contains(Languages, s.Language):
		return fmt.Sprintf("language: %.40q is none of %v", s.Language, Languages)
	case !s.Aid.Known():
		return fmt.Sprintf("aid: %q is none of \"\", marks and all", s.Aid)
	case s.MoveTime < 0 || s.MoveTime > longestMove:
		return fmt.Sprintf("moveTime: %d is not 0 to %d seconds", s.MoveTime, longestMove)
	case s.AwayTime < 1 || s.AwayTime > longestAway:
		return fmt.Sprintf("awayTime: %d is not 1 to %d seconds", s.AwayTime, longestAway)
	case s.BotTime != nil && (s.BotTime[0] < 0 || s.BotTime[0] > s.BotTime[1] || s.BotTime[1] > longestBot):
		return fmt.Sprintf("botTime: %v is not a least and a most of at most %d milliseconds", *s.BotTime, longestBot)
	}
	for _, name := range s.Bots {
		if !slices.Contains(bots, name) {
			return fmt.Sprintf("bots: nobody is called %q", name)
		}
	}
	return s.misplaced(bots)
}

// misplaced says what is wrong with the places; "" if nothing is.
func (s Setup) misplaced(bots []string) string {
	if len(s.Places) > 0 && (s.Sit || len(s.Bots) > 0) {
		return "places: they say who sits where, so neither sit nor bots may be given"
	}
	mine := ""
	for _, seat := range slices.Sorted(maps.Keys(s.Places)) {
		switch who := s.Places[seat]; {
		case !s.Has(seat):
			return fmt.Sprintf("places: there is no seat %.40q", seat)
		case who == Me && mine != "":
			return fmt.Sprintf("places: you cannot sit on both %s and %s", mine, seat)
		case who == Me:
			mine = seat
		case !slices.Contains(bots, who):
			return fmt.Sprintf("places: nobody is called %.40q", who)
		}
	}
	return ""
}

// Has tells whether the letter is one of the table's seats.
func (s Setup) Has(letter string) bool {
	seat, err := game.ParseSeat(letter)
	return err == nil && int(seat) < s.Seats
}

// Rules is the set-up as the rules know it.
func (s Setup) Rules() game.Setup {
	setup := game.Setup{Edition: s.Edition, Players: s.Seats, Options: s.Options, Choices: s.Choices, First: game.NoSeat}
	if s.First != "" {
		setup.First = game.Seat(s.First[0] - 'A')
	}
	return setup
}

// Told is what frames say of it; imported is how many moves came with the position, nil where it was dealt; device, that it was played on
// one, and kept here.
func (s Setup) Told(imported *int, device bool) wire.Terms {
	return wire.Terms{
		Game: s.Game, Edition: s.Edition, Seats: s.Seats, Aid: s.Aid, MoveTime: s.MoveTime, AwayTime: s.AwayTime, Listed: s.Listed,
		First: s.First, Choices: s.Choices, Options: s.Options, Imported: imported, Device: device,
	}
}

// Day is what one has for a move at least where a game goes on over days: nobody is at the table all the time, and that is all right.
const Day = 24 * time.Hour

// Limit is how long one has for a move; 0: as long as one likes. Patience is how long one may be gone until a bot plays.
func (s Setup) Limit() time.Duration    { return time.Duration(s.MoveTime) * time.Second }
func (s Setup) Patience() time.Duration { return time.Duration(s.AwayTime) * time.Second }

// Pause is how long a bot takes for the move after that entry: between the least and the most, as follows from the chance. Nobody knows
// it beforehand who does not know the chance, however many pauses he has measured, so that it hides how long the bot thought. Behind is by
// how much pages lay behind at that entry.
func (s Setup) Pause(chance fair.Bits, seq int, behind time.Duration) time.Duration {
	least, most := usualTime[0], usualTime[1]
	if s.BotTime != nil {
		least, most, behind = s.BotTime[0], s.BotTime[1], 0
	}
	drawn := time.Duration(least+fair.SpareChance(chance, seq).IntN(most-least+1)) * time.Millisecond
	return drawn + max(0, behind-s.lag())
}

const (
	// instant is up to where a thought is told as soon as it is over, where bots have no time: how little less it was is not hidden there.
	instant = 5 * time.Millisecond
	// leastStep is the least by which a longer one is rounded up, however little time bots have at a table.
	leastStep = 200 * time.Millisecond
)

// Said is when a bot says what it has thought of, that was asked at one time, has answered at another, and has such a pause. Whoever has thought for longer, and for
// more than an instant, says it after as long again, or a fifth of a second where it has less: how much longer it was nobody learns.
func Said(asked, answered time.Time, pause time.Duration) time.Time {
	thought, step := answered.Sub(asked), max(pause, leastStep)
	if thought <= max(pause, instant) {
		return asked.Add(pause)
	}
	return asked.Add((thought + step - 1) / step * step)
}

// Behind is by how much pages lie behind after a move at which all look at so many things, where they did by so much before it. More than
// that nobody is waited for.
func (s Setup) Behind(before time.Duration, looks int) time.Duration {
	scene := moveTime + time.Duration(looks)*lookTime
	return scene + min(max(0, before), s.lag())
}

func (s Setup) lag() time.Duration {
	if s.MoveTime > 0 {
		return 0
	}
	return lag
}
