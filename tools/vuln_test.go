package tools

import (
	"os/exec"
	"strings"
	"testing"
)

// What is known is told, and nothing is made out of an answer that could not be had.
func TestVuln(t *testing.T) {
	const (
		fine, found     = "exit 0", `echo "Vulnerability #1: GO-2026-0001"; exit 3`
		npm, broken     = `echo "2 vulnerabilities (1 moderate, 1 high)"; exit 1`, `echo "npm error audit endpoint returned an error"; exit 1`
		noNet           = `echo "govulncheck: fetching vulnerabilities: no such host"; exit 1`
		nothing, nobody = "nothing is known", "nobody could be asked"
	)
	for _, x := range []struct {
		goSays, npmSays string
		code            int
		says            string
	}{
		{fine, fine, 0, nothing},
		{found, fine, 1, "GO-2026-0001"},
		{fine, npm, 1, "1 high"},
		{noNet, fine, 2, nobody},
		{fine, broken, 2, nobody},
		{noNet, npm, 1, nobody},
		{found, broken, 1, nobody},
		{noNet, broken, 2, "no such host"},
	} {
		m := newMachine(t)
		for _, name := range []string{"grep", "sh"} {
			place, err := exec.LookPath(name)
			if err != nil {
				t.Fatal(err)
			}
			m.has(name, `exec `+place+` "$@"`)
		}
		m.has("checker", x.goSays)
		m.has("npm", x.npmSays)
		cmd := exec.Command("./vuln")
		cmd.Env = []string{"PATH=" + m.bin, "GOVULNCHECK=checker"}
		said, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != x.code || !strings.Contains(string(said), x.says) {
			t.Errorf("Go says %q, npm %q: %d, %s (%v), want %d", x.goSays, x.npmSays, code, said, err, x.code)
		}
	}
}
