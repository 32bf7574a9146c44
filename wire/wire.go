// Package wire is what goes over the wire, in the words of docs/protocol.md: what clients say (Command), what they are told
// (Frame, Card, Error), and what both call tables and people (ID, Guest). Package table knows what is to be told.
package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"caveau/game"
)

// An ID names a table: drawn at random, or from that of the table before, unguessable, and the last part of the table's link.
type ID string

// NewID is a name of twenty letters, the ith of which is the letter(i, of)th of so many: 100 bits, where they are drawn.
func NewID(letter func(i, of int) int) ID {
	const letters = "abcdefghjkmnpqrstuvwxyz023456789"
	id := make([]byte, 20)
	for i := range id {
		id[i] = letters[letter(i, len(letters))]
	}
	return ID(id)
}

// A Guest is a person without an account: an id that the server gave him, and the name he gave himself. The zero Guest
// is somebody without a name; he may only watch.
type Guest struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// IsProgram tells a program from a person, by its id: the house gives ids that begin so to programs alone (package guests).
func IsProgram(guest string) bool { return strings.HasPrefix(guest, Program) }

// Program is what the id of one begins with.
const Program = "program-"

// A Command is what a client says, as docs/protocol.md describes it. The log keeps it (fact.Receipt), so its names in JSON stay; so
// do those of a Guest.
type Command struct {
	ID    string `json:"id,omitempty"`
	Do    string `json:"do"`
	Table ID     `json:"table,omitempty"`
	Seat  string `json:"seat,omitempty"`
	Seq   int    `json:"seq,omitempty"`
	Move  string `json:"move,omitempty"`
	Bot   string `json:"bot,omitempty"`
	// Bits is a seal or a number, for the sealed deal.
	Bits string `json:"bits,omitempty"`
}

// Speaks is the version that this build reads and writes between nodes and in logs (ADR 20). It rises by one with whatever a build of before does not know: a
// kind of fact or a field of one from which something follows, a deed or a key of a command, a letter. Needs of each says with which it came.
const Speaks = 2

// ErrNotYet is for what some node of the house could not read.
var ErrNotYet error = Refuse(CodeBusy, "some nodes of this house are of an older version, and do not know this yet: try again when all are new")

// Needs is the version with which came what the command says; 0 for what all know.
func (c Command) Needs() int { return 0 }

// LongestWord is how long a word of a command may be, in bytes: a seal is as long. Commands are kept with what they did.
const LongestWord = 64

// Fit is nil, or why nobody may say the command in a house that speaks that version.
func (c Command) Fit(speaks int) error {
	if max(len(c.Table), len(c.Seat), len(c.Move), len(c.Bot), len(c.Bits)) > LongestWord {
		return Refuse(CodeBadCommand, "the words of a command have at most %d bytes each", LongestWord)
	}
	if c.Needs() > speaks {
		return ErrNotYet
	}
	return nil
}

// The codes of errors that are about tables, rather than about the rules of a game. They are stable: clients look up
// the sentence for a code in the reader's language.
const (
	CodeBadCommand  = "bad_command"
	CodeBusy        = "busy"
	CodeEnough      = "enough"
	CodeGone        = "gone"
	CodeLate        = "late"
	CodeNoGuest     = "no_guest"
	CodeNoSeat      = "no_seat"
	CodeNobody      = "nobody_there"
	CodeNotFull     = "not_full"
	CodeNotHost     = "not_host"
	CodeNotStarted  = "not_started"
	CodeNotYourSeat = "not_your_seat"
	CodeNoTable     = "no_table"
	CodeOver        = "over"
	CodeProgram     = "program"
	CodeRunning     = "running"
	CodeSeatTaken   = "seat_taken"
	CodeStarted     = "started"
	CodeStorage     = "storage"
	CodeTooMany     = "too_many"
	CodeUninvited   = "uninvited"
)

// An Error is why something was not done. Nothing has changed when one is told.
type Error struct {
	Code    string `json:"code"`
	Rule    string `json:"rule,omitempty"` // the paragraph, where a rulebook forbids it
	Message string `json:"message"`        // for whoever reads a terminal
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Refuse makes an Error of a code and a message.
func Refuse(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// AsError is err as a client is told it. What is no Error already is a fault of the log: the client learns that nothing
// was written, the reason stays in the server's own log.
func AsError(err error) *Error {
	var told *Error
	if errors.As(err, &told) {
		return told
	}
	var r game.Refusal
	if errors.As(err, &r) {
		return &Error{Code: r.Code, Rule: r.Rule, Message: r.Error()}
	}
	return Refuse(CodeStorage, "the server could not write it down; nothing has changed, try again")
}

// Append writes a part of what the server says.
func Append(text []byte, v any) []byte {
	switch v := v.(type) {
	case game.Appender:
		return v.AppendJSON(text)
	case []game.Event:
		return game.Items(text, v)
	case []string:
		return game.JSON(text).Texts(v)
	case string:
		return game.JSON(text).Text(v)
	case game.Seat:
		return game.JSON(text).Text(v.String())
	}
	return append(text, Message(v)...)
}

// Message writes what the server says. Only values made to be told come here, and all of them can be written.
func Message(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("wire: %T is not made to be told: %v", v, err))
	}
	return data
}
