//go:build unix

// Package pgtest starts a PostgreSQL of its own for a test, gone with the test.
package pgtest

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"caveau/store/pgserver"
)

// Password is the password of every server here. No line that anybody reads may have it.
const Password = "pa55-of-the-vault"

// A Server is a PostgreSQL server.
type Server struct {
	*pgserver.Server
	t     testing.TB
	dir   string
	names int
}

// Start starts a server with settings, each "name=value".
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	dir, err := os.MkdirTemp(memory(), "caveau-pg-")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, dir: dir}
	if s.Server, err = pgserver.Make(dir, Password, settings...); err != nil {
		os.RemoveAll(dir)
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.End(syscall.SIGQUIT)
		if t.Failed() {
			t.Logf("PostgreSQL says at last:\n%s", s.Log())
		}
		os.RemoveAll(dir)
	})
	s.Begin()
	return s
}

// memory is a folder of files that are in memory, "" where there is none with room: what a server syncs there is synced at once. On a disk it would wait for whatever else
// a machine writes that builds and tests, for longer than a house waits for it.
func memory() string {
	const folder, room = "/dev/shm", 4 << 30
	var disk unix.Statfs_t
	if unix.Statfs(folder, &disk) != nil || int64(disk.Bavail)*int64(disk.Bsize) < room {
		return ""
	}
	return folder
}

// Begin starts the server, and returns once it answers.
func (s *Server) Begin() {
	s.t.Helper()
	s.must(s.Server.Begin())
}

func (s *Server) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// New is the address of a place for a house that nobody has used.
func (s *Server) New() string {
	s.t.Helper()
	return s.newAt(s.dir)
}

func (s *Server) newAt(dir string) string {
	s.t.Helper()
	s.names++
	schema := fmt.Sprintf("house%d", s.names)
	s.Exec("CREATE SCHEMA " + schema)
	return s.Server.At(dir, "postgres", schema)
}

// Exec has the server do something.
func (s *Server) Exec(text string, args ...any) {
	s.t.Helper()
	s.At(s.URL("postgres", ""), text, args...)
}

// At has something done at an address.
func (s *Server) At(address, text string, args ...any) {
	s.t.Helper()
	conn, err := pgx.Connect(context.Background(), address)
	if err == nil {
		defer conn.Close(context.Background())
		_, err = conn.Exec(context.Background(), text, args...)
	}
	if err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
}

// Kill ends the server at once, with all its processes and without a word to anybody.
func (s *Server) Kill() {
	s.t.Helper()
	s.must(s.Server.Kill())
}

// Hangup ends the sessions that write for houses, as an administrator may, and is how many those were.
func (s *Server) Hangup() (n int) {
	s.t.Helper()
	conn, err := pgx.Connect(context.Background(), s.URL("postgres", ""))
	if err == nil {
		defer conn.Close(context.Background())
		err = conn.QueryRow(context.Background(),
			"SELECT count(*) FROM (SELECT pg_terminate_backend(pid) AS ended FROM pg_locks WHERE locktype = 'advisory' AND granted) AS x WHERE ended").Scan(&n)
	}
	s.must(err)
	return n
}

// Restart ends the server as an administrator does, who waits for nobody, and starts it again.
func (s *Server) Restart() {
	s.t.Helper()
	s.End(syscall.SIGINT)
	s.Begin()
}

// Signal sends SIGKILL, SIGSTOP or SIGCONT to each of the server's processes: one that is stopped has them all stopped.
func (s *Server) Signal(signal os.Signal) {
	s.t.Helper()
	s.must(s.Server.Signal(signal))
}
