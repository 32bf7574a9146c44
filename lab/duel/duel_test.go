package duel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"caveau/catalog"
)

// some has duels that are told soon: whoever knows what he does, among others who do not, and the other way round.
const some = `{"seed":3,"duels":[
	{"game":"toc-toc-toc","players":[3],"one":["rules"],"among":"random"},
	{"game":"dawn-under","editions":["2017"],"players":[2],"one":["random","rules:dozy"],"among":"rules"}]}`

var shelf = catalog.House.Laboratory()

// played is the folder in which a plan has been played, and what was shown.
func played(t *testing.T, dir string, flags ...string) (table string) {
	t.Helper()
	plan := filepath.Join(dir, "plan.json")
	if err := os.WriteFile(plan, []byte(some), 0o600); err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	understood, err := Command(t.Context(), append(flags, plan), shelf, &shown, io.Discard)
	if !understood || err != nil {
		t.Fatalf("understood: %v, %v", understood, err)
	}
	return shown.String()
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// timeless is without how long it took, which alone differs from one time to another.
func timeless(text []byte) string {
	return string(regexp.MustCompile(`"seconds":[^,}]+|\d+ (s|min) \|`).ReplaceAll(text, nil))
}

func TestWhoIsBetterIsTold(t *testing.T) {
	dir := t.TempDir()
	table := played(t, dir)
	rows := strings.Split(strings.TrimSpace(strings.TrimPrefix(table, head)), "\n")
	for i, want := range []struct{ begins, ends string }{
		{"| `rules` | `random` | toc-toc-toc, 3 | 33.3 |", "| more |"},
		{"| `random` | `rules` | dawn-under 2017, 2 | 50.0 |", "| less |"},
		{"| `rules:dozy` | `rules` | dawn-under 2017, 2 | 50.0 |", "| less |"},
	} {
		if !strings.HasPrefix(rows[i], want.begins) || !strings.HasSuffix(rows[i], want.ends) {
			t.Errorf("row %d is %s", i, rows[i])
		}
	}
	if got := string(read(t, dir, "plan.md")); got != table {
		t.Errorf("another table was written than was shown: %s", got)
	}
	if n := bytes.Count(read(t, dir, "plan.jsonl"), []byte(`"told":"`)); n != 3 {
		t.Errorf("there are %d rows", n)
	}
}

// From one seed comes the same, whatever the number of cores: a duel ends in the order of its deals, and not in that in which they were played.
func TestTheSameOnAnyNumberOfCores(t *testing.T) {
	on := func(cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		dir := t.TempDir()
		played(t, dir)
		return timeless(read(t, dir, "plan.deals.jsonl")) + timeless(read(t, dir, "plan.jsonl"))
	}
	one := on(1)
	for _, cores := range []int{2, 5} {
		if on(cores) != one {
			t.Errorf("on %d cores something else came out than on one", cores)
		}
	}
}

// Wherever it was stopped, within a line too, the same command makes the same of it; and what is told is not played again.
func TestADuelGoesOn(t *testing.T) {
	dir := t.TempDir()
	table := played(t, dir)
	all := read(t, dir, "plan.deals.jsonl")
	for _, cut := range []int{0, 1, bytes.IndexByte(all, '\n'), bytes.IndexByte(all, '\n') + 1, len(all) / 2, len(all) - 1} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "plan.deals.jsonl"), all[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if again := played(t, dir); timeless([]byte(again)) != timeless([]byte(table)) {
			t.Errorf("stopped at byte %d, it says\n%s", cut, again)
		}
		if got := read(t, dir, "plan.deals.jsonl"); timeless(got) != timeless(all) || !bytes.HasPrefix(got, all[:bytes.LastIndexByte(all[:cut], '\n')+1]) {
			t.Errorf("stopped at byte %d, other deals were played", cut)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "plan.deals.jsonl"), append(bytes.Clone(all), `{"duel":`...), 0o600); err != nil {
		t.Fatal(err)
	}
	played(t, dir)
	if !bytes.Equal(read(t, dir, "plan.deals.jsonl"), all) {
		t.Error("what was told was played again, or half a line too many has stayed")
	}
}

// What took too long is called so. With more time it goes on.
func TestADuelTakesTooLong(t *testing.T) {
	dir := t.TempDir()
	if table := played(t, dir, "--hours", "0"); strings.Count(table, "| – | – | 0 | 0 s | not played |") != 3 {
		t.Errorf("without any time it says\n%s", table)
	}
	if table := played(t, dir, "--hours", "1e-9"); strings.Count(table, "| not told apart |") != 3 {
		t.Errorf("in no time it says\n%s", table)
	}
	if n := bytes.Count(read(t, dir, "plan.deals.jsonl"), []byte("\n")); n != 3 {
		t.Errorf("in no time %d deals of 3 duels were played", n)
	}
	if table := played(t, dir); strings.Contains(table, "not") {
		t.Errorf("with time it says\n%s", table)
	}
}

func TestAFileOfSomethingElse(t *testing.T) {
	dir := t.TempDir()
	played(t, dir)
	all := read(t, dir, "plan.deals.jsonl")
	lines := bytes.SplitAfter(all, []byte("\n"))
	end := bytes.LastIndexByte(bytes.TrimSuffix(all, []byte("\n")), '\n') + 1
	last := all[end:]
	var d Deal
	if err := json.Unmarshal(last, &d); err != nil {
		t.Fatal(err)
	}
	oneMore := bytes.Replace(last, fmt.Appendf(nil, `"deal":%d`, d.Deal), fmt.Appendf(nil, `"deal":%d`, d.Deal+1), 1)
	for _, x := range []struct {
		what string
		text []byte
		says string
	}{
		{"another seed", bytes.Replace(all, lines[0][:22], []byte(`{"duel":"0123456789ab"`), 1), "line 1 is of another duel"},
		{"a deal that is missing", all[len(lines[0]):], "line 1 is deal 1 of"},
		{"a deal too many", append(bytes.Clone(all), oneMore...), "is one deal more than it took"},
		{"no deal", []byte("Dear Ana,\n"), "line 1 is no deal"},
	} {
		name := filepath.Join(t.TempDir(), "deals.jsonl")
		if err := os.WriteFile(name, x.text, 0o600); err != nil {
			t.Fatal(err)
		}
		cells, err := Read([]byte(some), shelf)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = open(name, cells); err == nil || !strings.Contains(err.Error(), name+": ") || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v", x.what, err)
		}
		if text, err := os.ReadFile(name); err != nil || !bytes.Equal(text, x.text) {
			t.Errorf("%s: the file has become another one, %v", x.what, err)
		}
	}
}

func TestAPlanThatCannotBePlayed(t *testing.T) {
	for _, x := range []struct{ duel, says string }{
		{``, "there is none"},
		{`{"game":"chess","players":[2],"one":["rules"],"among":"random"}`, `duels[0]: there is no game called "chess"`},
		{`{"game":"toc-toc-toc","players":[3],"among":"random"}`, "duels[0]: one and players"},
		{`{"game":"toc-toc-toc","one":["rules"],"among":"random"}`, "duels[0]: one and players"},
		{`{"game":"toc-toc-toc","players":[3],"one":["rules"],"among":"rules"}`, "rules is as good as himself"},
		{`{"game":"toc-toc-toc","players":[3],"one":["rules"],"among":"Dracula"}`, `called "Dracula"`},
		{`{"game":"toc-toc-toc","players":[9],"one":["rules"],"among":"random"}`, "players: 3 to 5"},
		{`{"game":"dawn-under","editions":["1897"],"players":[3],"one":["rules"],"among":"random"}`, "none called"},
		{`{"game":"toc-toc-toc","players":[3],"one":["rules"],"among":"random","games":7}`, "games"},
	} {
		if _, err := Read([]byte(`{"seed":1,"duels":[`+x.duel+`]}`), shelf); err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v", x.duel, err)
		}
	}
}

// The plans in docs/lab can be played.
func TestPlansOfTheDocs(t *testing.T) {
	files, err := filepath.Glob("../../docs/lab/duels/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are %d plans, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			_, err = Read(text, shelf)
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
