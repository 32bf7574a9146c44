package main

import (
	"os"
	"regexp"
	"testing"
)

// What whoever runs a house is told of commands and their flags is so.
func TestWhatIsToldOfFlags(t *testing.T) {
	command := regexp.MustCompile(`caveau"?,? "?([a-z]+)"?,? (?:.* )?--?.*`) // and all that follows in its line
	flag := regexp.MustCompile(`--([a-z][a-z-]*)`)
	told := 0
	for _, path := range []string{"README.md", "docs/operate.md", "docs/performance.md", "deploy/caveau.service", "deploy/Containerfile"} {
		text, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range command.FindAllStringSubmatch(string(text), -1) {
			_, _, help := say(t, said[1], "-h")
			for _, f := range flag.FindAllStringSubmatch(said[0], -1) {
				if told++; !regexp.MustCompile(`(?m)(^  -|--)` + f[1] + `\b`).MatchString(help) {
					t.Errorf("%s: caveau %s has no --%s: %s", path, said[1], f[1], said[0])
				}
			}
		}
	}
	if told < 20 {
		t.Errorf("%d flags are told of", told)
	}
}
