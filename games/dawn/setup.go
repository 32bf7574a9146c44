package dawn

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"caveau/game"
)

// What the box holds, for three to six players and for two (S3, D1).
const (
	numStakes  = 13
	numGarlic  = 3
	maxReserve = 6
)

// A box is what is on the table for so many players.
type box struct{ colours, graves, rats, reserve, row int }

func boxFor(players int) box {
	if players == 2 {
		return box{colours: 4, graves: 40, rats: 4, reserve: 4, row: 20} // D1
	}
	return box{colours: 6, graves: 60, rats: 6, reserve: 6, row: 60 / players} // S3
}

// rowFor is how many vampires each is dealt: young players may have agreed on fewer (N6).
func rowFor(setup game.Setup) int {
	row := boxFor(setup.Players).row
	if most, agreed := setup.Options["maxVampires"]; agreed {
		return min(row, most)
	}
	return row
}

// deal prepares the table as the rulebook says (2004, Preparation), every draw taken from chance.
func deal(setup game.Setup, chance game.Chance) (Position, error) {
	if err := checkSetup(setup); err != nil {
		return Position{}, err
	}
	box := boxFor(setup.Players)
	colours, err := chooseColours(setup, box, chance)
	if err != nil {
		return Position{}, err
	}
	graves, err := chooseGraves(setup, box, chance)
	if err != nil {
		return Position{}, err
	}
	d := newLayout(setup)
	d.first = setup.First
	if d.first == game.NoSeat {
		d.first = game.Seat(chance.IntN(setup.Players)) // S1
	}
	d.layLids(box, colours, graves, chance)
	d.dealRows(colours, chance)
	return d.position(), nil
}

func checkSetup(setup game.Setup) error {
	if !slices.Contains(editionNames[:], setup.Edition) {
		return fmt.Errorf("dawn-under has no edition %q: it has %s", setup.Edition, strings.Join(editionNames[:], ", "))
	}
	if setup.Players < 2 || setup.Players > game.MaxSeats {
		return fmt.Errorf("%d cannot play dawn-under: it is for 2 to 6", setup.Players)
	}
	for name, n := range setup.Options {
		if name != "maxVampires" || setup.Edition != "2017" {
			return fmt.Errorf("edition %s of dawn-under has no option %q", setup.Edition, name)
		}
		if n < 1 || n > 12 {
			return fmt.Errorf("maxVampires is %d: it can be 1 to 12", n)
		}
	}
	for name := range setup.Choices {
		if (name != "bare" && name != "colours") || setup.Players != 2 {
			return fmt.Errorf("%d players do not choose %q", setup.Players, name)
		}
	}
	if setup.First != game.NoSeat && int(setup.First) >= setup.Players {
		return fmt.Errorf("the first player is %s, but there are only %d players", setup.First, setup.Players)
	}
	return nil
}

// chooseColours: with two players two colours leave, chosen or drawn (D1).
func chooseColours(setup game.Setup, box box, chance game.Chance) ([]Colour, error) {
	leave := make([]Colour, 0, 2)
	for _, name := range setup.Choices["colours"] {
		c, ok := parseColour(name)
		if !ok || contains(leave, c) {
			return nil, fmt.Errorf("%q is no colour that can leave: two different ones of the six do", name)
		}
		leave = append(leave, c)
	}
	if n := len(leave); n != 0 && n != numColours-box.colours {
		return nil, fmt.Errorf("%d colours leave, not %d", numColours-box.colours, n)
	}
	var stay []Colour
	for c := White; c <= Blue; c++ {
		if !contains(leave, c) {
			stay = append(stay, c)
		}
	}
	if len(stay) > box.colours {
		game.Shuffle(chance, stay)
		stay = stay[:box.colours]
	}
	return stay, nil
}

// chooseGraves: with two players twenty graves are bare, chosen or drawn (D2).
func chooseGraves(setup game.Setup, box box, chance game.Chance) ([]Grave, error) {
	var bareOnes Graves
	for _, name := range setup.Choices["bare"] {
		g, ok := parseGrave(name)
		if !ok || bareOnes.has(g) {
			return nil, fmt.Errorf("%q is no grave that can be bare: name each of the bare graves once", name)
		}
		bareOnes = bareOnes.with(g)
	}
	if n := bits.OnesCount64(uint64(bareOnes)); n != 0 && n != numGraves-box.graves {
		return nil, fmt.Errorf("%d graves are bare, not %d", numGraves-box.graves, n)
	}
	var lidded []Grave
	for g := range Grave(numGraves) {
		if !bareOnes.has(g) {
			lidded = append(lidded, g)
		}
	}
	if len(lidded) > box.graves {
		game.Shuffle(chance, lidded)
		lidded = lidded[:box.graves]
	}
	return lidded, nil
}

// A layout is a deal: everything that chance decides, before the first move.
type layout struct {
	edition edition
	row     int // how many vampires each has
	first   game.Seat
	lids    [numGraves]Lid
	reserve []Lid
	rows    [][]Colour
}

func newLayout(setup game.Setup) layout {
	edition := edition(slices.Index(editionNames[:], setup.Edition))
	return layout{edition: edition, row: rowFor(setup), rows: make([][]Colour, setup.Players)}
}

// layLids: the reserve is drawn from the coloured lids; then the rats are shuffled among the others (S2, S3).
func (d *layout) layLids(box box, colours []Colour, graves []Grave, chance game.Chance) {
	var lids []Lid
	for _, c := range colours {
		lids = append(lids, slices.Repeat([]Lid{Lid(c)}, ofEach)...)
	}
	game.Shuffle(chance, lids)
	d.reserve = slices.Clone(lids[:box.reserve])
	lids = append(lids[box.reserve:], slices.Repeat([]Lid{Rat}, box.rats)...)
	game.Shuffle(chance, lids)
	for i, g := range graves {
		d.lids[g] = lids[i]
	}
}

// dealRows: the vampires are shuffled and dealt evenly (S3); where fewer were agreed on, the rest stays out (N6).
func (d *layout) dealRows(colours []Colour, chance game.Chance) {
	var vampires []Colour
	for _, c := range colours {
		vampires = append(vampires, slices.Repeat([]Colour{c}, ofEach)...)
	}
	game.Shuffle(chance, vampires)
	for s := range d.rows {
		d.rows[s], vampires = vampires[:d.row], vampires[d.row:]
	}
}

// position is the table before the first move.
func (d *layout) position() Position {
	p := Position{lid: d.lids}
	p.edition, p.players = d.edition, uint8(len(d.rows))
	p.turn, p.grave, p.rat = d.first, noGrave, noGrave
	p.dance = dance{noGrave, noGrave}
	p.night = night{holder: game.NoSeat, on: noGrave, next: game.NoSeat, bat: noGrave, doubter: game.NoSeat, layer: game.NoSeat}
	for g, l := range d.lids {
		switch l {
		case bare:
			continue
		case Rat:
		default:
			p.colours |= 1 << l
		}
		p.lidded = p.lidded.with(Grave(g))
	}
	p.lids = uint8(copy(p.reserve[:], d.reserve))
	for s, vampires := range d.rows {
		p.rows[s] = layRow(vampires)
		p.garlic[s] = numGarlic
		if p.edition == edRucola {
			p.night.bats[s] = numBats
		}
	}
	dealt := p.countVampires()
	for c := White; c <= Blue; c++ {
		if p.inPlay(c) {
			p.out[c] = uint8(ofEach - dealt[c])
		}
	}
	return p
}

// inPlay: with two players two colours are not (D1).
func (t *table) inPlay(c Colour) bool { return t.colours>>c&1 == 1 }

// A written deal is a deal in the record's words.
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
		w.Lids[g.String()] = p.lid[g].String()
	}
	for s := range p.players {
		r := &p.rows[s]
		w.Rows = append(w.Rows, names(r.list(0, r.n)))
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
	garlics, stakes := [game.MaxSeats]uint8{}, uint8(0)
	for _, c := range p.inside {
		if c.isGarlic() {
			garlics[c.owner()]++
		}
	}
	for s := range p.players {
		if n := garlics[s] + p.garlic[s]; n != numGarlic {
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
	for _, l := range p.lid {
		lids[l]++
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
	for _, c := range p.inside {
		if c.isVampire() {
			vampires[c]++
		}
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
	if p.rat != noGrave && (p.lid[p.rat] != Rat || !p.up.has(p.rat)) {
		return fmt.Errorf("there is a plague, but no open rat on %s", p.rat)
	}
	if stray := (p.up | p.seen | p.fresh) &^ p.lidded; stray != 0 {
		return errors.New("a grave without a lid was opened")
	}
	return nil
}
