package runner

import (
	"sync"
	"time"
)

// Steady is a clock whose time never goes back, from its latest on. Somebody may set the machine's clock, and an hour that comes twice must not have
// everybody wait for an hour: the house's time goes on from where it was, and from what has gone by since it was read last, where the clock counts that as well. Else a
// lease would last for so much longer. It follows a clock that is set forward; a jump is an outage like any other (package lobby).
func Steady(c Clock, latest time.Time) Clock { return &steady{Clock: c, latest: latest} }

type steady struct {
	Clock

	mu     sync.Mutex
	latest time.Time
	gone   time.Duration // until then
	ahead  time.Duration // of the machine's clock
}

// A counter knows how much time has gone by, whatever anybody sets its clock to.
type counter interface{ Elapsed() time.Duration }

// elapsed is how much has; always the same for a clock that does not know.
func (s *steady) elapsed() time.Duration {
	if c, counts := s.Clock.(counter); counts {
		return c.Elapsed()
	}
	return 0
}

// Now is the house's time, as the wall would show it: a reading that the process alone knows is left out, since times in the log have
// none.
func (s *steady) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, gone := s.Clock.Now().Round(0).Add(s.ahead), s.elapsed()
	if now.Before(s.latest) {
		goesOn := s.latest
		if s.gone > 0 {
			goesOn = goesOn.Add(gone - s.gone)
		}
		s.ahead += goesOn.Sub(now)
		now = goesOn
	}
	s.latest, s.gone = now, gone
	return now
}
