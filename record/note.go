package record

import (
	"encoding/json"
	"fmt"

	"caveau/fair"
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
	Device   bool             `json:"device,omitempty"`   // it was played on one device, in no house: whoever held it could look into everything
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

// Annotate has the record say this of its table, and proves it anew, where it has a proof.
func (r *Record) Annotate(n Note) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	r.Extra[tableKey] = text
	proof, there := r.Extra[proofKey]
	if !there {
		return nil
	}
	var p fair.Proof
	if err := json.Unmarshal(proof, &p); err != nil {
		return fmt.Errorf("proof: %w", err)
	}
	delete(r.Extra, proofKey)
	return r.Prove(p)
}

// A Robot is a bot that took part.
type Robot struct {
	Bot  string `json:"bot,omitempty"` // "" for a person's seat, in which the stand-in moved
	Seed uint64 `json:"seed"`
}
