package dawn

import (
	"encoding/json"
	"slices"
	"testing"

	"caveau/game"
	"caveau/game/gametest"
)

func TestPacked(t *testing.T) { gametest.Packed(t, Rules, Packed) }

// A row is made here of nothing but what one reads, as docs/env.md says.
func TestARowIsMadeOfWhatIsRead(t *testing.T) {
	for _, edition := range editionNames {
		for players := 2; players <= 5; players++ {
			for n, p := range whole(t, game.Setup{Edition: edition, Players: players, First: game.NoSeat}, uint64(players)) {
				if n > 40 && n%5 > 0 {
					continue
				}
				for _, aid := range []game.Aid{game.AidNone, game.AidMarks, game.AidAll} {
					v := p.View(0)
					row := make([]byte, sizeOf(fields(players)))
					Packed.Pack(row, &v, aid)
					if made := rowOf(t, shown(t, p, aid), players); !slices.Equal(row, made) {
						t.Fatalf("%s, %d players, aid %q, after %d moves:\n%v\nand of what is read\n%v\n%s", edition, players, aid, n, row, made, shown(t, p, aid))
					}
				}
			}
		}
	}
}

func sizeOf(fields []game.Field) (size int) {
	for _, f := range fields {
		size += f.Size()
	}
	return size
}

// rowOf is a row, made of what is read.
func rowOf(t *testing.T, read string, players int) (row []byte) {
	t.Helper()
	var sc screen
	if err := json.Unmarshal([]byte(read), &sc); err != nil {
		t.Fatal(err)
	}
	place := func(list []string, word string) byte { return byte(slices.Index(list, word) + 1) }
	grave := func(at string) byte { return place(cemetery.name[:], at) }
	colour := func(word string) byte { return place(colourNames[1:], word) }
	seat := func(s string) byte { return place([]string{"A", "B", "C", "D", "E", "F"}, s) }
	add := func(these ...byte) { row = append(row, these...) }
	each := func(list []int, usual int) {
		for s := range players {
			if list == nil {
				add(byte(usual))
			} else {
				add(byte(list[s]))
			}
		}
	}
	flags := func(of []string) {
		for s := range players {
			add(map[bool]byte{true: 1}[slices.Contains(of, "ABCDEF"[s:s+1])])
		}
	}
	var lids, under, holds [numGraves]byte
	for _, g := range sc.Graves {
		i := grave(g.At) - 1
		lids[i] = place([]string{"open", "lifted", "none"}, g.Lid)
		if g.Mark {
			lids[i] = 4
		}
		if r := g.Recall; r != nil {
			g.Under, g.Holds = r.Under, r.Holds
		}
		under[i] = place(lidNames[White:hidden], g.Under)
		holds[i] = byte(slices.Index(contentNames[:], g.Holds))
	}
	row = slices.Concat(lids[:], under[:], holds[:])
	var left, down, right, rows []byte
	for _, r := range sc.Rows {
		left, down, right = append(left, byte(len(r.Left))), append(down, r.Down), append(right, byte(len(r.Right)))
		all := append(r.Left, append(make([]string, r.Down), r.Right...)...)
		for _, c := range append(all, make([]string, numGraves-len(all))...) {
			rows = append(rows, colour(c))
		}
	}
	row = slices.Concat(row, left, down, right, rows)
	each(sc.Stakes, 0)
	each(sc.Garlic, 3)
	add(sc.Reserve, seat(sc.Turn), grave(sc.At))
	if k := sc.Plague; k != nil {
		add(grave(k.Rat), seat(k.Holder), seat(k.Goer))
	} else {
		add(0, 0, 0)
	}
	k := sc.Gifts
	if k == nil {
		k = &shownGifts{}
	}
	add(seat(k.To))
	for _, c := range append(slices.Clone(k.Have), make([]string, game.MaxSeats-len(k.Have))...) {
		add(colour(c))
	}
	flags(k.From)
	add(grave(sc.Just))
	each(sc.Bats, 0)
	b, c := sc.Bat, sc.Count
	if b == nil {
		b = &shownBat{}
	}
	if c == nil {
		c = &shownCount{}
	}
	add(grave(b.On), seat(b.Doubter))
	flags(b.Asks)
	add(seat(c.Holder), grave(c.On))
	return row
}
