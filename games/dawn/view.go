package dawn

import "caveau/game"

// A View is what one seat knows: all that was ever shown to it, whether it remembers or not. In Dawn Under everyone sees
// the same, owners of face-down vampires and watchers included.
type View struct {
	seat game.Seat
	table
	lid  layer[Lid] // hidden where nobody has seen it since it was put there
	rows [game.MaxSeats]row
	sunk uint8 // how many vampires lie in graves that he has forgotten
}

// hidden is a lid that was not seen since it was put there.
const hidden = Rat + 1

// View builds what seat s may know.
func (p Position) View(s game.Seat) View {
	v := View{seat: s, table: p.table, lid: p.lid.only(p.seen)}
	v.lid.fill(p.lidded&^p.seen, hidden)
	for r := range p.players {
		v.rows[r] = p.rows[r].seen()
	}
	return v
}

// seen is the row as it lies before everyone: the faces that are down are not there.
func (r *row) seen() row {
	seen := row{n: r.n, left: r.left, down: r.down}
	for w := range r.packed {
		first, end := max(0, 4*(int(r.left)-16*w)), max(0, 4*(int(r.left+r.down)-16*w))
		up := 1<<first - 1 | ^uint64(1<<end-1)
		seen.packed[w] = r.packed[w] & up
	}
	return seen
}

// Place is the number of a grave, as Forget counts them, at which something was seen to happen.
func (View) Place(e game.Event) (uint8, bool) {
	g, ok := parseGrave(e.At)
	return uint8(g), ok && e.Verb != "bat" && e.Verb != "count"
}

// Called is what a grave is called.
func (View) Called(place uint8) string { return Grave(place).String() }

// Near are the graves around one, which are easily taken for it.
func (View) Near(place uint8) uint64 { return uint64(cemetery.neighbour[place]) }

// A screen is what lies on the table for everyone; docs/protocol.md says what each field means, and its absence.
type screen struct {
	Graves     []shownGrave `json:"graves,omitempty"`
	Rows       []shownRow   `json:"rows"`
	Stakes     []int        `json:"stakes,omitempty"`
	Garlic     []int        `json:"garlic,omitempty"`
	StakesLeft *int         `json:"stakesLeft,omitempty"`
	Reserve    uint8        `json:"reserve,omitempty"`
	Spare      []string     `json:"spare,omitempty"`
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

// reveal is the table when all lids are turned, those of the reserve too, and all vampires lie face up.
func reveal(p Position) any {
	v := View{seat: game.Watcher, table: p.table, lid: p.lid, rows: p.rows}
	v.up = v.lidded
	for s := range v.rows {
		v.rows[s].left, v.rows[s].down = v.rows[s].n, 0
	}
	sc := v.Shown(game.AidNone).(screen)
	sc.Spare = names(p.reserve[:p.lids])
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
	t = t.NumberIn("reserve", int(sc.Reserve)).TextsIn("spare", sc.Spare).Key("turn").Text(sc.Turn).TextIn("at", sc.At)
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
		shown.Lid, shown.Under, shown.Holds = "open", v.lid.at(g).String(), v.inside.at(g).String()
	case v.grave == g:
		shown.Lid, shown.Holds = "lifted", v.inside.at(g).String() // X2
	case v.seen.has(g) && aid != game.AidNone:
		shown.Mark = true
		if aid == game.AidAll {
			shown.Recall = &shownRecall{v.lid.at(g).String(), v.inside.at(g).String()}
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
