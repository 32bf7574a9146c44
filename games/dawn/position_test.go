package dawn

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"caveau/game"
)

// Scripts set the table up in a little language of their own. What it does not name is filled in, always in the same way,
// so that everything in the box is there once:
//
//	players 4                 first
//	edition 2004              the usual one, unless named
//	first A                   whose turn it is; A, unless named
//	colours red green blue    with two players: some of the four that stay
//	bare a1 a2                with two players: some of the twenty bare graves
//	A: red blue (green) .. white black
//	                          a row: face-down vampires in brackets, two dots for as many more as were dealt; the two
//	                          at each end of those are face up, named or not; without dots that is the whole row
//	A: red blue (38) white black
//	                          the same with 38 between them, whatever was dealt
//	graves: d3 rat, e5 red with vampire red, f6 with garlic B
//	                          a vampire lies under a lid of its colour unless the lid is named
//	reserve: red blue         the top of it
//	stakes: A 2, B 1
//	bats: A 0, B 1            with the expansion: how many each has left; two, unless named
//	count B e5                with the expansion: who has the Count, and which grave he has reserved
//	just c3                   in the edition of 2017: the grave that was just opened
//	maxVampires 3             in the edition of 2017: at most so many were dealt to each
//
// Vampires that are in nobody's row, for rows were named that are shorter than the dealt ones, lie in graves.
type wish struct {
	edition string
	players int
	first   game.Seat
	colours []Colour
	rows    [game.MaxSeats]wishedRow
	lids    map[Grave]Lid
	inside  map[Grave]Content
	bare    Graves
	reserve []Lid
	stakes  perSeat
	bats    perSeat
	count   game.Seat
	on      Grave
	just    Grave
	options map[string]int
}

// A wishedRow is a row from left to right; middle is where the dots were, -1 without.
type wishedRow struct {
	places  []place
	middle  int
	between int // how many lie there, if that was said
}

// A place in a row; a colour of 0 is to be filled in.
type place struct {
	colour Colour
	up     bool
}

// setUp makes the position that a script wishes for.
func setUp(input string) (Position, error) {
	w := wish{edition: "2004", lids: map[Grave]Lid{}, inside: map[Grave]Content{}, count: game.NoSeat, on: noGrave, just: noGrave}
	for s := range w.rows {
		w.rows[s].middle = 0 // everything is filled in
		w.bats[s] = numBats
	}
	for line := range strings.Lines(input) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := w.read(line); err != nil {
			return Position{}, fmt.Errorf("%q: %w", line, err)
		}
	}
	return w.position()
}

func (w *wish) read(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	names := strings.Fields(rest)
	switch word {
	case "players":
		n, err := strconv.Atoi(rest)
		w.players = n
		return err
	case "edition":
		w.edition = rest
		return nil
	case "first":
		s, err := game.ParseSeat(rest)
		w.first = s
		return err
	case "colours":
		return each(names, func(name string) error {
			c, ok := parseColour(name)
			w.colours = append(w.colours, c)
			return unless(ok, "no colour")
		})
	case "bare":
		return each(names, func(name string) error {
			g, ok := parseGrave(name)
			w.bare = w.bare.with(g)
			return unless(ok, "no grave")
		})
	case "reserve:":
		return each(names, func(name string) error {
			c, ok := parseColour(name)
			w.reserve = append(w.reserve, Lid(c))
			return unless(ok, "no colour")
		})
	case "stakes:":
		return each(strings.Split(rest, ", "), w.stakes.read)
	case "bats:":
		return each(strings.Split(rest, ", "), w.bats.read)
	case "count":
		return w.readCount(rest)
	case "just":
		g, ok := parseGrave(rest)
		w.just = g
		return unless(ok, "no grave")
	case "maxVampires":
		n, err := strconv.Atoi(rest)
		w.options = map[string]int{word: n}
		return err
	case "graves:":
		return each(strings.Split(rest, ", "), w.readGrave)
	default:
		return w.readRow(strings.TrimSuffix(word, ":"), names)
	}
}

func each(names []string, read func(string) error) error {
	for _, name := range names {
		if err := read(name); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
	}
	return nil
}

func unless(ok bool, fault string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("this is %s", fault)
}

// A perSeat is how many of something each has.
type perSeat [game.MaxSeats]uint8

func (of *perSeat) read(words string) error {
	letter, number, _ := strings.Cut(words, " ")
	s, err := game.ParseSeat(letter)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(number)
	of[s] = uint8(n)
	return err
}

func (w *wish) readCount(words string) (err error) {
	letter, name, _ := strings.Cut(words, " ")
	if w.count, err = game.ParseSeat(letter); err != nil {
		return err
	}
	g, ok := parseGrave(name)
	w.on = g
	return unless(ok, "no grave")
}

func (w *wish) readGrave(words string) error {
	before, content, occupied := strings.Cut(words, "with ")
	name, lid, lidNamed := strings.Cut(strings.TrimSpace(before), " ")
	g, ok := parseGrave(name)
	if !ok {
		return unless(false, "no grave")
	}
	if occupied {
		c := slices.Index(contentNames[:], content)
		if c <= 0 {
			return unless(false, "nothing that lies in graves")
		}
		w.inside[g] = Content(c)
		if w.inside[g].isVampire() {
			w.lids[g] = Lid(c)
		}
	}
	if lidNamed {
		w.lids[g], ok = parseLid(lid)
	}
	return unless(ok, "no lid")
}

func (w *wish) readRow(letter string, names []string) error {
	s, err := game.ParseSeat(letter)
	if err != nil {
		return err
	}
	row := wishedRow{middle: -1}
	for _, name := range names {
		if name == ".." {
			row.middle = len(row.places)
			continue
		}
		if n, err := strconv.Atoi(strings.Trim(name, "()")); err == nil {
			row.middle, row.between = len(row.places), n
			continue
		}
		c, ok := parseColour(strings.Trim(name, "()"))
		if !ok {
			return unless(false, "no row of colours")
		}
		row.places = append(row.places, place{c, name[0] != '('})
	}
	w.rows[s] = row
	return nil
}

// position fills in what was not named.
func (w *wish) position() (Position, error) {
	if w.players < 2 || w.players > game.MaxSeats {
		return Position{}, fmt.Errorf("there are %d players", w.players)
	}
	if w.count == w.first {
		return Position{}, fmt.Errorf("%s has the Count, and his turn would begin with him: let somebody else be the first", w.count)
	}
	box, setup := boxFor(w.players), game.Setup{Edition: w.edition, Players: w.players, Options: w.options}
	w.fillRows(rowFor(setup))
	asleep, err := w.fillVampires(box)
	if err != nil {
		return Position{}, err
	}
	if err := w.fillGraves(box, asleep); err != nil {
		return Position{}, err
	}
	d := newLayout(setup)
	d.first, d.reserve = w.first, w.reserve
	for g, l := range w.lids {
		d.lids[g] = l
	}
	for s := range d.rows {
		d.rows[s] = w.rows[s].colours()
	}
	for _, c := range w.inside { // dealt as well, before it lay down
		if c.isVampire() {
			d.rows[0] = append(d.rows[0], Colour(c))
		}
	}
	p := d.position()
	w.arrange(&p)
	return p, check(p)
}

// arrange lays the table as it is after what must have happened since the deal.
func (w *wish) arrange(p *Position) {
	for s := range w.players {
		p.rows[s] = w.rows[s].lay()
		p.stakes[s] = w.stakes[s]
		p.night.bats[s] = min(p.night.bats[s], w.bats[s])
	}
	p.night.holder, p.night.on, p.dance.just = w.count, w.on, w.just
	for g, c := range w.inside {
		p.inside.set(g, c)
		p.seen = p.seen.with(g)
		if c.isGarlic() {
			p.garlic[c.owner()]--
		}
	}
}

// fillRows puts in as many places as were dealt, two of them face up before the dots and two behind.
func (w *wish) fillRows(dealt int) {
	for s := range w.players {
		r := &w.rows[s]
		if r.middle < 0 {
			continue
		}
		leftUp, rightUp := r.ups()
		more := dealt - len(r.places)
		if r.between > 0 {
			more = r.between
		}
		var filled []place
		for i := range more {
			filled = append(filled, place{up: i < 2-leftUp || more-i <= 2-rightUp})
		}
		r.places = slices.Insert(r.places, r.middle, filled...)
	}
}

// ups is how many face-up vampires are named on each side of the dots.
func (r *wishedRow) ups() (leftUp, rightUp int) {
	for i, p := range r.places {
		switch {
		case p.up && i < r.middle:
			leftUp++
		case p.up:
			rightUp++
		}
	}
	return leftUp, rightUp
}

func (r *wishedRow) colours() (colours []Colour) {
	for _, p := range r.places {
		colours = append(colours, p.colour)
	}
	return colours
}

func (r *wishedRow) lay() row {
	laid := layRow(r.colours())
	laid.left, laid.down = 0, 0
	for i, p := range r.places {
		switch {
		case !p.up:
			laid.down++
		case i == int(laid.left):
			laid.left++
		}
	}
	laid.settle()
	return laid
}

// fillVampires gives every place its colour, the colours by turns; what then is in no row and no grave lies asleep.
func (w *wish) fillVampires(box box) (asleep []Colour, err error) {
	unnamed := [numColours + 1]int{}
	for _, c := range w.inPlay(box) {
		unnamed[c] = ofEach
	}
	for s := range w.players {
		for _, c := range w.rows[s].colours() {
			unnamed[c]--
		}
	}
	for _, c := range w.inside {
		if c.isVampire() {
			unnamed[c]--
		}
	}
	unnamed[0] = 0
	rest, err := byTurns(unnamed[:])
	if err != nil {
		return nil, fmt.Errorf("vampires: %w", err)
	}
	w.shorten(len(rest))
	for s := range w.players {
		for i := range w.rows[s].places {
			if p := &w.rows[s].places[i]; p.colour == 0 {
				p.colour, rest = rest[0], rest[1:]
			}
		}
	}
	if w.options != nil {
		return nil, nil // they stay out of the game (N6)
	}
	return rest, nil
}

// shorten takes face-down places that are to be filled out of the longest rows until there are vampires for the others.
func (w *wish) shorten(vampires int) {
	for {
		longest, at, missing := -1, 0, -vampires
		for s := range w.players {
			toFill := slices.Index(w.rows[s].places, place{})
			for _, p := range w.rows[s].places {
				if p.colour == 0 {
					missing++
				}
			}
			if toFill >= 0 && (longest < 0 || len(w.rows[s].places) >= len(w.rows[longest].places)) {
				longest, at = s, toFill
			}
		}
		if missing <= 0 || longest < 0 {
			return
		}
		w.rows[longest].places = slices.Delete(w.rows[longest].places, at, at+1)
	}
}

// inPlay are the colours that are in the game: with two players the named ones, and others up to four (D1).
func (w *wish) inPlay(box box) []Colour {
	colours := slices.Clone(w.colours)
	for c := White; c <= Blue && len(colours) < box.colours; c++ {
		if !slices.Contains(colours, c) {
			colours = append(colours, c)
		}
	}
	slices.Sort(colours)
	return colours
}

// byTurns lists so many of each colour: one of each, and again, as long as there are some.
func byTurns(left []int) (list []Colour, err error) {
	for c, n := range left {
		if n < 0 {
			return nil, fmt.Errorf("%d more %s are named than there are", -n, Colour(c))
		}
	}
	for more := true; more; {
		more = false
		for c := range left {
			if left[c] > 0 {
				left[c]--
				list = append(list, Colour(c))
				more = true
			}
		}
	}
	return list, nil
}

// fillGraves lays the sleeping vampires and the missing rats into the last graves and every other lid on the first ones;
// what is left over is the bottom of the reserve.
func (w *wish) fillGraves(box box, asleep []Colour) error {
	unnamed := [numColours + 1]int{}
	for _, c := range w.inPlay(box) {
		unnamed[c] = ofEach
	}
	rats := box.rats
	for _, l := range w.lids {
		if l == Rat {
			rats--
		} else {
			unnamed[l]--
		}
	}
	for _, l := range w.reserve {
		unnamed[l]--
	}
	free := w.freeGraves(box)
	if rats < 0 || rats+len(asleep) > len(free) {
		return fmt.Errorf("%d rats and %d sleeping vampires are to be laid into %d graves", rats, len(asleep), len(free))
	}
	for range rats {
		w.lids[free[len(free)-1]] = Rat
		free = free[:len(free)-1]
	}
	for _, c := range asleep {
		g := free[len(free)-1]
		w.inside[g] = vampire(c)
		if unnamed[c] > 0 {
			w.lids[g] = Lid(c)
			unnamed[c]--
			free = free[:len(free)-1]
		} else {
			free = slices.Insert(free[:len(free)-1], 0, g) // its lid is one of the others
		}
	}
	rest, err := byTurns(unnamed[:])
	if err != nil {
		return fmt.Errorf("lids: %w", err)
	}
	for _, g := range free {
		w.lids[g] = Lid(rest[0])
		rest = rest[1:]
	}
	for _, c := range rest {
		w.reserve = append(w.reserve, Lid(c))
	}
	return nil
}

// freeGraves are the graves that have a lid which was not named, those that something lies in first. Bare are the named
// ones, and the last that are free.
func (w *wish) freeGraves(box box) (free []Grave) {
	occupied := 0
	for g := range Grave(numGraves) {
		_, named := w.lids[g]
		switch {
		case named || w.bare.has(g):
		case w.inside[g] != empty:
			free = slices.Insert(free, occupied, g)
			occupied++
		default:
			free = append(free, g)
		}
	}
	more := numGraves - box.graves - bits.OnesCount64(uint64(w.bare))
	return free[:len(free)-more]
}

// draw draws the table, hidden things included.
func draw(p Position) string {
	var b strings.Builder
	for s := range game.Seat(p.players) {
		r := &p.rows[s]
		fmt.Fprintf(&b, "%s: %s; stakes %d, garlic %d\n", s, drawRow(r), p.stakes[s], p.garlic[s])
	}
	if p.players == 2 {
		fmt.Fprintf(&b, "colours: %s\n", words(p.inPlayList()))
	}
	rats := p.countLids()[Rat]
	fmt.Fprintf(&b, "lids: %d, of them rats %d; reserve: %s\n", bits.OnesCount64(uint64(p.lidded)), rats, words(p.reserve[:p.lids]))
	drawGraves(&b, "open", p.up, &p)
	occupied := p.lidded &^ p.inside.of(empty)
	drawGraves(&b, "occupied", occupied, &p)
	drawGraves(&b, "closed, and seen before", p.seen&^p.up&^occupied, &p)
	drawGraves(&b, "closed with a new lid", p.fresh, &p)
	if p.edition == edRucola {
		drawNight(&b, &p)
	}
	if p.edition == ed2017 {
		fmt.Fprintf(&b, "just opened: %s\n", orNone(p.dance.just.String()))
	}
	if n := p.countOut(); n > 0 {
		fmt.Fprintf(&b, "out of the game: %d vampires\n", n)
	}
	if plague := p.plagueNow(); plague != nil {
		fmt.Fprintf(&b, "plague: around %s, %s has the rat, %s has a go\n", plague.Rat, plague.Holder, plague.Goer)
	}
	if gifts := p.giftsNow(); gifts != nil {
		fmt.Fprintf(&b, "gifts to %s: %s\n", gifts.To, strings.Join(gifts.Have, " "))
	}
	return b.String()
}

func drawNight(b *strings.Builder, p *Position) {
	bats := make([]string, p.players)
	for s := range game.Seat(p.players) {
		bats[s] = fmt.Sprintf("%s %d", s, p.night.bats[s])
	}
	fmt.Fprintf(b, "bats: %s\n", strings.Join(bats, ", "))
	switch {
	case p.night.holder == game.NoSeat:
		fmt.Fprintf(b, "the Count: on his column\n")
	case p.night.on == noGrave:
		fmt.Fprintf(b, "the Count: before %s\n", p.night.holder)
	default:
		fmt.Fprintf(b, "the Count: on %s, for %s\n", p.night.on, p.night.holder)
	}
}

func orNone(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

func (p *Position) countOut() (n int) {
	for _, out := range p.out {
		n += int(out)
	}
	return n
}

func (p *Position) inPlayList() (colours []Colour) {
	for c := White; c <= Blue; c++ {
		if p.inPlay(c) {
			colours = append(colours, c)
		}
	}
	return colours
}

// drawRow: what is face down is a number in brackets.
func drawRow(r *row) string {
	switch {
	case r.n == 0:
		return "empty"
	case r.left == r.n:
		return words(r.list(0, r.n))
	default:
		return fmt.Sprintf("%s (%d) %s", words(r.list(0, r.left)), r.down, words(r.list(r.left+r.down, r.n)))
	}
}

// drawGraves draws some graves, each with its lid and what lies in it; only the number of them, where they are many.
func drawGraves(b *strings.Builder, label string, some Graves, p *Position) {
	const many = 12
	var list []string
	for g, rest := some.pop(); g < numGraves; g, rest = rest.pop() {
		words := g.String() + " " + p.lid.at(g).String()
		if p.inside.at(g) != empty {
			words += " with " + p.inside.at(g).String()
		}
		list = append(list, words)
	}
	switch {
	case len(list) > many:
		fmt.Fprintf(b, "%s: %d graves\n", label, len(list))
	case len(list) > 0:
		fmt.Fprintf(b, "%s: %s\n", label, strings.Join(list, ", "))
	}
}

func words[T fmt.Stringer](things []T) string { return strings.Join(names(things), " ") }
