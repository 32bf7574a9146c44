// Package fact is the format of the log: what entries there are, and how each is written and read. It says nothing of what follows
// from a fact; package table does. A log is read for ever, by every later version: a kind of entry and the names in its JSON may
// be added, and are never changed or taken away.
package fact

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"caveau/fair"
	"caveau/game"
	"caveau/wire"
)

// An Entry is one line of a table's log. Seq counts from 1 without gaps. Data is one JSON object, written and read by
// Write and Read alone.
type Entry struct {
	Seq   int
	At    time.Time
	Data  json.RawMessage
	Needs int  // the version with which came what it says, for whoever writes it (ADR 20); 0 for what all know
	Over  bool // the table need not be woken again: nothing follows this entry but the wish for a rematch, Over as well
}

// written is the JSON of an entry.
type written struct {
	Kind string          `json:"kind"`
	Fact json.RawMessage `json:"fact"`
	By   *Receipt        `json:"by,omitempty"`
	End  *Ending         `json:"end,omitempty"` // of the game, where it ends with this
}

// A Receipt says which command made an entry, so that one sent twice counts once, after a restart too.
type Receipt struct {
	Guest string `json:"guest"`
	wire.Command
}

// AppendJSON writes the receipt as encoding/json does.
func (r Receipt) AppendJSON(t game.JSON) game.JSON {
	t = append(t, '{').Key("guest").Text(r.Guest).TextIn("id", r.ID).Key("do").Text(r.Do).TextIn("table", string(r.Table))
	t = t.TextIn("seat", r.Seat).NumberIn("seq", r.Seq).TextIn("move", r.Move).TextIn("bot", r.Bot).TextIn("bits", r.Bits)
	return append(t, '}')
}

// Key stands for a receipt: two of them are one if and only if their keys are. Each word has its length before it.
func (r Receipt) Key() (key [16]byte) {
	text := make([]byte, 0, 512)
	for _, word := range [...]string{r.Guest, r.ID, r.Do, string(r.Table), r.Seat, r.Move, r.Bot, r.Bits} {
		text = append(binary.AppendUvarint(text, uint64(len(word))), word...)
	}
	sum := sha256.Sum256(binary.AppendVarint(text, int64(r.Seq)))
	copy(key[:], sum[:])
	return key
}

// An Ending is how a game ended by the rules that it was played by. Nothing follows from it; it is what a later program, whose
// rules may be others, compares its own replay with.
type Ending struct {
	Revision int         `json:"revision"` // of the rules
	Winners  []game.Seat `json:"winners"`
	Why      string      `json:"why,omitempty"` // stopped, broken or closed
	Final    fair.Bits   `json:"final"`         // SHA-256 of the final position in the words of the trace
}

// Write is the text of an entry: the JSON of written, put together so that nothing is encoded twice.
func Write(f Any, by Receipt, end *Ending) json.RawMessage {
	text := append(append(make([]byte, 0, 512), `{"kind":"`...), f.kind()...)
	text = wire.Append(append(text, `","fact":`...), f)
	if by.ID != "" {
		text = by.AppendJSON(append(text, `,"by":`...))
	}
	if end != nil {
		text = wire.Append(append(text, `,"end":`...), end)
	}
	return append(text, '}')
}

// Needs is the version with which came what an entry is to say; 0 for what all know. Facts for which that may be more have a method needs.
func Needs(f Any, by Receipt) int {
	if later, is := f.(interface{ needs() int }); is {
		return max(later.needs(), by.Needs())
	}
	return by.Needs()
}

// Read is what an entry says; the zero Receipt where no command made it, and no Ending where no game ends with it.
func Read(data json.RawMessage) (f Any, by Receipt, end *Ending, err error) {
	var w written
	if err = json.Unmarshal(data, &w); err != nil {
		return nil, by, nil, err
	}
	f, ok := blank(w.Kind)
	if !ok {
		return nil, by, nil, fmt.Errorf("%q is no kind of entry that this version knows", w.Kind)
	}
	if w.By != nil {
		by = *w.By
	}
	return f, by, w.End, json.Unmarshal(w.Fact, f)
}
