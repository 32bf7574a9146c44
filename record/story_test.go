package record_test

import (
	"os"
	"slices"
	"testing"

	"caveau/record"
)

// The story of a game that is kept ends as the game did, and counts what was said at it.
func TestStory(t *testing.T) {
	text, err := os.ReadFile("testdata/archive/2004-4.json")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	start, err := rec.Start(shelf{})
	if err != nil {
		t.Fatal(err)
	}
	story, err := rec.Story(start)
	if err != nil {
		t.Fatal(err)
	}
	first, last := story.Turns[0], story.Turns[len(story.Turns)-1]
	if first.Ply != 0 || !slices.Equal(first.Standing, []int{-15, -15, -15, -15}) {
		t.Errorf("it begins at %+v", first)
	}
	if last.Ply != len(rec.Moves) || slices.Max(last.Standing) != 0 || last.Standing[0] != 0 {
		t.Errorf("A has none left, and it ends at %+v", last)
	}
	opened := 0
	for _, move := range rec.Moves {
		if move[2:6] == "open" {
			opened++
		}
	}
	said, given, got := 0, 0, 0
	for s := range story.Did {
		said, given, got = said+story.Did[s]["open"], given+story.Did[s]["give"], got+story.Had[s]["give"]
	}
	if said != opened || given == 0 || given != got {
		t.Errorf("%d lids were opened, and it counts %d; %d vampires were given, and %d received", opened, said, given, got)
	}
}
