//go:build unix

package store

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/store/copies"
	"caveau/store/deedstest"
	"caveau/store/pgtest"
	"caveau/store/postgres"
	"caveau/store/storetest"
	"caveau/wire"
)

// PostgreSQL passes the same examiners as a file.
func TestServer(t *testing.T) {
	server := pgtest.Start(t)
	addresses := map[string]string{}
	openAt := func(t *testing.T) *Store {
		if addresses[t.Name()] == "" {
			addresses[t.Name()] = server.New()
		}
		return mustOpenServer(t, addresses[t.Name()])
	}
	t.Run("log", func(t *testing.T) {
		storetest.Log(t, func(t *testing.T) fact.Log { return openAt(t) })
	})
	t.Run("keeper", func(t *testing.T) {
		storetest.Keeper(t, func(t *testing.T) storetest.Store { return openAt(t) })
	})
	t.Run("nodes", func(t *testing.T) {
		deedstest.Nodes(t, func(t *testing.T) (fact.Log, func() fact.Shared) {
			address := server.New()
			join := func() *Store { return mustJoin(t, address, time.Hour) }
			s := join()
			for _, id := range []wire.ID{"a", "b", "c"} {
				mustAppend(t, s, id, 1)
			}
			return s, func() fact.Shared { return join().deeds }
		})
	})
	t.Run("fences", func(t *testing.T) {
		deedstest.Fences(t, func(t *testing.T) func() deedstest.Node {
			address := server.New()
			return func() deedstest.Node {
				s := mustJoin(t, address, time.Hour)
				return deedstest.Node{Shared: s.deeds, Log: s}
			}
		})
	})
	t.Run("versions", func(t *testing.T) {
		deedstest.Versions(t, func(t *testing.T) (join func(speaks int) (deedstest.Node, error), calm func()) {
			address := server.New()
			calm = func() { server.At(address, "UPDATE caveau SET ended = ended - interval '1 minute'") }
			return func(speaks int) (n deedstest.Node, err error) {
				s, err := joinServer(t.Context(), address, speaks, time.Hour, postgres.Patience)
				if err == nil {
					t.Cleanup(func() { s.Close() })
					n = deedstest.Node{Shared: s.deeds, Log: s}
				}
				return n, err
			}, calm
		})
	})
	t.Run("node", func(t *testing.T) {
		addresses := map[string]string{}
		joinAt := func(t *testing.T) *Store {
			if addresses[t.Name()] == "" {
				addresses[t.Name()] = server.New()
			}
			return mustJoin(t, addresses[t.Name()], 0)
		}
		t.Run("log", func(t *testing.T) { storetest.Log(t, func(t *testing.T) fact.Log { return owner{joinAt(t)} }) })
		t.Run("keeper", func(t *testing.T) { storetest.Keeper(t, func(t *testing.T) storetest.Store { return joinAt(t) }) })
	})
	t.Run("notes", func(t *testing.T) { notes(t, func() *Store { return openAt(t) }) })
}

// mustOpenServer opens a store that the test closes at its end, if it has not done so before.
func mustOpenServer(t testing.TB, address string) *Store {
	t.Helper()
	s, err := openServer(t.Context(), address, postgres.Patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// An owner has each table for as long as it says that it rests, as the runner of a table does.
type owner struct{ *Store }

func (o owner) Rest(ctx context.Context, id wire.ID, r fact.Rest) error {
	term, err := o.deeds.Take(ctx, id)
	if err != nil {
		return err
	}
	return errors.Join(o.Store.Rest(ctx, id, r), o.deeds.Give(context.WithoutCancel(ctx), id, term, fact.Rests))
}

// mustJoin opens a store that is a node among others.
func mustJoin(t testing.TB, address string, lasts time.Duration) *Store {
	t.Helper()
	s, err := joinServer(t.Context(), address, wire.Speaks, lasts, postgres.Patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// furnish has a store keep something of all that there is.
func furnish(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	at := time.Date(2026, 11, 21, 10, 0, 0, 123456789, time.UTC)
	for seq := 1; seq <= 40; seq++ {
		mustAppend(t, s, "m", seq)
		mustAppend(t, s, "é", seq)
	}
	made := &fact.Made{Host: fact.Guest{ID: "ana"}}
	err := errors.Join(
		s.Woke(ctx, at),
		s.Append(ctx, "over", fact.Entry{Seq: 1, At: at, Data: json.RawMessage("{ \"who\":\"Ольга\"}"), Over: true}),
		s.Append(ctx, "made", fact.Entry{Seq: 1, At: at, Data: fact.Write(made, fact.Receipt{}, nil)}),
		s.Rest(ctx, "m", fact.Rest{Seq: 40, Until: at.Add(1), Since: at}),
		s.Woke(ctx, at.Add(time.Hour)), s.Alive(ctx, at.Add(2*time.Hour)),
		s.Name(ctx, "ana", "Ana\x00\xff"), s.Name(ctx, "ben", ""),
	)
	if err != nil {
		t.Fatal(err)
	}
	mustNote(t, s, "house", "open")
	if _, err := s.End(ctx, "ana", "1", at, at.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.EndAll(ctx, guests.Badge{Guest: wire.Guest{ID: "ben"}}, guests.Way{}); err != nil {
		t.Fatal(err)
	}
	if err := s.AddPasskey(ctx, somePasskey("ana", at), guests.Badge{}); err != nil {
		t.Fatal(err)
	}
}

// inventory is all that furnish has put there, as a store tells it.
func inventory(t *testing.T, s *Store) (all []any) {
	t.Helper()
	ctx := t.Context()
	storetest.Check(t, s, "m", 40)
	storetest.Check(t, s, "é", 40)
	at := time.Date(2026, 11, 21, 10, 0, 0, 123456789, time.UTC)
	add := func(values ...any) {
		if values[len(values)-1] != nil {
			t.Error(values...)
		}
		all = append(all, values...)
	}
	add(s.Entries(ctx, "over", 0))
	add(s.Resting(ctx, "m"))
	add(s.Due(ctx, at.Add(time.Hour)))
	add(s.Finished(ctx, at))
	add(s.LastAlive(ctx))
	add(s.Outages(ctx, time.Time{}))
	add(s.Names(ctx, "ana", "ben"))
	add(s.Note(ctx, "house"))
	add(s.Ended(ctx, "ana", "1"))
	add(s.Ended(ctx, "ben", "1"))
	add(s.Passkeys(ctx, "ana"))
	add(s.Tables(ctx, "ana"))
	return all
}

// A house moves from a file into PostgreSQL, and back, and has all that it had, to the byte: twice, since what comes back is as good as what it
// came from.
func TestMoveBetweenBoth(t *testing.T) {
	server := pgtest.Start(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "caveau.db")
	s := mustOpen(t, path)
	furnish(t, s)
	was := inventory(t, s)
	db := path
	for _, name := range []string{"first", "second"} {
		copied, address, back := filepath.Join(dir, name+"-copy.db"), server.New(), filepath.Join(dir, name+"-back.db")
		c := mustCopy(t, copies.Backup, db, copied)
		if again := mustCopy(t, copies.Restore, copied, address); again != c || c.Tables != 4 || c.Entries != 82 {
			t.Errorf("restored are %+v of %+v", again, c)
		}
		on := mustOpenServer(t, address)
		wantAll(t, on, was)
		if again := mustCopy(t, copies.Backup, address, back); again != c { // of a house that is open
			t.Errorf("backed up are %+v of %+v", again, c)
		}
		mustAppend(t, on, "é", 41)
		mustAppend(t, on, "new", 1)
		db = filepath.Join(dir, name+".db")
		mustCopy(t, copies.Restore, back, db)
		wantAll(t, mustOpen(t, db), was)
	}
}

func wantAll(t *testing.T, s *Store, was []any) {
	t.Helper()
	if is := inventory(t, s); !reflect.DeepEqual(is, was) {
		t.Errorf("there is\n%q\nand was\n%q", is, was)
	}
}

func mustCopy(t *testing.T, do func(context.Context, string, string) (copies.Contents, error), from, to string) copies.Contents {
	t.Helper()
	c, err := do(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What a file was of before is brought up to date on its way into PostgreSQL.
func TestRestoreOfAnOlderVersionIntoAServer(t *testing.T) {
	server := pgtest.Start(t)
	old, address := ofVersion(t, []string{"schema/0001_matches.sql"}, oldMatches), server.New()
	if c := mustCopy(t, copies.Restore, old, address); c != (copies.Contents{Tables: 2, Entries: 4}) {
		t.Errorf("restored are %+v", c)
	}
	if all, err := mustOpenServer(t, address).Entries(t.Context(), "o", 0); err != nil || len(all) != 2 || !all[1].Over {
		t.Errorf("there is %v (%v)", all, err)
	}
}

// A house that is there is not overwritten, and what cannot be restored leaves none behind.
func TestNothingIsOverwrittenInAServer(t *testing.T) {
	server := pgtest.Start(t)
	copied := someDatabase(t) + ".copy"
	mustCopy(t, copies.Backup, strings.TrimSuffix(copied, ".copy"), copied)
	address := server.New()
	s := mustOpenServer(t, address)
	refuse := func(to string, words ...string) {
		t.Helper()
		_, err := copies.Restore(t.Context(), copied, to)
		wantLine(t, err, "postgres at", words...)
		if strings.Contains(err.Error(), pgtest.Password) {
			t.Errorf("%q has the password", err)
		}
	}
	mustAppend(t, s, "mine", 1)
	refuse(address, "in use by another server")
	s.Close()
	refuse(address, "a house in it already")
	storetest.Check(t, mustOpenServer(t, address), "mine", 1)

	foreign := server.New()
	server.At(foreign, "CREATE TABLE entries (mine int)")
	refuse(foreign, "tables of another program")

	empty := server.New()
	_, err := copies.Backup(t.Context(), empty, copied+".2")
	wantLine(t, err, "postgres at", "no house in it")
	if _, err := os.Stat(copied + ".2"); err == nil {
		t.Error("a backup was left of nothing")
	}
	write(t, copied, []byte("no backup"))
	if _, err := copies.Restore(t.Context(), copied, empty); err == nil {
		t.Error("what is no backup was restored")
	}
	if err := mustOpenServer(t, empty).Append(t.Context(), wire.ID("m"), storetest.Entry("m", 1)); err != nil {
		t.Error(err)
	}
	for _, x := range [][2]string{{address, address}, {"copy.db", "copy"}} {
		if _, err := copies.Backup(t.Context(), x[0], x[1]); err == nil {
			t.Errorf("%v was backed up", x)
		}
	}
	if _, err := copies.Restore(t.Context(), address, copied+".3"); err == nil {
		t.Error("what is no file was restored")
	}
}

func somePasskey(guest string, at time.Time) guests.Passkey {
	return guests.Passkey{ID: []byte("a\x00b\xff"), Guest: guest, Name: "Телефон\x00\xff", Made: at, Used: at, Check: json.RawMessage(`{"n":1}`)}
}
