package duel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"caveau/lab"
)

// A file is the deals of all duels, as they were played; whoever is interrupted loses those that are on their way.
type file struct {
	*os.File
	cells map[string]*state
}

// open reads what was played already. Half a line is played again; what belongs to no duel is refused, and stays as it is.
func open(name string, cells []cell) (f file, err error) {
	f.cells = map[string]*state{}
	for _, c := range cells {
		f.cells[c.digest()] = c.begin()
	}
	if f.File, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return f, err
	}
	text, err := io.ReadAll(f)
	if err == nil {
		err = f.read(text[:bytes.LastIndexByte(text, '\n')+1])
	}
	if err != nil {
		f.Close()
		return f, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

func (f *file) read(text []byte) error {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var d Deal
		if err := json.Unmarshal(line, &d); err != nil {
			return fmt.Errorf("line %d is no deal: %w", n, err)
		}
		s := f.cells[d.Duel]
		switch {
		case s == nil:
			return fmt.Errorf("line %d is of another duel, %.20q: say where else to write", n, d.Duel)
		case d.Deal != len(s.deals) || len(d.Won) != s.Players:
			return fmt.Errorf("line %d is deal %d of %q, where deal %d belongs", n, d.Deal, d.Duel, len(s.deals))
		case s.told():
			return fmt.Errorf("line %d is one deal more than it took", n)
		}
		s.add(d)
	}
	if err := f.Truncate(int64(len(text))); err != nil {
		return err
	}
	_, err := f.Seek(int64(len(text)), io.SeekStart)
	return err
}

// errEnough ends a duel.
var errEnough = errors.New("it is known, or took too long")

// play goes on with a duel until it is told, or has taken so many seconds of a processor. heard hears how many it has taken.
func (f *file) play(ctx context.Context, c cell, shelf lab.Shelf, seconds float64, heard func(seconds float64)) error {
	s := f.cells[c.digest()]
	if s.told() || s.seconds >= seconds {
		return nil
	}
	d, since := Deal{Duel: c.digest(), Deal: len(s.deals)}, spent()
	err := c.from(d.Deal).Run(ctx, shelf, func(line []byte) error {
		rows, err := lab.ReadRows(line)
		if err != nil {
			return err
		}
		if d.Won = append(d.Won, c.won(rows[0])); len(d.Won) < c.Players {
			return nil
		}
		now := spent()
		d.Seconds, since = now-since, now
		text, err := json.Marshal(d)
		if err == nil {
			_, err = f.Write(append(text, '\n'))
		}
		if err != nil {
			return err
		}
		s.add(d)
		heard(s.seconds)
		if s.told() || s.seconds >= seconds {
			return errEnough
		}
		d.Deal, d.Won = d.Deal+1, nil
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
