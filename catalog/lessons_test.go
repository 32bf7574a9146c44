package catalog_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caveau/catalog"
	"caveau/record"
)

// The client's lessons say what a child will see: "A red lid!". Each is a record beside its sentences, and an archive of them says how
// they go.
const lessonFolders = "../web/src/games/*/lessons"

func lessonFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(lessonFolders + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no lessons in %s: %v", lessonFolders, err)
	}
	return files
}

// Every position of every lesson is what it was when its sentences were written. Where a rule has changed, read the steps again
// (index.ts), and write down how they go now as docs/record.md has it.
func TestLessonsGoAsTheyAreTold(t *testing.T) {
	folders, err := filepath.Glob(lessonFolders)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		a, err := record.CheckArchive(os.DirFS(folder), catalog.House)
		if err != nil || !a.Summed {
			t.Errorf("%s: %v, with sums: %v", folder, err, a.Summed)
		}
		for _, f := range a.Faults {
			t.Errorf("%s/%s: %s", folder, f.Name, f.What)
		}
	}
}

// Whatever is on the shelf can be learned, each edition by a lesson that is called like it.
func TestEveryEditionHasALesson(t *testing.T) {
	var there, wanted []string
	for _, name := range lessonFiles(t) {
		there = append(there, strings.TrimSuffix(filepath.Base(name), ".json"))
	}
	for _, info := range catalog.House.Games() {
		for _, e := range info.Editions {
			if e.Name == "" {
				e.Name = info.Name
			}
			wanted = append(wanted, e.Name)
		}
	}
	slices.Sort(there)
	slices.Sort(wanted)
	if !slices.Equal(there, wanted) {
		t.Errorf("there are lessons %v, and editions %v", there, wanted)
	}
}
