package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors says on which floor each package stands. An import goes down, never sideways or up (ARCHITECTURE.md).
var floors = map[string]int{
	"docs/rules":      0,
	"fair":            0,
	"game":            0,
	"game/gametest":   0,
	"games/dawn":      1,
	"games/toctoc":    1,
	"record":          1,
	"bot":             1,
	"wire":            1,
	"terms":           2,
	"company":         2,
	"fact":            3,
	"table":           4,
	"match":           5,
	"match/matchtest": 5,
	"lobby":           6,
	"catalog":         6,
	"store":           6,
	"store/storetest": 6,
	"server":          7,
	"load":            7,
	"web":             7,
	"tools/pebbles":   7,
	"secrets":         8,
	"cmd/caveau":      8,
	"tools":           8,
	"tools/mutate":    8,
}

// examiners stand beside what they examine, and may import it.
var examiners = map[string]string{"game/gametest": "game", "store/storetest": "match", "match/matchtest": "match"}

// The rules know nothing of the world: no time, no files, no net, no database, no log.
var worldly = []string{"time", "os", "net", "net/http", "database/sql", "log", "log/slog", "context", "sync", "crypto/rand"}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestFloors(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, "caveau/")
		floor, known := floors[name]
		if !known {
			t.Errorf("%s stands on no floor: give it one in floors", name)
			continue
		}
		for _, imported := range p.Imports {
			ours, is := strings.CutPrefix(imported, "caveau/")
			if is && floors[ours] >= floor && examiners[name] != ours {
				t.Errorf("%s, on floor %d, imports %s, on floor %d", name, floor, ours, floors[ours])
			}
			if (name == "game" || strings.HasPrefix(name, "games/") || name == "tools/pebbles") && slices.Contains(worldly, imported) {
				t.Errorf("%s imports %s: rules do no I/O and read no clock", name, imported)
			}
		}
	}
}

func listPackages(t *testing.T) (packages []listed) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "caveau/...").Output()
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
