package dawn

import "caveau/game"

// A night is what the expansion of Dawn Under adds to a table: Count Rucola, who reserves graves, and the bats.
type night struct {
	// The Count.
	laid   uint8     // how many vampires the player of the turn has laid in it (C1)
	holder game.Seat // who has the Count's column before him; NoSeat: he stands on it in the middle
	on     Grave     // which grave he reserves for his holder, else noGrave
	places Graves    // where he may be put now; none: he need not be
	next   game.Seat // whose turn it is once he is put there (C3); NoSeat: the turn goes on (C4)

	// The bats; bats.go.
	bats    [game.MaxSeats]uint8
	bat     Grave      // which one a bat was set on, until all that it brings is done; else noGrave
	asks    game.Seats // who has still to say whether he believes it
	doubter game.Seat  // who did not, else NoSeat
	laying
}

// A laying is the question which vampire somebody lays into the open grave, of whatever colour.
type laying struct {
	layer game.Seat // whom it is put to, else NoSeat
	free  bool      // he need not lay any (B6)
}

var noLaying = laying{layer: game.NoSeat}

// staysOpen: with the expansion a lid that was opened in a turn stays open until the turn is over (X1).
func (t *table) staysOpen() bool { return t.edition == edRucola }

// reserved is the grave that the Count stands on: it is closed to everyone, and no neighbour of a rat (C5).
func (t *table) reserved() Graves {
	if t.night.on == noGrave {
		return 0
	}
	return Graves(0).with(t.night.on)
}

// countLaid: three vampires laid in one's own turn bring the Count, from his column or from another holder, whose
// reservation lapses at once (C1, C2).
func (p *Position) countLaid(s game.Seat, ev *game.Events) {
	n := &p.night
	if p.edition != edRucola || s != p.turn {
		return
	}
	if n.laid++; n.laid == 3 && n.holder != s {
		n.holder, n.on = s, noGrave
		ev.Say(s, "rucola", nil, nil, "C2")
	}
}

// hasCountInHand: he came in this turn, or in the neighbour's before it, and stands on no grave yet (C3, C4).
func (t *table) hasCountInHand(s game.Seat) bool { return t.night.holder == s && t.night.on == noGrave }

// askForCount: the holder puts the Count on one of these graves, no matter what is in it.
func (p *Position) askForCount(places Graves, ev *game.Events) {
	p.night.places = places
	if g, others := places.pop(); others == 0 {
		p.putCount(p.night.holder, g, ev)
	}
}

// putCount: from now on he reserves that grave.
func (p *Position) putCount(s game.Seat, g Grave, ev *game.Events) {
	ev.Say(s, "count", g, nil, p.putRule())
	next := p.night.next
	p.night.on, p.night.places, p.night.next = g, 0, game.NoSeat
	if next != game.NoSeat {
		p.beginTurn(next, ev)
	}
}

// openReserved: he lifts the lid of the grave that the Count has reserved for him; what is on its under side is of no
// importance (X2). If it is empty he lays one of his outermost vampires there. If not, he loses the Count and the column
// to his left neighbour, and his turn is over, but it costs nothing (C4).
func (p *Position) openReserved(s game.Seat, ev *game.Events) {
	g := p.night.on
	if p.inside.at(g) == empty {
		ev.Say(s, "reserved", g, p.inside.at(g), "C4")
		p.letLay(s, g, false, ev)
		return
	}
	neighbour := s.Left(p.players)
	p.night.holder, p.night.on = neighbour, noGrave
	ev.Between(s, neighbour, "lose", g, p.inside.at(g), "C4")
	p.endTurn(neighbour, ev)
}

// moveCount: then he puts the Count at once on a grave of the next quarter, clockwise, that has a lidded one (C4).
func (p *Position) moveCount(ev *game.Events) {
	part := cemetery.part[p.night.on]
	for i := uint8(1); ; i++ {
		if places := cemetery.graves[(part+i)%numParts] & p.lidded; places != 0 {
			p.askForCount(places, ev)
			return
		}
	}
}
