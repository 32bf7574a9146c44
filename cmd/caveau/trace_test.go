package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const archive = "../../record/testdata/archive"

// An archive is replayed whole, and what differs in it is said, with the exit status that fits.
func TestTraceCheck(t *testing.T) {
	game, err := os.ReadFile(filepath.Join(archive, "2004-2.json"))
	if err != nil {
		t.Fatal(err)
	}
	// dir is an archive with these files.
	dir := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	broken := strings.Replace(string(game), `"moves":["`, `"table":{"revision":9},"moves":["A open z9","`, 1)
	for _, x := range []struct {
		dir   string
		code  int
		says  []string
		lines int
	}{
		{archive, exitOK, []string{"28 replayed, 0 differ\n"}, 1},
		{dir(map[string]string{"a.json": string(game)}), exitOK, []string{"there is no sums.txt", "1 replayed, 0 differ\n"}, 2},
		{dir(map[string]string{"a.json": string(game), "sums.txt": "a.json " + strings.Repeat("0", 64) + "\n"}), exitFault,
			[]string{"a.json: it goes another way: ", "1 replayed, 1 differ\n"}, 2},
		{dir(map[string]string{"a.json": string(game), "b.json": broken}), exitFault,
			[]string{`b.json: move 1, "A open z9": not allowed: `, "played by revision 9 of the rules, and this program has 1\n", "2 replayed, 1 differ\n"}, 3},
	} {
		code, stdout, stderr := say(t, "trace", "--check", x.dir)
		if code != x.code || stderr != "" || strings.Count(stdout, "\n") != x.lines {
			t.Errorf("caveau trace --check %s: %d, %s%s", x.dir, code, stdout, stderr)
		}
		for _, words := range x.says {
			if !strings.Contains(stdout, words) {
				t.Errorf("caveau trace --check %s does not say %q:\n%s", x.dir, words, stdout)
			}
		}
	}
	for _, none := range []string{dir(nil), filepath.Join(dir(nil), "none"), "trace.go"} {
		code, stdout, stderr := say(t, "trace", "--check", none)
		if code != exitUsage || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, none) {
			t.Errorf("caveau trace --check %s: %d, %q, %q", none, code, stdout, stderr)
		}
	}
	for _, args := range [][]string{{"trace", "--check", archive, "a.json"}, {"trace", "--check"}, {"trace"}} {
		if code, stdout, stderr := say(t, args...); code != exitUsage || stdout != "" || !strings.Contains(stderr, "--check DIR") {
			t.Errorf("caveau %v: %d, %q, %q", args, code, stdout, stderr)
		}
	}
}

// Where a record of other rules fails, trace and verify say that it is one.
func TestARecordOfAnotherRevisionIsToldSo(t *testing.T) {
	text, err := os.ReadFile(sealed)
	if err != nil {
		t.Fatal(err)
	}
	const says = "it was played by revision 9 of the rules, and this program has 1"
	file := filepath.Join(t.TempDir(), "old.json")
	for illegal, said := range map[bool]bool{false: false, true: true} {
		old := strings.Replace(string(text), `"table":{`, `"table":{"revision":9,`, 1)
		if old == string(text) {
			t.Fatal("the record says nothing of its table")
		}
		if illegal {
			old = strings.Replace(old, `"moves":["`, `"moves":["A dance","`, 1)
		}
		if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, stderr := say(t, "trace", file)
		_, stdout, _ := say(t, "verify", file)
		for command, told := range map[string]string{"trace": stderr, "verify": stdout} {
			if strings.Contains(told, says) != said {
				t.Errorf("caveau %s says of it:\n%s", command, told)
			}
		}
	}
}
