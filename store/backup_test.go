package store

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"caveau/store/copies"
	"caveau/store/sqlite"
	"caveau/store/storetest"
	"caveau/wire"
)

// entriesOf are how many entries a table has, each of which is as it was written.
func entriesOf(t *testing.T, s *Store, id wire.ID) int {
	t.Helper()
	all, err := s.Entries(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range all {
		if want := storetest.Entry(id, i+1); e.Seq != want.Seq || !bytes.Equal(e.Data, want.Data) {
			t.Errorf("entry %d of %s is %s", i+1, id, e.Data)
		}
	}
	return len(all)
}

// A backup is made while the store is open and others write: it has all that was acknowledged before it began, is one file, for this user
// alone, and goes on where it was.
func TestBackup(t *testing.T) {
	dir := t.TempDir()
	path, copied, back := filepath.Join(dir, "caveau.db"), filepath.Join(dir, "of ?today%.db"), filepath.Join(dir, "back.db")
	s := mustOpen(t, path)
	const before = 50
	for seq := 1; seq <= before; seq++ {
		mustAppend(t, s, "m", seq)
	}
	writing, stop, last := make(chan bool), make(chan bool), make(chan int)
	go func() {
		seq := before
		for {
			select {
			case <-stop:
				last <- seq
				return
			default:
			}
			seq++
			mustAppend(t, s, "m", seq)
			if seq == before+5 {
				close(writing)
			}
		}
	}()
	<-writing
	c, err := copies.Backup(t.Context(), path, copied)
	close(stop)
	if err != nil {
		t.Fatal(err)
	}
	wrote := <-last
	if c.Tables != 1 || c.Entries < before+5 || c.Entries > wrote {
		t.Errorf("the backup has %+v, of at least %d and at most %d entries", c, before+5, wrote)
	}
	if beside, err := filepath.Glob(filepath.Join(dir, "of*")); err != nil || len(beside) != 1 {
		t.Errorf("there are the files %v (%v)", beside, err)
	}
	if info, err := os.Stat(copied); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the backup is %v (%v)", info.Mode(), err)
	}
	if again, err := copies.Restore(t.Context(), copied, back); err != nil || again != c {
		t.Fatalf("restored is %+v, %v, of %+v", again, err, c)
	}
	b := mustOpen(t, back)
	if n := entriesOf(t, b, "m"); n != c.Entries {
		t.Errorf("restored are %d entries of %d", n, c.Entries)
	}
	mustAppend(t, b, "m", c.Entries+1)
}

// What had been deleted is not in a backup.
func TestABackupHasNothingThatWasErased(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "caveau.db"), filepath.Join(dir, "copy.db")
	s := mustOpen(t, path)
	for _, name := range []string{"Anastasia of the far side", ""} {
		if err := s.Name(t.Context(), "a", name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := copies.Backup(t.Context(), path, copied); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(copied); err != nil || bytes.Contains(data, []byte("Anastasia")) {
		t.Errorf("the name is in the backup (%v)", err)
	}
}

// A database that was never closed, since its process died, is backed up with what lies beside it.
func TestBackupAfterACrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	s := mustOpen(t, path)
	mustAppend(t, s, "m", 1)
	left := filepath.Join(t.TempDir(), "left.db")
	for _, beside := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + beside)
		if err != nil {
			t.Fatal(err)
		}
		write(t, left+beside, data)
	}
	if c, err := copies.Backup(t.Context(), left, left+".copy"); err != nil || c.Entries != 1 {
		t.Errorf("the backup has %+v, %v", c, err)
	}
}

// Whatever is there stays as it is, and nothing is left of what was begun.
func TestNothingIsOverwritten(t *testing.T) {
	path := someDatabase(t)
	dir := filepath.Dir(path)
	copied := filepath.Join(dir, "copy.db")
	if _, err := copies.Backup(t.Context(), path, copied); err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(dir, "there")
	for _, x := range []struct{ file, beside, says string }{
		{there, "", "is there already"}, {there, ".part", "is there"}, {there, "-wal", "beside it"}, {there, "-journal", "beside it"},
	} {
		write(t, x.file+x.beside, []byte("somebody's"))
		if x.says != "beside it" { // which is nothing to a backup
			_, err := copies.Backup(t.Context(), path, x.file)
			wantLine(t, err, x.file, x.says)
		}
		_, err := copies.Restore(t.Context(), copied, x.file)
		wantLine(t, err, x.file, x.says)
		if data, err := os.ReadFile(x.file + x.beside); err != nil || string(data) != "somebody's" {
			t.Errorf("%s%s is now %q (%v)", x.file, x.beside, data, err)
		}
		if err := os.Remove(x.file + x.beside); err != nil {
			t.Fatal(err)
		}
	}
	mustOpen(t, there+".db").Close()
	for _, at := range []string{path, there + ".db"} {
		_, err := copies.Restore(t.Context(), copied, at)
		wantLine(t, err, at, "is there already")
	}
	s := mustOpen(t, filepath.Join(dir, "served.db"))
	_, err := copies.Restore(t.Context(), copied, s.Called())
	wantLine(t, err, s.Called(), "in use by another server")
	_, err = copies.Backup(t.Context(), filepath.Join(dir, "none.db"), filepath.Join(dir, "of none.db"))
	wantLine(t, err, "none.db", "no such file")
	if left, err := filepath.Glob(filepath.Join(dir, "*none*")); err != nil || len(left) > 0 {
		t.Errorf("there are %v (%v)", left, err)
	}
}

// What is no backup is not restored, and what is refused leaves nothing behind but the lock.
func TestWhatIsNoBackupIsRefused(t *testing.T) {
	path := someDatabase(t)
	good := path + ".copy"
	if _, err := copies.Backup(t.Context(), path, good); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(text string) []byte {
		file := filepath.Join(t.TempDir(), "changed.db")
		write(t, file, data)
		execOn(t, file, text)
		out, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	holes := bytes.Clone(data)
	clear(holes[len(holes)/2:])
	for name, x := range map[string]struct {
		data []byte
		says string
	}{
		"empty":   {nil, "nothing in it"},
		"text":    {bytes.Repeat([]byte("no database "), 1000), "is not a database"},
		"half":    {data[:len(data)/2], "is damaged"},
		"holes":   {holes, "is damaged"},
		"plain":   {plain, "may lack what was written last"},
		"foreign": {changed("PRAGMA application_id = 7"), "belongs to another program"},
		"newer":   {changed("PRAGMA user_version = 1000"), "newer version"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file, to := filepath.Join(dir, "copy.db"), filepath.Join(dir, "caveau.db")
			write(t, file, x.data)
			_, err := copies.Restore(t.Context(), file, to)
			wantLine(t, err, file, x.says)
			if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 2 { // the file, and the lock
				t.Errorf("there are %v (%v)", left, err)
			}
			if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, x.data) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}

// A backup by an older version is brought up to date when it is opened.
func TestRestoreOfAnOlderVersion(t *testing.T) {
	dir := t.TempDir()
	old, to := filepath.Join(dir, "old.db"), filepath.Join(dir, "caveau.db")
	text, err := fs.ReadFile(sqlite.Schema, "schema/0001_matches.sql")
	if err != nil {
		t.Fatal(err)
	}
	execOn(t, old, fmt.Sprintf("%s%s; PRAGMA application_id = %d; PRAGMA user_version = 1", text, oldMatches, sqlite.ApplicationID))
	if c, err := copies.Restore(t.Context(), old, to); err != nil || c != (copies.Contents{Tables: 2, Entries: 4}) {
		t.Fatalf("restored are %+v, %v", c, err)
	}
	if all, err := mustOpen(t, to).Entries(t.Context(), "m", 0); err != nil || len(all) != 2 {
		t.Errorf("there are %d entries (%v)", len(all), err)
	}
}
