// Package record is a game written down: its deal and its moves, in one JSON document (docs/record.md). Everything else
// about a game follows from it.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"caveau/game"
)

// Format is the notation that this package reads and writes.
const Format = "caveau/1"

// A Record is a game written down.
type Record struct {
	Game    string
	Edition string         // "" where the game has only one
	Options map[string]int // nil where there are none
	Players []string       // names in seat order
	Deal    json.RawMessage
	Moves   []string // each with its seat: A open d3

	// Extra are the other keys at the top, such as table and proof: kept, and no business of the rules.
	Extra map[string]json.RawMessage
}

// MarshalJSON writes the record, its named keys in the order of the notation.
func (r Record) MarshalJSON() ([]byte, error) {
	var doc document
	doc.add("format", Format)
	doc.add("game", r.Game)
	if r.Edition != "" {
		doc.add("edition", r.Edition)
	}
	if len(r.Options) > 0 {
		doc.add("options", r.Options)
	}
	doc.add("players", r.Players)
	doc.add("deal", r.Deal)
	doc.add("moves", append([]string{}, r.Moves...))
	for _, key := range slices.Sorted(maps.Keys(r.Extra)) {
		if key != proofKey {
			doc.add(key, r.Extra[key])
		}
	}
	if proof, sealed := r.Extra[proofKey]; sealed {
		doc.add(proofKey, proof) // the last of all: its digest is about everything before
	}
	return append(doc.text, '}'), doc.err
}

// A document is a JSON object that keeps the order of its keys.
type document struct {
	text []byte
	err  error
}

func (d *document) add(key string, value any) {
	name, _ := json.Marshal(key) // a string never fails
	text, err := json.Marshal(value)
	d.err = errors.Join(d.err, err)
	if d.text == nil {
		d.text = []byte{'{'}
	} else {
		d.text = append(d.text, ',')
	}
	d.text = fmt.Appendf(d.text, "%s:%s", name, text)
}

// Read reads a record. It refuses, naming the fault, what is no JSON or more than one document, a key that stands twice,
// a missing key, another format, and values of the wrong kind; whether the deal is right the game says (Start).
func Read(text []byte) (Record, error) {
	if err := game.WellFormed(text); err != nil {
		return Record{}, err
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(text, &top); err != nil || top == nil {
		return Record{}, errors.New("a record is a JSON object")
	}
	var r Record
	var format string
	fields := game.Fields{"format": &format, "game": &r.Game, "players": &r.Players, "deal": &r.Deal, "moves": &r.Moves}
	for key, into := range map[string]any{"edition": &r.Edition, "options": &r.Options} {
		if _, there := top[key]; there {
			fields[key] = into
		}
	}
	named := map[string]json.RawMessage{}
	for key, value := range top {
		if _, known := fields[key]; known {
			named[key] = value
			continue
		}
		if r.Extra == nil {
			r.Extra = map[string]json.RawMessage{}
		}
		r.Extra[key] = value
	}
	again, err := json.Marshal(named)
	if err != nil {
		return Record{}, err
	}
	if err := game.ReadObject(again, fields); err != nil {
		return Record{}, err
	}
	if format != Format {
		return Record{}, fmt.Errorf("format is %q, and this program reads %q", format, Format)
	}
	return r, nil
}
