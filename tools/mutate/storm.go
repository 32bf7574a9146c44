package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// blow draws some changes of the house by lot, and names those that no storm sees. Many of them change nothing that anybody could see, or what another test
// looks at; so it is a figure and a list to read, and no test.
func blow(by string, dirs []string, some int, seed uint64) (seen, all int, err error) {
	files, err := readHouse(dirs)
	if err != nil {
		return 0, 0, err
	}
	draw(files, some, seed)
	storms := tests{by, `-test.run '^Test(Storm|Stories|Habits|LooksAround|Nodes|Scenes)$' -test.failfast`, 5 * time.Minute}
	if filepath.Base(by) == "storm" {
		storms.args += " -tries 0" // no shorter story is looked for
	}
	if err := play(storms, files); err != nil {
		return 0, 0, err
	}
	for _, f := range files {
		for _, m := range f.mutants {
			switch {
			case m.rejected:
				continue
			case m.survived:
				fmt.Printf("%s: no storm sees it: %s\n", m.place(filepath.Dir(f.path)), m)
			default:
				seen++
			}
			all++
		}
	}
	return seen, all, nil
}

// readHouse reads packages, and finds what can be changed in their functions.
func readHouse(dirs []string) (files []*file, err error) {
	number := 0
	for _, dir := range dirs {
		paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
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
