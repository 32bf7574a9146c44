package dawn

import (
	"math/rand/v2"
	"slices"

	"caveau/game"
)

// A View is what one seat knows: all that was ever shown to it, whether it remembers or not. In Dawn Under everyone sees
// the same, owners of face-down vampires and watchers included.
type View struct {
	seat game.Seat
	table
	lid  [numGraves]Lid // hidden where nobody has seen it since it was put there
	rows [game.MaxSeats]row
}

// hidden is a lid that was not seen since it was put there.
const hidden = Rat + 1

// View builds what seat s may know.
func (p Position) View(s game.Seat) View {
	v := View{seat: s, table: p.table}
	for g, l := range p.lid {
		switch {
		case p.seen.has(Grave(g)) || l == bare:
			v.lid[g] = l
		default:
			v.lid[g] = hidden
		}
	}
	for r := range p.rows {
		v.rows[r] = p.rows[r].seen()
	}
	return v
}

// seen is the row as it lies before everyone: the faces that are down are not there.
func (r *row) seen() row {
	seen := row{n: r.n, left: r.left, down: r.down}
	for i := range r.n {
		if r.isUp(i) {
			seen.set(i, r.at(i))
		}
	}
	return seen
}

// isUp tells whether the vampire at i is face up.
func (r *row) isUp(i uint8) bool { return i < r.left || i >= r.left+r.down }

// Sample is a position that the seat cannot tell from the true one, each as likely as the deal makes it: what was never
// seen is shuffled and laid down again.
func (v View) Sample(rng *rand.Rand) Position {
	p := Position{table: v.table, lid: v.lid, rows: v.rows}
	p.sampleLids(rng)
	p.sampleRows(rng)
	return p
}

// sampleLids deals the unseen lids anew: first the reserve and the graves that were closed from it, where no rat can be
// (S3), then the rest with the remaining rats.
func (p *Position) sampleLids(rng *rand.Rand) {
	unseen := p.unseenLids()
	game.Shuffle(rng, unseen)
	unseen = unseen[copy(p.reserve[:p.lids], unseen):]
	for g, rest := p.fresh.pop(); g < numGraves; g, rest = rest.pop() {
		p.lid[g], unseen = unseen[0], unseen[1:]
	}
	box := boxFor(int(p.players))
	for range box.rats - (box.reserve - int(p.lids)) - p.countLids()[Rat] {
		unseen = append(unseen, Rat)
	}
	game.Shuffle(rng, unseen)
	for g := range p.lid {
		if p.lid[g] == hidden {
			p.lid[g], unseen = unseen[0], unseen[1:]
		}
	}
}

func (p *Position) unseenLids() []Lid {
	var left [hidden + 1]int
	for c := White; c <= Blue; c++ {
		if p.inPlay(c) {
			left[c] = ofEach
		}
	}
	for _, l := range p.lid {
		left[l]--
	}
	lids := make([]Lid, 0, numGraves+len(p.reserve))
	for c := White; c <= Blue; c++ {
		for range left[c] {
			lids = append(lids, Lid(c))
		}
	}
	return lids
}

// sampleRows deals the vampires that nobody has seen to the places that are face down; the rest was not dealt (N6).
func (p *Position) sampleRows(rng *rand.Rand) {
	seen := p.countVampires()
	unseen := make([]Colour, 0, numGraves)
	for c := White; c <= Blue; c++ {
		if p.inPlay(c) {
			for range ofEach - seen[c] {
				unseen = append(unseen, c)
			}
		}
	}
	game.Shuffle(rng, unseen)
	for s := range p.players {
		r := &p.rows[s]
		for i := r.left; i < r.left+r.down; i++ {
			r.set(i, unseen[0])
			unseen = unseen[1:]
		}
	}
	for _, c := range unseen {
		p.out[c]++
	}
}

// Forget is the view as somebody has it in mind who remembers nothing of the closed graves outside kept: not their lids,
// and of what lies in them only how much there is. He lays it down anew, somewhere among the graves that he does not
// remember.
func (v View) Forget(kept uint64, _ [][2]uint8) View {
	var places []Grave
	var contents []Content
	lost := v.lidded &^ v.up &^ Graves(kept)
	if v.grave != noGrave {
		lost = lost.without(v.grave) // it lies open before him
	}
	for g, rest := lost.pop(); g < numGraves; g, rest = rest.pop() {
		places = append(places, g)
		contents = append(contents, v.inside[g])
		if v.seen.has(g) {
			v.lid[g] = hidden
		}
		v.seen = v.seen.without(g)
	}
	slices.Reverse(contents)
	for i, g := range places {
		v.inside[g] = contents[i]
	}
	return v
}

// Place is the number of a grave as Forget counts them.
func (View) Place(at string) (uint8, bool) {
	g, ok := parseGrave(at)
	return uint8(g), ok
}

// A screen is what lies on the table for everyone; docs/protocol.md says what each field means, and its absence.
type screen struct {
	Graves     []shownGrave `json:"graves,omitempty"`
	Rows       []shownRow   `json:"rows"`
	Stakes     []int        `json:"stakes,omitempty"`
	Garlic     []int        `json:"garlic,omitempty"`
	StakesLeft *int         `json:"stakesLeft,omitempty"`
	Reserve    uint8        `json:"reserve,omitempty"`
	Turn       string       `json:"turn"`
	At         string       `json:"at,omitempty"`
	Plague     *shownPlague `json:"plague,omitempty"`
	Gifts      *shownGifts  `json:"gifts,omitempty"`
	Just       string       `json:"just,omitempty"`
	Bats       []int        `json:"bats,omitempty"`
	Bat        *shownBat    `json:"bat,omitempty"`
	Count      *shownCount  `json:"count,omitempty"`
}

type shownGrave struct {
	At     string       `json:"at"`
	Lid    string       `json:"lid,omitempty"`
	Under  string       `json:"under,omitempty"`
	Holds  string       `json:"holds,omitempty"`
	Mark   bool         `json:"mark,omitempty"`
	Recall *shownRecall `json:"recall,omitempty"`
}

type shownRecall struct {
	Under string `json:"under"`
	Holds string `json:"holds,omitempty"`
}

type shownRow struct {
	Left  []string `json:"left,omitempty"`
	Down  uint8    `json:"down,omitempty"`
	Right []string `json:"right,omitempty"`
}

type shownPlague struct {
	plagueNow
	Out []string `json:"out,omitempty"`
}

type shownGifts struct {
	To   string   `json:"to"`
	Have []string `json:"have,omitempty"`
	From []string `json:"from,omitempty"`
}

type shownBat struct {
	On      string   `json:"on"`
	Doubter string   `json:"doubter,omitempty"`
	Asks    []string `json:"asks,omitempty"`
}

type shownCount struct {
	Holder string `json:"holder,omitempty"`
	On     string `json:"on,omitempty"`
}

// Shown is what lies on the table: open lids and what is under them, face-up vampires, what everyone has before him. Of
// closed graves it shows what the table's aid remembers for its players.
func (v View) Shown(aid game.Aid) any {
	sc := screen{
		Graves:  v.showGraves(aid),
		Stakes:  countsBut(v.stakes[:v.players], 0),
		Garlic:  countsBut(v.garlic[:v.players], numGarlic),
		Reserve: v.lids,
		Turn:    v.turn.String(),
		At:      v.grave.String(),
		Bats:    countsBut(v.night.bats[:v.players], 0),
		Rows:    make([]shownRow, 0, v.players),
	}
	for s := range v.players {
		r := &v.rows[s]
		sc.Rows = append(sc.Rows, shownRow{r.names(0, r.left), r.down, r.names(r.left+r.down, r.n)})
	}
	if left := v.stakesLeft(); left != numStakes {
		sc.StakesLeft = &left
	}
	if plague := v.plagueNow(); plague != nil {
		sc.Plague = &shownPlague{*plague, v.out()}
	}
	if gifts := v.giftsNow(); gifts != nil {
		sc.Gifts = &shownGifts{gifts.To, gifts.Have, names(v.givers.List())}
	}
	if aid != game.AidNone {
		sc.Just = v.dance.just.String()
	}
	if bat := v.batNow(); bat != nil {
		sc.Bat = &shownBat{bat.On, bat.Doubter, names(v.night.asks.List())}
	}
	if count := v.countNow(); count != nil {
		sc.Count = &shownCount{count.Holder, count.On}
	}
	return sc
}

// AppendJSON writes the screen as encoding/json does.
func (sc screen) AppendJSON(t game.JSON) game.JSON {
	t = append(t, '{')
	if len(sc.Graves) > 0 {
		t = game.Items(t.Key("graves"), sc.Graves)
	}
	t = game.Items(t.Key("rows"), sc.Rows).NumbersIn("stakes", sc.Stakes).NumbersIn("garlic", sc.Garlic)
	if sc.StakesLeft != nil {
		t = t.Key("stakesLeft").Number(*sc.StakesLeft)
	}
	t = t.NumberIn("reserve", int(sc.Reserve)).Key("turn").Text(sc.Turn).TextIn("at", sc.At)
	if p := sc.Plague; p != nil {
		t = append(t.Key("plague"), '{').Key("rat").Text(p.Rat).Key("holder").Text(p.Holder).Key("goer").Text(p.Goer)
		t = append(t.TextsIn("out", p.Out), '}')
	}
	if g := sc.Gifts; g != nil {
		t = append(append(t.Key("gifts"), '{').Key("to").Text(g.To).TextsIn("have", g.Have).TextsIn("from", g.From), '}')
	}
	t = t.TextIn("just", sc.Just).NumbersIn("bats", sc.Bats)
	if b := sc.Bat; b != nil {
		t = append(append(t.Key("bat"), '{').Key("on").Text(b.On).TextIn("doubter", b.Doubter).TextsIn("asks", b.Asks), '}')
	}
	if c := sc.Count; c != nil {
		t = append(append(t.Key("count"), '{').TextIn("holder", c.Holder).TextIn("on", c.On), '}')
	}
	return append(t, '}')
}

func (g shownGrave) AppendJSON(t game.JSON) game.JSON {
	t = append(t, '{').Key("at").Text(g.At).TextIn("lid", g.Lid).TextIn("under", g.Under).TextIn("holds", g.Holds)
	if g.Mark {
		t = append(t.Key("mark"), "true"...)
	}
	if r := g.Recall; r != nil {
		t = append(append(t.Key("recall"), '{').Key("under").Text(r.Under).TextIn("holds", r.Holds), '}')
	}
	return append(t, '}')
}

func (r shownRow) AppendJSON(t game.JSON) game.JSON {
	return append(append(t, '{').TextsIn("left", r.Left).NumberIn("down", int(r.Down)).TextsIn("right", r.Right), '}')
}

// names is what lies in a row from i to j, in words.
func (r *row) names(i, j uint8) []string {
	names := make([]string, 0, j-i)
	for ; i < j; i++ {
		names = append(names, r.at(i).String())
	}
	return names
}

// Own is nothing: everyone sees the same, and his own face-down vampires as little as anybody.
func (View) Own(game.Aid) any { return nil }

// countsBut is the counts; none where each is as many as everyone begins with.
func countsBut(of []uint8, usual uint8) []int {
	for _, n := range of {
		if n != usual {
			return counts(of)
		}
	}
	return nil
}

func (t *table) stakesLeft() int {
	left := numStakes
	for _, n := range t.stakes {
		left -= int(n)
	}
	return left
}

// showGraves is the graves of which there is more to say than that a lid lies on them.
func (v *View) showGraves(aid game.Aid) (graves []shownGrave) {
	for g := range Grave(numGraves) {
		if shown := v.showGrave(g, aid); shown != (shownGrave{}) {
			shown.At = g.String()
			graves = append(graves, shown)
		}
	}
	return graves
}

func (v *View) showGrave(g Grave, aid game.Aid) (shown shownGrave) {
	switch {
	case !v.lidded.has(g):
		shown.Lid = "none"
	case v.up.has(g):
		shown.Lid, shown.Under, shown.Holds = "open", v.lid[g].String(), v.inside[g].String()
	case v.grave == g:
		shown.Lid, shown.Holds = "lifted", v.inside[g].String() // X2
	case v.seen.has(g) && aid != game.AidNone:
		shown.Mark = true
		if aid == game.AidAll {
			shown.Recall = &shownRecall{v.lid[g].String(), v.inside[g].String()}
		}
	}
	return shown
}

// out are the players who have had their go in the plague.
func (t *table) out() []string {
	out := []string{}
	for s := t.holder; s != t.goer; s = s.Left(t.players) {
		out = append(out, s.String())
	}
	return out
}
