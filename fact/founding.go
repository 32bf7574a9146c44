package fact

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"caveau/fair"
	"caveau/terms"
	"caveau/wire"
)

// A Founding is a table that is to be made.
type Founding struct{ Made *Made }

// Guests are those who are at the table from the first, with the names that they have where they come from.
func (f Founding) Guests() []Guest {
	list := []Guest{f.Made.Host}
	for _, c := range f.Made.Chairs {
		if c.Guest.ID != "" {
			list = append(list, c.Guest)
		}
	}
	return list
}

// First is the founding as the first line of the new table's log.
func (f Founding) First(at time.Time) Entry {
	return Entry{Seq: 1, At: at, Data: Write(f.Made, Receipt{}, nil), Needs: Needs(f.Made, Receipt{})}
}

// Draw draws what follows from nothing: the secret of the deal, or, where there is no deal to be made, what the bots draw
// from.
func (f Founding) Draw(rng *rand.Rand) {
	if f.Made.Imported == nil {
		secret := fair.NewSecret(rng)
		f.Made.Secret, f.Made.Derivation = &secret, fair.Newest
		return
	}
	came := *f.Made.Imported
	came.Seeds = make([]uint64, len(f.Made.Chairs))
	for i := range came.Seeds {
		came.Seeds[i] = rng.Uint64() >> 11 // 53 bits, as fair.BotSeed has it
	}
	f.Made.Imported = &came
}

// Found is a new table, with its maker as the host. What cannot be played is refused with the code bad_command.
func Found(shelf terms.Shelf, host wire.Guest, s terms.Setup) (Founding, error) {
	s, came, err := s.Agreed(shelf)
	switch {
	case err != nil:
		return Founding{}, err
	case host.ID == "":
		return Founding{}, wire.Refuse(wire.CodeNoGuest, "say who you are first: POST /api/guest")
	}
	f := &Made{Setup: s, Host: Guest{host.ID, host.Name}, Chairs: make([]Chair, s.Seats), Imported: came, Standin: Standin(shelf.Bots(s.Game))}
	if s.Sit {
		f.Chairs[0].Guest = f.Host
	}
	for i, name := range s.Bots {
		f.Chairs[s.Seats-len(s.Bots)+i].Bot = name
	}
	for seat, who := range s.Places {
		chair := &f.Chairs[seat[0]-'A']
		if who == terms.Me {
			chair.Guest = f.Host
		} else {
			chair.Bot = who
		}
	}
	f.Setup.Bots, f.Setup.Sit, f.Setup.Places = nil, false, nil
	return Founding{f}, nil
}

// Standin is who of the bots moves at a new table for people who are gone: he has to play well, at once, and so that the game ends.
func Standin(bots []string) string {
	if i := slices.Index(bots, "rules"); i >= 0 {
		return bots[i]
	}
	return formerStandin(bots)
}

func formerStandin(bots []string) string {
	if i := slices.Index(bots, "remembering:keen"); i >= 0 {
		return bots[i]
	}
	return bots[0]
}

// Stands is who moves at the table for people who are gone.
func (f *Made) Stands(bots []string) string { return cmp.Or(f.Standin, formerStandin(bots)) }

// Founder is the id of the guest who had a table made, as the first line of its log has it; "" where that says nothing of him.
func Founder(log []Entry) string {
	if len(log) == 0 {
		return ""
	}
	if all := Guests(log[0].Data); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Guests are those who come to a table with an entry, by their ids: the host and whoever sits there from the first, or one who sits
// down; or whoever brought a game. Of all other entries nothing is read but the kind, and of these nothing else.
func Guests(data json.RawMessage) (ids []string) {
	if !slices.ContainsFunc([]string{`{"kind":"made"`, `{"kind":"sit"`, `{"kind":"kept"`}, func(kind string) bool { return bytes.HasPrefix(data, []byte(kind)) }) {
		return nil
	}
	var e struct {
		Fact struct {
			Host, Guest Guest
			Chairs      []Chair
		}
	}
	if json.Unmarshal(data, &e) != nil {
		return nil // that is the affair of whoever wakes the table
	}
	all := []Guest{e.Fact.Host, e.Fact.Guest}
	for _, c := range e.Fact.Chairs {
		all = append(all, c.Guest)
	}
	for _, g := range all {
		if g.ID != "" {
			ids = append(ids, g.ID)
		}
	}
	return ids
}
