package store

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/match"
	"caveau/store/storetest"
)

func TestLog(t *testing.T) {
	dir := t.TempDir()
	storetest.Log(t, func(t *testing.T) match.Log {
		name := strings.NewReplacer("/", "_", " ", "_").Replace(t.Name())
		return mustOpen(t, filepath.Join(dir, name+".db"))
	})
}

// mustOpen opens a store that the test closes at its end, if it has not done so before.
func mustOpen(t testing.TB, path string, params ...string) *Store {
	t.Helper()
	s, err := open(t.Context(), path, rand.Reader, params...)
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
		if err := s.writer.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", pragma, got, err, want)
		}
	}
}

// What was noted is there until something else is noted, over a restart too.
func TestNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	s := mustOpen(t, path)
	noted := func(name, want string) {
		t.Helper()
		if got, err := s.Note(t.Context(), name); err != nil || got != want {
			t.Errorf("under %q is noted %q (%v), want %q", name, got, err, want)
		}
	}
	noted("who", "")
	for _, value := range []string{"Ana", "Ben"} {
		if err := s.SetNote(t.Context(), "who", value); err != nil {
			t.Fatal(err)
		}
		noted("who", value)
	}
	s.Close()
	if err := s.SetNote(t.Context(), "who", "Cleo"); err == nil {
		t.Error("a closed store takes notes")
	}
	s = mustOpen(t, path)
	noted("who", "Ben")
	noted("where", "")
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
	for name, want := range map[string]bool{"Anastasia": false, "Annabella": false, "Benedict": true} {
		if bytes.Contains(all, []byte(name)) != want {
			t.Errorf("whether the file has the name %s is not %v", name, want)
		}
	}
}

func TestSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	s := mustOpen(t, path)
	cookie := secret(t, s, "cookie")
	if len(cookie) != 32 {
		t.Fatalf("a secret of %d bytes, want 32", len(cookie))
	}
	if bytes.Equal(cookie, secret(t, s, "deal")) {
		t.Error("two names have the same secret")
	}
	s.Close()
	if !bytes.Equal(cookie, secret(t, mustOpen(t, path), "cookie")) {
		t.Error("the secret is another one after a restart")
	}
}

func secret(t *testing.T, s *Store, name string) []byte {
	t.Helper()
	value, err := s.Secret(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// A source of randomness that fails makes no secret; one that works again does.
func TestSecretWithoutRandomness(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "caveau.db"), bytes.NewReader(make([]byte, 40)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	secret(t, s, "one")
	if value, err := s.Secret(t.Context(), "two"); err == nil {
		t.Fatalf("a secret %x from 8 bytes of randomness", value)
	}
	secret(t, s, "one")
	mustAppend(t, s, "m", 1)
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

// The file has the secret that guests' cookies are signed with, and every deal: it is for the server's user alone.
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
		t.Skip("no symbolic links here:", err)
	}
	mustOpen(t, "caveau.db")
	if _, err := Open(t.Context(), "link.db", rand.Reader); err == nil {
		t.Fatal("one file was opened twice, by two names")
	}
}
