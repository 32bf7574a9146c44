package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// inClient are the packages of which something is in the built client.
var inClient = []string{"@noble/hashes", "clsx", "esm-env", "svelte"}

// terms are the names of files that whoever gives a program to others has to give along.
var terms = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)

// licences are the terms of all that is in the program and was not written here, Go's own first.
func licences(system, processor string) ([]byte, error) {
	root, err := goTool(system, processor, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	const format = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}`
	listed, err := goTool(system, processor, "list", "-deps", "-f", format, "./cmd/caveau")
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = addTerms(&text, "Go", strings.TrimSpace(string(root)))
	told := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(listed)), "\n") {
		if words := strings.SplitN(line, " ", 3); err == nil && len(words) == 3 && !told[line] {
			told[line] = true
			err = addTerms(&text, words[0]+" "+words[1], words[2])
		}
	}
	for _, name := range inClient {
		if err == nil {
			err = addTerms(&text, name, filepath.Join("web", "node_modules", filepath.FromSlash(name)))
		}
	}
	return text.Bytes(), err
}

// addTerms adds those that lie in a folder. Nobody may give away what lies there without any.
func addTerms(text *bytes.Buffer, what, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !terms.MatchString(e.Name()) {
			continue
		}
		own, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(text, "==== %s: %s\n\n%s\n\n", what, e.Name(), bytes.TrimSpace(own))
		found = true
	}
	if !found {
		return fmt.Errorf("%s has no terms in %s", what, dir)
	}
	return nil
}
