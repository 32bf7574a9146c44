// Mutate examines the scripts: do they see every rule? It changes the rules in one place at a time, plays the scripts and
// nothing else, and names every change that no script sees.
//
//	go run ./tools/mutate [-file bats.go] [games/dawn games/toctoc]
//
// Or it asks how much of the house the storms see, or the tests of some package: of so many changes, drawn by lot, in
// packages that are named.
//
//	go run ./tools/mutate -by storm -some 200 [-seed 2] match match/runner table company ceremony lobby
//	go run ./tools/mutate -by server -some 200 [-file sockets.go] server
//
// # What is changed
//
//   - a comparison: turned round (== !=, < >=, > <=), and moved by one (< <=, > >=);
//   - && and || for each other, a ! that is left out, and one before a condition that is just a name or a call;
//   - + and -, ++ and --, += and -= for each other;
//   - & and | for each other, and &^ for | (sets of graves and seats are bits);
//   - an integer by one up and one down; true and false for each other;
//   - a statement that is left out: a call, an assignment, a step, a break, a continue, an empty return.
//
// Lengths of array types and capacities stay as they are. So do names and words, and what stands in variables outside
// functions: tables of words, of moves, and what the kernel is told of a game.
//
// # Where
//
// In every file of a game but those that are no rules of play: see notRules. A change that does not compile, that a script
// fails with, or that plays for longer than the deadline is seen.
//
// # How
//
// A test binary is built once, from copies of the files in which each function holds all its changed bodies and plays the
// one whose number the environment names (-overlay; the tree is never touched). Only what is changed outside functions is
// built one by one.
//
// # What cannot be seen
//
// A change that changes no game is listed in the package's testdata/equivalent.txt, with its reason. An entry that
// fits no change any more, or one that a script does see, is a fault as well.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// notRules are the files of a game that are about what is known, shown, written down or counted of a position, not about
// what may be played: the laws of game/gametest and the tests beside them examine these. Refusals are rules: scripts name
// the paragraph of each.
var notRules = []string{
	"known.go", "view.go", "sight.go", "packed.go", "trace.go", "layer.go", "sample.go", "standing.go", "written.go", "rewind.go", "cemetery.go",
}

func main() {
	only := flag.String("file", "", "change only the file of this name")
	by := flag.String("by", "", "have the tests of this package examine some changes of those that are named")
	some := flag.Int("some", 200, "how many")
	seed := flag.Uint64("seed", 1, "of the lot")
	flag.Parse()
	dirs := flag.Args()
	if *by != "" {
		seen, all, err := draws(*by, dirs, *only, *some, *seed)
		if err != nil {
			fmt.Fprintf(os.Stderr, "mutate: %s\n", err)
			os.Exit(2)
		}
		fmt.Printf("%d of %d changes are seen\n", seen, all)
		return
	}
	if len(dirs) == 0 {
		dirs = []string{"games/dawn", "games/toctoc"}
	}
	good := true
	for _, dir := range dirs {
		ok, err := examine(dir, *only)
		if err != nil {
			fmt.Fprintf(os.Stderr, "mutate: %s: %s\n", dir, err)
			os.Exit(2)
		}
		good = good && ok
	}
	if !good {
		os.Exit(1)
	}
}

// examine changes the rules of one package, and tells whether its scripts see every change.
func examine(dir, only string) (good bool, err error) {
	files, err := readRules(dir, only)
	if err != nil {
		return false, err
	}
	list, err := readEquivalents(filepath.Join(dir, "testdata", "equivalent.txt"))
	if err != nil {
		return false, err
	}
	if len(files) == 0 {
		return true, nil // the file is another game's
	}
	if err := play(scripts(dir), files); err != nil {
		return false, err
	}
	good = true
	for _, f := range files {
		good = report(dir, f, &list) && good
	}
	for _, k := range list.left() {
		if only == "" || only == k.file {
			good = false
			fmt.Printf("%s: there is no such change: %s %s\n", list.path, k.file, k)
		}
	}
	return good, nil
}

// report tells how the changes of a file went, and whether all is well with them.
func report(dir string, f *file, list *equivalents) (good bool) {
	var compile, equivalent int
	var faults []string
	for _, m := range f.mutants {
		if !m.rejected {
			compile++
		}
		switch listed := list.take(m.key); {
		case listed && m.survived:
			equivalent++
		case listed:
			faults = append(faults, m.place(dir)+": a script sees it, take it off the list of equivalents: "+m.String())
		case m.survived:
			faults = append(faults, m.place(dir)+": no script sees it: "+m.String())
		}
	}
	fmt.Printf("%s: %d changes, %d of them compile, %d are equivalent, %d faults\n",
		filepath.Join(dir, f.name), len(f.mutants), compile, equivalent, len(faults))
	for _, fault := range faults {
		fmt.Println("  " + fault)
	}
	return len(faults) == 0
}

// readRules reads the rule files of a package and finds what can be changed in them.
func readRules(dir, only string) (files []*file, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	number := 0
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasSuffix(name, "_test.go") || slices.Contains(notRules, name) || only != "" && name != only {
			continue
		}
		f, err := readFile(path, &number)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}
