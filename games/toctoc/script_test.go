package toctoc

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caveau/game/gametest"
)

func TestScripts(t *testing.T) {
	gametest.Scripts(t, "testdata/scripts", Rules, setUp, draw)
}

func TestEveryRulingHasAScript(t *testing.T) {
	page, err := os.ReadFile("../../docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`\bQ[1-9][0-9]?\b`).FindAllString(string(page), -1)
	slices.Sort(codes)
	codes = slices.Compact(codes)
	if len(codes) < 13 {
		t.Errorf("docs/rulings.md lists only %v", codes)
	}
	for _, code := range codes {
		script, err := os.ReadFile("testdata/scripts/" + strings.ToLower(code) + ".txt")
		if err != nil {
			t.Errorf("%s has no script: %s", code, err)
		} else if !strings.HasPrefix(string(script), "# "+code+":") {
			t.Errorf("the script of %s does not begin by saying what %s rules", code, code)
		}
	}
}
