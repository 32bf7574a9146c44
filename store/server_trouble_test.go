//go:build unix

package store

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"caveau/fact"
	"caveau/guests"
	"caveau/store/pgtest"
	"caveau/store/postgres"
	"caveau/store/storetest"
	"caveau/wire"
)

// short is a patience for tests in which it has to end.
const short = time.Second

// The line is cut before a commit has come to the server, and after it was made and before anybody heard of it: either way the entry is there once, and whoever
// waits for it is told so.
func TestLostQuestionsAndAnswers(t *testing.T) {
	atBoth(t, postgres.Patience, lostQuestionsAndAnswers)
}

func lostQuestionsAndAnswers(t *testing.T, server *pgtest.Server, open func(address string) *Store) {
	line := server.Line()
	s := open(line.New())
	mustAppend(t, s, "m", 1)
	mustTake(t, s, "m")
	for seq := 2; seq <= 9; seq++ {
		happened := line.Next([]pgtest.Fault{pgtest.LoseQuestion, pgtest.LoseAnswer}[seq%2])
		mustAppend(t, s, "m", seq)
		<-happened
		storetest.Check(t, s, "m", seq)
	}
	// Who asks for more than whether it was done is not told what nobody has heard.
	if _, err := s.EndAll(t.Context(), guests.Badge{Guest: wire.Guest{ID: "ben"}}, guests.Way{}); err != nil { // once before, as a statement is prepared when it comes first
		t.Fatal(err)
	}
	happened := line.Next(pgtest.LoseAnswer)
	_, err := s.EndAll(t.Context(), guests.Badge{Guest: wire.Guest{ID: "ana"}}, guests.Way{})
	<-happened
	wantLine(t, err, "postgres at", "its answer was lost")
	wantEnded(t, s, "ana", 1)
	happened = line.Next(pgtest.LoseQuestion)
	if round, err := s.EndAll(t.Context(), guests.Badge{Guest: wire.Guest{ID: "ana"}, Round: 1}, guests.Way{}); err != nil || round != 2 {
		t.Errorf("round %d, %v", round, err)
	}
	<-happened
}

// A note whose answer was lost was changed once, and whoever changed it knows that.
func TestALostNote(t *testing.T) {
	line := pgtest.Start(t).Line()
	s := mustOpenServer(t, line.New())
	ring := func(then func()) {
		t.Helper()
		ding := func(rung string) (string, error) {
			then()
			return rung + "ding ", nil
		}
		if err := s.Change(t.Context(), "bell", ding); err != nil {
			t.Error(err)
		}
	}
	ring(func() {}) // once before, as a statement is prepared when it comes first
	var happened <-chan struct{}
	ring(func() { happened = line.Next(pgtest.LoseAnswer) })
	<-happened
	if note, err := s.Note(t.Context(), "bell"); err != nil || note != "ding ding " {
		t.Errorf("noted is %q (%v)", note, err)
	}
}

func wantEnded(t *testing.T, s *Store, guest string, want int) {
	t.Helper()
	if _, round, err := s.Ended(t.Context(), guest, "1"); err != nil || round != want {
		t.Errorf("round %d (%v), want %d", round, err, want)
	}
}

// An outage whose answer was lost is recorded once, and the next begins where it ended.
func TestALostOutage(t *testing.T) {
	line := pgtest.Start(t).Line()
	s := mustOpenServer(t, line.New())
	at := time.Date(2026, 11, 21, 10, 0, 0, 1, time.UTC)
	woke := func(hour int) {
		t.Helper()
		if err := s.Woke(t.Context(), at.Add(time.Duration(hour)*time.Hour)); err != nil {
			t.Error(err)
		}
	}
	woke(0)
	woke(1)
	if err := s.ForgetTables(t.Context(), "ana"); err != nil { // as a statement is prepared when it comes first
		t.Fatal(err)
	}
	happened := line.Next(pgtest.LoseAnswer)
	// With somebody in the same commit who wants more than to know that it was made, so that all are told that the answer was lost.
	group := []job{
		{t.Context(), func(w *writing) error { return w.woke(at.Add(2 * time.Hour)) }, make(chan error, 1)},
		{t.Context(), func(w *writing) error { return w.Do("forget_sat", new(int64), "ana") }, make(chan error, 1)},
	}
	_, err := s.commit(group)
	<-happened
	wantLine(t, s.Explain(err), "postgres at", "its answer was lost")
	woke(3)
	got, err := s.Outages(t.Context(), time.Time{})
	if err != nil || len(got) != 3 || !got[2].From.Equal(got[1].To) {
		t.Errorf("the outages are %v (%v)", got, err)
	}
}

// besiege has some tables append while something is done to their server, and then checks that what was acknowledged is there, once, and that
// whoever was refused was told the truth. It is how often somebody was refused.
func besiege(t *testing.T, s *Store, trouble func(acknowledged *atomic.Int64)) (refused int64) {
	t.Helper()
	var stop atomic.Bool
	var acknowledged, refusals atomic.Int64
	var playing sync.WaitGroup
	last := make([]int, 8)
	for i := range last {
		id := wire.ID(fmt.Sprint("m", i))
		mustAppend(t, s, id, 1)
		mustTake(t, s, id)
		last[i] = 1
		playing.Go(func() {
			for !stop.Load() {
				err := s.Append(t.Context(), id, storetest.Entry(id, last[i]+1))
				if err == nil {
					last[i]++
					acknowledged.Add(1)
					continue
				}
				refusals.Add(1)
				if errors.Is(err, fact.ErrConflict) {
					t.Errorf("table %s, entry %d: %v", id, last[i]+1, err)
					return
				}
				if strings.Contains(err.Error(), pgtest.Password) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%q", err)
				}
				// As the owner of a table does: what has become of it is found out by reading.
				got, err := s.Entries(t.Context(), id, last[i])
				for err != nil && !stop.Load() {
					time.Sleep(time.Millisecond)
					got, err = s.Entries(t.Context(), id, last[i])
				}
				last[i] += len(got)
			}
		})
	}
	trouble(&acknowledged)
	stop.Store(true)
	playing.Wait()
	for i, n := range last {
		id := wire.ID(fmt.Sprint("m", i))
		got, err := s.Entries(t.Context(), id, 0)
		if err != nil || len(got) < n || len(got) > n+1 { // the last may be one of which nobody was told
			t.Fatalf("%s has %d entries (%v), and %d were acknowledged", id, len(got), err, n)
		}
		storetest.Check(t, s, id, len(got))
	}
	return refusals.Load()
}

func await(acknowledged *atomic.Int64, more int64) {
	for before := acknowledged.Load(); acknowledged.Load() < before+more; {
		time.Sleep(time.Millisecond)
	}
}

// The server is killed under load, all of it and without a word, and started again: the house goes on by itself.
func TestServerIsKilled(t *testing.T) { atBoth(t, postgres.Patience, serverIsKilled) }

func serverIsKilled(t *testing.T, server *pgtest.Server, open func(address string) *Store) {
	s := open(server.New())
	rng := rand.New(rand.NewPCG(1, 2))
	refused := besiege(t, s, func(acknowledged *atomic.Int64) {
		for range 5 {
			await(acknowledged, int64(20+rng.IntN(100)))
			server.Kill()
			server.Begin()
		}
		await(acknowledged, 20)
	})
	t.Logf("%d times somebody was refused", refused)
}

// An administrator restarts the server, and ends the session that writes in the middle of commits: nobody is refused.
func TestSessionIsEnded(t *testing.T) { atBoth(t, postgres.Patience, sessionIsEnded) }

func sessionIsEnded(t *testing.T, server *pgtest.Server, open func(address string) *Store) {
	s := open(server.New())
	rng := rand.New(rand.NewPCG(3, 4))
	ended := 0
	refused := besiege(t, s, func(acknowledged *atomic.Int64) {
		for ended < 30 {
			await(acknowledged, int64(1+rng.IntN(20)))
			ended += server.Hangup()
		}
		await(acknowledged, 20)
	})
	if refused > 0 {
		t.Errorf("%d times somebody was refused, while %d sessions were ended", refused, ended)
	}
}

// A server that does not answer is waited for no longer than the patience; nothing is read before it is known what has become of the commit, and once it
// answers the house goes on by itself.
func TestServerIsStopped(t *testing.T) { atBoth(t, short, serverIsStopped) }

func serverIsStopped(t *testing.T, server *pgtest.Server, open func(address string) *Store) {
	s := open(server.New())
	mustAppend(t, s, "m", 1)
	mustTake(t, s, "m")
	mustAppend(t, s, "m", 2)
	server.Signal(syscall.SIGSTOP)
	wantLine(t, s.Append(t.Context(), "m", storetest.Entry("m", 3)), "postgres at", "may be there or not")
	_, err := s.Entries(t.Context(), "m", 0)
	wantLine(t, err, "postgres at", "is not read before it is known")
	wantLine(t, s.Append(t.Context(), "m", storetest.Entry("m", 3)), "postgres at", "does not answer in time")
	if s.Trouble() == nil {
		t.Error("a house that cannot write says that it is well")
	}
	server.Signal(syscall.SIGCONT)
	got, err := s.Entries(t.Context(), "m", 0) // nobody need write before
	for ; err != nil; got, err = s.Entries(t.Context(), "m", 0) {
		time.Sleep(time.Millisecond)
	}
	if len(got) < 2 || len(got) > 3 {
		t.Fatalf("there are %d entries", len(got))
	}
	mustAppend(t, s, "m", len(got)+1)
	storetest.Check(t, s, "m", len(got)+1)
}

// Two houses have no database in common. One that has lost its connection, while another came, writes no more, whatever it believes, and says so.
func TestTwoHouses(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	first := mustOpenServer(t, address)
	mustAppend(t, first, "m", 1)
	_, err := openServer(t.Context(), address, short)
	wantLine(t, err, "postgres at", "in use by another server")
	if n := server.Hangup(); n != 1 {
		t.Fatalf("%d sessions had a lock", n)
	}
	second := mustOpenServer(t, address)
	mustAppend(t, second, "m", 2)
	for range 2 {
		wantLine(t, first.Append(t.Context(), "m", storetest.Entry("m", 3)), "postgres at", "taken over by another server")
	}
	mustAppend(t, second, "m", 3)
	second.Close()
	wantLine(t, first.Append(t.Context(), "m", storetest.Entry("m", 4)), "postgres at", "taken over by another server")
	storetest.Check(t, first, "m", 3)

	// It is the epoch that counts, whoever has the lock.
	third := mustOpenServer(t, address)
	server.At(address, "DELETE FROM nodes")
	wantLine(t, third.Append(t.Context(), "m", storetest.Entry("m", 4)), "postgres at", "taken over by another server")
	storetest.Check(t, third, "m", 3)
}

// Were another to write to a table all the same, it is a conflict for whoever writes the same number, and for nobody who shares a commit with him.
func TestTheKeyIsTheLastGuard(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	s := mustOpenServer(t, address)
	mustAppend(t, s, "a", 1)
	mustAppend(t, s, "b", 1)
	server.At(address, "INSERT INTO entries SELECT match, 2, at, data, over FROM entries JOIN matches ON key = match WHERE id = 'a'")
	var group []job
	for _, id := range []wire.ID{"a", "b"} {
		group = append(group, job{t.Context(), func(w *writing) error { return w.append(id, storetest.Entry(id, 2)) }, make(chan error, 1)})
	}
	s.answer(group)
	if err := <-group[0].done; !errors.Is(err, fact.ErrConflict) {
		t.Errorf("%v, want a conflict", err)
	}
	if err := <-group[1].done; err != nil {
		t.Error(err)
	}
	storetest.Check(t, s, "b", 2)
}

// Of two transactions that wait for each other the server undoes one. If that is ours it is sent again, and nobody is refused.
func TestADeadlock(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	s := mustOpenServer(t, address)
	mustAppend(t, s, "m", 1)
	server.At(address, `CREATE SEQUENCE knots;
		CREATE FUNCTION knot() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF nextval('knots') < 3 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
			RETURN NEW;
		END $$;
		CREATE TRIGGER knot BEFORE INSERT ON entries FOR EACH STATEMENT EXECUTE FUNCTION knot()`)
	mustAppend(t, s, "m", 2)
	storetest.Check(t, s, "m", 2)
}

// stranger is where a server listens for whose certificate nobody vouches.
func stranger(t *testing.T) (address string) {
	t.Helper()
	shows := httptest.NewTLSServer(nil)
	t.Cleanup(shows.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			var asks [8]byte // for TLS, as PostgreSQL has it
			io.ReadFull(conn, asks[:])
			io.WriteString(conn, "S")
			tls.Server(conn, shows.TLS).Handshake()
			conn.Close()
		}
	}()
	return l.Addr().String()
}

// What cannot be opened is said in one line that has no password in it, and what is somebody else's stays as it is.
func TestServersThatAreRefused(t *testing.T) {
	server := pgtest.Start(t)
	server.Exec("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
	server.Exec("CREATE ROLE guest LOGIN PASSWORD '" + pgtest.Password + "'")
	foreign, newer := server.New(), server.New()
	server.At(foreign, "CREATE TABLE visits (url text)")
	mustOpenServer(t, newer).Close()
	server.At(newer, "UPDATE caveau SET speaks = 1000")
	for address, says := range map[string]string{
		server.New() + "&synchronous_commit=off":                                              "does not sync",
		server.URL("latin", ""):                                                               "is not in UTF8",
		server.URL("nowhere", ""):                                                             "is not there",
		server.URL("postgres", "nowhere"):                                                     "no schema",
		strings.Replace(server.New(), ":"+pgtest.Password, ":wrong", 1):                       "does not let this user in",
		strings.Replace(server.URL("postgres", ""), "//caveau:", "//guest:", 1):               "may not be written",
		strings.Replace(server.New(), "host=", "host=/nowhere", 1):                            "cannot be reached",
		"postgres://caveau:" + pgtest.Password + "@" + stranger(t) + "/x?sslmode=verify-full": "sslrootcert",
		server.New() + "&default_transaction_read_only=on":                                    "read only",
		foreign: "tables of another program",
		newer:   "start the newer program",
		"postgres://caveau:" + pgtest.Password + "@host:port/x": "cannot be read",
	} {
		t.Run(says, func(t *testing.T) {
			s, err := openServer(t.Context(), address, time.Second)
			if err == nil {
				s.Close()
			}
			wantLine(t, err, "the", says)
			if err != nil && (strings.Contains(err.Error(), pgtest.Password) || strings.Contains(err.Error(), "wrong")) {
				t.Errorf("%q has the password", err)
			}
		})
	}
}
