package record

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"caveau/game"
)

// A Shelf finds games by the names that records use.
type Shelf interface {
	Game(name string) (game.Game, bool)
}

// Start is the position that the record's game begins with. It fails, naming the fault, where the game, its edition, an
// option or the deal is none that the shelf knows.
func (r Record) Start(shelf Shelf) (game.State, error) {
	g, ok := shelf.Game(r.Game)
	if !ok {
		return nil, fmt.Errorf("%q is no game that is played here", r.Game)
	}
	setup := game.Setup{Edition: r.Edition, Players: len(r.Players), Options: r.Options, First: game.NoSeat}
	return g.Read(setup, r.Deal)
}

// WriteDeal is the deal of a game that nobody has moved in yet, as a record says it. Only what is never told before the end
// may be made of it.
func WriteDeal(s game.State) (json.RawMessage, error) { return json.Marshal(s.Deal()) }

// Sum is a fingerprint of the whole truth: for the end of a game, when it is no secret any more.
func Sum(s game.State) (sum [sha256.Size]byte, err error) {
	text, err := json.Marshal(s.Dump())
	return sha256.Sum256(text), err
}

// A MoveError is a move of a record that is not allowed where it stands.
type MoveError struct {
	N       int    // counted from 1
	Move    string // as the record has it
	Refusal error  // a game.Refusal, which names the rule
}

func (e *MoveError) Error() string { return fmt.Sprintf("move %d, %q: %s", e.N, e.Move, e.Refusal) }

// Unwrap is the rulebook's refusal.
func (e *MoveError) Unwrap() error { return e.Refusal }

// SplitMove is a move as a record has it, the seat's letter before the words.
func SplitMove(move string) (seat game.Seat, words string, err error) {
	letter, words, _ := strings.Cut(move, " ")
	seat, err = game.ParseSeat(letter)
	return seat, words, err
}

// Replay plays the record and shows every position with what led to it, the one after the deal first. It ends with a *MoveError at a move
// that is not allowed, and with whatever error visit returns.
func (r Record) Replay(start game.State, visit func(ply int, s game.State, events []game.Event) error) error {
	state := start
	if err := visit(0, state, nil); err != nil {
		return err
	}
	for i, move := range r.Moves {
		seat, words, err := SplitMove(move)
		if err != nil {
			seat = game.NoSeat // nobody's move: refused like any other that is not offered
		}
		next, events, err := state.Play(seat, words)
		if err != nil {
			return &MoveError{i + 1, move, err}
		}
		state = next
		if err := visit(i+1, state, events); err != nil {
			return err
		}
	}
	return nil
}

// line is what the trace says of every game; the game's own keys follow.
type line struct {
	Ply     int      `json:"ply"`
	ToMove  string   `json:"toMove"`
	Legal   []string `json:"legal"`
	Over    bool     `json:"over"`
	Winners []string `json:"winners"`
}

// Trace writes the true position after the deal and after every move, hidden things included, one JSON object a line.
func (r Record) Trace(start game.State, w io.Writer) error {
	return r.Replay(start, func(ply int, s game.State, _ []game.Event) error {
		text, err := traceLine(ply, s)
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
}

func traceLine(ply int, s game.State) ([]byte, error) {
	outcome := s.Outcome()
	l := line{Ply: ply, ToMove: s.Turn().String(), Legal: s.Moves(), Over: outcome.Over, Winners: []string{}}
	slices.Sort(l.Legal)
	for _, seat := range outcome.Winners.List() {
		l.Winners = append(l.Winners, seat.String())
	}
	common, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	own, err := json.Marshal(s.Dump())
	if err != nil {
		return nil, err
	}
	text := append(common[:len(common)-1], ',')
	return append(append(text, own[1:]...), '\n'), nil
}
