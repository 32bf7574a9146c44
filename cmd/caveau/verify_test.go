package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sealed = "../../docs/fair/toc-toc-toc-3.json"

// ceremony is the record of a ceremony of that kind.
func ceremony(kind string) string { return "../../docs/fair/ceremony-" + kind + ".json" }

// Of several records each is told about, and the worst decides how the process ends.
func TestVerify(t *testing.T) {
	text, err := os.ReadFile(sealed)
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(t.TempDir(), "forged.json")
	if err := os.WriteFile(forged, bytes.Replace(text, []byte(`"Ana"`), []byte(`"Eve"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{ceremony("all-opened")}, exitOK, []string{"json: nobody chose this deal\n", "not in league with the server: Ana (A), Ben (B), Cleo (C)\n"}},
		{[]string{ceremony("old-all-opened")}, exitOK, []string{"json: nobody chose this deal\n"}},
		{[]string{ceremony("begun-again")}, exitOK, []string{
			"json: this deal was not the first\n", "of the attempts that failed (1)", "server: Ana (A), Cleo (C)\n", " of attempt 2: ",
			"attempt 1: sealed a number, and it was not opened in time: Ben (B)\n",
		}},
		{[]string{ceremony("old-one-late")}, exitOK, []string{"json: this deal could have been picked\n", "among 8 deals\n", "not opened in time: Ben (B)\n"}},
		{[]string{ceremony("nobody-gave")}, exitOK, []string{"json: the server could have chosen this deal\n", "secret alone\n"}},
		{[]string{sealed, forged}, exitFault, []string{"could have been picked", "forged.json: NOT PROVEN", "whole  the record is not as it was written", "deal   ok"}},
		{[]string{"../../docs/fair/dawn-under-2004-2-chosen.json"}, exitOK, []string{"had chosen who begins: seat B\n", "had chosen bare: a1 b1 c1 "}},
		{[]string{"main.go"}, exitFault, []string{"main.go: NOT PROVEN", "read   this is no JSON"}},
		{[]string{"../../record/testdata/archive/2004-2.json"}, exitFault, []string{"read   the record has no proof"}},
	} {
		code, stdout, stderr := say(t, append([]string{"verify"}, x.args...)...)
		if code != x.code || stderr != "" {
			t.Errorf("caveau verify %v: %d, %s", x.args, code, stderr)
		}
		for _, words := range x.says {
			if !strings.Contains(stdout, words) {
				t.Errorf("caveau verify %v does not say %q:\n%s", x.args, words, stdout)
			}
		}
	}
	for _, kind := range []string{"begun-again", "old-one-late", "nobody-gave"} {
		if _, stdout, _ := say(t, "verify", ceremony(kind)); strings.Contains(stdout, "nobody chose") || strings.Contains(stdout, "well") {
			t.Errorf("of a ceremony %s it is said that nobody chose:\n%s", kind, stdout)
		}
	}
	for _, args := range [][]string{{"verify"}, {"verify", "--fly"}, {"verify", filepath.Join(t.TempDir(), "none.json")}} {
		if code, stdout, stderr := say(t, args...); code != exitUsage || stdout != "" || stderr == "" {
			t.Errorf("caveau %v: %d, %q, %q", args, code, stdout, stderr)
		}
	}
}
