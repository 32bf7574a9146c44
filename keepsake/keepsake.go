// Package keepsake makes games that were played on somebody's own device (package pocket) into what a house keeps of them: one entry, with the record as it
// was brought. The engine has replayed it, and nobody vouches for its deal.
package keepsake

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"caveau/fact"
	"caveau/record"
	"caveau/table"
	"caveau/terms"
)

// A Digest is of a game and of the guest who brings it: the same for whoever brings the same again, and guessed by nobody who has not the record.
type Digest [sha256.Size]byte

// Read makes the entry that keeps a game for a guest from that moment on. It refuses what is no record of a game of a device, what the rules do not
// allow or a proof does not fit, and what is not over.
func Read(shelf terms.Shelf, guest string, at time.Time, text []byte) (e fact.Entry, d Digest, err error) {
	rec, err := record.Read(text)
	if err != nil {
		return e, d, err
	}
	note, err := rec.Note()
	if err != nil {
		return e, d, err
	}
	whole, err := json.Marshal(rec) // as its digest was made, however a page has spelled it
	if err != nil {
		return e, d, err
	}
	for _, c := range record.Verify(whole, shelf).Checks {
		if _, sealed := rec.Extra["proof"]; sealed && c.Fault != "" {
			return e, d, errors.New(c.Fault)
		}
	}
	f := &fact.Kept{Guest: fact.Guest{ID: guest}, Record: whole}
	t := table.New(shelf)
	if err := t.Replay(fact.Entry{Seq: 1, At: at, Data: fact.Write(f, fact.Receipt{}, nil)}); err != nil {
		return e, d, err
	}
	end, over, _ := t.Endings()
	if !over {
		return e, d, errors.New("the game is not over")
	}
	if end.Why = t.Outcome().Why; note.Why != end.Why {
		return e, d, fmt.Errorf("table: why: the game did not end as %.40q", note.Why)
	}
	e = fact.Entry{Seq: 1, At: at, Data: fact.Write(f, fact.Receipt{}, end), Over: true}
	return e, sha256.Sum256(append([]byte(guest+"\n"), whole...)), nil
}

// Record is the record of a game that is kept, whatever the rules of today make of it; false of every other table.
func Record(entries []fact.Entry) (r record.Record, ok bool) {
	if len(entries) == 0 {
		return r, false
	}
	f, _, _, err := fact.Read(entries[0].Data)
	kept, is := f.(*fact.Kept)
	if err != nil || !is {
		return r, false
	}
	r, err = record.Read(kept.Record)
	return r, err == nil
}
