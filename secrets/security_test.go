package secrets

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// requirements are those of OWASP's ASVS 5.0 up to level 2, by number.
const requirements = `1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2 2.1.1-3 2.2.1-3 2.3.1-4 2.4.1 3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2 4.1.1-3 4.2.1
4.3.1-2 4.4.1-4 5.1.1 5.2.1-3 5.3.1-2 5.4.1-3 6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2
7.6.1-2 8.1.1-2 8.2.1-3 8.3.1 8.4.1 9.1.1-3 9.2.1-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.1-3
11.4.1-4 11.5.1 11.6.1 12.1.1-3 12.2.1-2 12.3.1-4 13.1.1 13.2.1-5 13.3.1-2 13.4.1-5 14.1.1-2 14.2.1-4 14.3.1-3 15.1.1-3 15.2.1-3 15.3.1-7 16.1.1
16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3 17.1.1 17.2.1-4 17.3.1-2`

// numbered are the numbers of a list in which some stand as the first and the last of a row.
func numbered(t *testing.T, list string) (all []string) {
	t.Helper()
	row := regexp.MustCompile(`(\d+\.\d+\.)(\d+)(?:[-–](?:\d+\.\d+\.)?(\d+))?`)
	for _, m := range row.FindAllStringSubmatch(list, -1) {
		first, err := strconv.Atoi(m[2])
		last := first
		if err == nil && m[3] != "" {
			last, err = strconv.Atoi(m[3])
		}
		if err != nil {
			t.Fatal(err)
		}
		for n := first; n <= last; n++ {
			all = append(all, m[1]+strconv.Itoa(n))
		}
	}
	return all
}

// docs/security.md answers every requirement once, with a test or in words, and names no test that there is not.
func TestEveryRequirementIsAnswered(t *testing.T) {
	data, err := os.ReadFile("../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]int{}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !regexp.MustCompile(`^ \d`).MatchString(cells[1]) {
			continue
		}
		for _, number := range numbered(t, cells[1]) {
			answers[number]++
		}
		if answer := strings.TrimSpace(cells[3]); len(answer) < 5 {
			t.Errorf("%sis answered %q", cells[1], answer)
		}
	}
	asked := numbered(t, requirements)
	for _, number := range asked {
		if answers[number] != 1 {
			t.Errorf("%s is answered %d times", number, answers[number])
		}
		delete(answers, number)
	}
	if len(answers) > 0 || len(asked) != 253 {
		t.Errorf("of %d requirements there are answers, and to %v too", len(asked), answers)
	}
	there := testsOf(t, "..")
	for _, m := range regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w+)`").FindAllStringSubmatch(string(data), -1) {
		if !there[m[1]] {
			t.Errorf("there is no %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile("`((?:web|server|store|cmd|tools)/[\\w/.]+)`").FindAllStringSubmatch(string(data), -1) {
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
			t.Error(err)
		}
	}
}

// testsOf are the names of all tests under a folder.
func testsOf(t *testing.T, root string) map[string]bool {
	t.Helper()
	names, test := map[string]bool{}, regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range test.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
