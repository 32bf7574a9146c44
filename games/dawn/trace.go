package dawn

// A truth is a position in the words of the trace (docs/record.md), hidden things included.
type truth struct {
	Turn    string               `json:"turn"`
	Graves  map[string]trueGrave `json:"graves"`
	Reserve []string             `json:"reserve"`
	Rows    []trueRow            `json:"rows"`
	Stakes  []int                `json:"stakes"`
	Garlic  []int                `json:"garlic"`
	Bats    []int                `json:"bats"`
	Bat     *batNow              `json:"bat"`
	Plague  *plagueNow           `json:"plague"`
	Count   *countNow            `json:"count"`
	Gifts   *giftsNow            `json:"gifts"`
}

type trueGrave struct {
	Lid   string `json:"lid"`
	Up    bool   `json:"up"`
	Holds string `json:"holds"`
}

type trueRow struct {
	Vampires []string `json:"vampires"`
	Left     uint8    `json:"left"`
	Down     uint8    `json:"down"`
}

type plagueNow struct {
	Rat    string `json:"rat"`
	Holder string `json:"holder"`
	Goer   string `json:"goer"`
}

type batNow struct {
	On      string `json:"on"`
	Doubter string `json:"doubter"`
}

type countNow struct {
	Holder string `json:"holder"`
	On     string `json:"on"`
}

type giftsNow struct {
	To   string   `json:"to"`
	Have []string `json:"have"`
}

// dump is the truth about a position.
func dump(p Position) any {
	t := truth{
		Turn:    p.turn.String(),
		Graves:  map[string]trueGrave{},
		Reserve: names(p.reserve[:p.lids]),
		Rows:    []trueRow{},
		Stakes:  counts(p.stakes[:p.players]),
		Garlic:  counts(p.garlic[:p.players]),
		Bats:    counts(p.night.bats[:p.players]),
		Bat:     p.batNow(),
		Plague:  p.plagueNow(),
		Count:   p.countNow(),
		Gifts:   p.giftsNow(),
	}
	for g, rest := p.lidded.pop(); g < numGraves; g, rest = rest.pop() {
		t.Graves[g.String()] = trueGrave{p.lid.at(g).String(), p.up.has(g), p.inside.at(g).String()}
	}
	for s := range p.players {
		r := &p.rows[s]
		t.Rows = append(t.Rows, trueRow{r.names(0, r.n), r.left, r.down})
	}
	return t
}

func (t *table) plagueNow() *plagueNow {
	if t.rat == noGrave {
		return nil
	}
	return &plagueNow{t.rat.String(), t.holder.String(), t.goer.String()}
}

func (t *table) batNow() *batNow {
	if t.night.bat == noGrave {
		return nil
	}
	return &batNow{t.night.bat.String(), t.night.doubter.String()}
}

func (t *table) countNow() *countNow {
	if t.edition != edRucola {
		return nil
	}
	return &countNow{t.night.holder.String(), t.night.on.String()}
}

// giftsNow: gifts are told of from the moment they fall due until the last one lies in a row or the game ends.
func (t *table) giftsNow() *giftsNow {
	if t.cause == forNothing || t.winners != 0 {
		return nil
	}
	return &giftsNow{t.to.String(), names(t.hand[:t.held])}
}

func counts(of []uint8) []int {
	list := make([]int, len(of))
	for i, n := range of {
		list[i] = int(n)
	}
	return list
}
