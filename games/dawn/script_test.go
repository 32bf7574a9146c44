package dawn

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caveau/game/gametest"
)

const scripts = "testdata/scripts"

func TestScripts(t *testing.T) { gametest.Scripts(t, scripts, Rules, setUp, draw) }

// Every ruling of Dawn Under and of its other two rulebooks has a script of its name, which begins with its code.
func TestEveryRulingHasAScript(t *testing.T) {
	page, err := os.ReadFile("../../docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`\b[SWOKTGPDNXCB][1-9][0-9]?\b`).FindAllString(string(page), -1)
	slices.Sort(codes)
	codes = slices.Compact(codes)
	if len(codes) < 58 {
		t.Errorf("docs/rulings.md lists only %v", codes)
	}
	for _, code := range codes {
		script, err := os.ReadFile(filepath.Join(scripts, strings.ToLower(code)+".txt"))
		if err != nil {
			t.Errorf("%s has no script: %s", code, err)
		} else if !strings.HasPrefix(string(script), "# "+code+":") {
			t.Errorf("the script of %s does not begin by saying what %s rules", code, code)
		}
	}
}
