package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors says on which floor each package stands. An import goes down, never sideways or up (ARCHITECTURE.md).
var floors = map[string]int{
	"docs/rules":        0,
	"fair":              0,
	"game":              0,
	"game/gametest":     0,
	"limit":             0,
	"metrics":           0,
	"metrics/":          0,
	"names":             0,
	"progress":          0,
	"qrcode":            0,
	"rating":            0,
	"static":            0,
	"storm/planted":     0,
	"address":           0,
	"certificate":       0,
	"broker":            0,
	"games/":            1, // every game
	"record":            1,
	"bot":               1,
	"bot/":              2, // each for one game
	"wire":              1,
	"reply":             2,
	"env":               2,
	"terms":             2,
	"company":           2,
	"ceremony":          2,
	"fact":              3,
	"fact/notebook":     4,
	"table":             4,
	"ruling":            5,
	"guests":            5,
	"match":             6,
	"push":              0,
	"preview":           5,
	"keepsake":          5,
	"slots":             5,
	"bus":               7,
	"bus/natsbus":       8,
	"match/runner":      7,
	"match/matchtest":   7,
	"crier":             8,
	"lobby":             8,
	"lobby/archive":     7,
	"lobby/daybook":     7,
	"catalog":           8,
	"store":             8,
	"store/copies":      8,
	"store/memory":      7,
	"store/postgres":    7,
	"store/sqlite":      7,
	"store/pgserver":    0,
	"cluster":           8,
	"store/pgtest":      8,
	"store/storetest":   8,
	"store/deedstest":   8,
	"store/disktest":    8,
	"owner":             9,
	"pocket":            9,
	"server/bundle":     0,
	"server/servertest": 0,
	"server":            9,
	"lab":               8,
	"lab/cheat":         7,
	"lab/crew":          9,
	"lab/duel":          9,
	"load":              9,
	"load/meter":        0,
	"web":               9,
	"secrets":           10,
	"storm":             10,
	"storm/nodes":       10,
	"cmd/caveau":        10,
	"tools":             10,
	"tools/":            9, // every tool
}

// examiners stand beside what they examine, and may import it.
var examiners = map[string]string{"game/gametest": "game", "store/storetest": "fact", "store/deedstest": "fact", "match/matchtest": "match"}

// The rules know nothing of the world: no time, no files, no net, no database, no log.
var worldly = []string{"time", "os", "net", "net/http", "database/sql", "log", "log/slog", "context", "sync", "crypto/rand"}

type listed struct {
	ImportPath string
	Dir        string
	Imports    []string
}

func TestFloors(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, "caveau/")
		floor, known := floorOf(name)
		if !known {
			t.Errorf("%s stands on no floor: give it one in floors", name)
			continue
		}
		for _, imported := range p.Imports {
			ours, is := strings.CutPrefix(imported, "caveau/")
			if below, _ := floorOf(ours); is && below >= floor && examiners[name] != ours {
				t.Errorf("%s, on floor %d, imports %s, on floor %d", name, floor, ours, below)
			}
			if (name == "game" || strings.HasPrefix(name, "games/") || name == "tools/pebbles") && slices.Contains(worldly, imported) {
				t.Errorf("%s imports %s: rules do no I/O and read no clock", name, imported)
			}
		}
	}
}

// floorOf is the floor of a package, or of the folder that it stands in.
func floorOf(name string) (floor int, known bool) {
	if floor, known = floors[name]; !known {
		folder, _, _ := strings.Cut(name, "/")
		floor, known = floors[folder+"/"]
	}
	return floor, known
}

// longest is how many lines a package may have, its tests aside: what is longer has a seam to be found. A rulebook is as long as
// its rules.
const longest = 1500

func TestFloorsBearNoLongPackage(t *testing.T) {
	for _, p := range listPackages(t) {
		if strings.HasPrefix(p.ImportPath, "caveau/games/") {
			continue
		}
		if n := linesIn(t, p.Dir); n > longest {
			t.Errorf("%s has %d lines: at most %d, so find a seam and make two of it", p.ImportPath, n, longest)
		}
	}
}

func linesIn(t *testing.T, dir string) (n int) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n += bytes.Count(text, []byte("\n"))
	}
	return n
}

func listPackages(t *testing.T) (packages []listed) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports", "caveau/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
