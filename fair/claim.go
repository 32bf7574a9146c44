package fair

import "slices"

// A Claim is what a proof that holds says of whoever would have liked to choose the deal: what was possible, no more and no less. It
// is as good as one of those who gave a number to the deal: if all of them are in league with the server, it chose.
type Claim struct {
	Case  Case       `json:"case"`
	Deals int        `json:"deals"` // how many deals could be rejected, or picked from; 0 where there was nothing to be chosen
	Gave  []string   `json:"gave"`  // the seats whose numbers made the deal
	Shut  [][]string `json:"shut"`  // the seats that had sealed a number and did not open it, attempt by attempt
}

// A Case is one of few.
type Case string

const (
	// Unchosen: every number was opened at the first attempt, and nobody chose.
	Unchosen Case = "unchosen"
	// Rejected: after each attempt that failed the server could not know what comes next. It could have had one fail because it knew
	// and disliked the deal; among deals it could not pick.
	Rejected Case = "rejected"
	// Picked: numbers were left out (Deal1). A server that knew them all could have passed any of them off as late, and so picked
	// among as many deals as the numbers that were sealed have subsets.
	Picked Case = "picked"
	// House: nobody gave a number, so the deal follows from the server's secret alone.
	House Case = "house"
)

// Claim is what the proof claims. Ask only where Seed does not fail.
func (p Proof) Claim() Claim {
	c := Claim{Case: Unchosen, Gave: p.seats(true), Shut: [][]string{}}
	for _, a := range append(slices.Clone(p.Failed), p.Attempt) {
		if shut := a.Shut(); len(shut) > 0 {
			c.Shut = append(c.Shut, shut)
		}
	}
	switch {
	case len(c.Gave) == 0:
		c.Case = House
	case len(p.Failed) > 0:
		c.Case, c.Deals = Rejected, len(p.Failed)
	case len(c.Shut) > 0:
		c.Case, c.Deals = Picked, 1<<len(p.Numbers)
	}
	return c
}
