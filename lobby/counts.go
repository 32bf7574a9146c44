package lobby

// Counts are how much goes on in a house.
type Counts struct {
	Tables            map[string]int // by their state; Resting for those that are not over and have nobody and nothing to do; those that are awake count at their node, these at each
	Thinking, Waiting int            // bots
	Living, Heard     int            // nodes of the house: that live, and of whom this one hears
	Outages           int            // of the house, of so long ago as clocks at tables may ask for
}

// Resting is the state of a table that is not over and is in the log alone.
const Resting = "resting"

// Counts may be asked at any time.
func (l *Lobby) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := Counts{Tables: make(map[string]int), Outages: len(l.book.Outages())}
	for _, state := range l.states {
		c.Tables[state]++
	}
	for id := range l.unfinished {
		if l.runners[id] == nil && !l.taken[id] {
			c.Tables[Resting]++
		}
	}
	c.Thinking, c.Waiting = l.slots.Busy()
	c.Living, c.Heard = l.pages.Company()
	return c
}
