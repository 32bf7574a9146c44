package record_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caveau/game"
	"caveau/games/dawn"
	"caveau/games/toctoc"
	"caveau/record"
)

var rewrite = flag.Bool("rewrite", false, "write down how the games of the archive go now; the commit says which paragraph moved them, and why")

type everyGame struct{}

func (everyGame) Game(name string) (game.Game, bool) {
	g, ok := map[string]game.Game{dawn.Rules.Name: theGame, toctoc.Rules.Name: theOther}[name]
	return g, ok
}

var theOther = game.Edge(toctoc.Rules)

// Whole games of every edition and number of players still go as they went: of each record in testdata/archive the trace,
// which says everything about every position, has the sum that stands in sums.txt. The games went alike in a second
// implementation that was written from the rulebooks alone.
func TestWholeGamesStillGoAsTheyWent(t *testing.T) {
	const dir = "testdata/archive"
	files, err := filepath.Glob(dir + "/*.json")
	if err != nil || len(files) < 28 {
		t.Fatalf("%d records in %s: %v", len(files), dir, err)
	}
	var now strings.Builder
	for _, file := range files {
		fmt.Fprintf(&now, "%s %x\n", filepath.Base(file), sha256.Sum256(traceOf(t, file)))
	}
	sums := filepath.Join(dir, "sums.txt")
	if *rewrite {
		if err := os.WriteFile(sums, []byte(now.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(sums)
	if err != nil {
		t.Fatal(err)
	}
	was := strings.Split(string(before), "\n")
	for i, line := range strings.Split(now.String(), "\n") {
		if i >= len(was) || was[i] != line {
			t.Errorf("%.24s: this game goes another way than it went; `caveau trace` shows how", line)
		}
	}
}

func traceOf(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Read(text)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	start, err := rec.Start(everyGame{})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var lines bytes.Buffer
	if err := rec.Trace(start, &lines); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	return lines.Bytes()
}
