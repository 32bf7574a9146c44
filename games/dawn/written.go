package dawn

import (
	"encoding/json"
	"errors"
	"fmt"

	"caveau/game"
)

// How a deal is written down and read, and how it is examined that nothing of it is lost. None of this is a rule of play.

// A writtenDeal is a deal in the record's words.
type writtenDeal struct {
	First   string            `json:"first"`
	Lids    map[string]string `json:"lids"`
	Reserve []string          `json:"reserve"`
	Rows    [][]string        `json:"rows"`
}

// write is the deal of a position that nobody has moved in yet.
func write(p Position) any {
	w := writtenDeal{First: p.turn.String(), Lids: map[string]string{}, Reserve: names(p.reserve[:p.lids])}
	for g, rest := p.lidded.pop(); g < numGraves; g, rest = rest.pop() {
		w.Lids[g.String()] = p.lid.at(g).String()
	}
	for s := range p.players {
		r := &p.rows[s]
		w.Rows = append(w.Rows, r.names(0, r.n))
	}
	return w
}

func names[T fmt.Stringer](things []T) []string {
	names := make([]string, len(things))
	for i, t := range things {
		names[i] = t.String()
	}
	return names
}

// read is the position after a deal in the record's words. It names the fault where the deal is not one that the
// rulebook's preparation can bring.
func read(setup game.Setup, text json.RawMessage) (Position, error) {
	if err := checkSetup(setup); err != nil {
		return Position{}, err
	}
	var w writtenDeal
	if err := game.ReadObject(text, game.Fields{"first": &w.First, "lids": &w.Lids, "reserve": &w.Reserve, "rows": &w.Rows}); err != nil {
		return Position{}, fmt.Errorf("deal: %w", err)
	}
	d, err := w.layout(setup)
	if err != nil {
		return Position{}, fmt.Errorf("deal: %w", err)
	}
	if err := d.check(); err != nil {
		return Position{}, fmt.Errorf("deal: %w", err)
	}
	return d.position(), nil
}

func (w *writtenDeal) layout(setup game.Setup) (d layout, err error) {
	d = newLayout(setup)
	players := setup.Players
	if d.first, err = game.ParseSeat(w.First); err != nil || int(d.first) >= players {
		return d, fmt.Errorf("first is %q, not one of the %d seats", w.First, players)
	}
	for name, lid := range w.Lids {
		g, ok := parseGrave(name)
		if !ok {
			return d, fmt.Errorf("lids: there is no grave %q", name)
		}
		if d.lids[g], ok = parseLid(lid); !ok {
			return d, fmt.Errorf("lids: %s has %q, which is neither a colour nor a rat", name, lid)
		}
	}
	for _, name := range w.Reserve {
		c, ok := parseColour(name)
		if !ok {
			return d, fmt.Errorf("reserve: %q is no colour", name)
		}
		d.reserve = append(d.reserve, Lid(c))
	}
	if len(w.Rows) != players {
		return d, fmt.Errorf("rows: there are %d for %d players", len(w.Rows), players)
	}
	for s, names := range w.Rows {
		for _, name := range names {
			c, ok := parseColour(name)
			if !ok {
				return d, fmt.Errorf("rows: %s has %q, which is no colour", game.Seat(s), name)
			}
			d.rows[s] = append(d.rows[s], c)
		}
	}
	return d, nil
}

// check counts everything that was dealt.
func (d *layout) check() error {
	box := boxFor(len(d.rows))
	var lids [hidden + 1]int
	for _, l := range d.lids {
		lids[l]++
	}
	if n := numGraves - lids[bare]; n != box.graves {
		return fmt.Errorf("lids: %d graves have one, not %d", n, box.graves)
	}
	if lids[Rat] != box.rats {
		return fmt.Errorf("lids: %d are rats, not %d", lids[Rat], box.rats)
	}
	if len(d.reserve) != box.reserve {
		return fmt.Errorf("reserve: it has %d lids, not %d", len(d.reserve), box.reserve)
	}
	for _, l := range d.reserve {
		lids[l]++
	}
	var vampires [numColours + 1]int
	for s, row := range d.rows {
		if len(row) != d.row {
			return fmt.Errorf("rows: %s has %d vampires, not %d", game.Seat(s), len(row), d.row)
		}
		for _, c := range row {
			vampires[c]++
		}
	}
	fewer := d.row < box.row
	return checkColours(box, fewer, lids[:], vampires[:])
}

// checkColours: of each colour in play there are ten lids and ten vampires, or fewer where not all were dealt.
func checkColours(box box, fewer bool, lids, vampires []int) error {
	inPlay := 0
	for c := White; c <= Blue; c++ {
		if lids[c] == 0 && vampires[c] == 0 {
			continue
		}
		inPlay++
		if lids[c] != ofEach {
			return fmt.Errorf("there are %d %s lids, reserve included, not %d", lids[c], c, ofEach)
		}
		if vampires[c] > ofEach || vampires[c] < ofEach && !fewer {
			return fmt.Errorf("there are %d %s vampires, not %d", vampires[c], c, ofEach)
		}
	}
	if inPlay != box.colours {
		return fmt.Errorf("%d colours are in play, not %d", inPlay, box.colours)
	}
	return nil
}

// numStakes is how many there are. It is more than everyone can have at once (S3).
const numStakes = 13

// check tells what was lost or is there twice: every lid, vampire, garlic bundle and stake is somewhere, once.
func check(p Position) error {
	box := boxFor(int(p.players))
	vampires := p.countVampires()
	for c := White; c <= Blue; c++ {
		vampires[c] += int(p.out[c])
	}
	if err := checkColours(box, false, p.countLids(), vampires); err != nil {
		return err
	}
	stakes := uint8(0)
	for s := range p.players {
		if n := p.inside.of(garlic(game.Seat(s))).len() + int(p.garlic[s]); n != numGarlic {
			return fmt.Errorf("%s has %d garlic bundles in hand and in graves, not %d", game.Seat(s), n, numGarlic)
		}
		stakes += p.stakes[s]
	}
	if stakes > numStakes {
		return fmt.Errorf("the players have %d stakes, and there are %d", stakes, numStakes)
	}
	return p.checkPlague(box)
}

func (p *Position) countLids() []int {
	var lids [hidden + 1]int
	for l := range lids {
		lids[l] = p.lid.of(Lid(l)).len()
	}
	for _, l := range p.reserve[:p.lids] {
		lids[l]++
	}
	return lids[:]
}

func (p *Position) countVampires() []int {
	var vampires [numColours + 1]int
	for s := range p.players {
		r := &p.rows[s]
		for i := range r.n {
			vampires[r.at(i)]++
		}
	}
	for c := White; c <= Blue; c++ {
		vampires[c] += p.inside.of(vampire(c)).len()
	}
	for _, c := range p.hand[:p.held] {
		vampires[c]++
	}
	return vampires[:]
}

// checkPlague: each rat that is gone was replaced by one lid of the reserve, and the rat of a plague lies open.
func (p *Position) checkPlague(box box) error {
	rats := p.countLids()[Rat]
	if gone := box.reserve - int(p.lids); rats+gone != box.rats {
		return fmt.Errorf("%d rats are on the board and %d are gone, of %d", rats, gone, box.rats)
	}
	if p.rat != noGrave && (p.lid.at(p.rat) != Rat || !p.up.has(p.rat)) {
		return fmt.Errorf("there is a plague, but no open rat on %s", p.rat)
	}
	if stray := (p.up | p.seen | p.fresh) &^ p.lidded; stray != 0 {
		return errors.New("a grave without a lid was opened")
	}
	return nil
}

func parseColour(name string) (Colour, bool) {
	for c := White; c <= Blue; c++ {
		if colourNames[c] == name {
			return c, true
		}
	}
	return 0, false
}

func parseLid(name string) (Lid, bool) {
	if name == "rat" {
		return Rat, true
	}
	c, ok := parseColour(name)
	return Lid(c), ok
}

// parseGrave reads a grave's name.
func parseGrave(name string) (Grave, bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return noGrave, false
	}
	g := cemetery.at[name[0]-'a'][name[1]-'1']
	return g, g != noGrave
}
