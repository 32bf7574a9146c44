//go:build unix

// Package pgserver starts a PostgreSQL of one's own: on a socket in a folder, for nobody else. Tests have one (package pgtest), and so has a cluster that is tried on one machine.
package pgserver

import (
	"context"
	"errors"
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
	"time"

	"github.com/jackc/pgx/v5"
)

// A Server is a PostgreSQL server.
type Server struct {
	bin, dir, password string
	as                 []string // the command before a command, so that it is run as somebody else than root
	settings           []string
	cmd                *exec.Cmd
	ended              chan struct{}
}

// answerTime is how long a server may take until it answers.
const answerTime = time.Minute

// Make makes a server in a folder that is there and empty, for a user caveau with that password, with settings, each "name=value"; Begin starts it.
func Make(dir, password string, settings ...string) (s *Server, err error) {
	s = &Server{dir: dir, password: password, settings: settings}
	if s.bin, err = programs(); err != nil {
		return nil, err
	}
	if err = s.drop(); err != nil {
		return nil, err
	}
	file := filepath.Join(s.dir, "password")
	if err = os.WriteFile(file, []byte(password), 0o644); err != nil {
		return nil, err
	}
	defer os.Remove(file)
	cmd := s.command("initdb", "-D", s.dir+"/data", "-U", "caveau", "-A", "scram-sha-256", "--pwfile", file, "-E", "UTF8", "--no-locale", "--no-sync")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return s, nil
}

// programs is the folder with the server's programs, of the newest version there is.
func programs() (string, error) {
	if named := os.Getenv("POSTGRES"); named != "" {
		return filepath.Dir(named), nil
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		return "", errors.New("there is no PostgreSQL here: tools/need postgres")
	}
	return filepath.Dir(slices.Max(found)), nil
}

// drop has the server run as somebody else where we are root, as which it refuses to. Where the system can, it ends with us.
func (s *Server) drop() error {
	setpriv, err := exec.LookPath("setpriv")
	if err == nil {
		s.as = []string{setpriv, "--pdeathsig", "QUIT"}
	}
	if os.Getuid() != 0 {
		return nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		who, err = user.Lookup("nobody")
	}
	if err != nil || s.as == nil {
		return fmt.Errorf("PostgreSQL does not run as root, and setpriv or another user is missing: %v", err)
	}
	uid, _ := strconv.Atoi(who.Uid)
	gid, _ := strconv.Atoi(who.Gid)
	s.as = append(s.as, "--reuid", who.Uid, "--regid", who.Gid, "--clear-groups")
	return os.Chown(s.dir, uid, gid)
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	line := slices.Concat(s.as, []string{filepath.Join(s.bin, name)}, args)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // who stops us by a key stops it by our word, after all that lean on it
	return cmd
}

// Begin starts the server, and returns once it answers.
func (s *Server) Begin() error {
	err := s.begin()
	for began := time.Now(); err == nil; time.Sleep(10 * time.Millisecond) {
		conn, refused := pgx.Connect(context.Background(), s.URL("postgres", ""))
		if refused == nil {
			return conn.Close(context.Background())
		}
		if time.Since(began) > answerTime {
			return fmt.Errorf("PostgreSQL does not answer: %w", refused)
		}
		select {
		case <-s.ended: // what was killed a moment ago has not let go of its memory yet
			err = s.begin()
		default:
		}
	}
	return err
}

func (s *Server) begin() error {
	log, err := os.OpenFile(s.dir+"/log", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"-D", s.dir + "/data", "-k", s.dir, "-c", "listen_addresses=", "-c", "shared_buffers=16MB"}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	cmd, ended := s.command("postgres", args...), make(chan struct{})
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd, s.ended = cmd, ended
	go func() { cmd.Wait(); close(ended) }()
	return nil
}

// Log is the end of what the server says in its log.
func (s *Server) Log() string {
	text, _ := os.ReadFile(s.dir + "/log")
	return string(text[max(0, len(text)-4000):])
}

// URL is the address of a database, or of a schema in it.
func (s *Server) URL(database, schema string) string { return s.At(s.dir, database, schema) }

// At is such an address by a socket in another folder.
func (s *Server) At(dir, database, schema string) string {
	query := url.Values{"host": {dir}}
	if schema != "" {
		query.Set("search_path", schema)
	}
	return fmt.Sprintf("postgres://caveau:%s@/%s?%s", s.password, database, query.Encode())
}

// Pid is the number of the server's first process, whose children are the others.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

// End ends the server by a signal, and returns when it has.
func (s *Server) End(signal os.Signal) {
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Signal(syscall.SIGCONT)
	s.cmd.Process.Signal(signal)
	<-s.ended
}

// Kill ends the server at once, with all its processes and without a word to anybody.
func (s *Server) Kill() error {
	err := s.Signal(syscall.SIGKILL)
	<-s.ended
	return err
}

// Signal sends SIGKILL, SIGSTOP or SIGCONT to each of the server's processes, and to the first last. That one is stopped before they are counted: it could be about to begin
// another, which would be left, might wait for ever for one that is dead, and would keep whoever begins from the memory that they shared.
func (s *Server) Signal(signal os.Signal) error {
	first := s.cmd.Process
	if err := first.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	for !stopped(first.Pid) {
		time.Sleep(time.Millisecond)
	}
	out, err := exec.Command("pgrep", "-P", strconv.Itoa(first.Pid)).Output()
	if err != nil {
		return fmt.Errorf("pgrep: %w", err)
	}
	for _, word := range strings.Fields(string(out)) {
		pid, _ := strconv.Atoi(word)
		if p, err := os.FindProcess(pid); err == nil {
			p.Signal(signal)
		}
	}
	return first.Signal(signal)
}

// stopped tells whether a process that was told to stop has done so: on a busy machine it may be about to begin another a while yet. Where the system has no /proc it is believed.
func stopped(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(text), ") ")
	return err != nil || strings.HasPrefix(state, "T") || strings.HasPrefix(state, "Z")
}
