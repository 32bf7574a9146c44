//go:build js && wasm

package main

import (
	"encoding/json"
	"slices"

	"caveau/catalog"
	"caveau/game"
	"caveau/record"
	"caveau/wire"
)

// A replay is a record as the frames of a table at which it is played, as docs/protocol.md has them, with its story.
type replay struct {
	Frames []still      `json:"frames"`
	Story  record.Story `json:"story"`
	Fault  string       `json:"fault,omitempty"` // why there are no more frames
}

// A still is one position, and what led to it.
type still struct {
	Seq     int          `json:"seq"` // counted from 1: the deal
	About   *about       `json:"about,omitempty"`
	Events  []game.Event `json:"events,omitempty"`
	Shown   any          `json:"shown"`
	Own     any          `json:"own,omitempty"`
	You     string       `json:"you,omitempty"`
	Turn    game.Seat    `json:"turn,omitzero"`
	Asked   string       `json:"asked,omitempty"`
	Cites   string       `json:"cites,omitempty"`
	Outcome *ending      `json:"outcome,omitempty"`
}

type about struct {
	State string `json:"state"`
	Setup agreed `json:"setup"`
	Seats []seat `json:"seats"`
}

type agreed struct {
	Game    string         `json:"game"`
	Edition string         `json:"edition"`
	Seats   int            `json:"seats"`
	Options map[string]int `json:"options,omitempty"`
	Aid     game.Aid       `json:"aid"`
}

type seat struct {
	Seat     string `json:"seat"`
	Name     string `json:"name,omitempty"`
	Bot      string `json:"bot,omitempty"`
	Nameless bool   `json:"nameless,omitempty"`
	Here     bool   `json:"here"`
}

type ending struct {
	Winners []game.Seat `json:"winners"`
	Why     string      `json:"why"`
	Scores  []int       `json:"scores,omitempty"`
}

// everything are the eyes of somebody who sees all that is hidden.
const everything = "all"

// play is the record through these eyes: a seat's letter, "" for a watcher's, or everything.
func play(text, eyes string) string {
	told, err := replayed([]byte(text), eyes)
	if err != nil {
		told.Fault = err.Error()
	}
	return string(wire.Message(told))
}

func replayed(text []byte, eyes string) (told replay, err error) {
	rec, err := record.Read(text)
	if err != nil {
		return told, err
	}
	start, err := rec.Start(catalog.House)
	if err != nil {
		return told, err
	}
	var note record.Note
	if extra, ok := rec.Extra["table"]; ok {
		_ = json.Unmarshal(extra, &note) // somebody else's may say anything there
	}
	viewer, err := game.ParseSeat(eyes)
	if err != nil || int(viewer) >= len(rec.Players) {
		viewer = game.Watcher
	}
	p := camera{note: note, viewer: viewer, all: eyes == everything, players: len(rec.Players)}
	err = rec.Replay(start, func(ply int, s game.State, events []game.Event) error {
		told.Frames = append(told.Frames, p.still(ply, s, events, ply == len(rec.Moves)))
		return nil
	})
	if err != nil {
		return told, err
	}
	first, last := aboutOf(rec, note), aboutOf(rec, note)
	told.Frames[0].About = &first
	last.State = "over"
	if end := &told.Frames[len(told.Frames)-1]; end.Outcome != nil {
		end.About = &last
	}
	told.Story, err = rec.Story(start)
	return told, err
}

// A camera makes the stills of a game for one audience.
type camera struct {
	note    record.Note
	viewer  game.Seat
	all     bool
	players int
}

func (c camera) still(ply int, s game.State, events []game.Event, last bool) still {
	f := still{Seq: ply + 1, Turn: s.Turn(), Asked: s.Asks().Word, Cites: s.Asks().Rule}
	for _, e := range events {
		if !c.all {
			e = e.For(c.viewer)
		}
		f.Events = append(f.Events, e)
	}
	o := s.Outcome()
	if last && (o.Over || c.note.Why != "") {
		f.Outcome = &ending{o.Winners.List(), c.note.Why, o.Scores.List(c.players)}
		f.Turn, f.Asked, f.Cites = game.NoSeat, "", ""
	}
	if c.all || f.Outcome != nil {
		f.Shown = s.Revealed()
	} else {
		f.Shown = s.Shown(game.Aid(c.note.Aid))
	}
	if c.viewer != game.Watcher {
		f.You, f.Own = c.viewer.String(), s.Own(c.viewer, game.Aid(c.note.Aid))
	}
	return f
}

func aboutOf(rec record.Record, note record.Note) about {
	a := about{"running", agreed{rec.Game, rec.Edition, len(rec.Players), rec.Options, game.Aid(note.Aid)}, nil}
	for i, name := range rec.Players {
		s := seat{Seat: game.Seat(i).String(), Name: name, Here: true, Nameless: name == ""}
		if slices.Contains(catalog.House.Bots(rec.Game), name) {
			s = seat{Seat: s.Seat, Bot: name, Here: true}
		}
		a.Seats = append(a.Seats, s)
	}
	return a
}
