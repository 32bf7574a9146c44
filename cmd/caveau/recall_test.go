package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded is a game of the archive as if that bot had played it on every chair.
func recorded(t *testing.T, name, bot, aid string) string {
	t.Helper()
	text, err := os.ReadFile("../../record/testdata/archive/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rec struct {
		Players, Moves []string
	}
	var all map[string]any
	if err := json.Unmarshal(text, &rec); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	bots, byBot := map[string]any{}, []int{}
	for i := range rec.Players {
		bots[string(rune('A'+i))] = map[string]any{"bot": bot, "seed": 7 + i}
	}
	for i := range rec.Moves {
		byBot = append(byBot, i+1)
	}
	all["table"] = map[string]any{"aid": aid, "bots": bots, "byBot": byBot}
	text, err = json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// What a bot had forgotten follows from the record alone, move by move: nothing at first, later a good deal, and with a perfect memory, or at
// a table that shows all again, never anything.
func TestRecall(t *testing.T) {
	for _, c := range []struct {
		name, bot, aid string
		forgets        bool
	}{
		{"2004-4.json", "remembering:dozy", "", true},
		{"2017-3a.json", "remembering:dozy", "marks", true},
		{"toc-toc-toc-4.json", "remembering:dozy", "", true},
		{"2004-4.json", "remembering:dozy", "all", false},
		{"2004-4.json", "remembering:masterly", "", false},
		{"2004-4.json", "rules", "", false},
	} {
		file := recorded(t, c.name, c.bot, c.aid)
		code, out, errs := say(t, "recall", file)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if code != exitOK || len(lines) < 40 {
			t.Fatalf("%+v: %d, %d lines: %s", c, code, len(lines), errs)
		}
		if !strings.HasSuffix(lines[0], "had forgotten nothing") {
			t.Errorf("%+v: at first: %s", c, lines[0])
		}
		forgot := 0
		for _, line := range lines {
			if own := " " + line[strings.Index(line, " ")+1:][:1] + " "; strings.Contains(line[strings.Index(line, ": "):], own) || strings.Contains(line, "took  ") || strings.HasSuffix(line, " for ") {
				t.Errorf("%+v: %s", c, line) // nobody forgets what lies before his eyes, or takes nothing for something
			}
			if strings.Contains(line, ": had forgotten ") && !strings.Contains(line, "forgotten nothing") {
				forgot++
			}
		}
		if c.forgets != (forgot > len(lines)/2) || !c.forgets && forgot > 0 {
			t.Errorf("%+v: it had forgotten something at %d of %d moves", c, forgot, len(lines))
		}
		if _, again, _ := say(t, "recall", file); again != out {
			t.Errorf("%+v: asked again it says otherwise", c)
		}
	}
}
