package lab

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"caveau/game"
)

// Left is what is left of a shard where this is its file, and how many bytes of the file stay: whoever was killed may have written
// half a line, and that game is played again. It refuses a file that holds anything else than the shard's first rows.
func (s Shard) Left(text []byte, shelf Shelf) (rest Shard, whole int, err error) {
	p, err := s.plan(shelf)
	if err != nil {
		return s, 0, err
	}
	whole = bytes.LastIndexByte(text, '\n') + 1
	rows, err := ReadRows(text[:whole])
	if err != nil {
		return s, 0, err
	}
	for i, r := range rows {
		switch {
		case r.Experiment != p.digest:
			return s, 0, fmt.Errorf("line %d is of another experiment, %.20q, and this one is %q: say where else to write", i+1, r.Experiment, p.digest)
		case r.N != s.First+i:
			return s, 0, fmt.Errorf("line %d is game %d, where game %d belongs", i+1, r.N, s.First+i)
		case i >= s.Number:
			return s, 0, fmt.Errorf("line %d is one more than the %d games that are asked for", i+1, s.Number)
		}
	}
	s.First, s.Number = s.First+len(rows), s.Number-len(rows)
	return s, whole, nil
}

// A Hand plays a shard as Shard.Run does: that itself, or several machines (lab/crew).
type Hand func(s Shard, ctx context.Context, shelf Shelf, write func(line []byte) error) error

// Play is all rows of a shard whose file has that name: those that stand there already, and the rest, which is played by hand and written
// one by one. Whoever interrupts it loses the games that are on their way. told hears how many there are.
func (s Shard) Play(ctx context.Context, shelf Shelf, name string, hand Hand, told func(done int)) ([]Row, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	rest, whole, err := s.Left(text, shelf)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := f.Truncate(int64(whole)); err != nil {
		return nil, err
	}
	if _, err := f.Seek(int64(whole), io.SeekStart); err != nil {
		return nil, err
	}
	text, done := text[:whole], s.Number-rest.Number
	told(done)
	err = hand(rest, ctx, shelf, func(line []byte) error {
		done++
		told(done)
		text = append(text, line...)
		_, err := f.Write(line)
		return err
	})
	if errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("interrupted after %d of %d games: the same command goes on with the next", done, s.Number)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return ReadRows(text)
}

// ReadRows reads rows, one a line.
func ReadRows(text []byte) (rows []Row, err error) {
	for line := range bytes.Lines(text) {
		r := Row{First: game.NoSeat, Last: game.NoSeat}
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("line %d is no row: %w", len(rows)+1, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// WriteCSV writes the rows for a spreadsheet. Its first line has the names of the columns.
func WriteCSV(rows []Row, w io.Writer) error {
	verbs := verbsOf(rows)
	chairs := 0
	for _, r := range rows {
		chairs = max(chairs, len(r.Bots))
	}
	head := []string{
		"experiment", "n", "deal", "sitting", "game", "edition", "options", "players", "first", "last", "over", "winners", "moves",
		"turns", "leads", "behind", "halfway", "touches",
	}
	for s := range game.Seat(chairs) {
		head = append(head, "bot "+s.String(), "standing "+s.String())
	}
	for _, verb := range verbs {
		head = append(head, "verb "+verb)
	}
	out := csv.NewWriter(w)
	out.Write(head) // Error tells at the end
	for _, r := range rows {
		record := []string{
			r.Experiment, strconv.Itoa(r.N), strconv.Itoa(r.Deal), strconv.Itoa(r.Sitting), r.Game, r.Edition, options(r.Options),
			strconv.Itoa(len(r.Bots)), r.First.String(), r.Last.String(), strconv.FormatBool(r.Over), letters(r.Winners), strconv.Itoa(r.Moves),
			strconv.Itoa(r.Turns), strconv.Itoa(r.Leads), strconv.Itoa(r.Behind), letters(r.Halfway), strconv.Itoa(r.Touches),
		}
		for s := range chairs {
			if s < len(r.Bots) {
				record = append(record, r.Bots[s], strconv.Itoa(r.Standing[s]))
			} else {
				record = append(record, "", "")
			}
		}
		for _, verb := range verbs {
			record = append(record, strconv.Itoa(r.Verbs[verb]))
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}

// verbsOf are all verbs of the rows, in the order of the alphabet.
func verbsOf(rows []Row) []string {
	all := map[string]bool{}
	for _, r := range rows {
		for verb := range r.Verbs {
			all[verb] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func options(o map[string]int) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(o)) {
		list = append(list, fmt.Sprintf("%s %d", name, o[name]))
	}
	return strings.Join(list, ", ")
}

func letters(seats []game.Seat) (text string) {
	for _, s := range seats {
		text += s.String()
	}
	return text
}
