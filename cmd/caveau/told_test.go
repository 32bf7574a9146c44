package main

import (
	"os"
	"regexp"
	"strings"
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

// What stands in the manifest is what a house opens with: all but where its database, its bus and its key are.
func TestTheManifestOpensAHouse(t *testing.T) {
	text, err := os.ReadFile("../../deploy/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, line := range regexp.MustCompile(`(?m)^ +- (--([a-z-]+)=.*)$`).FindAllStringSubmatch(string(text), -1) {
		switch line[2] {
		case "db", "bus", "key":
		case "metrics":
			args = append(args, strings.Replace(line[1], ":9100", ":0", 1))
		default:
			args = append(args, line[1])
		}
	}
	if len(args) < 3 {
		t.Fatalf("it gives %v", args)
	}
	inProcess(t, args...)
}
