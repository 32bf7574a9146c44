package meter

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// What children have used counts for the family, while they run and when they have ended, and not for the process alone.
func TestFamily(t *testing.T) {
	me := os.Getpid()
	var ended time.Duration
	for n := 0; ended <= 0; n++ {
		alone, ok := Processor(me)
		all, of := Family(me)
		if !ok || !of || n == 100 {
			t.Fatalf("%v (%t) of %v (%t) are the process's own", alone, ok, all, of)
		}
		ended = all - alone
		if err := exec.Command("sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done").Run(); err != nil {
			t.Fatal(err)
		}
	}
	child := exec.Command("sh", "-c", "while :; do :; done")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	used, ok := time.Duration(0), true
	for ok && used < ended+50*time.Millisecond {
		used, ok = Processor(child.Process.Pid)
	}
	alone, _ := Processor(me)
	if all, _ := Family(me); !ok || all < alone+used {
		t.Errorf("the family has used %v, of which we %v and a child that runs %v (%t)", all, alone, used, ok)
	}
}

// Nobody has a number like that.
func TestNobody(t *testing.T) {
	if used, ok := Processor(1 << 30); ok {
		t.Errorf("nobody has used %v", used)
	}
	if _, ok := Family(1 << 30); ok {
		t.Error("nobody has a family")
	}
	if _, ok := Memory(1 << 30); ok {
		t.Error("nobody has memory")
	}
}
