//go:build unix

package duel

import "syscall"

// spent is for how many seconds processors have worked for this program; nought where the system does not say.
func spent() float64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}
