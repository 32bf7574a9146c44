package planted

import (
	"os"
	"strings"
	"testing"
)

const source = `package small

const most = 3

type counter struct{ n int }

func (c *counter) add() {
	if c.n < most {
		c.n++
	}
}

func split(n int) (half, rest int) {
	half = n / 2
	rest = n % 2
	return
}

func sum(a, b int) int { return a + b }
`

const examines = `package small

import (
	"fmt"
	"testing"
)

func TestAll(*testing.T) {
	var c counter
	for range 5 {
		c.add()
	}
	half, rest := split(7)
	fmt.Println("they say", c.n, half, rest, sum(2, 3))
}
`

// Faults are built together where they change what functions do, and alone where they do not; each runs for itself.
func TestPlant(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"go.mod": "module small\n\ngo 1.25\n", "small.go": source, "small_test.go": examines} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := []struct {
		says string
		Fault
	}{
		{"3 3 1 6", Fault{"a product", []Edit{{"small.go", "a + b", "a * b"}}}},
		{"3 3 1 -1", Fault{"a difference", []Edit{{"small.go", "a + b", "a - b"}}}},
		{"3 3 3 5", Fault{"a rest that has a half's name", []Edit{{"small.go", "\trest = n % 2\n\treturn\n", "\trest = half\n\treturn\n"}}}},
		{"5 3 1 5", Fault{"a counter that knows no end", []Edit{{"small.go", "\tif c.n < most {\n\t\tc.n++\n\t}\n", "\tc.n++\n"}}}},
		{"0 3 1 5", Fault{"another that knows it too early", []Edit{{"small.go", "c.n < most", "c.n < 0"}}}},
		{"4 3 1 5", Fault{"more than most", []Edit{{"small.go", "most = 3", "most = 4"}}}},
		{"1 7 1 5", Fault{"two at once", []Edit{{"small.go", "c.n < most", "c.n < 1"}, {"small.go", "half = n / 2", "half = n"}}}},
		{"3 3 1 6", Fault{"a function more", []Edit{{"small.go", "{ return a + b }", "{ return another(a, b) }\n\nfunc another(a, b int) int { return 6 }"}}}},
		{"3 3 1 5", Fault{"one that nobody examines", []Edit{{"small_test.go", "range 5", "range 6"}}}},
	}
	var faults []Fault
	for _, f := range all {
		faults = append(faults, f.Fault)
	}
	beds := Plant(t, ".", faults)
	if alone := len(beds.alone); alone != 3 {
		t.Errorf("%d are built alone", alone)
	}
	says := func(n int) string {
		said, err := beds.Run(n, "-test.run", "TestAll")
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		_, words, _ := strings.Cut(string(said), "they say ")
		words, _, _ = strings.Cut(words, "\n")
		return words
	}
	if is := says(None); is != "3 3 1 5" {
		t.Errorf("as it is: %s", is)
	}
	for n, f := range all {
		if is := says(n); is != f.says {
			t.Errorf("%s: %s, want %s", f.Name, is, f.says)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("small.go", []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for is, there := range map[string]bool{"a + b": true, "a + c": false, "c.n": false} {
		if err := (Fault{"some", []Edit{{"small.go", is, ""}}}).Check("."); (err == nil) != there {
			t.Errorf("%q: %v", is, err)
		}
	}
}
