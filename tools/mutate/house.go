package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// draws has some changes of the house, drawn by lot, examined, and names those that nobody sees. Many of them change nothing that anybody could see, or what another test
// looks at; so it is a figure and a list to read, and no test.
func draws(by string, dirs []string, only string, some int, seed uint64) (seen, all int, err error) {
	files, err := readHouse(dirs, only)
	if err != nil {
		return 0, 0, err
	}
	draw(files, some, seed)
	if err := play(examiners(by), files); err != nil {
		return 0, 0, err
	}
	for _, f := range files {
		for _, m := range f.mutants {
			switch {
			case m.rejected:
				continue
			case m.survived:
				fmt.Printf("%s: nobody sees it: %s\n", m.place(filepath.Dir(f.path)), m)
			default:
				seen++
			}
			all++
		}
	}
	return seen, all, nil
}

// examiners are the evenings or nights of a simulator, or all tests of another package.
func examiners(dir string) tests {
	switch filepath.ToSlash(filepath.Clean(dir)) {
	case "storm":
		return tests{dir, `-test.run '^Test(Storm|Stories|Habits|LooksAround)$' -test.failfast -tries 0`, 5 * time.Minute} // no shorter story is looked for
	case "storm/nodes":
		return tests{dir, `-test.run '^Test(Nodes|Scenes)$' -test.failfast`, 5 * time.Minute}
	}
	return tests{dir, `-test.short -test.failfast`, 2 * time.Minute}
}

// readHouse reads packages, or their files of one name, and finds what can be changed in their functions.
func readHouse(dirs []string, only string) (files []*file, err error) {
	number := 0
	for _, dir := range dirs {
		paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") || only != "" && filepath.Base(path) != only {
				continue
			}
			f, err := readFile(path, &number)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	if number == 0 {
		return nil, fmt.Errorf("in %q there is nothing to change; name packages of the house", dirs)
	}
	return files, nil
}

// draw leaves so many changes, by lot.
func draw(files []*file, some int, seed uint64) {
	var numbers []int
	for _, f := range files {
		f.mutants = slices.DeleteFunc(f.mutants, func(m mutant) bool { return m.function == nil })
		for _, m := range f.mutants {
			numbers = append(numbers, m.number)
		}
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	drawn := map[int]bool{}
	for _, n := range numbers[:min(some, len(numbers))] {
		drawn[n] = true
	}
	for _, f := range files {
		f.mutants = slices.DeleteFunc(f.mutants, func(m mutant) bool { return !drawn[m.number] })
	}
}
