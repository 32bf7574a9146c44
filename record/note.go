package record

import (
	"encoding/json"
	"fmt"

	"caveau/game"
)

// A Note is what a record keeps of the table and the rules do not know: its object "table". Package table writes it.
type Note struct {
	Revision int              `json:"revision"` // of the rules it was played by
	Aid      string           `json:"aid"`
	MoveTime int              `json:"moveTime"`
	Bots     map[string]Robot `json:"bots"`               // by seat: the bots that moved there
	Standin  string           `json:"standin"`            // the bot that stands in for people
	ByBot    []int            `json:"byBot"`              // the numbers, from 1, of the moves that a bot made
	ByClock  []int            `json:"byClock"`            // and of those that it made because the time had run out
	Why      string           `json:"why"`                // "", stopped, broken or closed
	Programs []game.Seat      `json:"programs,omitempty"` // whose players were programs that somebody had brought
	Imported *int             `json:"imported,omitempty"` // how many of the moves came with the position; absent where it was dealt
}

// Note is what the record says of its table; nothing where it says nothing.
func (r Record) Note() (n Note, err error) {
	if text, there := r.Extra[tableKey]; there {
		if err := json.Unmarshal(text, &n); err != nil {
			return n, fmt.Errorf("table: %w", err)
		}
	}
	return n, nil
}

// A Robot is a bot that took part.
type Robot struct {
	Bot  string `json:"bot,omitempty"` // "" for a person's seat, in which the stand-in moved
	Seed uint64 `json:"seed"`
}
