package dawn

import (
	"slices"

	"caveau/game"
)

// Packed is how Dawn Under is told to programs that learn it; docs/env.md says what each field means.
var Packed = game.Packed[Position, Move, View]{
	Moves:  numbered,
	Number: Move.number,
	Questions: []game.Question{
		{Word: "open", Rule: "O1"}, {Word: "open", Rule: "X1"}, {Word: "more", Rule: "O2"}, {Word: "on", Rule: "N2"}, {Word: "plague", Rule: "P3"},
		{Word: "rest", Rule: "O3"}, {Word: "garlic", Rule: "K1"}, {Word: "give", Rule: "G1"}, {Word: "take", Rule: "G3"},
		{Word: "believe", Rule: "B3"}, {Word: "present", Rule: "B7"}, {Word: "count", Rule: "C3"}, {Word: "count", Rule: "C4"},
		{Word: "lay", Rule: "B4"}, {Word: "lay", Rule: "B5"}, {Word: "lay", Rule: "B7"}, {Word: "lay", Rule: "C4"}, {Word: "lay.free", Rule: "B6"},
	},
	Verbs: []string{
		"open", "occupied", "stake", "rest", "garlic", "leave", "smell", "give", "take", "home", "return", "stop", "pass", "plague", "endplague",
		"worn", "turn", "win", "another", "bat", "believe", "doubt", "lift", "present", "rucola", "count", "reserved", "lose",
	},
	Places: append(slices.Clone(cemetery.name[:]), left.String(), right.String()),
	Things: slices.Concat(lidNames[White:hidden], contentNames[White:Rat], contentNames[firstGarlic:]),
	Fields: fields,
	Pack:   pack,
}

// numbered is every move, by its number.
var numbered = func() (moves []Move) {
	moves = append(append(moves, openMoves[:]...), stop, restLeft, restRight, placeGarlic, leaveEmpty, giveLeft, giveRight)
	for c := White; c <= Blue; c++ {
		moves = append(moves, takeMove(c, left), takeMove(c, right))
	}
	moves = append(append(moves, batMoves[:]...), believe, doubt)
	for s := range uint8(game.MaxSeats) {
		moves = append(moves, Move{verbPresent, s})
	}
	return append(moves, countMoves[:]...)
}()

// firstOf is the number of the first move of each verb, less what that move has for its what.
var firstOf = func() (first [len(verbNames)]int) {
	for i := len(numbered) - 1; i >= 0; i-- {
		first[numbered[i].verb] = i - int(numbered[i].what)
	}
	return first
}()

func (m Move) number() int { return firstOf[m.verb] + int(m.what) }

// How a closed or open grave is told.
const (
	closed byte = iota
	open
	lifted
	none
	marked // and where its lid is told too, that is what was last seen
)

func fields(players int) []game.Field {
	each := []int{players}
	return []game.Field{
		{Name: "lids", Shape: []int{numGraves}}, {Name: "under", Shape: []int{numGraves}}, {Name: "holds", Shape: []int{numGraves}},
		{Name: "left", Shape: each}, {Name: "down", Shape: each}, {Name: "right", Shape: each}, {Name: "rows", Shape: []int{players, numGraves}},
		{Name: "stakes", Shape: each}, {Name: "garlic", Shape: each}, {Name: "reserve"}, {Name: "whose"}, {Name: "at"},
		{Name: "plague.rat"}, {Name: "plague.holder"}, {Name: "plague.goer"},
		{Name: "gifts.to"}, {Name: "gifts.have", Shape: []int{game.MaxSeats}}, {Name: "gifts.from", Shape: each},
		{Name: "just"},
		{Name: "bats", Shape: each}, {Name: "bat.on"}, {Name: "bat.doubter"}, {Name: "bat.asks", Shape: each},
		{Name: "count.holder"}, {Name: "count.on"},
	}
}

// place is what stands for a grave: 0 for none.
func (g Grave) place() byte {
	if g == noGrave {
		return 0
	}
	return byte(g) + 1
}

// pack fills a row, in the order of fields. Like Shown it goes by what is seen, and by nothing that is merely in the view.
func pack(into []byte, v *View, aid game.Aid) {
	row := game.Row(into)
	v.packGraves(row.Take(numGraves), row.Take(numGraves), row.Take(numGraves), aid)
	v.packRows(&row)
	copy(row.Take(int(v.players)), v.stakes[:])
	copy(row.Take(int(v.players)), v.garlic[:])
	row.Put(v.lids, v.turn.Place(), v.grave.place())
	if plague := row.Take(3); v.rat != noGrave {
		plague[0], plague[1], plague[2] = v.rat.place(), v.holder.Place(), v.goer.Place()
	}
	v.packGifts(&row)
	if just := row.Take(1); aid != game.AidNone {
		just[0] = v.dance.just.place()
	}
	n := &v.night
	copy(row.Take(int(v.players)), n.bats[:])
	if n.bat != noGrave {
		row.Put(n.bat.place(), n.doubter.Place())
		row.Flags(n.asks, v.players)
	} else {
		row.Take(2 + int(v.players))
	}
	if v.edition == edRucola {
		row.Put(n.holder.Place(), n.on.place())
	}
}

// packGraves tells of each grave what showGrave does.
func (v *View) packGraves(lids, under, holds []byte, aid game.Aid) {
	if aid != game.AidNone {
		for g, rest := (v.seen & v.lidded).pop(); g < numGraves; g, rest = rest.pop() {
			lids[g] = marked
			if aid == game.AidAll {
				under[g], holds[g] = v.packLid(g), byte(v.Inside(g))
			}
		}
	}
	if v.grave != noGrave {
		lids[v.grave], under[v.grave], holds[v.grave] = lifted, 0, byte(v.Inside(v.grave))
	}
	for g, rest := v.up.pop(); g < numGraves; g, rest = rest.pop() {
		lids[g], under[g], holds[g] = open, v.packLid(g), byte(v.Inside(g))
	}
	for g, rest := (Graves(1<<numGraves-1) &^ v.lidded).pop(); g < numGraves; g, rest = rest.pop() {
		lids[g], under[g], holds[g] = none, 0, 0
	}
}

// packLid is what is on the under side of a lid that was seen.
func (v *View) packLid(g Grave) byte {
	if c := v.Lid(g); c != 0 {
		return byte(c)
	}
	return byte(Rat)
}

func (v *View) packRows(row *game.Row) {
	n := int(v.players)
	ends, vampires := row.Take(3*n), row.Take(n*numGraves)
	for s := range n {
		r := &v.rows[s]
		ends[s], ends[n+s], ends[2*n+s] = r.left, r.down, r.n-r.left-r.down
		for i := range r.n {
			vampires[s*numGraves+int(i)] = byte(r.at(i))
		}
	}
}

func (v *View) packGifts(row *game.Row) {
	if v.giftsNow() == nil {
		row.Take(1 + game.MaxSeats + int(v.players))
		return
	}
	row.Put(v.to.Place())
	for i, have := uint8(0), row.Take(game.MaxSeats); i < v.held; i++ {
		have[i] = byte(v.hand[i])
	}
	row.Flags(v.givers, v.players)
}
