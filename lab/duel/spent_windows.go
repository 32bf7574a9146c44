package duel

import "syscall"

// spent is for how many seconds processors have worked for this program; nought where the system does not say.
func spent() float64 {
	var began, ended, kernel, user syscall.Filetime
	process, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(process, &began, &ended, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t syscall.Filetime) float64 {
		return float64(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) / 1e7
	}
	return ticks(kernel) + ticks(user)
}
