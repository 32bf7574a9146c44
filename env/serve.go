package env

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"caveau/game"
	"caveau/wire"
)

// Protocol is the version of docs/env.md that is spoken here.
const Protocol = 1

// A Shelf is what can be learned.
type Shelf interface {
	Games() []game.Info
	// Learned is the game of a name; false where there is none, or none for programs.
	Learned(name string) (Game, bool)
}

// How much one may ask for: games in a batch, events in a row, bytes in a message.
const (
	mostGames  = 1 << 16
	mostEvents = 64
	longest    = 1 << 20
)

// What a packed message asks for; its answer says whether it was done.
const (
	opStep = 1 + iota
	opLook
	opObserve

	done    = 0
	refused = 1
)

// Serve reads messages and answers them, one after the other, until there are no more. What it cannot read to its end is an error.
func Serve(shelf Shelf, in io.Reader, out io.Writer) error {
	d := desk{shelf: shelf, in: bufio.NewReaderSize(in, 1<<16), out: bufio.NewWriterSize(out, 1<<16)}
	for {
		first, err := d.in.Peek(1)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case first[0] == 0:
			err = d.packed()
		default:
			err = d.line()
		}
		if err == nil {
			err = d.out.Flush()
		}
		if err != nil {
			return err
		}
	}
}

// A desk is where one program is served.
type desk struct {
	shelf   Shelf
	batch   batch // nil before one was made
	space   Space
	players int
	in      *bufio.Reader
	out     *bufio.Writer
	room    []byte
	actions []int32
}

// A fault is why something was not done, by a code that stays.
type fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	N       *int   `json:"n,omitempty"`      // in which game
	Action  *int32 `json:"action,omitempty"` // and what was no move there
}

func (f fault) Error() string { return f.Message }

func because(code, format string, args ...any) error {
	return fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// asFault is an error as it is told.
func asFault(err error) fault {
	var told fault
	var no illegal
	switch {
	case errors.As(err, &told):
		return told
	case errors.As(err, &no):
		return fault{"illegal", err.Error(), &no.game, &no.action}
	}
	return fault{Code: "bad_terms", Message: err.Error()}
}

var errNotMade = because("not_made", "there are no games yet: make some")

// line answers a line of JSON with one. Empty lines are none.
func (d *desk) line() error {
	line, err := d.readLine()
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	text, err := d.do(line)
	if err != nil {
		text = wire.Message(map[string]any{"error": asFault(err)})
	}
	_, err = d.out.Write(append(text, '\n'))
	return err
}

func (d *desk) readLine() ([]byte, error) {
	d.room = d.room[:0]
	for {
		part, err := d.in.ReadSlice('\n')
		if d.room = append(d.room, part...); len(d.room) > longest {
			return nil, fmt.Errorf("a message has more than %d bytes", longest)
		}
		if err == nil || errors.Is(err, io.EOF) && len(d.room) > 0 {
			return d.room, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// do does what a line says.
func (d *desk) do(line []byte) ([]byte, error) {
	var what struct {
		Do string `json:"do"`
	}
	if err := json.Unmarshal(line, &what); err != nil {
		return nil, because("bad_message", "that is no object of JSON: %v", err)
	}
	switch what.Do {
	case "games":
		return wire.Message(map[string]any{"ok": true, "protocol": Protocol, "games": d.learned()}), read(line, &struct {
			Do string `json:"do"`
		}{})
	case "make":
		return d.make(line)
	case "reset", "step", "look", "observe", "resample":
		if d.batch == nil {
			return nil, errNotMade
		}
		return d.ask(what.Do, line)
	}
	return nil, because("bad_message", "it knows games, make, reset, step, look, observe and resample, and not %.20q", what.Do)
}

func read(line []byte, into any) error {
	if err := game.ReadStrict(line, into); err != nil {
		return because("bad_message", "%v", err)
	}
	return nil
}

func (d *desk) learned() (infos []game.Info) {
	for _, info := range d.shelf.Games() {
		if _, ok := d.shelf.Learned(info.Name); ok {
			infos = append(infos, info)
		}
	}
	return infos
}

// make makes a batch of games, in the place of the one that there was.
func (d *desk) make(line []byte) ([]byte, error) {
	m := struct {
		Do      string              `json:"do"`
		Game    string              `json:"game"`
		Edition string              `json:"edition"`
		Players int                 `json:"players"`
		First   game.Seat           `json:"first"`
		Options map[string]int      `json:"options"`
		Choices map[string][]string `json:"choices"`
		Aid     game.Aid            `json:"aid"`
		Games   int                 `json:"games"`
		Seed    uint64              `json:"seed"`
		Auto    bool                `json:"auto"`
		Moves   int                 `json:"moves"`
		Events  int                 `json:"events"`
	}{First: game.NoSeat, Games: 1}
	if err := read(line, &m); err != nil {
		return nil, err
	}
	g, there := d.shelf.Learned(m.Game)
	switch {
	case !there:
		return nil, because("bad_terms", "there is no game %.40q for programs", m.Game)
	case !m.Aid.Known():
		return nil, because("bad_terms", "aid is %.20q: it can be nothing, marks or all", m.Aid)
	case m.Games < 1 || m.Games > mostGames:
		return nil, because("bad_terms", "games is %d: it can be 1 to %d", m.Games, mostGames)
	case m.Events < 0 || m.Events > mostEvents:
		return nil, because("bad_terms", "events is %d: it can be 0 to %d", m.Events, mostEvents)
	case m.Moves < 0:
		return nil, because("bad_terms", "moves is %d: it can be 0, for as many as the rules allow, or more", m.Moves)
	}
	terms := Terms{
		Setup: game.Setup{Edition: m.Edition, Players: m.Players, Options: m.Options, First: m.First, Choices: m.Choices},
		Aid:   m.Aid, Games: m.Games, Seed: m.Seed, Auto: m.Auto, Moves: m.Moves, Events: m.Events,
	}
	b, err := g.deal(terms)
	if err != nil {
		return nil, err
	}
	d.batch, d.space, d.players = b, g.Space(terms), m.Players
	return wire.Message(map[string]any{"ok": true, "games": m.Games, "players": m.Players, "space": d.space}), nil
}

// ask does what is said about the games that there are.
func (d *desk) ask(do string, line []byte) ([]byte, error) {
	var m struct {
		Do      string  `json:"do"`
		N       int     `json:"n"`
		Seat    string  `json:"seat"`
		Which   []int   `json:"which"`
		Into    []int   `json:"into"`
		Seed    uint64  `json:"seed"`
		Actions []int32 `json:"actions"`
	}
	if err := read(line, &m); err != nil {
		return nil, err
	}
	switch do {
	case "reset":
		return d.reset(m.Which, m.Seed)
	case "look":
		return d.sights(), nil
	case "step":
		if err := d.step(m.Actions); err != nil {
			return nil, err
		}
		return d.sights(), nil
	}
	seat, err := game.ParseSeat(m.Seat)
	if err != nil {
		return nil, because("bad_message", "%v", err)
	}
	if err := d.isSeat(m.N, seat); err != nil {
		return nil, err
	}
	if do == "resample" {
		return d.resample(m.N, seat, m.Into, m.Seed)
	}
	return append(d.batch.read(m.N, seat).AppendJSON(game.JSON(`{"ok":true,"sight":`)), '}'), nil
}

func (d *desk) isSeat(n int, s game.Seat) error {
	if n < 0 || n >= d.batch.number() {
		return because("no_such", "there is no game %d: they are 0 to %d", n, d.batch.number()-1)
	}
	if int(s) >= d.players {
		return because("no_such", "nobody sits on seat %q: %d play", s, d.players)
	}
	return nil
}

// are tells what is wrong with a list of games below most, each of which may be there once.
func are(list []int, most int) error {
	seen := map[int]bool{}
	for _, n := range list {
		if n < 0 || n >= most || seen[n] {
			return because("no_such", "%d is no game, or is named twice: they are 0 to %d", n, most-1)
		}
		seen[n] = true
	}
	return nil
}

func (d *desk) reset(which []int, seed uint64) ([]byte, error) {
	if which == nil {
		for n := range d.batch.number() {
			which = append(which, n)
		}
	}
	if err := are(which, d.batch.number()); err != nil {
		return nil, err
	}
	return d.number(), d.batch.reset(which, seed)
}

func (d *desk) resample(n int, s game.Seat, into []int, seed uint64) ([]byte, error) {
	if d.batch.turn(n) == game.NoSeat {
		return nil, because("over", "game %d is over: nothing is left to be played on", n)
	}
	if into == nil {
		into = []int{n}
	}
	if err := are(into, mostGames); err != nil {
		return nil, err
	}
	err := d.batch.resample(n, s, into, seed)
	return d.number(), err
}

// number says how many games there are.
func (d *desk) number() []byte {
	return wire.Message(map[string]any{"ok": true, "games": d.batch.number()})
}

// sights is what everybody who is asked is told.
func (d *desk) sights() []byte {
	text := game.JSON(`{"ok":true,"sights":[`)
	for n := range d.batch.number() {
		text = d.batch.read(n, d.asked(n)).AppendJSON(text.Next())
	}
	return append(text, "]}"...)
}

// asked is whom a game asks; seat A where it is over.
func (d *desk) asked(n int) game.Seat {
	if s := d.batch.turn(n); s != game.NoSeat {
		return s
	}
	return 0
}

func (d *desk) step(actions []int32) error {
	if len(actions) != d.batch.number() {
		return because("bad_message", "there are %d games, and %d actions", d.batch.number(), len(actions))
	}
	return d.batch.step(actions)
}

// header is how many bytes stand before what a packed message says: 0, what it asks for or whether it was done, two of 0, and how many
// follow.
const header = 8

// packed answers a packed message with one.
func (d *desk) packed() error {
	head := make([]byte, header)
	if _, err := io.ReadFull(d.in, head); err != nil {
		return fmt.Errorf("a packed message breaks off: %w", err)
	}
	n := binary.LittleEndian.Uint32(head[4:])
	if n > longest {
		return fmt.Errorf("a message has %d bytes, and may have %d", n, longest)
	}
	if cap(d.room) < int(n) {
		d.room = make([]byte, n)
	}
	d.room = d.room[:n]
	if _, err := io.ReadFull(d.in, d.room); err != nil {
		return fmt.Errorf("a packed message breaks off: %w", err)
	}
	text, err := d.unpacked(head[1], d.room)
	head[1] = done
	if err != nil {
		text, head[1] = wire.Message(asFault(err)), refused
	}
	head[2], head[3] = 0, 0
	binary.LittleEndian.PutUint32(head[4:], uint32(len(text)))
	if _, err := d.out.Write(head); err != nil {
		return err
	}
	_, err = d.out.Write(text)
	return err
}

// unpacked does what a packed message says.
func (d *desk) unpacked(op byte, said []byte) ([]byte, error) {
	if d.batch == nil {
		return nil, errNotMade
	}
	switch {
	case op == opStep && len(said)%4 == 0:
		d.actions = d.actions[:0]
		for ; len(said) > 0; said = said[4:] {
			d.actions = append(d.actions, int32(binary.LittleEndian.Uint32(said)))
		}
		return d.batch.told(), d.step(d.actions)
	case op == opLook && len(said) == 0:
		return d.batch.told(), nil
	case op == opObserve && len(said) == 8:
		n, s := binary.LittleEndian.Uint32(said), binary.LittleEndian.Uint32(said[4:])
		if err := d.isSeat(int(n), game.Seat(min(s-1, uint32(game.NoSeat)))); err != nil {
			return nil, err
		}
		text := make([]byte, d.space.Mask+d.space.Row)
		d.batch.pack(int(n), game.Seat(s-1), text[:d.space.Mask], text[d.space.Mask:])
		return text, nil
	}
	return nil, because("bad_message", "%d bytes for %d are none of step (1), look (2) or observe (3)", len(said), op)
}
