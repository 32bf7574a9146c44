//go:build linux

package pgtest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// A server that is killed while people call is gone with all its processes, those too that it was about to begin: one that is left may wait for ever for another that was
// killed, and nobody begins anew while it has the memory that they shared.
func TestKillLeavesNobody(t *testing.T) {
	s := Start(t)
	over, stop := context.WithCancel(context.Background())
	var callers sync.WaitGroup
	defer callers.Wait()
	defer stop()
	address := s.URL("postgres", "")
	for range 8 {
		callers.Go(func() {
			for over.Err() == nil {
				if conn, err := pgx.Connect(over, address); err == nil {
					conn.Close(over)
				}
			}
		})
	}
	for range 6 {
		s.Kill()
		for began := time.Now(); processes(t, filepath.Join(s.dir, "data")) > 0; time.Sleep(time.Millisecond) {
			if time.Since(began) > time.Minute {
				t.Fatal("a process is left")
			}
		}
		if strings.Contains(s.Log(), "unexpected postmaster exit") {
			t.Fatal("a process was left, and has ended by itself")
		}
		s.Begin()
	}
}

// processes is how many processes work in a folder.
func processes(t *testing.T, folder string) (n int) {
	t.Helper()
	places, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range places {
		if at, err := os.Readlink(place); err == nil && at == folder {
			n++
		}
	}
	return n
}
