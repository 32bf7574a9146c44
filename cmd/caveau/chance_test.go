package main

import (
	crand "crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"caveau/store"
)

// What nobody may guess follows from every bit of what the system gives. Each bit is turned over once.
func TestChanceIsTheSystems(t *testing.T) {
	dir := t.TempDir()
	log, err := store.Open(t.Context(), filepath.Join(dir, "caveau.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	system := crand.Reader
	t.Cleanup(func() { crand.Reader = system })
	for name, draw := range map[string]func(n int) any{
		"a source of chance": func(int) any { return chance().Uint64() },
		"the key that signs cookies": func(n int) any {
			keys, err := serving{keyFile: filepath.Join(dir, fmt.Sprint(n)), slog: slog.New(slog.DiscardHandler)}.keys(t.Context(), log)
			if err != nil {
				t.Fatal(err)
			}
			return string(keys[0])
		},
	} {
		drawn := map[any]int{}
		for bit := -1; bit < 256; bit++ {
			crand.Reader = &turned{bit: bit}
			number := draw(bit)
			if other, same := drawn[number]; same {
				t.Fatalf("%s is the same whether bit %d of what the system gives is turned over or bit %d", name, other, bit)
			}
			drawn[number] = bit
		}
	}
}

// Turned is a source of the system's that always gives the same, but for one bit.
type turned struct{ at, bit int }

func (r *turned) Read(data []byte) (int, error) {
	for i := range data {
		data[i] = byte(r.at * r.at)
		if r.bit >= 0 && r.at == r.bit/8 {
			data[i] ^= 1 << (r.bit % 8)
		}
		r.at++
	}
	return len(data), nil
}
