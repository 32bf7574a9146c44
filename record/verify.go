package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"caveau/fair"
	"caveau/game"
)

// Keys at the top that this package looks into.
const (
	proofKey = "proof"
	tableKey = "table"
)

// Prove adds the proof of the deal, and with it a digest of the whole record: it is the last thing that is done to one.
func (r *Record) Prove(p fair.Proof) error {
	proof, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if r.Extra == nil {
		r.Extra = map[string]json.RawMessage{}
	}
	r.Extra[proofKey] = proof
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	digest := p.Version.Digest(bytes.TrimSuffix(text, []byte("}}")))
	r.Extra[proofKey] = fmt.Appendf(proof[:len(proof)-1], `,"digest":"%s"}`, digest)
	return nil
}

// What Verify looks at.
const (
	CheckRead  = "read"  // it is a record of a game that is played here, and it has a proof
	CheckWhole = "whole" // nothing was changed in it since it was written
	CheckSeals = "seals" // the secret and the numbers are those that were sealed
	CheckDeal  = "deal"  // the deal follows from them
	CheckBots  = "bots"  // and so does what the bots drew from
	CheckMoves = "moves" // every move is allowed where it stands
)

// A Check is one thing that Verify has looked at.
type Check struct {
	What  string `json:"what"`
	Fault string `json:"fault"` // "" if all is well
}

// A Verdict is what a record proves. Where the first check fails, it is the only one, and the rest is empty.
type Verdict struct {
	Checks  []Check
	Record  Record
	Proof   fair.Proof
	Seed    fair.Bits
	Outcome game.Outcome
}

// OK tells whether all is well.
func (v Verdict) OK() bool {
	for _, c := range v.Checks {
		if c.Fault != "" {
			return false
		}
	}
	return true
}

func (v *Verdict) look(what string, err error) bool {
	c := Check{What: what}
	if err != nil {
		c.Fault = err.Error()
	}
	v.Checks = append(v.Checks, c)
	return err == nil
}

// Verify checks a record that a server has written: that its deal was fixed beforehand and is the one that follows from
// what was sealed, and that every move is allowed. What that proves, and what it does not, docs/fair.md says.
func Verify(text []byte, shelf Shelf) Verdict {
	var v Verdict
	start, err := v.read(text, shelf)
	if !v.look(CheckRead, err) {
		return v
	}
	v.look(CheckWhole, v.whole(text))
	if v.look(CheckSeals, v.seals()) {
		v.look(CheckDeal, v.Record.Explain(v.deals(shelf, start), shelf))
		v.look(CheckBots, v.bots())
	}
	err = v.Record.Replay(start, func(_ int, s game.State, _ []game.Event) error {
		v.Outcome = s.Outcome()
		return nil
	})
	v.look(CheckMoves, v.Record.Explain(err, shelf))
	return v
}

func (v *Verdict) read(text []byte, shelf Shelf) (game.State, error) {
	rec, err := Read(text)
	if err != nil {
		return nil, err
	}
	proof, sealed := rec.Extra[proofKey]
	if !sealed {
		return nil, rec.unsealed()
	}
	var written struct {
		fair.Proof
		Digest string `json:"digest"` // whole looks at it
	}
	if err := game.ReadStrict(proof, &written); err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	v.Proof = written.Proof
	v.Record = rec
	start, err := rec.Start(shelf)
	return start, rec.Explain(err, shelf)
}

// unsealed says why a record has no proof.
func (r Record) unsealed() error {
	var table struct {
		Imported *int `json:"imported"`
	}
	if json.Unmarshal(r.Extra[tableKey], &table) == nil && table.Imported != nil {
		return fmt.Errorf("the record has no proof: its table began with a position from another record, after %d moves, and whoever "+
			"brought that knew what lay hidden", *table.Imported)
	}
	return errors.New("the record has no proof: its deal was not sealed")
}

// A digest is the last thing in a record.
var lastDigest = regexp.MustCompile(`,"digest":"([0-9a-f]{64})"\}\}$`)

// whole compares the record with its digest. Space between its words does not count.
func (v *Verdict) whole(text []byte) error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return err
	}
	found := lastDigest.FindSubmatchIndex(compact.Bytes())
	if found == nil {
		return errors.New("the record does not end with the digest of its proof")
	}
	if said := compact.Bytes()[found[2]:found[3]]; v.Proof.Version.Digest(compact.Bytes()[:found[0]]).String() != string(said) {
		return errors.New("the record is not as it was written: its digest does not fit")
	}
	return nil
}

// seals derives the seed. A number belongs to one of the players: a bot gives none, and a seat at which nobody sat would
// be a place for a number that was chosen when all the others were known.
func (v *Verdict) seals() (err error) {
	table, err := v.table()
	if err != nil {
		return err
	}
	for _, a := range append(slices.Clone(v.Proof.Failed), v.Proof.Attempt) {
		for _, n := range a.Numbers {
			if seat, err := game.ParseSeat(n.Seat); err != nil || int(seat) >= len(v.Record.Players) || table.Bots[n.Seat].Bot != "" {
				return fmt.Errorf("there is a number of seat %.8q, which is no person's", n.Seat)
			}
		}
	}
	v.Seed, err = v.Proof.Seed()
	return err
}

// deals deals again.
func (v *Verdict) deals(shelf Shelf, start game.State) error {
	setup := game.Setup{
		Edition: v.Record.Edition, Players: len(v.Record.Players), Options: v.Record.Options, First: game.NoSeat, Choices: v.Proof.Choices,
	}
	if v.Proof.First != "" {
		var err error
		if setup.First, err = game.ParseSeat(v.Proof.First); err != nil {
			return err
		}
	}
	g, _ := shelf.Game(v.Record.Game)
	again, err := g.Deal(setup, v.Proof.Version.NewChance(v.Seed))
	if err != nil {
		return err
	}
	drawn, err := WriteDeal(again)
	if err != nil {
		return err
	}
	dealt, err := WriteDeal(start)
	if err != nil {
		return err
	}
	if !bytes.Equal(drawn, dealt) {
		return errors.New("the deal is not the one that follows from the secret and the numbers")
	}
	return nil
}

// noted is what is looked at of a record's object "table".
type noted struct{ Bots map[string]Robot }

func (v *Verdict) table() (t noted, err error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(cmp.Or(string(v.Record.Extra[tableKey]), "{}")), &all); err != nil {
		return t, fmt.Errorf("table: %w", err)
	}
	if bots, there := all["bots"]; there {
		if err := game.ReadStrict(bots, &t.Bots); err != nil {
			return t, fmt.Errorf("table: bots: %w", err)
		}
	}
	return t, nil
}

// bots compares the seeds of the bots, as far as the record tells them.
func (v *Verdict) bots() error {
	table, err := v.table()
	if err != nil {
		return err
	}
	for seat, bot := range table.Bots {
		if bot.Seed != v.Proof.Version.BotSeed(v.Seed, seat) {
			return fmt.Errorf("the bot of seat %.8s drew from a seed that does not follow from the deal's", seat)
		}
	}
	return nil
}
