// Package meter is what processes take of the machine, and has one of its processors for one of them alone: caveau load is on the machine that it measures.
package meter

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

// Processor is what a process has used of the processors so far, the system's part included.
func Processor(pid int) (time.Duration, bool) {
	n, ok := stat(pid)
	return time.Duration(n[utime]+n[stime]) * tick, ok
}

// Family is what a process and its children have used so far, those that have ended included.
func Family(pid int) (used time.Duration, ok bool) {
	of, ok := stat(pid)
	sum := of[utime] + of[stime] + of[utimeOfEnded] + of[stimeOfEnded]
	all, err := os.ReadDir("/proc")
	for _, entry := range all {
		if child, err := strconv.Atoi(entry.Name()); err == nil {
			if n, is := stat(child); is && n[parent] == pid {
				sum += n[utime] + n[stime]
			}
		}
	}
	return time.Duration(sum) * tick, ok && err == nil
}

// What stands in a process's stat, counted from after its name.
const (
	parent = iota + 1
	utime  = iota + 10
	stime
	utimeOfEnded // of its children
	stimeOfEnded
)

// stat is what the system says of a process, as far as it is numbers.
func stat(pid int) (numbers [15]int, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return numbers, false
	}
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // the name may have anything in it
	if len(words) < len(numbers) {
		return numbers, false
	}
	for i, word := range words[:len(numbers)] {
		numbers[i], _ = strconv.Atoi(word)
	}
	return numbers, true
}

// Memory is how much a process takes, in bytes.
func Memory(pid int) (int64, bool) {
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
