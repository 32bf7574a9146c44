//go:build !linux

package meter

import "time"

// Elsewhere a process is not looked into, and has no processor for itself: the report leaves out what follows from it.

func Processor(int) (time.Duration, bool) { return 0, false }
func Family(int) (time.Duration, bool)    { return 0, false }
func Memory(int) (int64, bool)            { return 0, false }

// StartOn runs start, which starts a process.
func StartOn(start func() error) (string, error) { return "", start() }

// StayOff does nothing here.
func StayOff() error { return nil }
