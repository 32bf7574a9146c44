package record

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// SumsFile is the file of an archive that says how its games went: a line for each record, its file's name, a space, and the
// SHA-256 of its trace in hexadecimal.
const SumsFile = "sums.txt"

// An Archive is a directory of records that were replayed.
type Archive struct {
	Games  []Replayed // by the names of their files
	Summed bool       // there is a SumsFile to compare them with
	Faults []Fault    // what differs, by the names
}

// A Replayed record went as its trace says.
type Replayed struct {
	Name string
	Sum  string // the SHA-256 of its trace; "" where it cannot be replayed to its end
}

// A Fault is what is wrong with one file.
type Fault struct{ Name, What string }

// CheckArchive replays every *.json in dir and compares it with its sum, if there are sums. However broken one of them is,
// the others are replayed. It fails where dir cannot be read or holds no record.
func CheckArchive(dir fs.FS, shelf Shelf) (Archive, error) {
	if _, err := fs.ReadDir(dir, "."); err != nil {
		return Archive{}, err
	}
	names, err := fs.Glob(dir, "*.json")
	if err != nil {
		return Archive{}, err
	}
	if len(names) == 0 {
		return Archive{}, errors.New("there is no record in it: no file *.json")
	}
	var a Archive
	sums, err := a.readSums(dir)
	if err != nil {
		return Archive{}, err
	}
	for _, name := range names {
		sum, err := replayFile(dir, name, shelf)
		a.Games = append(a.Games, Replayed{name, sum})
		was, listed := sums[name]
		delete(sums, name)
		switch {
		case err != nil:
			a.fault(name, err.Error())
		case !a.Summed:
		case !listed:
			a.fault(name, "it has no sum in "+SumsFile)
		case was != sum:
			a.fault(name, "it goes another way: the sum of its trace is "+sum+", and was "+was)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		a.fault(name, "it has a sum, and there is no such record")
	}
	slices.SortStableFunc(a.Faults, func(x, y Fault) int { return strings.Compare(x.Name, y.Name) })
	return a, nil
}

func (a *Archive) fault(name, what string) { a.Faults = append(a.Faults, Fault{name, what}) }

var sumLine = regexp.MustCompile(`^(\S.*) ([0-9a-f]{64})$`)

// readSums reads the SumsFile, if there is one. A line that is none is a fault of it.
func (a *Archive) readSums(dir fs.FS) (map[string]string, error) {
	text, err := fs.ReadFile(dir, SumsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	a.Summed = true
	sums := make(map[string]string)
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		words := sumLine.FindStringSubmatch(strings.TrimSuffix(line, "\r"))
		switch {
		case words == nil:
			a.fault(SumsFile, fmt.Sprintf("line %d is no name and sum", i+1))
		case sums[words[1]] != "":
			a.fault(SumsFile, fmt.Sprintf("line %d: %s stands there twice", i+1, words[1]))
		default:
			sums[words[1]] = words[2]
		}
	}
	return sums, nil
}

// replayFile is the sum of the trace of one record.
func replayFile(dir fs.FS, name string, shelf Shelf) (sum string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			sum, err = "", fmt.Errorf("the rules break down: %v", fault) // the other records are replayed all the same
		}
	}()
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return "", err
	}
	rec, err := Read(text)
	if err != nil {
		return "", err
	}
	trace := sha256.New()
	start, err := rec.Start(shelf)
	if err == nil {
		err = rec.Trace(start, trace)
	}
	if err != nil {
		return "", rec.Explain(err, shelf)
	}
	return fmt.Sprintf("%x", trace.Sum(nil)), nil
}

// Explain adds to what went wrong with the record that it was played by another revision of the rules than those on the
// shelf, if it says so.
func (r Record) Explain(err error, shelf Shelf) error {
	var table struct {
		Revision int `json:"revision"`
	}
	g, ok := shelf.Game(r.Game)
	if err == nil || !ok || json.Unmarshal(r.Extra[tableKey], &table) != nil {
		return err
	}
	if now := g.Info().Revision; table.Revision != 0 && table.Revision != now {
		return fmt.Errorf("%w; it was played by revision %d of the rules, and this program has %d", err, table.Revision, now)
	}
	return err
}
