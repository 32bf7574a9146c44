package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// equivalents are the changes that change no game. The list has a paragraph for each:
//
//	row.go row.take
//	r.packed[r.n>>4&3] &^= 15 << (r.n & 15 * 4)
//	r.n>>4 → r.n>>5
//	Why no game is another one for it.
type equivalents struct {
	path  string
	keys  []key
	taken map[key]bool
}

// readEquivalents reads a list; a package without one has none. Lines that begin with # are remarks.
func readEquivalents(path string) (equivalents, error) {
	list := equivalents{path: path, taken: map[key]bool{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	if err != nil {
		return list, err
	}
	var entry []string
	for line := range strings.Lines(string(text) + "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case line != "":
			entry = append(entry, line)
		case len(entry) > 0:
			if err := list.add(entry); err != nil {
				return list, fmt.Errorf("%s: %q: %w", path, entry[0], err)
			}
			entry = nil
		}
	}
	return list, nil
}

func (list *equivalents) add(entry []string) error {
	if len(entry) < 4 {
		return errors.New("an entry is a file and a function, a line of the source, a change, and a reason")
	}
	file, function, _ := strings.Cut(entry[0], " ")
	k := key{file, function, entry[1], entry[2]}
	for _, other := range list.keys {
		if other == k {
			return errors.New("this entry is there twice")
		}
	}
	list.keys = append(list.keys, k)
	return nil
}

// take tells whether a change is on the list.
func (list *equivalents) take(k key) bool {
	for _, listed := range list.keys {
		if listed == k {
			list.taken[k] = true
			return true
		}
	}
	return false
}

// left are those that no change was found for.
func (list *equivalents) left() (left []key) {
	for _, k := range list.keys {
		if !list.taken[k] {
			left = append(left, k)
		}
	}
	return left
}
