package load

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit in which Linux tells what a process has used of the processors: it is the same on every machine.
const tick = time.Second / 100

// processorTime is what a process has used of the processors so far, the system's part included.
func processorTime(pid int) (time.Duration, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// After the name, which may have anything in it, the twelfth and thirteenth word.
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(words) < 13 {
		return 0, false
	}
	user, err1 := strconv.Atoi(words[11])
	system, err2 := strconv.Atoi(words[12])
	return time.Duration(user+system) * tick, err1 == nil && err2 == nil
}

// residentMemory is how much memory a process takes, in bytes.
func residentMemory(pid int) (int64, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, false
	}
	words := strings.Fields(string(text))
	if len(words) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(words[1], 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}

// allowed are the processors that this process may use as long as it has not been told to StayOff one.
var allowed = sync.OnceValue(func() (set unix.CPUSet) {
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return unix.CPUSet{}
	}
	return set
})

// StartOn runs start, which starts a process, so that the process has the first processor for itself. It is told which; "" if
// there is none to spare.
func StartOn(start func() error) (string, error) {
	all := allowed()
	if all.Count() < 2 {
		return "", start()
	}
	runtime.LockOSThread() // a process inherits from the thread that starts it
	defer runtime.UnlockOSThread()
	var mine, one unix.CPUSet
	one.Set(first(all))
	if unix.SchedGetaffinity(0, &mine) != nil || unix.SchedSetaffinity(0, &one) != nil {
		return "", start()
	}
	defer unix.SchedSetaffinity(0, &mine)
	return strconv.Itoa(first(all)), start()
}

// StayOff keeps this process off the processor of StartOn.
func StayOff() error {
	others := allowed()
	if others.Count() < 2 {
		return nil
	}
	others.Clear(first(others))
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range threads { // those to come inherit
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			return err
		}
		if err := unix.SchedSetaffinity(id, &others); err != nil && err != unix.ESRCH {
			return err
		}
	}
	return nil
}

func first(set unix.CPUSet) int {
	cpu := 0
	for !set.IsSet(cpu) {
		cpu++
	}
	return cpu
}
