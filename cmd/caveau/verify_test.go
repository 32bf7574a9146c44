package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sealed = "../../docs/fair/toc-toc-toc-3.json"

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
		{[]string{sealed}, exitOK, []string{"all is well", "seat B sealed a number and did not open it"}},
		{[]string{sealed, forged}, exitFault, []string{"all is well", "forged.json: NOT PROVEN", "whole  the record is not as it was written", "deal   ok"}},
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
	for _, args := range [][]string{{"verify"}, {"verify", "--fly"}, {"verify", filepath.Join(t.TempDir(), "none.json")}} {
		if code, stdout, stderr := say(t, args...); code != exitUsage || stdout != "" || stderr == "" {
			t.Errorf("caveau %v: %d, %q, %q", args, code, stdout, stderr)
		}
	}
}
