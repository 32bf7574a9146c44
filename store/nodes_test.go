//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"caveau/fact"
	"caveau/guests"
	"caveau/store/pgtest"
	"caveau/store/postgres"
	"caveau/store/storetest"
	"caveau/wire"
)

// atBoth tells a story of a house alone in its database, and of one that has several nodes.
func atBoth(t *testing.T, patience time.Duration, story func(t *testing.T, server *pgtest.Server, open func(address string) *Store)) {
	server := pgtest.Start(t)
	for name, open := range map[string]func(t *testing.T, address string) (*Store, error){
		"alone": func(t *testing.T, address string) (*Store, error) { return openServer(t.Context(), address, patience) },
		"node": func(t *testing.T, address string) (*Store, error) {
			return joinServer(t.Context(), address, wire.Speaks, time.Hour, patience)
		},
	} {
		t.Run(name, func(t *testing.T) {
			story(t, server, func(address string) *Store {
				s, err := open(t, address)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { s.Close() })
				return s
			})
		})
	}
}

// mustTake has a table be a node's, as it is while the node writes to it. A house alone has all.
func mustTake(t testing.TB, s *Store, id wire.ID) (term int64) {
	t.Helper()
	if s.deeds == nil {
		return 0
	}
	term, err := s.deeds.Take(t.Context(), id)
	if err != nil || term == 0 {
		t.Fatalf("the table %s is taken for the term %d (%v)", id, term, err)
	}
	return term
}

// mustAsk asks a database for something.
func mustAsk[T any](t *testing.T, address, question string) (answer T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), question).Scan(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// awaitLocks waits until so many sessions wait for others.
func awaitLocks(t *testing.T, address string, n int) {
	t.Helper()
	for mustAsk[int](t, address, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") != n {
		time.Sleep(time.Millisecond)
	}
}

// inTheMiddle has a node append the second entry of a table, and keeps its transaction from its end until let.
func inTheMiddle(t *testing.T, address string, s *Store, id wire.ID) (appended <-chan error, let func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	tx, err := conn.Begin(t.Context())
	if err == nil {
		_, err = tx.Exec(t.Context(), "INSERT INTO entries SELECT key, 2, '', '', false FROM matches WHERE id = $1", string(id))
	}
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Append(context.Background(), id, storetest.Entry(id, 2)) }()
	awaitLocks(t, address, 1)
	return done, func() {
		if err := tx.Rollback(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// patient is a patience for tests in which it must not end.
const patient = time.Minute

func mustJoinPatiently(t *testing.T, address string) *Store {
	t.Helper()
	s, err := joinServer(t.Context(), address, wire.Speaks, time.Hour, patient)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// While a commit of one node takes its time the others write, take tables and give them back; and that node's lease is renewed by then.
func TestNoNodeWaitsForAnother(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	slow, here := mustJoinPatiently(t, address), mustJoin(t, address, time.Hour)
	mustAppend(t, slow, "slow", 1)
	mustAppend(t, here, "m", 1)
	appended, let := inTheMiddle(t, address, slow, "slow")
	for seq := 2; seq < 5; seq++ {
		mustAppend(t, here, "m", seq)
	}
	mustAppend(t, here, "new", 1)
	for _, s := range []*Store{here, slow} {
		if err := s.deeds.Give(t.Context(), "m", mustTake(t, s, "m"), fact.Stopped); err != nil {
			t.Error(err)
		}
	}
	if free, err := here.deeds.Sweep(t.Context()); len(free) > 0 || err != nil {
		t.Errorf("swept are %v (%v)", free, err)
	}
	mustJoin(t, address, time.Hour)
	select {
	case err := <-appended:
		t.Errorf("the commit has ended: %v", err)
	default:
	}
	let()
	if err := <-appended; err != nil {
		t.Error(err)
	}
}

// A node whose lease is over while its commit is on its way is swept when that has ended: whoever takes the table has what was acknowledged. Others are swept meanwhile.
func TestSweptInACommit(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	late, dead, here := mustJoinPatiently(t, address), mustJoinPatiently(t, address), mustJoinPatiently(t, address)
	for id, s := range map[wire.ID]*Store{"m": late, "o": dead} {
		mustAppend(t, s, id, 1)
		mustTake(t, s, id)
		if err := s.deeds.Renew(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	appended, let := inTheMiddle(t, address, late, "m")
	if free, err := here.deeds.Sweep(t.Context()); err != nil || !slices.Equal(free, []wire.ID{"o"}) {
		t.Errorf("while one is about to commit swept are %v (%v)", free, err)
	}
	let()
	if err := <-appended; err != nil {
		t.Error(err)
	}
	if free, err := here.deeds.Sweep(t.Context()); err != nil || !slices.Equal(free, []wire.ID{"m"}) {
		t.Errorf("swept are %v (%v)", free, err)
	}
	if err := late.Append(t.Context(), "m", storetest.Entry("m", 3)); !errors.Is(err, fact.ErrEpoch) {
		t.Errorf("afterwards it appends: %v", err)
	}
	if last, err := here.deeds.Confirm(t.Context(), "m", mustTake(t, here, "m")); err != nil || last != 2 {
		t.Errorf("the last entry is %d (%v)", last, err)
	}
	mustAppend(t, here, "m", 3)
	storetest.Check(t, here, "m", 3)
}

// A commit that comes to the server when its node has another connection, and has told that it was not made, is refused.
func TestACommitThatComesTooLate(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	s, err := joinServer(t.Context(), address, wire.Speaks, time.Hour, short)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustAppend(t, s, "m", 1)
	mustTake(t, s, "m")
	mustAppend(t, s, "m", 2) // as what it says is prepared when it is said first
	const session = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' ORDER BY pid"
	pid := mustAsk[int](t, address, session)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGCONT)
	wantLine(t, s.Append(t.Context(), "m", storetest.Entry("m", 3)), "postgres at", "does not answer in time")
	storetest.Check(t, s, "m", 2)
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	for mustAsk[int](t, address, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") > 1 {
		time.Sleep(time.Millisecond)
	}
	storetest.Check(t, s, "m", 2)
	mustAppend(t, s, "m", 3)
	storetest.Check(t, s, "m", 3)
}

// A house alone and one of several nodes are not open at once. Which of them loses the database writes no more.
func TestAloneOrSeveral(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	alone := mustOpenServer(t, address)
	mustAppend(t, alone, "m", 1)
	_, err := joinServer(t.Context(), address, wire.Speaks, time.Hour, short)
	wantLine(t, err, "postgres at", "in use by another server")
	server.Hangup()
	here, there := mustJoin(t, address, time.Hour), mustJoin(t, address, time.Hour)
	mustAppend(t, here, "m", 2)
	mustAppend(t, there, "m", 3)
	wantLine(t, alone.Append(t.Context(), "m", storetest.Entry("m", 4)), "postgres at", "taken over by another server")
	_, err = openServer(t.Context(), address, short)
	wantLine(t, err, "postgres at", "in use by another server")
	mustTake(t, here, "m")
	for mustAsk[int](t, address, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") > 0 {
		server.Hangup()
	}
	again := mustOpenServer(t, address)
	mustAppend(t, again, "m", 4)
	for _, s := range []*Store{here, there} {
		if err := s.Append(t.Context(), "m", storetest.Entry("m", 5)); !errors.Is(err, fact.ErrEpoch) {
			t.Errorf("a node writes: %v", err)
		}
	}
	storetest.Check(t, here, "m", 4)
	if n := mustAsk[int](t, address, "SELECT count(*) FROM deeds"); n != 0 {
		t.Errorf("%d tables are owned in a house alone", n)
	}
}

// Nodes that come at once to a database that nobody has used, or that is of a version before, find it as it has to be.
func TestNodesMigrateAtOnce(t *testing.T) {
	server := pgtest.Start(t)
	fresh, old := server.New(), server.New()
	for _, name := range []string{"0001_house", "0002_ways", "0003_nodes"} {
		text, err := os.ReadFile("postgres/schema/" + name + ".sql")
		if err != nil {
			t.Fatal(err)
		}
		server.At(old, string(text))
	}
	server.At(old, "UPDATE caveau SET version = 3, epoch = 7, commits = 40, at = '2026-11-23T10:00:00.000000000Z'")
	server.At(old, "INSERT INTO matches (key, id, created, due) VALUES (1234, 'old', '2026-11-23T10:00:00.000000000Z', '')")
	for _, address := range []string{fresh, old} {
		var joining sync.WaitGroup
		for i := range 4 {
			joining.Go(func() {
				s, err := joinServer(t.Context(), address, wire.Speaks, time.Hour, postgres.Patience)
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				id := wire.ID(fmt.Sprint("new", i))
				if err := s.Append(t.Context(), id, storetest.Entry(id, 1)); err != nil {
					t.Error(err)
				}
			})
		}
		joining.Wait()
	}
	if n := mustAsk[int](t, old, "SELECT count(*) FROM matches WHERE key > 1234"); n != 4 {
		t.Errorf("%d tables have numbers of their own", n)
	}
	if epoch := mustAsk[int](t, old, "SELECT epoch FROM caveau"); epoch != 8 {
		t.Errorf("a house of before may go on: the epoch is %d", epoch)
	}
	if at, err := mustJoin(t, old, 0).LastAlive(t.Context()); err != nil || at.Hour() != 10 {
		t.Errorf("the house was alive at %v (%v)", at, err)
	}
}

// Of programs that are made in one place at several nodes at once each round is one's, and nobody else has a name.
func TestProgramsOfSeveralNodes(t *testing.T) {
	server := pgtest.Start(t)
	address := server.New()
	nodes := []*Store{mustJoin(t, address, time.Hour), mustJoin(t, address, time.Hour), mustJoin(t, address, time.Hour)}
	by := guests.Badge{Guest: wire.Guest{ID: "ana"}, Session: "1"}
	const rounds = 30
	var making sync.WaitGroup
	made := make([][rounds]bool, len(nodes))
	begins := make([]sync.WaitGroup, rounds)
	for round := range begins {
		begins[round].Add(len(nodes))
	}
	name := func(node, round int) string { return fmt.Sprint(round, " of ", node) }
	for i, s := range nodes {
		making.Go(func() {
			for round := range rounds {
				begins[round].Done()
				begins[round].Wait()
				var err error
				if made[i][round], err = s.MakeProgram(t.Context(), "place", round+1, wire.Guest{ID: name(i, round), Name: "P"}, by); err != nil {
					t.Error(err)
				}
			}
		})
	}
	making.Wait()
	for round := range rounds {
		n := 0
		for i, s := range nodes {
			names, err := s.Names(t.Context(), name(i, round))
			if len(names) > 0 != made[i][round] || err != nil {
				t.Errorf("round %d is made by node %d: %v, and is called %v (%v)", round+1, i, made[i][round], names, err)
			}
			if made[i][round] {
				n++
			}
		}
		if n != 1 {
			t.Errorf("round %d is made %d times", round+1, n)
		}
	}
}
