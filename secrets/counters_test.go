package secrets

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A counter has how often each block of a file was run.
type counter struct {
	file   string
	counts []uint32
	lines  []uint32 // three for each block, the first of them its first line
}

// counters are empty: a test that wants them is built once more, with a file that fills them (withCounters).
var counters []counter

// countOf is how often each block was run since nothing was counted.
func countOf(do func()) (counts []uint32) {
	for _, c := range counters {
		clear(c.counts)
	}
	do()
	for _, c := range counters {
		counts = append(counts, c.counts...)
	}
	return counts
}

// placeOf is where a block begins.
func placeOf(block int) (file string, line uint32) {
	for _, c := range counters {
		if block < len(c.counts) {
			return c.file, c.lines[3*block]
		}
		block -= len(c.counts)
	}
	panic("there is no such block")
}

// withCounters puts a counter into every block of those packages, as `go tool cover` writes them: into the files that stand for others already,
// where there are some. The test that is built with it finds counters filled.
func withCounters(t *testing.T, dir string, packages []string, replace map[string]string) {
	var imports, fill strings.Builder
	for i, pkg := range packages {
		fmt.Fprintf(&imports, "import p%d \"caveau/%s\"\n", i, pkg)
		for j, path := range sourcesOf(t, pkg) {
			name := fmt.Sprintf("Work%d_%d", i, j)
			counted, err := exec.Command("go", "tool", "cover", "-mode=count", "-var="+name, cmp.Or(replace[path], path)).Output()
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			replace[path] = write(t, dir, name+".go", counted)
			fmt.Fprintf(&fill, "\t\t{%q, p%d.%s.Count[:], p%[2]d.%[3]s.Pos[:]},\n", pkg+"/"+filepath.Base(path), i, name)
		}
	}
	filled, err := filepath.Abs("filled_test.go")
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("package secrets\n\n%s\nfunc init() {\n\tcounters = []counter{\n%s\t}\n}\n", &imports, &fill)
	replace[filled] = write(t, dir, "filled.go", []byte(text))
}

// runAnew builds this package once more with files in the places of others, and runs one test of it.
func runAnew(t *testing.T, dir string, replace map[string]string, test string) (said []byte, err error) {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command("go", "test", "-overlay", write(t, dir, "overlay.json", text), "-vet=off", "-ldflags=-s -w", "-count=1", "-failfast", "-run", test, ".").CombinedOutput()
}

// sourcesOf are the paths of a package's files, tests aside.
func sourcesOf(t *testing.T, pkg string) (paths []string) {
	all, err := filepath.Glob("../" + pkg + "/*.go")
	if err != nil || len(all) == 0 {
		t.Fatalf("%s has no sources (%v)", pkg, err)
	}
	for _, path := range all {
		if path, err = filepath.Abs(path); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(path, "_test.go") {
			paths = append(paths, path)
		}
	}
	return paths
}

func write(t *testing.T, dir, name string, text []byte) (path string) {
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
