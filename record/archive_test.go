package record_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

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

const archive = "testdata/archive"

// Whole games of every edition and number of players still go as they went: of each record in testdata/archive the trace,
// which says everything about every position, has the sum that stands in sums.txt. The games went alike in a second
// implementation that was written from the rulebooks alone.
func TestWholeGamesStillGoAsTheyWent(t *testing.T) {
	a, err := record.CheckArchive(os.DirFS(archive), everyGame{})
	if err != nil || len(a.Games) < 28 {
		t.Fatalf("%d records in %s: %v", len(a.Games), archive, err)
	}
	if *rewrite {
		var now strings.Builder
		for _, g := range a.Games {
			fmt.Fprintf(&now, "%s %s\n", g.Name, g.Sum)
		}
		if err := os.WriteFile(filepath.Join(archive, record.SumsFile), []byte(now.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !a.Summed {
		t.Errorf("there is no %s in %s", record.SumsFile, archive)
	}
	for _, f := range a.Faults {
		t.Errorf("%s: %s; `caveau trace` shows how it goes now", f.Name, f.What)
	}
}

// brittle is a shelf on which the rules of Toc Toc Toc break down.
type brittle struct{ everyGame }

func (s brittle) Game(name string) (game.Game, bool) {
	if name == toctoc.Rules.Name {
		panic("a card too many")
	}
	return s.everyGame.Game(name)
}

// Whatever is wrong in an archive is said of the file that it is wrong with, and the others are replayed.
func TestABrokenRecordStopsNoOther(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(archive, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const game = "2004-2.json"
	whole, sums := read(game), read(record.SumsFile)
	sum := sums[strings.Index(sums, game)+len(game)+1:][:64]
	_, other, _ := strings.Cut(read("2004-3.json"), "{")
	move := regexp.MustCompile(`"A [a-z]+ [a-z0-9]+"`).FindString(whole)
	dir := fstest.MapFS{
		"a-whole.json":     {Data: []byte(whole)},
		"b-json.json":      {Data: []byte("no record")},
		"c-move.json":      {Data: []byte(strings.Replace(whole, move, `"A open z9"`, 1))},
		"d-revision.json":  {Data: []byte(strings.Replace(`{"table":{"revision":7},`+whole[1:], move, `"A open z9"`, 1))},
		"e-unknown.json":   {Data: []byte(strings.Replace(whole, `"dawn-under"`, `"chess"`, 1))},
		"f-deal.json":      {Data: []byte(`{"table":{"revision":7},` + strings.Replace(whole[1:], `"rat"`, `"cat"`, 1))},
		"g-another.json":   {Data: []byte("{" + other)},
		"h-unlisted.json":  {Data: []byte(whole)},
		"i-folder.json":    {Mode: fs.ModeDir},
		"j-panics.json":    {Data: []byte(read("toc-toc-toc-3.json"))},
		"k-empty.json":     {},
		"notes.txt":        {Data: []byte("no record, and none of the archive")},
		record.SumsFile:    {},
		"deeper/z.json":    {Data: []byte(whole)},
		"l-revised-2.json": {Data: []byte(`{"table":{"revision":7},` + whole[1:])},
	}
	faults := map[string]string{
		"b-json.json":     "no JSON",
		"c-move.json":     `, "A open z9": not allowed: `,
		"d-revision.json": "it was played by revision 7 of the rules, and this program has 1",
		"e-unknown.json":  `"chess" is no game`,
		"f-deal.json":     "revision 7",
		"g-another.json":  "the sum of its trace is ",
		"h-unlisted.json": "it has no sum",
		"i-folder.json":   "i-folder.json",
		"j-panics.json":   "the rules break down: a card too many",
		"k-empty.json":    "no JSON",
		"m-gone.json":     "there is no such record",
		record.SumsFile:   "line ",
	}
	lines := "what is this\n"
	for name := range dir {
		if strings.HasSuffix(name, ".json") && name != "h-unlisted.json" && !strings.Contains(name, "/") {
			lines += name + " " + sum + "\n"
		}
	}
	dir[record.SumsFile].Data = []byte(lines + "m-gone.json " + sum + "\na-whole.json " + sum + "\n")
	a, err := record.CheckArchive(dir, brittle{})
	if err != nil || !a.Summed || len(a.Games) != 12 || a.Games[0] != (record.Replayed{Name: "a-whole.json", Sum: sum}) {
		t.Fatalf("%+v, %v", a.Games, err)
	}
	said := map[string]int{}
	for _, f := range a.Faults {
		said[f.Name]++
		if want, ok := faults[f.Name]; !ok || !strings.Contains(f.What, want) {
			t.Errorf("%s: %s", f.Name, f.What)
		}
	}
	for name := range faults {
		if want := map[bool]int{true: 2, false: 1}[name == record.SumsFile]; said[name] != want {
			t.Errorf("of %s there is %d times something said, not %d", name, said[name], want)
		}
	}

	delete(dir, record.SumsFile)
	if a, err := record.CheckArchive(dir, brittle{}); err != nil || a.Summed || len(a.Faults) != 8 {
		t.Errorf("without sums: %+v, %v", a.Faults, err)
	}
	for _, none := range []fs.FS{fstest.MapFS{"notes.txt": {}}, os.DirFS(filepath.Join(t.TempDir(), "none"))} {
		if a, err := record.CheckArchive(none, brittle{}); err == nil {
			t.Errorf("where there is nothing to be replayed: %+v", a)
		}
	}
}
