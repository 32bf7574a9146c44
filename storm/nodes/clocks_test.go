package nodes

import "time"

// Somebody sets the clock of a machine back. The house's time goes on, and a lease is over when it is.

// says notes what time it is by the house, as a node has it, or a time that is far from that. It never goes back.
func (n *node) says(at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	const far = 50 * 365 * 24 * time.Hour // what is asked for all that is unfinished
	if time.Until(at) > far {
		at = at.Add(-2 * far)
	}
	if back := n.shown.Sub(at); back > 0 {
		n.w.fail("%v says what time it is, and it was %v later before", n, back)
	}
	n.shown = at
}

// backOnSome is that a clock is set back on every other night, and not forward.
func (w *world) backOnSome(by time.Duration) time.Duration {
	if w.seed%2 > 0 {
		w.did["a clock is set back"]++
		return -by
	}
	return by
}

// isSetBack: nobody answers the node at the database that owns the table, and its clock is set back a moment later, by a little or by much. While people come and go there its lease runs out.
func (w *world) isSetBack() {
	w.gather(func(n *node, here []*page) {
		w.hush = time.Now().Add(8 * time.Second)
		w.then(3*time.Second+w.upTo(time.Second), func() {
			w.note("nobody answers %v any more", n)
			n.blind.Store(true)
			w.then(w.upTo(2*time.Second), func() {
				w.did["a clock is set back while a lease runs out"]++
				n.set([]time.Duration{-2 * time.Second, -time.Hour}[w.rng.IntN(2)])
			})
			for i := range 30 {
				w.then(time.Duration(i)*200*time.Millisecond, func() { here[i%2].turns(n) })
			}
		})
		w.then(11*time.Second, func() { n.blind.Store(false) })
	})
}

// failsOverLate: the database fails over to a machine whose clock is behind. Nodes that begin afterwards begin no sooner than the log knows of, and when they take the table nobody's
// move is of before.
func (w *world) failsOverLate() {
	w.gather(func(n *node, _ []*page) {
		w.note("the clock of the database is behind")
		w.base.mu.Lock()
		w.base.behind = 40 * time.Second
		w.base.mu.Unlock()
		for _, other := range w.living() {
			if other != n {
				other.isGone(time.Second)
			}
		}
		w.then(9*time.Second, func() {
			w.did["nodes begin when the clock of the database is behind"]++
			n.isGone(30 * time.Second)
		})
	})
}
