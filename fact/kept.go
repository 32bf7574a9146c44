package fact

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"caveau/game"
	"caveau/names"
	"caveau/record"
	"caveau/terms"
)

// Kept: a game that was played on somebody's own device stands here as its record has it, and is over. It is the only entry of its table,
// which has no host: whoever brought it has no seat, and those who have one are no guests of the house.
type Kept struct {
	Guest  Guest           `json:"guest"` // who brought it, and may delete it
	Record json.RawMessage `json:"record"`
}

func (*Kept) kind() string { return "kept" }

// Broken tells whether it was broken off on the device.
func (f *Kept) Broken() bool {
	rec, unread := record.Read(f.Record)
	note, unsaid := rec.Note()
	return unread == nil && unsaid == nil && note.Why == "broken"
}

// nobody begins the ids of those who sat around a device; no guest has such a one. What the record calls them is all that is known of them.
const nobody = "around a device"

// Opened is the game as a table that was made and dealt with all its moves.
func (f *Kept) Opened(shelf terms.Shelf) (*Made, *Dealt, error) {
	rec, err := record.Read(f.Record)
	if err != nil {
		return nil, nil, err
	}
	note, err := rec.Note()
	switch aid := game.Aid(note.Aid); {
	case err != nil:
		return nil, nil, err
	case !note.Device:
		return nil, nil, errors.New("it does not say that it was played on a device")
	case !aid.Known():
		return nil, nil, fmt.Errorf("table: aid: %.40q is none", note.Aid)
	}
	made := &Made{
		Host:  Guest{ID: nobody},
		Setup: terms.Setup{Game: rec.Game, Edition: rec.Edition, Seats: len(rec.Players), Options: rec.Options, Aid: game.Aid(note.Aid)},
	}
	bots := shelf.Bots(rec.Game)
	for i, name := range rec.Players {
		if slices.Contains(bots, name) {
			made.Chairs = append(made.Chairs, Chair{Bot: name})
			continue
		}
		was, fit := names.Clean(name)
		if !fit {
			was = "" // whoever sat there has no name that could be shown
		}
		made.Chairs = append(made.Chairs, Chair{Guest: Guest{fmt.Sprint(nobody, " ", game.Seat(i)), was}})
	}
	return made, &Dealt{Deal: rec.Deal, Moves: rec.Moves, Seeds: make([]uint64, len(rec.Players))}, nil
}
