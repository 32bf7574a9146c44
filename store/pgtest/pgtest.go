//go:build unix

// Package pgtest starts a PostgreSQL of its own for a test: on a socket in a folder, for nobody else, and gone with the test.
package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Password is the password of every server here. No line that anybody reads may have it.
const Password = "pa55-of-the-vault"

// A Server is a PostgreSQL server.
type Server struct {
	t        testing.TB
	bin, dir string
	as       []string // the command before a command, so that it is run as somebody else than root
	settings []string
	cmd      *exec.Cmd
	ended    chan struct{}
	names    int
}

// Start starts a server with settings, each "name=value".
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s := &Server{t: t, bin: programs(t), settings: settings}
	var err error
	if s.dir, err = os.MkdirTemp("", "caveau-pg-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.end(syscall.SIGQUIT)
		if text, err := os.ReadFile(s.dir + "/log"); err == nil && t.Failed() {
			t.Logf("PostgreSQL says at last:\n%s", text[max(0, len(text)-4000):])
		}
		os.RemoveAll(s.dir)
	})
	s.drop()
	password := filepath.Join(s.dir, "password")
	if err := os.WriteFile(password, []byte(Password), 0o644); err != nil {
		t.Fatal(err)
	}
	s.run("initdb", "-D", s.dir+"/data", "-U", "caveau", "-A", "scram-sha-256", "--pwfile", password, "-E", "UTF8", "--no-locale", "--no-sync")
	s.Begin()
	return s
}

// programs is the folder with the server's programs, of the newest version there is.
func programs(t testing.TB) string {
	if named := os.Getenv("POSTGRES"); named != "" {
		return filepath.Dir(named)
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		t.Fatal("there is no PostgreSQL here: tools/need postgres")
	}
	return filepath.Dir(slices.Max(found))
}

// drop has the server run as somebody else where we are root, as which it refuses to. Where the system can, it ends with us.
func (s *Server) drop() {
	setpriv, err := exec.LookPath("setpriv")
	if err == nil {
		s.as = []string{setpriv, "--pdeathsig", "QUIT"}
	}
	if os.Getuid() != 0 {
		return
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		who, err = user.Lookup("nobody")
	}
	if err != nil || s.as == nil {
		s.t.Fatalf("PostgreSQL does not run as root, and setpriv or another user is missing: %v", err)
	}
	uid, _ := strconv.Atoi(who.Uid)
	gid, _ := strconv.Atoi(who.Gid)
	if err := os.Chown(s.dir, uid, gid); err != nil {
		s.t.Fatal(err)
	}
	s.as = append(s.as, "--reuid", who.Uid, "--regid", who.Gid, "--clear-groups")
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	line := slices.Concat(s.as, []string{filepath.Join(s.bin, name)}, args)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = s.dir
	return cmd
}

func (s *Server) run(name string, args ...string) {
	s.t.Helper()
	if out, err := s.command(name, args...).CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// Begin starts the server, and returns once it answers.
func (s *Server) Begin() {
	s.t.Helper()
	s.begin()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		conn, err := pgx.Connect(context.Background(), s.URL("postgres", ""))
		if err == nil {
			conn.Close(context.Background())
			return
		}
		select {
		case <-s.ended: // what was killed a moment ago has not let go of its memory yet
			s.begin()
		default:
		}
		if time.Since(began) > time.Minute {
			s.t.Fatalf("PostgreSQL does not answer: %v", err)
		}
	}
}

func (s *Server) begin() {
	s.t.Helper()
	log, err := os.OpenFile(s.dir+"/log", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	args := []string{"-D", s.dir + "/data", "-k", s.dir, "-c", "listen_addresses=", "-c", "shared_buffers=16MB"}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	s.cmd, s.ended = s.command("postgres", args...), make(chan struct{})
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() { s.cmd.Wait(); close(s.ended) }()
}

// URL is the address of a database, or of a schema in it.
func (s *Server) URL(database, schema string) string { return address(s.dir, database, schema) }

func address(dir, database, schema string) string {
	query := url.Values{"host": {dir}}
	if schema != "" {
		query.Set("search_path", schema)
	}
	return fmt.Sprintf("postgres://caveau:%s@/%s?%s", Password, database, query.Encode())
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
	return address(dir, "postgres", schema)
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
	s.Signal(syscall.SIGKILL)
	<-s.ended
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
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// Restart ends the server as an administrator does, who waits for nobody, and starts it again.
func (s *Server) Restart() {
	s.t.Helper()
	s.end(syscall.SIGINT)
	s.Begin()
}

func (s *Server) end(signal os.Signal) {
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	s.cmd.Process.Signal(syscall.SIGCONT)
	s.cmd.Process.Signal(signal)
	<-s.ended
}

// Signal sends a signal to the server and each of its processes: one that is stopped has them all stopped.
func (s *Server) Signal(signal os.Signal) {
	s.t.Helper()
	pids := []int{s.cmd.Process.Pid}
	out, err := exec.Command("pgrep", "-P", strconv.Itoa(pids[0])).Output()
	if err != nil {
		s.t.Fatal(err)
	}
	for _, word := range strings.Fields(string(bytes.TrimSpace(out))) {
		pid, _ := strconv.Atoi(word)
		pids = append(pids, pid)
	}
	for _, pid := range pids {
		if p, err := os.FindProcess(pid); err == nil {
			p.Signal(signal)
		}
	}
}
