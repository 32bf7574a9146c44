package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/store/storetest"
)

func TestLog(t *testing.T) {
	dir := t.TempDir()
	storetest.Log(t, func(t *testing.T) fact.Log {
		name := strings.NewReplacer("/", "_", " ", "_").Replace(t.Name())
		return mustOpen(t, filepath.Join(dir, name+".db"))
	})
}

func TestKeeper(t *testing.T) {
	dir := t.TempDir()
	storetest.Keeper(t, func(t *testing.T) storetest.Store {
		return mustOpen(t, filepath.Join(dir, strings.NewReplacer("/", "_", " ", "_").Replace(t.Name())+".db"))
	})
}

// mustOpen opens a store that the test closes at its end, if it has not done so before.
func mustOpen(t testing.TB, path string, params ...string) *Store {
	t.Helper()
	s, err := openFile(t.Context(), path, params...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// What the guarantee rests on: every commit is synced, and the file is in WAL mode.
func TestPragmas(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "caveau.db"))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000"} {
		var got string
		if err := s.base.(file).Writer().QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", pragma, got, err, want)
		}
	}
}

func TestNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	notes(t, func() *Store { return mustOpen(t, path) })
}

// notes examines them: what was noted is there until something else is noted, over a restart too, and of many who change it each changes what the one before
// has left.
func notes(t *testing.T, open func() *Store) {
	s := open()
	noted := func(name, want string) {
		t.Helper()
		if got, err := s.Note(t.Context(), name); err != nil || got != want {
			t.Errorf("under %q is noted %q (%v), want %q", name, got, err, want)
		}
	}
	noted("who", "")
	for _, value := range []string{"Ana", "", "Ben"} {
		mustNote(t, s, "who", value)
		noted("who", value)
	}
	refused := errors.New("refused")
	if err := s.Change(t.Context(), "who", func(string) (string, error) { return "Cleo", refused }); err != refused {
		t.Errorf("who refuses is told %v", err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				if err := s.Change(t.Context(), "many", func(was string) (string, error) { return was + "|", nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	noted("many", strings.Repeat("|", 80))
	s.Close()
	if err := s.Change(t.Context(), "who", func(string) (string, error) { return "Cleo", nil }); err == nil {
		t.Error("a closed store takes notes")
	}
	s = open()
	noted("who", "Ben")
	noted("where", "")
}

func mustNote(t *testing.T, s *Store, name, value string) {
	t.Helper()
	if err := s.Change(t.Context(), name, func(string) (string, error) { return value, nil }); err != nil {
		t.Fatal(err)
	}
}

// Of a name that was erased, or was another before, no byte is left in the file.
func TestAnErasedNameIsNowhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	s := mustOpen(t, path)
	mustAppend(t, s, "m", 1)
	for _, g := range [][2]string{
		{"b", "Benedict"}, {"a", "Anastasia of the far side"}, {"a", ""}, {"c", "Annabella of the far side"}, {"c", "Bo"},
	} {
		if err := s.Name(t.Context(), g[0], g[1]); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 { // so much that whole pages are free when it has gone
		mustNote(t, s, fmt.Sprint("a note of somebody's ", i), strings.Repeat("Antoinette of the far side ", 1000))
	}
	for i := range 20 {
		mustNote(t, s, fmt.Sprint("a note of somebody's ", i), "")
	}
	s.Close()
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	for name, want := range map[string]bool{"Anastasia": false, "Annabella": false, "Antoinette": false, "Benedict": true} {
		if bytes.Contains(all, []byte(name)) != want {
			t.Errorf("whether the file has the name %s is not %v", name, want)
		}
	}
}

// The key that a database of before has is handed over once, and stands neither in the file afterwards nor beside it.
func TestHandOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	old := []byte("thirty-two bytes that sign names")
	s := mustOpen(t, path)
	if _, err := s.base.(file).Writer().Exec("INSERT INTO secrets (name, value) VALUES ('guests', $1)", old); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, "m", 1)
	var kept []byte
	keep := func(secret []byte) error { kept = append(kept, secret...); return nil }
	full := errors.New("no room")
	if err := s.HandOver(t.Context(), "guests", func([]byte) error { return full }); err != full {
		t.Errorf("a key that could not be kept: %v", err)
	}
	for range 2 {
		if err := s.HandOver(t.Context(), "guests", keep); err != nil || !bytes.Equal(kept, old) {
			t.Errorf("%q is handed over, %v", kept, err)
		}
	}
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) < 3 {
		t.Fatalf("there are the files %v, %v", files, err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err != nil || bytes.Contains(data, old) {
			t.Errorf("%s has the key (%v)", filepath.Base(name), err)
		}
	}
	mustAppend(t, s, "m", 2)
}

// A store may be opened where the clock is virtual, which is how a whole server is tested.
func TestVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := mustOpen(t, filepath.Join(t.TempDir(), "caveau.db"))
		for seq := 1; seq <= 3; seq++ {
			mustAppend(t, s, "m", seq)
			time.Sleep(time.Hour)
		}
		storetest.Check(t, s, "m", 3)
	})
}

// A path may have anything in it that a directory may have.
func TestPaths(t *testing.T) {
	for _, name := range []string{"a b.db", "what?.db", "100%25.db", "c#.db", "a&b=c.db", "ночь.db", "file:x.db"} {
		path := filepath.Join(t.TempDir(), name)
		mustAppend(t, mustOpen(t, path), "m", 1)
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// The file has every deal: it is for the server's user alone.
func TestTheFileIsPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	mustAppend(t, mustOpen(t, path), "m", 1)
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has the rights %v", name, mode)
		}
	}
}

// Two names of one file are one file, and a relative path is as good as an absolute one.
func TestLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("caveau.db", "link.db"); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, "caveau.db")
	if _, err := Open(t.Context(), "link.db"); err == nil {
		t.Fatal("one file was opened twice, by two names")
	}
}
