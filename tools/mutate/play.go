package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const workers = 2

// tests are those of a package that examine a change: as the shell has them, and after how long they play without end.
type tests struct {
	dir      string
	args     string
	deadline time.Duration
}

// scripts are those of a game, which take a twentieth of a second.
func scripts(dir string) tests {
	return tests{dir, `-test.run '^TestScripts$' -test.failfast`, 10 * time.Second}
}

// play has every mutant examined, and notes which survive.
func play(by tests, files []*file) error {
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r := run{by, work}
	binary, err := r.buildAll(files)
	if err != nil {
		return err
	}
	if pass, told, err := r.examine(binary, 0); err != nil {
		return err
	} else if !pass {
		return fmt.Errorf("the tests fail before anything is changed:\n%s", told)
	}
	var all []*mutant
	for _, f := range files {
		for i := range f.mutants {
			all = append(all, &f.mutants[i])
		}
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	faults := make([]error, workers)
	for w := range workers {
		wait.Go(func() {
			for i := next.Add(1); int(i) <= len(all) && faults[w] == nil; i = next.Add(1) {
				faults[w] = r.one(all[i-1], binary, files)
				if i%100 == 0 {
					fmt.Printf("%s: %d of %d\n", by.dir, i, len(all))
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(faults...)
}

// one has a mutant examined.
func (r *run) one(m *mutant, binary string, files []*file) (err error) {
	switch {
	case m.rejected:
		return nil
	case m.function == nil:
		return r.alone(m, files)
	default:
		m.survived, _, err = r.examine(binary, m.number)
		return err
	}
}

// A run builds and runs the tests, in a directory to write to.
type run struct {
	tests
	work string
}

// examine tells whether the tests pass with a mutant, and what they said. What plays without end is stopped by the
// deadline, what eats memory without end by the shell.
func (r *run) examine(binary string, number int) (pass bool, told string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), r.deadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 4000000 2>/dev/null; exec "$0" `+r.args, binary)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(number))
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return false, string(out), nil
	}
	return err == nil, string(out), err
}

// An overlay replaces files by others (go help build, -overlay).
type overlay struct{ Replace map[string]string }

// build builds the package's tests with some files replaced, and answers with what the compiler said when it cannot.
func (r *run) build(name string, replace map[string][]byte) (binary string, complaints []byte, err error) {
	o := overlay{map[string]string{}}
	for path, text := range replace {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return "", nil, err
		}
		copied := filepath.Join(r.work, fmt.Sprintf("%s-%d-%s", name, len(o.Replace), filepath.Base(path)))
		if err := os.WriteFile(copied, text, 0o644); err != nil {
			return "", nil, err
		}
		o.Replace[absolute] = copied
	}
	text, err := json.Marshal(o)
	if err != nil {
		return "", nil, err
	}
	list, binary := filepath.Join(r.work, name+".json"), filepath.Join(r.work, name+".test")
	if err := os.WriteFile(list, text, 0o644); err != nil {
		return "", nil, err
	}
	out, err := exec.Command("go", "test", "-c", "-gcflags=-e", "-overlay", list, "-o", binary, "./"+r.dir).CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return "", out, nil
	}
	return binary, nil, err
}

// buildAll builds one binary that holds all mutants in functions, but those that the compiler rejects.
func (r *run) buildAll(files []*file) (binary string, err error) {
	for {
		replace := map[string][]byte{}
		for _, f := range files {
			replace[filepath.Join(filepath.Dir(f.path), "mutant.go")] = theMutant(f)
			replace[f.path] = f.withAll()
		}
		binary, complaints, err := r.build("all", replace)
		if err != nil || complaints == nil {
			return binary, err
		}
		numbers := complained.FindAllSubmatch(complaints, -1)
		if len(numbers) == 0 {
			return "", fmt.Errorf("it does not compile:\n%s", complaints)
		}
		for _, n := range numbers {
			reject(files, string(n[1]))
		}
	}
}

func reject(files []*file, number string) {
	for _, f := range files {
		for i := range f.mutants {
			if strconv.Itoa(f.mutants[i].number) == number {
				f.mutants[i].rejected = true
			}
		}
	}
}

// complained finds the mutants that the compiler names.
var complained = regexp.MustCompile(`mutant-(\d+)\.go:`)

// theMutant is a file more in the package: which mutant is played.
func theMutant(f *file) []byte {
	return fmt.Appendf(nil, `package %s

import (
	"os"
	"strconv"
)

var theMutant, _ = strconv.Atoi(os.Getenv("MUTANT"))
`, f.tree.Name.Name)
}

// withAll is the file's text in which each function has the bodies of all its mutants, each under a file name of its own
// for the compiler to complain of.
func (f *file) withAll() []byte {
	var b bytes.Buffer
	done := 0
	for i := 0; i < len(f.mutants); {
		d := f.mutants[i].function
		if d == nil {
			i++
			continue
		}
		from, to := f.set.Position(d.Body.Pos()).Offset, f.set.Position(d.Body.End()).Offset
		b.Write(f.source[done : from+1])
		b.WriteString("\nswitch theMutant {\n")
		for ; i < len(f.mutants) && f.mutants[i].function == d; i++ {
			m := f.mutants[i]
			if m.rejected {
				continue
			}
			fmt.Fprintf(&b, "case %d:\n//line mutant-%d.go:1\n%s%s%s\n", m.number, m.number, f.source[from:m.from], m.with, f.source[m.to:to])
			if d.Type.Results == nil {
				b.WriteString("return\n")
			}
		}
		fmt.Fprintf(&b, "}\n//line %s:%d\n", f.name, f.set.Position(d.Body.Pos()).Line)
		done = from + 1
	}
	b.Write(f.source[done:])
	return b.Bytes()
}

// alone builds and plays a mutant that stands outside functions.
func (r *run) alone(m *mutant, files []*file) error {
	f := files[slices.IndexFunc(files, func(f *file) bool { return f.name == m.file })]
	changed := slices.Concat(f.source[:m.from], []byte(m.with), f.source[m.to:])
	binary, complaints, err := r.build(fmt.Sprintf("alone-%d", m.number), map[string][]byte{f.path: changed})
	if err != nil || complaints != nil {
		m.rejected = complaints != nil
		return err
	}
	defer os.Remove(binary)
	m.survived, _, err = r.examine(binary, 0)
	return err
}
