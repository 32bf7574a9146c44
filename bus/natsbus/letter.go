package natsbus

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fxamacker/cbor/v2"

	"caveau/bus"
	"caveau/match"
	"caveau/ruling"
	"caveau/wire"
)

// Letters as they lie on the wire: the version, the kind, and one of these in CBOR (RFC 8949). The numbers of their fields stay what they are; what has
// a number that a node does not know it leaves alone, so that a field may be added while older nodes are there. Only what stands here crosses.
const (
	version = 1
	anAsk   = 'a'
	aTold   = 't'
	theNews = 'n'
	aRoll   = 'r'
	present = 'p'
)

type ask struct {
	From  int64     `cbor:"1,keyasint"`
	Table wire.ID   `cbor:"2,keyasint"`
	Line  int64     `cbor:"3,keyasint"`
	N     int64     `cbor:"4,keyasint"`
	Heard int       `cbor:"5,keyasint,omitempty"`
	Watch []watcher `cbor:"6,keyasint,omitempty"`
	Said  []said    `cbor:"7,keyasint,omitempty"`
}

// A page is whose it is, and by what it is counted. By which way it is reached is no other node's business.
type page struct {
	Page  int64  `cbor:"1,keyasint"`
	Guest string `cbor:"2,keyasint,omitempty"`
	Name  string `cbor:"3,keyasint,omitempty"`
	Whose string `cbor:"4,keyasint,omitempty"` // of an address the name that only the house's nodes know
}

type watcher struct {
	Page  page `cbor:"1,keyasint"`
	Since int  `cbor:"2,keyasint,omitempty"`
}

type said struct {
	N       int64   `cbor:"1,keyasint"`
	Page    page    `cbor:"2,keyasint"`
	Within  int64   `cbor:"3,keyasint"` // milliseconds
	ID      string  `cbor:"4,keyasint,omitempty"`
	Do      string  `cbor:"5,keyasint,omitempty"`
	Table   wire.ID `cbor:"6,keyasint,omitempty"`
	Seat    string  `cbor:"7,keyasint,omitempty"`
	Seq     int     `cbor:"8,keyasint,omitempty"`
	Move    string  `cbor:"9,keyasint,omitempty"`
	Bot     string  `cbor:"10,keyasint,omitempty"`
	Bits    string  `cbor:"11,keyasint,omitempty"`
	Verdict string  `cbor:"12,keyasint,omitempty"`
	Out     string  `cbor:"13,keyasint,omitempty"` // the guest whom a ruling turns out
}

type told struct {
	To    int64   `cbor:"1,keyasint"`
	Table wire.ID `cbor:"2,keyasint"`
	Term  int64   `cbor:"3,keyasint"`
	Line  int64   `cbor:"4,keyasint"`
	First int     `cbor:"5,keyasint"`
	Lines []aLine `cbor:"6,keyasint,omitempty"`
	Anew  bool    `cbor:"7,keyasint,omitempty"`
	From  int64   `cbor:"8,keyasint,omitempty"`
	Ask   int64   `cbor:"9,keyasint,omitempty"`
}

type roll struct {
	From  int64  `cbor:"1,keyasint"`
	To    int64  `cbor:"2,keyasint"`
	N     int64  `cbor:"3,keyasint"`
	Calls []call `cbor:"4,keyasint"`
}

type answer struct {
	To   int64  `cbor:"1,keyasint"`
	Here []call `cbor:"2,keyasint,omitempty"`
	Gone []call `cbor:"3,keyasint,omitempty"`
}

type call struct {
	Table wire.ID `cbor:"1,keyasint"`
	Term  int64   `cbor:"2,keyasint"`
	Line  int64   `cbor:"3,keyasint"`
	Ask   int64   `cbor:"4,keyasint"`
	Heard int     `cbor:"5,keyasint,omitempty"`
}

type aLine struct {
	Pages   []int64 `cbor:"1,keyasint"`
	Message []byte  `cbor:"2,keyasint"`
	Answer  []byte  `cbor:"3,keyasint,omitempty"`
	Re      int64   `cbor:"4,keyasint,omitempty"`
	Seq     int     `cbor:"5,keyasint,omitempty"`
}

type news struct {
	From    int64    `cbor:"1,keyasint"`
	N       int64    `cbor:"2,keyasint"`
	Signs   []sign   `cbor:"3,keyasint,omitempty"`
	Changes []change `cbor:"4,keyasint,omitempty"`
	Name    string   `cbor:"5,keyasint,omitempty"`
	Spent   []spent  `cbor:"6,keyasint,omitempty"`
	Uses    []use    `cbor:"7,keyasint,omitempty"`
}

type sign struct {
	Card  []byte `cbor:"1,keyasint"` // in JSON, as everybody is told it
	Term  int64  `cbor:"2,keyasint"`
	Awake bool   `cbor:"3,keyasint,omitempty"`
}

type spent struct {
	N       int64  `cbor:"1,keyasint"`
	What    string `cbor:"2,keyasint"`
	Address string `cbor:"3,keyasint,omitempty"` // whose name only the house's nodes know
	Guest   string `cbor:"4,keyasint,omitempty"`
}

type use struct {
	What string `cbor:"1,keyasint"`
	Who  string `cbor:"2,keyasint,omitempty"`
	N    int    `cbor:"3,keyasint"`
}

type change struct {
	N     int64  `cbor:"1,keyasint"`
	Guest string `cbor:"2,keyasint,omitempty"`
}

// writeAsk is an Ask as it crosses.
func writeAsk(a bus.Ask) []byte {
	w := ask{From: a.From, Table: a.Table, Line: a.Line, N: a.N, Heard: a.Heard}
	of := func(c match.Client) page {
		return page{Page: c.Page, Guest: c.Visitor.ID, Name: c.Visitor.Name, Whose: c.Visitor.From}
	}
	for _, x := range a.Watch {
		w.Watch = append(w.Watch, watcher{of(x.Client), x.Since})
	}
	for _, s := range a.Said {
		c := s.Command
		w.Said = append(w.Said, said{
			N: s.N, Page: of(s.Client), Within: s.Within.Milliseconds(),
			ID: c.ID, Do: c.Do, Table: c.Table, Seat: c.Seat, Seq: c.Seq, Move: c.Move, Bot: c.Bot, Bits: c.Bits,
			Verdict: string(s.Ruling.Verdict), Out: s.Ruling.Guest,
		})
	}
	return written(anAsk, w)
}

func writeTold(t bus.Told) []byte {
	w := told{To: t.To, From: t.From, Ask: t.Ask, Table: t.Table, Term: t.Term, Line: t.Line, First: t.First, Anew: t.Anew}
	for _, m := range t.Lines {
		w.Lines = append(w.Lines, aLine(m))
	}
	return written(aTold, w)
}

func writeRoll(r bus.Roll) []byte {
	return written(aRoll, roll{From: r.From, To: r.To, N: r.N, Calls: calls(r.Calls)})
}

func writePresent(p bus.Present) []byte {
	return written(present, answer{To: p.To, Here: calls(p.Here), Gone: calls(p.Gone)})
}

func calls(all []bus.Call) (as []call) {
	for _, c := range all {
		as = append(as, call(c))
	}
	return as
}

func areCalls(all []call) bool {
	return !slices.ContainsFunc(all, func(c call) bool { return c.Table == "" || min(c.Term, c.Line, c.Ask) <= 0 || c.Heard < 0 })
}

func called(all []call) (as []bus.Call) {
	for _, c := range all {
		as = append(as, bus.Call(c))
	}
	return as
}

func writeNews(n bus.News) []byte {
	w := news{From: n.From, N: n.N, Name: n.Name}
	for _, s := range n.Signs {
		w.Signs = append(w.Signs, sign{wire.Message(s.Card), s.Term, s.Awake})
	}
	for _, c := range n.Changes {
		w.Changes = append(w.Changes, change(c))
	}
	for _, s := range n.Spent {
		w.Spent = append(w.Spent, spent(s))
	}
	for _, u := range n.Uses {
		w.Uses = append(w.Uses, use(u))
	}
	return written(theNews, w)
}

func written(kind byte, what any) []byte {
	text, err := cbor.Marshal(what)
	if err != nil {
		panic(fmt.Sprintf("natsbus: %T is not made to cross: %v", what, err))
	}
	return append([]byte{version, kind}, text...)
}

// read is the letter that somebody wrote.
func read(text []byte) (bus.Letter, error) {
	if len(text) < 2 {
		return nil, errNoLetter
	}
	if text[0] != version {
		return nil, fmt.Errorf("it is of version %d, and this node writes and reads version %d: another node is of another time", text[0], version)
	}
	switch kind, text := text[1], text[2:]; kind {
	case anAsk:
		var a ask
		if cbor.Unmarshal(text, &a) == nil && min(a.From, a.Line, a.N) > 0 && a.Heard >= 0 {
			return a.letter(), nil
		}
	case aTold:
		var t told
		if cbor.Unmarshal(text, &t) == nil && min(t.To, t.Term, t.Line, int64(t.First)) > 0 {
			return t.letter(), nil
		}
	case aRoll:
		var r roll
		if cbor.Unmarshal(text, &r) == nil && min(r.From, r.To, r.N) > 0 && areCalls(r.Calls) {
			return bus.Roll{From: r.From, To: r.To, N: r.N, Calls: called(r.Calls)}, nil
		}
	case present:
		var p answer
		if cbor.Unmarshal(text, &p) == nil && p.To > 0 && areCalls(p.Here) && areCalls(p.Gone) {
			return bus.Present{To: p.To, Here: called(p.Here), Gone: called(p.Gone)}, nil
		}
	case theNews:
		var n news
		if cbor.Unmarshal(text, &n) == nil && min(n.From, n.N) > 0 {
			return n.letter()
		}
	}
	return nil, errNoLetter
}

var errNoLetter = errors.New("it is no letter of a house")

func (a ask) letter() bus.Ask {
	all := bus.Ask{From: a.From, Table: a.Table, Line: a.Line, N: a.N, Heard: a.Heard}
	for _, w := range a.Watch {
		all.Watch = append(all.Watch, bus.Watcher{Client: w.Page.client(), Since: w.Since})
	}
	for _, s := range a.Said {
		all.Said = append(all.Said, bus.Said{
			N: s.N, Client: s.Page.client(), Within: time.Duration(s.Within) * time.Millisecond,
			Command: wire.Command{ID: s.ID, Do: s.Do, Table: s.Table, Seat: s.Seat, Seq: s.Seq, Move: s.Move, Bot: s.Bot, Bits: s.Bits},
			Ruling:  ruling.Ruling{Verdict: ruling.Verdict(s.Verdict), Guest: s.Out},
		})
	}
	return all
}

func (p page) client() match.Client {
	return match.Client{Page: p.Page, Visitor: match.Visitor{Guest: wire.Guest{ID: p.Guest, Name: p.Name}, From: p.Whose}}
}

func (t told) letter() bus.Told {
	all := bus.Told{To: t.To, From: t.From, Ask: t.Ask, Table: t.Table, Term: t.Term, Line: t.Line, First: t.First, Anew: t.Anew}
	for _, m := range t.Lines {
		all.Lines = append(all.Lines, bus.Line(m))
	}
	return all
}

func (n news) letter() (bus.Letter, error) {
	all := bus.News{From: n.From, N: n.N, Name: n.Name}
	for _, s := range n.Signs {
		card := bus.Sign{Term: s.Term, Awake: s.Awake}
		if err := json.Unmarshal(s.Card, &card.Card); err != nil {
			return nil, errNoLetter
		}
		all.Signs = append(all.Signs, card)
	}
	for _, c := range n.Changes {
		all.Changes = append(all.Changes, bus.Change(c))
	}
	for _, s := range n.Spent {
		all.Spent = append(all.Spent, bus.Spending(s))
	}
	for _, u := range n.Uses {
		all.Uses = append(all.Uses, bus.Use(u))
	}
	return all, nil
}
