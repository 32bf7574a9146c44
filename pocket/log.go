package pocket

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"caveau/fact"
	"caveau/fact/notebook"
	"caveau/wire"
)

// A Line is one of what the device keeps: an entry of a table, what somebody is called, or where a game is kept by a house as well.
type Line struct {
	Table wire.ID         `json:"table,omitempty"`
	Seq   int             `json:"seq,omitempty"`
	At    time.Time       `json:"at,omitzero"`
	Data  json.RawMessage `json:"data,omitempty"`
	Over  bool            `json:"over,omitempty"`

	Kept wire.ID `json:"kept,omitempty"`

	Guest string `json:"guest,omitempty"`
	Name  string `json:"name,omitempty"`
}

// A log is a notebook of which each line is kept on the device before anybody is told what follows from it.
type log struct {
	*notebook.Notebook
	keep func(Line) error
	ids  *ids
}

// Append is fact.Log's. What could not be kept is written all the same: whoever is told of an error reads what is there.
func (l log) Append(ctx context.Context, id wire.ID, e fact.Entry) error {
	if err := l.Notebook.Append(ctx, id, e); err != nil {
		return err
	}
	l.ids.add(id)
	return l.keep(Line{Table: id, Seq: e.Seq, At: e.At, Data: e.Data, Over: e.Over})
}

// Name is fact.Log's.
func (l log) Name(ctx context.Context, guest, name string) error {
	if err := l.Notebook.Name(ctx, guest, name); err != nil {
		return err
	}
	return l.keep(Line{Guest: guest, Name: name})
}

// Introduce is fact.Log's. A device has one process.
func (l log) Introduce(ctx context.Context, guest, name string) error {
	if names, err := l.Names(ctx, guest); err != nil || len(names) > 0 {
		return err
	}
	return l.Name(ctx, guest, name)
}

// read takes a line that was kept.
func (l log) read(ctx context.Context, line Line) error {
	switch {
	case line.Guest != "":
		return l.Notebook.Name(ctx, line.Guest, line.Name)
	case line.Kept != "":
		l.ids.note(line.Table, line.Kept)
		return nil
	}
	err := l.Notebook.Append(ctx, line.Table, fact.Entry{Seq: line.Seq, At: line.At, Data: line.Data, Over: line.Over})
	if err == nil {
		l.ids.add(line.Table)
	}
	return err
}

// nowhereElse are those of a table's people who sit at no other: a rematch takes all along.
func (l log) nowhereElse(ctx context.Context, id wire.ID, people map[string]wire.Guest) (guests []string, err error) {
	for _, who := range people {
		guests = append(guests, who.ID)
	}
	for _, other := range l.ids.list() {
		if other == id {
			continue
		}
		there, err := l.people(ctx, other)
		if err != nil {
			return nil, err
		}
		for _, who := range there {
			guests = slices.DeleteFunc(guests, func(guest string) bool { return guest == who.ID })
		}
	}
	return guests, nil
}

// people are those who sit at a table, by seat. Nobody leaves his seat for good where nobody comes from elsewhere.
func (l log) people(ctx context.Context, id wire.ID) (map[string]wire.Guest, error) {
	entries, err := l.Entries(ctx, id, 0)
	if err != nil {
		return nil, err
	}
	people := map[string]wire.Guest{}
	for _, e := range entries {
		if len(fact.Guests(e.Data)) == 0 {
			continue
		}
		said, _, _, err := fact.Read(e.Data)
		if err != nil {
			return nil, err
		}
		switch f := said.(type) {
		case *fact.Made:
			for i, chair := range f.Chairs {
				if chair.Guest.ID != "" {
					people[string(rune('A'+i))] = wire.Guest{ID: chair.Guest.ID}
				}
			}
		case *fact.Sat:
			people[f.Seat.String()] = wire.Guest{ID: f.Guest.ID}
		}
	}
	if len(people) == 0 {
		return nil, wire.Refuse(wire.CodeNoTable, "there is no such table")
	}
	return people, nil
}

// Ids are the names of the tables that were kept, and those that a house has for them, where one keeps them as well.
type ids struct {
	mu   sync.Mutex
	all  []wire.ID
	kept map[wire.ID]wire.ID
}

func (i *ids) add(id wire.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !slices.Contains(i.all, id) {
		i.all = append(i.all, id)
	}
}

func (i *ids) note(id, kept wire.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.kept == nil {
		i.kept = map[wire.ID]wire.ID{}
	}
	i.kept[id] = kept
}

func (i *ids) of(id wire.ID) wire.ID {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.kept[id]
}

func (i *ids) remove(id wire.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.all = slices.DeleteFunc(i.all, func(one wire.ID) bool { return one == id })
	delete(i.kept, id)
}

func (i *ids) list() []wire.ID {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.all)
}
