// Package planted plants faults in the house, each as somebody could make it, for tests that shall find them.
//
// All are built at once: each function that a fault changes holds its changed bodies as well, and runs the one of the fault that the environment names. What
// stands outside functions is built for itself. The tree is never touched (go help build, -overlay).
package planted

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A Fault is a mistake that somebody could make: a few places of the sources as they are, and as they would be then.
type Fault struct {
	Name  string
	Edits []Edit
}

// An Edit is a file, named from the root of the sources, what is in there once, and what would be instead.
type Edit [3]string

// None is the house as it is.
const None = -1

// Beds are the tests of a package, built with faults in what they examine.
type Beds struct {
	together string // a binary with all faults but those that are alone
	alone    map[int]func() (string, error)
}

// Plant builds the tests of the package in whose directory it is called, which takes as long as it takes to build all that depends on what is changed.
func Plant(t *testing.T, root string, faults []Fault) *Beds {
	t.Helper()
	b := &Beds{alone: map[int]func() (string, error){}}
	dir := t.TempDir()
	together := ground{}
	for n, f := range faults {
		files, err := f.files(root)
		if err != nil {
			t.Fatal(err)
		}
		if together.take(n, files) {
			continue
		}
		b.alone[n] = sync.OnceValues(func() (string, error) {
			replace := map[string]string{}
			for path, texts := range files {
				replace[path] = texts.would
			}
			return build(filepath.Join(dir, strconv.Itoa(n)), replace)
		})
	}
	var err error
	if b.together, err = build(filepath.Join(dir, "all"), together.replace(faults)); err != nil {
		t.Fatal(err)
	}
	return b
}

// Run runs those tests with a fault, or None, and answers with what they say.
func (b *Beds) Run(n int, args ...string) (said []byte, err error) {
	binary := b.together
	if alone := b.alone[n]; alone != nil {
		if binary, err = alone(); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, n))
	return cmd.CombinedOutput()
}

const variable = "CAVEAU_FAULT"

// Check tells whether what the fault is planted in is there, so that a change which moves it hears of it at once.
func (f Fault) Check(root string) error {
	_, err := f.files(root)
	return err
}

// texts are those of a file.
type texts struct{ is, would string }

// files are those that a fault changes, by their path.
func (f Fault) files(root string) (map[string]texts, error) {
	files := map[string]texts{}
	for _, e := range f.Edits {
		file, now, then := e[0], e[1], e[2]
		path, err := filepath.Abs(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		is := files[path]
		if is == (texts{}) {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			is = texts{string(text), string(text)}
		}
		if strings.Count(is.would, now) != 1 {
			return nil, fmt.Errorf("%s no longer has, once, what %q is planted in; write the fault anew:\n%s", file, f.Name, now)
		}
		files[path] = texts{is.is, strings.Replace(is.would, now, then, 1)}
	}
	return files, nil
}

// A ground is where faults are planted together: by the path of a file, and by the offset at which a function's body begins there.
type ground map[string]map[int][]plant

// A plant is a body that a function has with a fault.
type plant struct {
	fault int
	body  string
	named string // the results, if they have names: what is returned without a word is theirs
	void  bool   // nothing is returned
}

// take plants a fault, if it changes nothing but bodies of functions, and not of tests: their package has no file in which a variable could be.
func (g ground) take(n int, files map[string]texts) bool {
	changed := map[string]map[int]plant{}
	for path, texts := range files {
		plants, ok := bodies(texts)
		if !ok || strings.HasSuffix(path, "_test.go") {
			return false
		}
		changed[path] = plants
	}
	for path, plants := range changed {
		if g[path] == nil {
			g[path] = map[int][]plant{}
		}
		for at, p := range plants {
			p.fault = n
			g[path][at] = append(g[path][at], p)
		}
	}
	return true
}

// bodies are those that differ, by where they begin in the text as it is. It is not ok if something else differs as well.
func bodies(of texts) (plants map[int]plant, ok bool) {
	is, would := read(of.is), read(of.would)
	if is == nil || would == nil || len(is) != len(would) {
		return nil, false
	}
	plants = map[int]plant{}
	for i := range is {
		switch was, now := is[i], would[i]; {
		case was.head != now.head:
			return nil, false
		case was.body != now.body:
			plants[was.at] = plant{body: now.body, named: now.named, void: now.void}
		}
	}
	return plants, true
}

// A piece of a file is a function, with what stands before it, or all that stands behind the last.
type piece struct {
	head, body, named string
	at                int // where the body begins
	void              bool
}

// read is a file in pieces, or nil if it is none.
func read(text string) (pieces []piece) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	done := 0
	for _, d := range tree.Decls {
		d, isFunc := d.(*ast.FuncDecl)
		if !isFunc || d.Body == nil {
			continue
		}
		from, to := offset(d.Body.Lbrace)+1, offset(d.Body.Rbrace)
		p := piece{head: text[done:from], body: text[from:to], at: from, void: d.Type.Results == nil}
		if r := d.Type.Results; r != nil && r.List[0].Names != nil {
			p.named = text[offset(r.Pos()):offset(r.End())]
		}
		pieces, done = append(pieces, p), to
	}
	return append(pieces, piece{head: text[done:]})
}

// replace are the files with all that is planted in them, by the paths of those for which they stand, and one more for each package: it says which fault runs.
func (g ground) replace(faults []Fault) map[string]string {
	replace := map[string]string{}
	for path, plants := range g {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it was read a moment ago; the compiler says what is missing
		}
		replace[path] = planted(string(text), filepath.Base(path), plants, faults)
		pkg, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
		replace[filepath.Join(filepath.Dir(path), "planted_fault.go")] = fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar plantedFault = os.Getenv(%q)\n", pkg.Name.Name, variable)
	}
	return replace
}

// planted is a file with other bodies for its functions, each under the name of its fault, for the compiler to complain of.
func planted(text, name string, plants map[int][]plant, faults []Fault) string {
	var b strings.Builder
	done := 0
	for _, at := range slices.Sorted(maps.Keys(plants)) {
		b.WriteString(text[done:at])
		for _, p := range plants[at] {
			begin, end := "", "\n"
			switch {
			case p.named != "":
				begin, end = "return func() "+p.named+" {", "\n}()\n"
			case p.void:
				end = "\nreturn\n"
			}
			fmt.Fprintf(&b, "\nif plantedFault == \"%d\" {\n//line %s:1\n%s%s%s}\n", p.fault, faults[p.fault].Name, begin, p.body, end)
		}
		fmt.Fprintf(&b, "//line %s:%d\n", name, 1+strings.Count(text[:at], "\n"))
		done = at
	}
	b.WriteString(text[done:])
	return b.String()
}

// build builds the tests of the package that is examined, with texts in the places of files.
func build(dir string, texts map[string]string) (binary string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for path, text := range texts {
		replace[path] = filepath.Join(dir, fmt.Sprintf("%d_%s", len(replace), filepath.Base(path)))
		if err := os.WriteFile(replace[path], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "planted.test")
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		return "", err
	}
	out, err := exec.Command("go", "test", "-c", "-overlay", overlay, "-vet=off", "-ldflags=-s -w", "-o", binary, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("with what is planted it does not build: %w\n%s", err, out)
	}
	return binary, nil
}
