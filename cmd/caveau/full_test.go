//go:build linux

package main

import (
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// A smallDisk has no more room from full on, until roomy.
type smallDisk struct{ full, roomy func() }

// TestFullDisk takes the room away while people play: nothing more is written, everybody is told so and goes on trying, and whoever watches
// over the house sees it. Once there is room again the house goes on by itself, or, where it was killed meanwhile, when it is started
// again. What was acknowledged is in the record, once, and what was not is not.
func TestFullDisk(t *testing.T) {
	for name, disk := range map[string]func(*process) smallDisk{"limit": limited, "file system": fileSystem} {
		t.Run(name, func(t *testing.T) {
			p := newProcess(t, "--no-limits")
			d := disk(p)
			p.start()
			games, moves := p.besieged(players, func(moves *atomic.Int64, broken func() bool) {
				for _, killed := range []bool{false, true} {
					p.until(broken, moves, 20)
					d.full()
					p.awaitReady(broken, http.StatusServiceUnavailable)
					if status, _ := ask(t, "http://"+p.addr+"/healthz", ""); status != http.StatusOK {
						t.Errorf("a house whose disk is full is answered %d by healthz: it need not be started again", status)
					}
					if killed {
						p.kill()
						if said := p.said.String(); !strings.Contains(said, "the room left on it") && !strings.Contains(said, "make room, no restart is needed") {
							t.Errorf("with a full disk the log says\n%s", said)
						}
					}
					d.roomy()
					if killed {
						p.start()
					}
					p.awaitReady(broken, http.StatusOK)
				}
				p.until(broken, moves, 20)
			})
			p.kill()
			t.Logf("%d moves acknowledged in %d games", moves, games)
		})
	}
}

// awaitReady waits until the house says of itself that it is ready, or not.
func (p *process) awaitReady(broken func() bool, want int) {
	for status := 0; status != want && !broken(); {
		patience()
		status, _ = ask(p.t, "http://"+p.addr+"/readyz", "")
	}
}

// limited is a disk on which the process may write no file further than one page: it works for any user.
func limited(p *process) smallDisk {
	return smallDisk{func() { p.limit(4096) }, func() { p.limit(math.MaxUint64) }}
}

// limit says how long files may be that the process writes. A process that was killed takes its limit with it.
func (p *process) limit(size uint64) {
	err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: math.MaxUint64}, nil)
	if err != nil && err != unix.ESRCH {
		p.t.Error(err)
	}
}

// fileSystem is a file system of a few megabytes, which somebody else fills. Where this user may mount none, the limit takes its place.
func fileSystem(p *process) smallDisk {
	dir := filepath.Dir(p.db)
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=32m"); err != nil {
		p.t.Logf("a limit instead of a file system: %v", err)
		return limited(p)
	}
	p.t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			p.t.Error(err)
		}
	})
	others := filepath.Join(dir, "others")
	return smallDisk{
		func() {
			f, err := os.Create(others)
			if err != nil {
				p.t.Error(err)
				return
			}
			defer f.Close()
			for page := make([]byte, 4096); err == nil; {
				_, err = f.Write(page)
			}
		},
		func() {
			if err := os.Remove(others); err != nil {
				p.t.Error(err)
			}
		},
	}
}
