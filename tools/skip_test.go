package tools

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A test is skipped for its length alone, as make test-all does not: one that looks whether it can be run, and finds that it cannot, would be
// green where it matters. And make test-all plays what is skipped.
func TestNothingElseIsSkipped(t *testing.T) {
	skip := regexp.MustCompile(`\b[tbf]\.Skip(f|Now)?\(`)
	make := exec.Command("make", "-n", "test-all")
	make.Dir, make.Env = "..", append(os.Environ(), "MAKEFLAGS=")
	said, err := make.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all string // that it plays whole
	for line := range strings.Lines(string(said)) {
		if strings.HasPrefix(line, "go test ") && !strings.Contains(line, " -short ") {
			all += line
		}
	}
	found := 0
	err = filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		before := ""
		for _, line := range strings.Split(string(text), "\n") {
			if skip.MatchString(line) {
				found++
				if folder := strings.Split(filepath.ToSlash(path), "/")[1]; folder != "tools" && !strings.Contains(all, "./"+folder) {
					t.Errorf("%s: make test-all does not play it, and nothing else does", path)
				}
				if !strings.Contains(before, "testing.Short()") {
					t.Errorf("%s: %s", path, strings.TrimSpace(line))
				}
			}
			before = line
		}
		return err
	})
	if err != nil || found == 0 {
		t.Fatalf("%d tests are skipped: %v", found, err)
	}
}
