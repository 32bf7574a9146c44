package lab_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"caveau/catalog"
	"caveau/lab"
)

// some is of two games, with bots that play at random and that remember, at tables where they change chairs and where they are drawn.
const some = `{"seed":11,"deals":4,"tables":[
	{"game":"dawn-under","editions":["2017"],"players":[3],"bots":["random","rules"],"moves":25},
	{"game":"toc-toc-toc","players":[4],"bots":["random","rules"],"drawn":true,"moves":12}]}`

// From one seed come the same rows, whatever the number of cores; another seed has others.
func TestTheSameOnAnyNumberOfCores(t *testing.T) {
	on := func(cores int) []byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		return run(t, shard(t, some))
	}
	one := on(1)
	for _, cores := range []int{2, 5} {
		if !bytes.Equal(on(cores), one) {
			t.Errorf("on %d cores other rows came out than on one", cores)
		}
	}
	other := run(t, shard(t, strings.Replace(some, `"seed":11`, `"seed":12`, 1)))
	if bytes.Equal(withoutDigest(other), withoutDigest(one)) {
		t.Error("another seed has the same games")
	}
}

// withoutDigest are the rows without the key that says of which experiment they are.
func withoutDigest(text []byte) []byte {
	digest := text[len(`{"experiment":"`):len(`{"experiment":"123456789012`)]
	return bytes.ReplaceAll(text, digest, nil)
}

// A shard can be written down and sent away; the rows of all, one after the other, are those of the whole.
func TestShardsAreTheWhole(t *testing.T) {
	whole := shard(t, some)
	var parts []byte
	for first := 0; first < whole.Number; first += 7 {
		text, err := json.Marshal(lab.Shard{Experiment: whole.Experiment, First: first, Number: min(7, whole.Number-first)})
		if err != nil {
			t.Fatal(err)
		}
		var sent lab.Shard
		if err := json.Unmarshal(text, &sent); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, run(t, sent)...)
	}
	if !bytes.Equal(parts, run(t, whole)) {
		t.Error("the rows of the shards are not those of the whole")
	}
}

// Wherever a file was cut off, even within a line, the same command makes the same file of it, and plays only what is missing.
func TestAFileIsGoneOnWith(t *testing.T) {
	s := shard(t, some)
	all := run(t, s)
	lines := bytes.SplitAfter(all, []byte("\n"))
	second := len(lines[0]) + len(lines[1])
	for _, x := range []struct{ cut, stays int }{{0, 0}, {1, 0}, {len(lines[0]), 1}, {second - 1, 1}, {second, 2}, {len(all) - 9, s.Number - 1}, {len(all), s.Number}} {
		name := filepath.Join(t.TempDir(), "rows.jsonl")
		if err := os.WriteFile(name, all[:x.cut], 0o600); err != nil {
			t.Fatal(err)
		}
		var told []int
		rows, err := s.Play(t.Context(), catalog.House.Laboratory(), name, lab.Shard.Run, func(done int) { told = append(told, done) })
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != s.Number || told[0] != x.stays || len(told) != s.Number-x.stays+1 {
			t.Errorf("cut at byte %d, %d rows came back, and it was told %v", x.cut, len(rows), told)
		}
		if text, err := os.ReadFile(name); err != nil || !bytes.Equal(text, all) {
			t.Errorf("cut at byte %d, the file became another one: %v", x.cut, err)
		}
	}
}

// Half a line behind the last row goes away as well.
func TestHalfALineTooMany(t *testing.T) {
	s, name := shard(t, some), filepath.Join(t.TempDir(), "rows.jsonl")
	all := run(t, s)
	if err := os.WriteFile(name, append(bytes.Clone(all), `{"experiment":`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Play(t.Context(), catalog.House.Laboratory(), name, lab.Shard.Run, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(name); err != nil || !bytes.Equal(text, all) {
		t.Errorf("the file has become another one: %v", err)
	}
}

// A file that holds anything else is refused, and stays as it is.
func TestAFileOfSomethingElse(t *testing.T) {
	s := shard(t, some)
	all := run(t, s)
	at := bytes.IndexByte(all, '\n') + 1
	later := s
	later.First, later.Number = 1, 3
	for _, x := range []struct {
		what  string
		shard lab.Shard
		text  []byte
		says  string
	}{
		{"another number of deals", shard(t, strings.Replace(some, `"deals":4`, `"deals":5`, 1)), all, "line 1 is of another experiment"},
		{"another seed", shard(t, strings.Replace(some, `"seed":11`, `"seed":12`, 1)), all, "line 1 is of another experiment"},
		{"another bot", shard(t, strings.Replace(some, `"rules"`, `"remembering:dozy"`, 1)), all[:at], "line 1 is of another experiment"},
		{"a line that is missing", s, append(bytes.Clone(all[:at]), all[2*at:]...), "line 2"},
		{"another shard", later, all, "line 1 is game 0, where game 1 belongs"},
		{"more than the shard", lab.Shard{Experiment: s.Experiment, Number: 3}, all, "line 4 is one more than the 3 games"},
		{"no rows", s, []byte("Dear Ana,\n"), "line 1 is no row"},
	} {
		name := filepath.Join(t.TempDir(), "rows.jsonl")
		if err := os.WriteFile(name, x.text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := x.shard.Play(t.Context(), catalog.House.Laboratory(), name, lab.Shard.Run, func(int) {})
		if err == nil || !strings.Contains(err.Error(), name+": "+x.says) {
			t.Errorf("%s: %v", x.what, err)
		}
		if text, err := os.ReadFile(name); err != nil || !bytes.Equal(text, x.text) {
			t.Errorf("%s: the file has become another one, %v", x.what, err)
		}
	}
}

// The title of the report may be put otherwise, and a file laid out otherwise: that is no other experiment.
func TestTheSameQuestionInOtherWords(t *testing.T) {
	text := strings.Replace(some, `{"seed"`, ` { "about": "What a dozy memory brings", "seed"`, 1)
	if !bytes.Equal(run(t, shard(t, text)), run(t, shard(t, some))) {
		t.Error("other words have made it another experiment")
	}
}

// When a row cannot be written all stops, and the error says so.
func TestTheDiskIsFull(t *testing.T) {
	full, n := errors.New("no space left"), 0
	err := shard(t, some).Run(t.Context(), catalog.House.Laboratory(), func([]byte) error {
		if n++; n == 3 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || n != 3 {
		t.Errorf("after %d rows: %v", n, err)
	}
}

// The reports in docs/lab are of the experiments beside them, by the rules of today: who corrects a rule, or changes an experiment,
// makes them anew.
func TestReportsOfTheDocs(t *testing.T) {
	files, err := filepath.Glob("../docs/lab/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are %d experiments, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := shard(t, string(text))
		s.Number = 1
		digest := run(t, s)[len(`{"experiment":"`):len(`{"experiment":"123456789012`)]
		page, err := os.ReadFile(strings.TrimSuffix(file, "json") + "html")
		if err != nil || !bytes.Contains(page, append([]byte("Experiment "), digest...)) {
			t.Errorf("%s is of another experiment than %s: caveau lab run makes one, %v", strings.TrimSuffix(file, "json")+"html", digest, err)
		}
	}
}
