package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A package of one rule, whose script sees everything but that nobody has more than nine.
const rule = `package rule

const most = 9

type cards struct{ n int }

// mayDraw: who has fewer than nine cards, but never in the dark.
func (c *cards) mayDraw(dark bool) bool {
	return c.n < most && !dark
}

func (c *cards) draw(n int) {
	c.n += n
	if c.n > most {
		c.n = most
		return
	}
}

// colour: in the dark all cats are grey.
func colour(dark bool) string {
	if dark {
		return "grey"
	}
	return "black"
}
`

const script = `package rule

import "testing"

func TestScripts(t *testing.T) {
	c := cards{n: 3}
	if !c.mayDraw(false) || c.mayDraw(true) {
		t.Error("may draw")
	}
	if c.draw(2); c.n != 5 {
		t.Error("draw")
	}
	if c.draw(5); c.n != 9 || c.mayDraw(false) {
		t.Error("draw too many")
	}
	if colour(true) != "grey" {
		t.Error("colour")
	}
}
`

func TestFind(t *testing.T) {
	var number int
	f, err := findIn("rule.go", []byte(rule), &number)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range f.mutants {
		found = append(found, m.key.function+": "+m.change)
	}
	for _, want := range []string{
		"-: 9 → 10", "-: 9 → 8",
		"cards.mayDraw: c.n < most && !dark → c.n < most || !dark",
		"cards.mayDraw: c.n < most → c.n >= most", "cards.mayDraw: c.n < most → c.n <= most", "cards.mayDraw: !dark → dark",
		"cards.draw: c.n += n → c.n -= n", "cards.draw: c.n += n → left out",
		"cards.draw: c.n > most → c.n <= most", "cards.draw: c.n > most → c.n >= most",
		"cards.draw: c.n = most → left out", "cards.draw: return → left out",
		"colour: dark → !dark",
	} {
		i := slices.Index(found, want)
		if i < 0 {
			t.Errorf("%q was not found", want)
			continue
		}
		found = slices.Delete(found, i, i+1)
	}
	if len(found) > 0 {
		t.Errorf("found as well: %q", found)
	}
}

// inModule is in a module with that package and those tests of it; write writes another file there.
func inModule(t *testing.T, tests string) (write func(name, text string)) {
	t.Helper()
	t.Chdir(t.TempDir())
	write = func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module rule\n\ngo 1.26\n")
	write("rule/rule.go", rule)
	write("rule/rule_test.go", tests)
	return write
}

// Of all that is in functions the tests see all but what changes nothing; of less as many are drawn.
func TestDraws(t *testing.T) {
	inModule(t, strings.Replace(script, "TestScripts", "TestStorm", 1))
	if seen, all, err := draws("rule", []string{"rule"}, "", 100, 1); err != nil || seen != 9 || all != 11 {
		t.Errorf("of %d changes %d are seen: %v", all, seen, err)
	}
	if _, all, err := draws("rule", []string{"rule"}, "", 4, 2); err != nil || all != 4 {
		t.Errorf("four are drawn, and there are %d: %v", all, err)
	}
	if _, _, err := draws("rule", []string{"elsewhere"}, "", 4, 2); err == nil {
		t.Error("there is no such package, and nobody is told so")
	}
}

func TestExamine(t *testing.T) {
	write := inModule(t, script)

	const unseen = "rule.go cards.draw\nif c.n > most {\nc.n > most → c.n >= most\nNine is cut down to nine.\n\n"
	const needless = "rule.go cards.draw\nreturn\nreturn → left out\nNothing comes after it.\n\n"
	const seen = "rule.go cards.draw\nc.n += n\nc.n += n → c.n -= n\nA script sees it.\n\n"
	const gone = "rule.go cards.fly\nreturn\nreturn → left out\nThere is no such function.\n\n"
	for _, test := range []struct {
		list string
		good bool
	}{
		{"", false},
		{"# as it is\n\n" + unseen + needless, true},
		{unseen + needless + seen, false},
		{unseen + needless + gone, false},
	} {
		write("rule/testdata/equivalent.txt", test.list)
		good, err := examine("rule", "")
		if err != nil || good != test.good {
			t.Errorf("with the list\n%sall is well: %t, %v", test.list, good, err)
		}
	}
	if good, err := examine("rule", "other.go"); !good || err != nil {
		t.Errorf("a file that is not there: %t, %v", good, err)
	}
	write("rule/testdata/equivalent.txt", strings.TrimSuffix(unseen, "Nine is cut down to nine.\n\n")+"\n")
	if _, err := examine("rule", ""); err == nil {
		t.Error("an entry without a reason is accepted")
	}
	write("rule/testdata/equivalent.txt", "")
	write("rule/rule_test.go", strings.Replace(script, "n: 3", "n: 4", 1))
	if _, err := examine("rule", ""); err == nil {
		t.Error("a script that fails anyway is accepted")
	}
}
