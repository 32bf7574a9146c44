package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// experiment takes seconds, of which what is done to it here needs the first tenths.
var experiment = fmt.Sprintf(`{"about":"Who begins?","seed":9,"deals":%d,"tables":[
	{"game":"dawn-under","editions":["2004"],"players":[2],"bots":["random"],"moves":1500},{"game":"toc-toc-toc","players":[3],"bots":["random"]}]}`, games/2)

// A desk is a folder with an experiment in it, and then with what came out.
type desk struct {
	*testing.T
	dir string
}

func newLab(t *testing.T) desk {
	l := desk{t, t.TempDir()}
	if err := os.WriteFile(l.file("begins.json"), []byte(experiment), 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l desk) file(name string) string { return filepath.Join(l.dir, name) }

func (l desk) read(name string) string {
	text, err := os.ReadFile(l.file(name))
	if err != nil && !os.IsNotExist(err) {
		l.Fatal(err)
	}
	return string(text)
}

// until ends an experiment that runs as a process of its own, once it has written so many rows.
// One that came to its end before that could be seen, beside a busy machine, is played again from where it began; one that always does is not ended by that signal.
func (l desk) until(rows int, end os.Signal) (code int, stderr string) {
	began := l.read("begins.jsonl")
	for range 10 {
		code, stderr, whole := l.ended(rows, end)
		if !whole {
			return code, stderr
		}
		l.Log("it had come to its end before")
		if err := os.WriteFile(l.file("begins.jsonl"), []byte(began), 0o600); err != nil {
			l.Fatal(err)
		}
		for _, name := range []string{"begins.csv", "begins.html"} {
			if err := os.Remove(l.file(name)); err != nil {
				l.Fatal(err)
			}
		}
	}
	l.Fatalf("ten times it had come to its end before %v ended it", end)
	return 0, ""
}

// ended says too whether the experiment had come to its end before the signal did.
func (l desk) ended(rows int, end os.Signal, flags ...string) (code int, stderr string, whole bool) {
	cmd := exec.Command(os.Args[0], slices.Concat([]string{"lab", "run"}, flags, []string{l.file("begins.json")})...)
	cmd.Env = append(os.Environ(), "CAVEAU_TEST_IS_CAVEAU=1", "GOMAXPROCS=2")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		l.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for strings.Count(l.read("begins.jsonl"), "\n") < rows {
		select {
		case err := <-ended:
			if err != nil {
				l.Fatalf("it ended before it had written %d rows: %v, %s", rows, err, said.String())
			}
			return exitOK, said.String(), true
		default:
			patience()
		}
	}
	if err := cmd.Process.Signal(end); err != nil && !errors.Is(err, os.ErrProcessDone) {
		l.Fatal(err)
	}
	err := <-ended
	return cmd.ProcessState.ExitCode(), said.String(), err == nil
}

// An experiment that is killed and interrupted on its way has in the end the files of one that was not.
func TestAnExperimentIsGoneOnWith(t *testing.T) {
	unbroken, broken := newLab(t), newLab(t)
	code, stdout, stderr := say(t, "lab", "run", unbroken.file("begins.json"))
	if code != exitOK || !strings.HasPrefix(stdout, fmt.Sprintf("%d games are in ", games)) || !strings.HasSuffix(stderr, fmt.Sprintf("%d of %[1]d games\n", games)) {
		t.Fatalf("caveau lab run: %d, %s%s", code, stdout, stderr)
	}
	broken.until(5, syscall.SIGKILL)
	if broken.read("begins.html") != "" {
		t.Error("there is a report of what was killed")
	}
	broken.until(20, syscall.SIGKILL)
	code, said := broken.until(50, os.Interrupt)
	if code != exitFault || !strings.Contains(said, "caveau lab: interrupted after ") || !strings.Contains(said, "the same command goes on") {
		t.Errorf("interrupted it ends with %d and says %q", code, said)
	}
	if code, _, stderr := say(t, "lab", "run", broken.file("begins.json")); code != exitOK || strings.HasPrefix(stderr, "0 of") {
		t.Errorf("the last time it says %d, %s", code, stderr)
	}
	for _, name := range []string{"begins.jsonl", "begins.csv", "begins.html"} {
		if text := unbroken.read(name); text == "" || broken.read(name) != text {
			t.Errorf("%s is another one than where nobody was in the way", name)
		}
	}
}

// Where a machine was killed with games in its hands, those that come after it have the files of one alone, each of them.
func TestAnExperimentOfSeveralMachines(t *testing.T) {
	unbroken := newLab(t)
	if code, _, stderr := say(t, "lab", "run", unbroken.file("begins.json")); code != exitOK {
		t.Fatal(stderr)
	}
	bus, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	bus.Start()
	defer bus.Shutdown()
	if !bus.ReadyForConnections(10 * time.Second) {
		t.Fatal("no bus")
	}
	newLab(t).ended(20, syscall.SIGKILL, "--bus", bus.ClientURL()) // at best on its way; the others have the same to do where it was quicker
	var machines []desk
	var left sync.WaitGroup
	for range 2 {
		l := newLab(t)
		machines = append(machines, l)
		left.Go(func() {
			if code, stdout, stderr := say(t, "lab", "run", "--bus", bus.ClientURL(), l.file("begins.json")); code != exitOK || !strings.HasPrefix(stdout, fmt.Sprintf("%d games are in ", games)) {
				t.Errorf("a machine ends with %d, %s%s", code, stdout, stderr)
			}
		})
	}
	left.Wait()
	for _, l := range machines {
		for _, name := range []string{"begins.jsonl", "begins.csv", "begins.html"} {
			if text := unbroken.read(name); text == "" || l.read(name) != text {
				t.Errorf("%s is another one than that of one machine", name)
			}
		}
	}
	code, _, stderr := say(t, "lab", "run", "--bus", "nats://127.0.0.1:1", unbroken.file("begins.json"))
	if code != exitFault || !strings.Contains(stderr, "caveau lab: the bus at nats://127.0.0.1:1: ") {
		t.Errorf("without a bus it ends with %d, %s", code, stderr)
	}
}

// What cannot be played is said in one line and ends with 2; what could not be done, with 1.
func TestLabRefused(t *testing.T) {
	l := newLab(t)
	for name, text := range map[string]string{"none.json": `{"seed":1,"deals":1,"tables":[]}`, "letter.jsonl": "Dear Ana,\n"} {
		if err := os.WriteFile(l.file(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{}, exitUsage, "it knows run, ladder and duel"},
		{[]string{"fly"}, exitUsage, "it knows run, ladder and duel"},
		{[]string{"run"}, exitUsage, "usage: caveau lab run [flags] FILE"},
		{[]string{"run", "-h"}, exitOK, "usage: caveau lab run [flags] FILE"},
		{[]string{"run", l.file("nowhere.json")}, exitUsage, "nowhere.json"},
		{[]string{"run", l.file("none.json")}, exitUsage, "none.json: tables: there is none"},
		{[]string{"run", "--first", fmt.Sprint(games - 1), "--number", "2", l.file("begins.json")}, exitUsage, fmt.Sprint("games 0 to ", games-1)},
		{[]string{"run", "--out", l.file("letter"), l.file("begins.json")}, exitFault, "letter.jsonl: line 1 is no row"},
		{[]string{"run", "--out", l.file("none/x"), l.file("begins.json")}, exitFault, "none"},
		{[]string{"ladder", "--game", "chess"}, exitUsage, `no game called "chess"`},
		{[]string{"ladder", "--players", "two"}, exitUsage, "two"},
		{[]string{"ladder", "--bot", "random"}, exitUsage, "two or more"},
		{[]string{"ladder", "--game", "toc-toc-toc", "--edition", "1904"}, exitUsage, "1904"},
		{[]string{"ladder", "now"}, exitUsage, "Usage"},
		{[]string{"duel"}, exitUsage, "usage: caveau lab duel [flags] FILE"},
		{[]string{"duel", "-h"}, exitOK, "usage: caveau lab duel [flags] FILE"},
		{[]string{"duel", l.file("nowhere.json")}, exitUsage, "nowhere.json"},
		{[]string{"duel", l.file("begins.json")}, exitUsage, "begins.json: "},
	} {
		code, stdout, stderr := say(t, append([]string{"lab"}, x.args...)...)
		if code != x.code || stdout != "" || !strings.Contains(stderr, x.says) {
			t.Errorf("caveau lab %v: %d, %q, %q", x.args, code, stdout, stderr)
		}
	}
}

// A ladder is printed with the command that made it, and printed again without playing again.
func TestLabLadder(t *testing.T) {
	rows := filepath.Join(t.TempDir(), "rows.jsonl")
	args := []string{"lab", "ladder", "--game", "toc-toc-toc", "--players", "3", "--players", "4", "--bot", "random", "--bot", "remembering:dozy", "--deals", "2", "--moves", "30", "--out", rows}
	code, stdout, stderr := say(t, args...)
	for _, says := range []string{"    caveau " + strings.Join(args, " ") + "\n", "### toc-toc-toc, 3\n", "### toc-toc-toc, 4\n", "| `random` |", "\n8 games of 2 deals."} {
		if code != exitOK || !strings.Contains(stdout, says) {
			t.Errorf("caveau lab ladder does not say %q: %d, %s%s", says, code, stdout, stderr)
		}
	}
	if code, again, stderr := say(t, args...); code != exitOK || again != stdout || stderr != "14 of 14 games\n" {
		t.Errorf("the second time it says %d, %s%s", code, again, stderr)
	}
}
