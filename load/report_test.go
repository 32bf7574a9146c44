package load

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
)

func ms(ns ...float64) (waits []time.Duration) {
	for _, n := range ns {
		waits = append(waits, time.Duration(n*float64(time.Millisecond)))
	}
	return waits
}

func TestQuantile(t *testing.T) {
	var thousand []float64
	for i := 1; i <= 1000; i++ {
		thousand = append(thousand, float64(i))
	}
	for _, x := range []struct {
		waits []float64
		part  float64
		want  float64
	}{
		{nil, 0.5, 0},
		{[]float64{7}, 0.5, 7}, {[]float64{7}, 0.999, 7},
		{[]float64{1, 2}, 0.5, 1}, {[]float64{1, 2}, 0.51, 2},
		{[]float64{1, 2, 3}, 0.5, 2},
		{thousand, 0.5, 500}, {thousand, 0.99, 990}, {thousand, 0.999, 999}, {thousand, 1, 1000},
	} {
		if got := quantile(ms(x.waits...), x.part); got != x.want {
			t.Errorf("the %v quantile of %d is %v, want %v", x.part, len(x.waits), got, x.want)
		}
	}
}

// Two rounds are one long one: figures are of sums, not means of figures.
func TestFigures(t *testing.T) {
	rounds := []Round{
		tally{moves: 100, frames: 400, bytes: 200_000, waits: ms(5, 1, 3)}.round(2*time.Second, time.Second),
		tally{moves: 50, frames: 200, bytes: 40_000, waits: ms(2, 4)}.round(time.Second, 200*time.Millisecond),
	}
	want := Figures{
		MovesPerSecond: 50, MovesPerProcessorSecond: 125, P50: 3, P99: 5, P999: 5, BytesPerMove: 1600, BytesPerFrame: 400,
	}
	if got := figures(rounds); got != want {
		t.Errorf("figures are\n%+v, want\n%+v", got, want)
	}
	if got := figures(nil); got != (Figures{}) {
		t.Errorf("figures of nothing are %+v", got)
	}
}

// aReport is one of three rounds, in which the house makes a quarter, a half and a tenth of the yardstick's moves.
func aReport() *Report {
	round := func(moves int, used time.Duration) Round {
		return tally{moves: moves, frames: 4 * moves, bytes: 4000 * moves, waits: ms(1.5)}.round(time.Second, used)
	}
	return &Report{
		Config: Config{Tables: 20, Seats: 4, Game: "dawn-under", Edition: "2004", Rounds: 3, Duration: time.Second},
		Where:  "a machine", Pinned: "alone",
		House:  []Round{round(100, time.Second), round(100, time.Second/2), round(100, time.Second)},
		Bare:   []Round{round(400, time.Second), round(400, time.Second), round(1000, time.Second)},
		Memory: &Memory{Sockets: 10, PerSocket: 2048, Tables: 3, PerTable: 1536},
		Said:   "9 entries",
	}
}

// The share is that of the rounds that were played side by side, and the median of them.
func TestShare(t *testing.T) {
	r := aReport()
	if got := r.share(); got != 0.25 {
		t.Errorf("the share is %v, want 0.25", got)
	}
	r.House, r.Bare = r.House[:2], r.Bare[:2]
	if got := r.share(); got != 0.375 {
		t.Errorf("the share of two rounds is %v, want 0.375", got)
	}
	r.Bare = nil
	if got := r.share(); got != 0 {
		t.Errorf("the share of nothing is %v", got)
	}
}

func TestText(t *testing.T) {
	var text strings.Builder
	if err := aReport().Text(&text); err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(text.String()), " ") // however the columns are laid out
	for _, want := range []string{
		"20 tables of 4 at dawn-under 2004, 3 rounds of 1s (a machine; alone)",
		"moves a second 100 600",
		"moves a second of the server's processor 120 600",
		"p50 1.50 1.50",
		"bytes a move 4000 4000",
		"bytes a frame 1000 1000",
		"round 2: 200 and 400 moves",
		"0.250 of the yardstick's moves",
		"2.0 KiB a socket (10 idle ones), 1.5 KiB a running table of three without its sockets (3 of them)",
		"The server says: 9 entries",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("the report does not say %q:\n%s", want, text.String())
		}
	}
}

func TestJSON(t *testing.T) {
	var text strings.Builder
	if err := aReport().JSON(&text); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Config        struct{ Tables, Seats int }
		House         []struct{ Moves, Bytes int }
		House_figures Figures
		Memory        *Memory
		Share         float64 `json:"share_of_yardstick"`
	}
	if err := json.Unmarshal([]byte(text.String()), &got); err != nil {
		t.Fatal(err)
	}
	if got.Config.Seats != 4 || len(got.House) != 3 || got.House[1].Bytes != 400_000 || got.Memory.PerTable != 1536 ||
		math.Abs(got.House_figures.MovesPerProcessorSecond-120) > 1e-9 || got.Share != 0.25 {
		t.Errorf("the report is %+v", got)
	}
}

func TestCheck(t *testing.T) {
	good := Config{Tables: 1, Seats: 2, Rounds: 1, Duration: 1}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for i, spoil := range []func(*Config){
		func(c *Config) { c.Tables = 0 }, func(c *Config) { c.Seats = 1 }, func(c *Config) { c.Seats = 27 },
		func(c *Config) { c.Rounds = 0 }, func(c *Config) { c.Duration = 0 }, func(c *Config) { c.WarmUp = -1 },
		func(c *Config) { c.Moves = -1 }, func(c *Config) { c.Idle = -1 },
	} {
		c := good
		if spoil(&c); c.check() == nil {
			t.Errorf("case %d: %+v is played", i, c)
		}
	}
}
