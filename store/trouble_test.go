package store

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"caveau/fact"
	"caveau/guests"
	"caveau/push"
	"caveau/store/disktest"
	"caveau/store/sqlite"
	"caveau/store/storetest"
	"caveau/wire"
)

// wantLine fails t unless err is one line that names the file and has the words.
func wantLine(t *testing.T, err error, path string, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range append(words, path) {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%q is more than one line", err)
	}
}

// refused fails t unless the file cannot be opened, for a reason with these words, and stays as it is.
func refused(t *testing.T, path string, words ...string) {
	t.Helper()
	before, _ := os.ReadFile(path)
	s, err := Open(t.Context(), path)
	if err == nil {
		s.Close()
	}
	wantLine(t, err, path, words...)
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
	for _, extra := range []string{"-wal", "-journal", "-shm"} {
		if _, err := os.Stat(path + extra); err == nil {
			t.Errorf("%s was left behind", path+extra)
		}
	}
}

func TestOpenInMissingDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "missing")
	refused(t, filepath.Join(dir, "caveau.db"), "no directory "+dir, "create it")
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory was created")
	}
}

func TestOpenDirectory(t *testing.T) {
	refused(t, t.TempDir(), "is a directory", "name a file")
}

func TestOpenNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	write(t, path, []byte(strings.Repeat("Dear diary, ", 1000)))
	refused(t, path, "is not a database", "choose another file")
}

func TestOpenHalfADatabase(t *testing.T) {
	path := someDatabase(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, data[:len(data)/2])
	refused(t, path, "is damaged", "restore a backup")
}

func TestOpenNewerVersion(t *testing.T) {
	path := someDatabase(t)
	execOn(t, path, "PRAGMA user_version = 1000")
	refused(t, path, "newer version", "use that version")
}

func TestOpenForeignDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	execOn(t, path, "CREATE TABLE visits (url TEXT)")
	refused(t, path, "belongs to another program", "choose another file")
}

// Two matches as a file of some version has them: "m", with two entries, and the older "o", over with its second, which was written last.
const (
	oldMatches = `
		INSERT INTO matches (id, created, last, over) VALUES
			('m', '2026-11-21T10:00:00.000000001Z', 2, false), ('o', '2026-11-21T09:00:00.000000000Z', 2, true);
		INSERT INTO entries (match, seq, at, data, over) VALUES
			('m', 1, '2026-11-21T10:00:00.000000001Z', '{}', false), ('m', 2, '2026-11-21T10:00:02.000000000Z', '{"two": 2}', false),
			('o', 1, '2026-11-21T09:00:00.000000000Z', '{}', false), ('o', 2, '2026-11-21T10:00:05.000000000Z', '{"o":"", "☠":1}', true)`
	matchesWithKeys = `
		INSERT INTO matches (key, id, created, due) VALUES
			(7, 'm', '2026-11-21T10:00:00.000000001Z', ''), (9, 'o', '2026-11-21T09:00:00.000000000Z', NULL);
		INSERT INTO entries (match, seq, at, data, over) VALUES
			(7, 1, '2026-11-21T10:00:00.000000001Z', '{}', false), (7, 2, '2026-11-21T10:00:02.000000000Z', '{"two": 2}', false),
			(9, 1, '2026-11-21T09:00:00.000000000Z', '{}', false), (9, 2, '2026-11-21T10:00:05.000000000Z', '{"o":"", "☠":1}', true)`
)

// inFiles is what is put into a file of each version.
var inFiles = []string{"", oldMatches, oldMatches, matchesWithKeys, matchesWithKeys, matchesWithKeys, matchesWithKeys, matchesWithKeys}

// Every version of ours that is older is brought up to date, and keeps what it has.
func TestOpenOlderVersion(t *testing.T) {
	files, err := fs.Glob(sqlite.Schema, "schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	if len(inFiles) != len(files)+1 {
		t.Fatalf("%d versions, and for %d of them it is said what their files have", len(files), len(inFiles)-1)
	}
	for version, rows := range inFiles {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			path := ofVersion(t, files[:version], rows)
			for range 2 { // the second time it is up to date
				s := mustOpen(t, path)
				if version > 0 {
					checkOldMatches(t, s, version >= 3)
				}
				s.Close()
			}
			s := mustOpen(t, path)
			mustAppend(t, s, "m", 1+2*min(1, version))
			mustAppend(t, s, "new", 1)
			if err := new(book).verifyRows(s); err != nil {
				t.Error(err)
			}
		})
	}
}

// ofVersion is a database that has had these migrations alone, with rows in it.
func ofVersion(t *testing.T, files []string, rows string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "caveau.db")
	for _, name := range files {
		text, err := sqlite.Schema.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		execOn(t, path, string(text))
	}
	execOn(t, path, fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", rows, sqlite.ApplicationID, len(files)))
	return path
}

// Where guests sat before that was noted follows from the entries, those of the first versions included.
func TestWhereGuestsSatBefore(t *testing.T) {
	files, err := fs.Glob(sqlite.Schema, "schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, ofVersion(t, files[:4], `
		INSERT INTO matches (key, id, created, due) VALUES
			(7, 'm', '2026-11-21T10:00:00.000000001Z', ''), (9, 'o', '2026-11-21T09:00:00.000000000Z', NULL);
		INSERT INTO entries (match, seq, at, data, over) VALUES
			(7, 1, '', '{"kind":"made","fact":{"host":{"id":"ana","name":"Ana"},"chairs":[{"guest":{"id":"ana"}},{"guest":{"id":""},"bot":"random"}]}}', false),
			(7, 2, '', '{"kind":"sit","fact":{"seat":"B","guest":{"id":"ben","name":"Ben"}}}', false),
			(7, 3, '', '{"kind":"move","fact":{"seat":"B","words":"","guest":{"id":"cleo"}}}', false),
			(9, 1, '', '{"kind":"made","fact":{"host":{"id":"cleo"},"chairs":[{"guest":{"id":""}},{"guest":{"id":"ana"}}]}}', false),
			(9, 2, '', '{"kind":"sit","fact":{"seat":"A","guest":{"id":"cleo"}}}', true)`))
	m := guests.Table{ID: "m", Made: time.Date(2026, 11, 21, 10, 0, 0, 1, time.UTC)}
	o := guests.Table{ID: "o", Made: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Over: true}
	for guest, want := range map[string][]guests.Table{"ana": {m, o}, "ben": {m}, "cleo": {o}, "": nil} {
		if got, err := s.Tables(t.Context(), guest); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s was at %v (%v), want %v", guest, got, err, want)
		}
	}
}

// checkOldMatches checks what inFiles has put there; kept tells whether that version noted when the house was open.
func checkOldMatches(t *testing.T, s *Store, kept bool) {
	t.Helper()
	due, err := s.Due(t.Context(), time.Time{})
	if err != nil || !slices.Equal(due, []wire.ID{"m"}) {
		t.Errorf("%q are awake, %v", due, err)
	}
	over, err := s.Finished(t.Context(), time.Now().AddDate(100, 0, 0))
	if err != nil || !slices.Equal(over, []wire.ID{"o"}) {
		t.Errorf("%q are over, %v", over, err)
	}
	last := time.Date(2026, 11, 21, 10, 0, 2, 0, time.UTC)
	want := map[wire.ID][]fact.Entry{
		"m": {{Seq: 1, At: last.Add(1 - 2*time.Second), Data: []byte("{}")}, {Seq: 2, At: last, Data: []byte(`{"two": 2}`)}},
		"o": {{Seq: 1, At: last.Add(-time.Hour - 2*time.Second), Data: []byte("{}")},
			{Seq: 2, At: last.Add(3 * time.Second), Data: []byte(`{"o":"", "☠":1}`), Over: true}},
	}
	for id, entries := range want {
		if got, err := s.Entries(t.Context(), id, 0); err != nil || !reflect.DeepEqual(got, entries) {
			t.Errorf("match %s has %v (%v), want %v", id, got, err, entries)
		}
	}
	outages, err := s.Outages(t.Context(), time.Time{})
	switch {
	case err != nil:
		t.Error(err)
	case kept: // by the version itself
		if want := stamp(last.Add(3 * time.Second)); s.alive != want || len(outages) != 0 {
			t.Errorf("the house was last known to be open at %q, want %q; it was closed %v", s.alive, want, outages)
		}
	case len(outages) != 1 || !outages[0].From.IsZero() || outages[0].To.Before(last) || s.alive != stamp(outages[0].To):
		t.Errorf("before outages were kept the house was closed %v, want always, until it was opened at %s", outages, s.alive)
	}
}

// someDatabase is a database with a match in it, closed.
func someDatabase(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "caveau.db")
	s := mustOpen(t, path)
	mustAppend(t, s, "m", 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func execOn(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", sqlite.DSN(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

func TestOpenReadOnly(t *testing.T) {
	data, err := os.ReadFile(someDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	d := disktest.New(t, map[string][]byte{"caveau.db": data})
	d.ReadOnly = true
	_, err = openOn(d)
	wantLine(t, err, d.Path(), "may not be written", "give the server's user the right")
	if after, _ := os.ReadFile(d.Path()); !bytes.Equal(after, data) {
		t.Error("the file was changed")
	}
}

func TestOpenInReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.WriteFile(filepath.Join(dir, "try"), nil, 0o600) == nil {
		dir = "/proc" // this user may write everywhere, and there nobody may
	}
	refused(t, filepath.Join(dir, "caveau.db"), "cannot be opened", "give the server's user the right")
}

// A second server on the file is refused, in this process or another, until the first one is gone, however it went.
func TestSecondServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	first := startServer(t, path)
	_, err := Open(t.Context(), path)
	wantLine(t, err, path, "in use by another server", "stop that one")

	first.Process.Kill()
	first.Wait()
	mustAppend(t, mustOpen(t, path), "m", 1)
	_, err = Open(t.Context(), path)
	wantLine(t, err, path, "in use by another server", "stop that one")
}

// startServer opens the file in another process, and returns once that has done so.
func startServer(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STORE_TEST_SERVER="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdinPipe(); err != nil { // the process waits for its end
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
		t.Fatalf("the other process says %q (%v)", line, err)
	}
	return cmd
}

// TestMain makes the test binary a server that does nothing, where a test has it started as another process.
func TestMain(m *testing.M) {
	path := os.Getenv("STORE_TEST_SERVER")
	if path == "" {
		m.Run()
		return
	}
	if _, err := Open(context.Background(), path); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("open")
	io.Copy(io.Discard, os.Stdin)
}

// Another program, a shell for instance, holds the database: it is said so, and once that is over all is well.
func TestLockedByAnotherProgram(t *testing.T) {
	path := someDatabase(t)
	release := holdLock(t, path)
	_, err := openFile(t.Context(), path, "_busy_timeout=1")
	wantLine(t, err, path, "locked by another program", "close that program")
	release()

	s := mustOpen(t, path, "_busy_timeout=1")
	release = holdLock(t, path)
	wantLine(t, s.Append(t.Context(), "m", storetest.Entry("m", 2)), path, "locked by another program", "close that program")
	storetest.Check(t, s, "m", 1)
	release()
	mustAppend(t, s, "m", 2)
	storetest.Check(t, s, "m", 2)
}

func holdLock(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", sqlite.DSN(path, "_txlock=immediate"))
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	return func() { tx.Rollback(); db.Close() }
}

// full is the fault of a disk without room.
func full(change string) int32 {
	if change == "write" || change == "create" {
		return sqlite3.SQLITE_FULL
	}
	return sqlite3.SQLITE_OK
}

func TestOpenOnFullDisk(t *testing.T) {
	d := disktest.New(t, nil)
	d.SetFault(full)
	_, err := openOn(d)
	wantLine(t, err, d.Path(), "no room", "make room")
	d.SetFault(nil)
	s, err := openOn(d)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustAppend(t, s, "m", 1)
}

// On a full disk appends fail and reads go on. With room again, appends work again.
func TestFullDisk(t *testing.T) {
	d := disktest.New(t, nil)
	s, err := openOn(d)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for seq := 1; seq < 40; seq++ {
		d.SetFault(full)
		wantLine(t, s.Append(t.Context(), "m", storetest.Entry("m", seq)), d.Path(), "no room", "nothing was written", "make room")
		storetest.Check(t, s, "m", seq-1)
		d.SetFault(nil)
		mustAppend(t, s, "m", seq)
	}
	s.Close()
	if s, err = openOn(disktest.New(t, d.Synced())); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	storetest.Check(t, s, "m", 39)
}

// A limit on the file's size is a full disk, too.
func TestFullFile(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "caveau.db"), "_pragma=max_page_count(32)")
	seq, err := 1, error(nil)
	for ; err == nil; seq++ {
		err = s.Append(t.Context(), "m", storetest.Entry("m", seq))
	}
	wantLine(t, err, s.Called(), "no room")
	storetest.Check(t, s, "m", seq-2)
	if _, err := s.base.(file).Writer().Exec("PRAGMA max_page_count = 1000"); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, "m", seq-1)
	storetest.Check(t, s, "m", seq-1)
}

// A disk that fails now and then, at any change, a sync for instance: what was acknowledged is there, what was refused can
// be asked for again, and once the disk is sound nothing fails.
func TestFailingDisk(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		d := disktest.New(t, nil)
		s, err := openOn(d)
		if err != nil {
			t.Fatal(err)
		}
		failures := 0
		for seq := 1; seq <= 40; {
			d.SetFault(func(string) int32 { return []int32{sqlite3.SQLITE_IOERR, 0, 0, 0, 0, 0}[rng.IntN(6)] })
			err := s.Append(t.Context(), "m", storetest.Entry("m", seq))
			d.SetFault(nil)
			if err == nil {
				seq++
				continue
			}
			failures++
			if errors.Is(err, fact.ErrConflict) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			wantLine(t, err, d.Path(), "could not be read or written", "check the disk")
			storetest.Check(t, s, "m", seq-1)
		}
		mustAppend(t, s, "m", 41)
		s.Close()
		if s, err = openOn(disktest.New(t, d.Synced())); err != nil {
			t.Fatal(err)
		}
		storetest.Check(t, s, "m", 41)
		s.Close()
		if failures == 0 {
			t.Errorf("seed %d: nothing failed", seed)
		}
	}
}

// Whatever cannot be written, and wherever that goes wrong, is in no error: those are read by whoever reads the server's log.
func TestFailuresTellNothing(t *testing.T) {
	const secret = "vampire-of-4711"
	s := mustOpen(t, filepath.Join(t.TempDir(), "caveau.db"))
	fails := func(how string, ctx context.Context) (failed int) {
		t.Helper()
		who := wire.Guest{ID: "ana " + how, Name: secret}
		by := guests.Badge{Guest: who, Session: secret}
		_, end := s.End(ctx, "ben", how+secret, time.Now(), time.Now().Add(time.Hour))
		_, program := s.MakeProgram(ctx, who.ID, 1, wire.Guest{ID: "program " + how, Name: secret}, by)
		for what, err := range map[string]error{
			"an entry": s.Append(ctx, wire.ID("at "+how), fact.Entry{Seq: 1, At: time.Now(), Data: []byte(`{"kind": "play", "words": "` + secret + `"}`)}),
			"a name":   s.Name(ctx, who.ID, secret), "an end": end, "a program": program,
			"a way":     s.KeepWay(ctx, guests.Way{Sum: []byte(how + secret), Of: by, Until: time.Now().Add(time.Hour)}, time.Now()),
			"a passkey": s.AddPasskey(ctx, guests.Passkey{ID: []byte(how + secret), Guest: who.ID, Name: secret, Check: []byte(`{"check": "` + secret + `"}`)}, by),
			"a browser": s.Subscribe(ctx, guests.Subscription{Subscription: push.Subscription{Endpoint: "https://push.example/" + how + secret, Auth: []byte(secret)}, Guest: who.ID, Session: secret}),
			"a note":    s.Change(ctx, "a note", func(string) (string, error) { return how + secret, nil }),
		} {
			if err == nil {
				continue
			}
			if failed++; strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %s cannot be written: %v", how, what, err)
			}
		}
		return failed
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if failed := fails("nobody waits for it", gone); failed != 8 {
		t.Errorf("%d of eight were not written for nobody", failed)
	}
	writer := s.base.(file).Writer()
	rows, err := writer.Query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for rows.Next() {
		tables = append(tables, "")
		if err := rows.Scan(&tables[len(tables)-1]); err != nil {
			t.Fatal(err)
		}
	}
	rows.Close()
	failed := 0
	for _, table := range tables { // one after the other, for what is written in several places
		for _, text := range []string{"CREATE TRIGGER no BEFORE INSERT ON " + table + " BEGIN SELECT RAISE(ABORT, 'the disk does not turn'); END", "DROP TRIGGER no"} {
			if _, err := writer.Exec(text); err != nil {
				t.Fatal(err)
			}
			if text != "DROP TRIGGER no" {
				failed += fails(table, t.Context())
			}
		}
	}
	if failed < 8 {
		t.Errorf("%d were not written where something else was not, and there are eight", failed)
	}
	s.Close()
	if failed := fails("it is closed", t.Context()); failed != 8 {
		t.Errorf("%d of eight were not written when it was closed", failed)
	}
}

// In a group everybody gets the answer that is theirs, and the group commits.
func TestGroup(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "caveau.db"))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	var group []job
	var wants []error
	join := func(ctx context.Context, id wire.ID, seq int, want error) {
		e := storetest.Entry(id, seq)
		group = append(group, job{ctx: ctx, work: func(w *writing) error { return w.append(id, e) }})
		wants = append(wants, want)
	}
	join(t.Context(), "a", 1, nil)
	join(t.Context(), "a", 1, fact.ErrConflict)
	join(t.Context(), "b", 2, fact.ErrConflict)
	join(gone, "a", 2, context.Canceled)
	join(t.Context(), "a", 2, nil)
	join(gone, "c", 1, context.Canceled)
	join(t.Context(), "b", 1, nil)

	answers, err := s.commit(group)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range wants {
		if !errors.Is(answers[i], want) {
			t.Errorf("answer %d is %v, want %v", i, answers[i], want)
		}
	}
	storetest.Check(t, s, "a", 2)
	storetest.Check(t, s, "b", 1)
	storetest.Check(t, s, "c", 0)
}

// On one processor, too, those who are about to ask share a commit; not always all of them, as the scheduler has rules of its
// own.
func TestGatherLetsOthersAsk(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := &Store{jobs: make(chan job)}
	const rounds, others = 50, 20
	gathered := 0
	for range rounds {
		for range others {
			go func() { s.jobs <- job{} }() // it has had no turn yet
		}
		group := s.gather(job{})
		for range 1 + others - len(group) {
			<-s.jobs
		}
		gathered += len(group) - 1
	}
	if gathered < rounds*others/2 {
		t.Errorf("%d of %d were gathered", gathered, rounds*others)
	}
}

// Whoever is told that an entry is kept finds it after Close, and whoever is told that the store is closed does not.
func TestCloseWhileAppending(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	s := mustOpen(t, path)
	const writers = 8
	last := make(chan int, writers)
	begun := make(chan bool, writers)
	for i := range writers {
		id := wire.ID(fmt.Sprint("m", i))
		go func() {
			for seq := 1; ; seq++ {
				if err := s.Append(context.Background(), id, storetest.Entry(id, seq)); err != nil {
					wantClosed(t, err)
					last <- i<<32 | (seq - 1)
					return
				}
				if seq == 10 {
					begun <- true
				}
			}
		}()
	}
	for range writers {
		<-begun
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := s.Entries(t.Context(), "m0", 0)
	wantClosed(t, err)
	s = mustOpen(t, path)
	for range writers {
		n := <-last
		storetest.Check(t, s, wire.ID(fmt.Sprint("m", n>>32)), n&(1<<32-1))
	}
}

func wantClosed(t *testing.T, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "is closed") || errors.Is(err, fact.ErrConflict) {
		t.Errorf("%v, want an error which says that the store is closed", err)
	}
}

// Matches of the driver and its C library that do not go together fail in ways that are hard to tell.
func TestDriverVersions(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"modernc.org/sqlite v1.60.1", "modernc.org/libc v1.77.1"} {
		if !bytes.Contains(mod, []byte("\t"+want)) {
			t.Errorf("go.mod does not require %s: take both versions from one release of the driver, and change them here too", want)
		}
	}
}

// What is wrong with one caller's entry is no fault of those with whom it shares a commit.
func TestOneFaultIsNobodyElses(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "caveau.db"))
	fault := errors.New("this one is wrong")
	var group []job
	for i := range 20 {
		id, e := wire.ID(fmt.Sprint("table ", i)), fact.Entry{Seq: 1, At: time.Unix(1, 0), Data: []byte(`{}`)}
		work := func(w *writing) error { return w.append(id, e) }
		if i == 7 {
			work = func(*writing) error { return fault }
		}
		group = append(group, job{t.Context(), work, make(chan error, 1)})
	}
	s.answer(group)
	for i, j := range group {
		if err := <-j.done; (err != nil) != (i == 7) {
			t.Errorf("entry %d: %v", i, err)
		}
		entries, err := s.Entries(t.Context(), wire.ID(fmt.Sprint("table ", i)), 0)
		if want := 1; err != nil || i != 7 && len(entries) != want {
			t.Errorf("table %d has %d entries (%v)", i, len(entries), err)
		}
	}
}

// Nobody but the server's user reads the file, or holds its lock; a lock that an older version left for all to read is closed.
func TestTheFileAndItsLockAreForTheServerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caveau.db")
	write(t, path+"-lock", nil)
	if err := os.Chmod(path+"-lock", 0o644); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, path)
	for _, name := range []string{path, path + "-lock", path + "-wal", path + "-shm"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
