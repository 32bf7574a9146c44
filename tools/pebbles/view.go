package pebbles

import (
	"math/rand/v2"

	"caveau/game"
)

// A View is what one seat knows: its own hand, what it has laid face down, and what lies face up.
type View struct {
	seat game.Seat
	table
	hands [maxPlayers]row
	down  [maxPlayers]row
}

// View builds what seat s may know.
func (p Position) View(s game.Seat) View {
	v := View{seat: s, table: p.table}
	for o := range game.Seat(p.players) {
		v.hands[o].n, v.down[o].n = p.held[o], p.laid[o]
		if o == s {
			v.hands[o], v.down[o] = p.hands[o], p.down[o]
		}
	}
	return v
}

// Sample lays what the seat has not seen down anew: in hands, face down, and in the box.
func (v View) Sample(rng *rand.Rand) Position {
	p := Position{table: v.table, hands: v.hands, down: v.down}
	unseen := p.missing()
	game.Shuffle(rng, unseen)
	fill := func(r *row) {
		for i := range r.at[:r.n] {
			if r.at[i] == 0 {
				r.at[i], unseen = unseen[0], unseen[1:]
			}
		}
	}
	for s := range p.players {
		fill(&p.hands[s])
		fill(&p.down[s])
	}
	copy(p.box[:], unseen)
	return p
}

// missing is the pebbles that are nowhere.
func (p *Position) missing() (list []Pebble) {
	of := p.count()
	for n := Pebble(1); n <= numbers; n++ {
		for range ofEach - of[n] {
			list = append(list, n)
		}
	}
	return list
}

// A screen is what lies on the table.
type screen struct {
	Up   [][]string `json:"up,omitempty"`
	Down []int      `json:"down,omitempty"`
	Held []int      `json:"held,omitempty"`
	Box  []string   `json:"box,omitempty"`
}

// reveal is the table when all that anybody has lies face up, and the box is open.
func reveal(p Position) any {
	p.turnUp()
	for s := range p.players {
		for _, n := range p.hands[s].at[:p.hands[s].n] {
			p.up[s].put(n)
		}
		p.held[s] = 0
	}
	sc := p.View(game.Watcher).Shown(game.AidNone).(screen)
	for _, n := range p.box {
		if n != 0 {
			sc.Box = append(sc.Box, n.String())
		}
	}
	return sc
}

// Shown is what lies on the table: by seat the pebbles face up, how many face down, how many in hand.
func (v View) Shown(game.Aid) any {
	var sc screen
	var up, down, held int
	for s := range v.players {
		sc.Up = append(sc.Up, words(v.up[s]))
		sc.Down = append(sc.Down, int(v.laid[s]))
		sc.Held = append(sc.Held, int(v.held[s]))
		up, down, held = up+int(v.up[s].n), down+int(v.laid[s]), held+int(v.held[s])
	}
	if up == 0 {
		sc.Up = nil
	}
	if down == 0 {
		sc.Down = nil
	}
	if held == 0 {
		sc.Held = nil
	}
	return sc
}

type own struct {
	Hand []string `json:"hand,omitempty"`
	Down []string `json:"down,omitempty"`
}

// Own is the seat's hand, and what it has laid face down.
func (v View) Own(game.Aid) any {
	if v.seat >= game.Seat(v.players) || v.held[v.seat]+v.laid[v.seat] == 0 {
		return nil
	}
	return own{words(v.hands[v.seat]), words(v.down[v.seat])}
}

func words(r row) []string {
	list := make([]string, r.n)
	for i := range list {
		list[i] = r.at[i].String()
	}
	return list
}
