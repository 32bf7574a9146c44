package runner

import (
	"sync"
	"time"
)

// Steady is a clock whose time never goes back, from its latest on. Somebody may set the machine's clock, and an hour that comes twice must not have
// everybody wait for an hour: the house's time goes on from where it was. It follows a clock that is set forward; a jump is an outage
// like any other (package lobby).
func Steady(c Clock, latest time.Time) Clock { return &steady{Clock: c, latest: latest} }

type steady struct {
	Clock

	mu     sync.Mutex
	latest time.Time
	ahead  time.Duration // of the machine's clock
}

// Now is the house's time, as the wall would show it: a reading that the process alone knows is left out, since times in the log have
// none.
func (s *steady) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Clock.Now().Round(0).Add(s.ahead)
	if now.Before(s.latest) {
		s.ahead += s.latest.Sub(now)
		now = s.latest
	}
	s.latest = now
	return now
}
