package rules_test

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"caveau/game"
	"caveau/games/dawn"
	"caveau/games/toctoc"
	"caveau/record"
)

type shelf map[string]game.Game

func (s shelf) Game(name string) (game.Game, bool) {
	g, ok := s[name]
	return g, ok
}

var games = shelf{dawn.Rules.Name: game.Edge(dawn.Rules), toctoc.Rules.Name: game.Edge(toctoc.Rules)}

// A cited thing is what a player may ask why about.
type cited struct {
	book string // that is played by
	what string // the event's verb, the question's word, or the refusal's code
	rule string
}

// TestLookUp: in the games of the archive all that happened, all that was asked, and all that would have been refused, cites
// a paragraph of the book that was played by, or of 2004, on which it leans. Only a word of the expansion is refused by the expansion.
func TestLookUp(t *testing.T) {
	told := map[string]map[string]bool{}
	for book := range books {
		told[book] = targets(read(t, book, "en"))
	}
	seen := map[cited]bool{}
	for name, records := range archive(t) {
		words := everyWord(records)
		for _, rec := range records {
			replay(t, rec, cmp.Or(rec.Edition, name), words, seen)
		}
	}
	for _, code := range missing(t, seen) {
		t.Errorf("no game of the archive refuses anything as %s: is it looked up?", code)
	}
	for c := range seen {
		if !told[c.book][c.rule] && !told["2004"][c.rule] && !(c.what == "other_edition" && told["rucola"][c.rule]) {
			t.Errorf("by the book %s, %s cites %q, which cannot be looked up", c.book, c.what, c.rule)
		}
	}
}

// missing are the reasons for a refusal that the games' sources name and nobody was given.
func missing(t *testing.T, seen map[cited]bool) (codes []string) {
	t.Helper()
	given := map[string]bool{
		"one_end": true, "not_to_him": true, "present_first": true, "brute_protects": true, // too rare; TestCitations reads them
	}
	for c := range seen {
		given[c.what] = true
	}
	for folder := range shelves {
		source, err := os.ReadFile("../../games/" + folder + "/refuse.go")
		if err != nil {
			t.Fatal(err)
		}
		found := refusal.FindAllStringSubmatch(string(source), -1)
		if len(found) < 12 {
			t.Errorf("games/%s/refuse.go is written in another way: only %d refusals are found", folder, len(found))
		}
		for _, f := range found {
			if !given[f[1]] {
				codes = append(codes, f[1])
			}
		}
	}
	return codes
}

// archive is the whole games that are kept, by their names.
func archive(t *testing.T) map[string][]record.Record {
	t.Helper()
	files, err := filepath.Glob("../../record/testdata/archive/*.json")
	if err != nil || len(files) < 28 {
		t.Fatalf("the archive has only %d games: %v", len(files), err)
	}
	found := map[string][]record.Record{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := record.Read(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		found[rec.Game] = append(found[rec.Game], rec)
	}
	return found
}

// everyWord is all that was ever said at a table of this game, and what nobody can say.
func everyWord(records []record.Record) []string {
	words := []string{"sing", "open d5", "knock B witch", "present B"}
	for _, rec := range records {
		for _, move := range rec.Moves {
			words = append(words, move[2:])
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// replay notes what happens, and in every other position what each seat is told that says all the words.
func replay(t *testing.T, rec record.Record, book string, words []string, seen map[cited]bool) {
	t.Helper()
	s, err := rec.Start(games)
	if err != nil {
		t.Fatal(err)
	}
	for i, move := range append(rec.Moves, "") {
		if q := s.Asks(); s.Turn() != game.NoSeat {
			seen[cited{book, "the question " + q.Word, q.Rule}] = true
		}
		if i%2 == 0 || move == "" {
			for _, word := range words {
				sayTo(s, book, word, seen)
			}
		}
		if move == "" {
			return
		}
		next, events, err := s.Play(game.Seat(move[0]-'A'), move[2:])
		if err != nil {
			t.Fatalf("%s, move %d, %s: %v", book, i+1, move, err)
		}
		for _, e := range events {
			seen[cited{book, e.Verb, e.Rule}] = true
		}
		s = next
	}
}

func sayTo(s game.State, book, word string, seen map[cited]bool) {
	for seat := range game.Seat(6) {
		var refusal game.Refusal
		if _, _, err := s.Play(seat, word); errors.As(err, &refusal) {
			seen[cited{book, refusal.Code, refusal.Rule}] = true
		}
	}
}
