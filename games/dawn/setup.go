package dawn

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"caveau/game"
)

const numGarlic = 3 // bundles for everyone

// A box is what is on the table for so many players.
type box struct{ colours, graves, rats, reserve, row int }

func boxFor(players int) box {
	if players == 2 {
		return box{colours: 4, graves: 40, rats: 4, reserve: 4, row: 20} // D1
	}
	return box{colours: 6, graves: 60, rats: 6, reserve: 6, row: numColours * ofEach / players} // S3
}

// choices: two players may choose the colours that leave (D1), and which graves are bare (D2).
var choices = []game.Choice{
	{Name: "bare", Of: cemetery.name[:], Count: numGraves - boxFor(2).graves, Players: []int{2}},
	{Name: "colours", Of: colourNames[White:], Count: numColours - boxFor(2).colours, Players: []int{2}},
}

// maxVampires: young players may agree on fewer vampires than the box has for each (N6).
var maxVampires = game.Option{Name: "maxVampires", Least: 1, Most: 12}

// rowFor is how many vampires each is dealt (N6).
func rowFor(setup game.Setup) int {
	row := boxFor(setup.Players).row
	if most, agreed := setup.Options[maxVampires.Name]; agreed {
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
		if name != maxVampires.Name || setup.Edition != "2017" {
			return fmt.Errorf("edition %s of dawn-under has no option %q", setup.Edition, name)
		}
		if n < maxVampires.Least || n > maxVampires.Most {
			return fmt.Errorf("%s is %d: it can be %d to %d", name, n, maxVampires.Least, maxVampires.Most)
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
	p := Position{}
	p.edition, p.players = d.edition, uint8(len(d.rows))
	p.turn, p.grave, p.rat = d.first, noGrave, noGrave
	p.dance = dance{noGrave, noGrave}
	p.night = night{holder: game.NoSeat, on: noGrave, next: game.NoSeat, bat: noGrave, doubter: game.NoSeat, laying: noLaying}
	for g, l := range d.lids {
		p.lid.set(Grave(g), l)
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
