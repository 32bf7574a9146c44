package load

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
)

// A Round is what was counted in one. Times are in seconds.
type Round struct {
	Moves     int     `json:"moves"` // accepted, and heard of by everyone
	Seconds   float64 `json:"seconds"`
	Processor float64 `json:"processor_seconds"` // of the server; 0 where it cannot be told
	Frames    int     `json:"frames"`
	Bytes     int     `json:"bytes"` // of frames, to everyone

	Beside int `json:"beside,omitempty"` // moves at the tables beside

	Metered map[string]float64 `json:"metered,omitempty"` // by how much each of the target's meters grew

	waits []time.Duration // from a move's being said until the last other seat hears of it, sorted
}

func (t tally) round(took, used time.Duration) Round {
	slices.Sort(t.waits)
	return Round{Moves: t.moves, Seconds: took.Seconds(), Processor: used.Seconds(), Frames: t.frames, Bytes: t.bytes, Beside: t.beside, waits: t.waits}
}

func (r Round) frameBytes() float64 { return ratio(float64(r.Bytes), float64(r.Frames)) }

// ratio is a/b, and 0 where there is nothing to divide by.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// quantile is the smallest of the sorted waits that at least that part of them does not exceed, in milliseconds.
func quantile(sorted []time.Duration, part float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	n := int(math.Ceil(part*float64(len(sorted)))) - 1
	return float64(sorted[min(max(n, 0), len(sorted)-1)]) / float64(time.Millisecond)
}

// Figures are what rounds come to together.
type Figures struct {
	MovesPerSecond          float64 `json:"moves_a_second"`
	MovesPerProcessorSecond float64 `json:"moves_a_processor_second"`
	P50                     float64 `json:"p50_ms"`
	P99                     float64 `json:"p99_ms"`
	P999                    float64 `json:"p999_ms"`
	BytesPerMove            float64 `json:"bytes_a_move"`
	BytesPerFrame           float64 `json:"bytes_a_frame"`
	Beside                  float64 `json:"beside_a_second,omitempty"` // moves at the tables beside
}

func figures(rounds []Round) Figures {
	var all Round
	for _, r := range rounds {
		all.Moves, all.Frames, all.Bytes = all.Moves+r.Moves, all.Frames+r.Frames, all.Bytes+r.Bytes
		all.Beside += r.Beside
		all.Seconds, all.Processor = all.Seconds+r.Seconds, all.Processor+r.Processor
		all.waits = append(all.waits, r.waits...)
	}
	slices.Sort(all.waits)
	return Figures{
		MovesPerSecond:          ratio(float64(all.Moves), all.Seconds),
		MovesPerProcessorSecond: ratio(float64(all.Moves), all.Processor),
		P50:                     quantile(all.waits, 0.5), P99: quantile(all.waits, 0.99), P999: quantile(all.waits, 0.999),
		BytesPerMove: ratio(float64(all.Bytes), float64(all.Moves)), BytesPerFrame: all.frameBytes(),
		Beside: ratio(float64(all.Beside), all.Seconds),
	}
}

// A Report is what a load test found out.
type Report struct {
	Config Config  `json:"config"`
	Where  string  `json:"machine"`
	Pinned string  `json:"pinned"`
	House  []Round `json:"house"`
	Bare   []Round `json:"yardstick"`      // the nth was played after the nth of House
	Busy   []Round `json:"busy,omitempty"` // of the house while bots play beside, each after that of the yardstick
	Memory *Memory `json:"memory,omitempty"`
	Said   string  `json:"said,omitempty"` // by the server at its end
}

func machine() string {
	return fmt.Sprintf("%s/%s, %d processors, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}

// share is the median, over the pairs of rounds, of what part of the yardstick's moves a processor second the house makes.
func (r *Report) share() float64 {
	var shares []float64
	for i := range min(len(r.House), len(r.Bare)) {
		house, bare := figures(r.House[i:i+1]), figures(r.Bare[i:i+1])
		shares = append(shares, ratio(house.MovesPerProcessorSecond, bare.MovesPerProcessorSecond))
	}
	slices.Sort(shares)
	if len(shares) == 0 {
		return 0
	}
	return (shares[(len(shares)-1)/2] + shares[len(shares)/2]) / 2
}

// JSON writes the report for programs.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		*Report
		Figures   Figures `json:"house_figures"`
		Yardstick Figures `json:"yardstick_figures"`
		Busy      Figures `json:"busy_figures,omitzero"`
		Share     float64 `json:"share_of_yardstick"`
	}{r, figures(r.House), figures(r.Bare), figures(r.Busy), r.share()})
}

// Text writes the report for people.
func (r *Report) Text(w io.Writer) error {
	c := r.Config
	fmt.Fprintf(w, "%d tables of %d at %s %s, %d rounds of %v (%s; %s)\n", c.Tables, c.Seats, c.Game, c.Edition, c.Rounds, c.Duration, r.Where, r.Pinned)
	house, bare := figures(r.House), figures(r.Bare)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(what, format string, a, b float64) {
		fmt.Fprintf(t, "%s\t"+format+"\t"+format+"\t\n", what, a, b)
	}
	fmt.Fprintf(t, "\thouse\tyardstick\t\n")
	line("moves a second", "%.0f", house.MovesPerSecond, bare.MovesPerSecond)
	line("moves a second of the server's processor", "%.0f", house.MovesPerProcessorSecond, bare.MovesPerProcessorSecond)
	line("until everyone has heard, ms: p50", "%.2f", house.P50, bare.P50)
	line("p99", "%.2f", house.P99, bare.P99)
	line("p99.9", "%.2f", house.P999, bare.P999)
	line("bytes a move", "%.0f", house.BytesPerMove, bare.BytesPerMove)
	line("bytes a frame", "%.0f", house.BytesPerFrame, bare.BytesPerFrame)
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range r.Bare {
		a, b := figures(r.House[i:i+1]), figures(r.Bare[i:i+1])
		fmt.Fprintf(w, "round %d: %.0f and %.0f moves a second of the processor\n", i+1, a.MovesPerProcessorSecond, b.MovesPerProcessorSecond)
	}
	fmt.Fprintf(w, "The house makes %.3f of the yardstick's moves (the median of the rounds).\n", r.share())
	if busy := figures(r.Busy); len(r.Busy) > 0 {
		fmt.Fprintf(w, "While %s plays at %d other tables, %.1f moves a second: p50 %.2f, p99 %.2f, p99.9 %.2f ms of %.0f moves a second\n",
			c.Bot, c.Beside, busy.Beside, busy.P50, busy.P99, busy.P999, busy.MovesPerSecond)
	}
	if m := r.Memory; m != nil {
		fmt.Fprintf(w, "%.1f KiB a socket (%d idle ones), %.1f KiB a running table of three without its sockets (%d of them)\n",
			m.PerSocket/1024, m.Sockets, m.PerTable/1024, m.Tables)
	}
	if r.Said != "" {
		fmt.Fprintf(w, "The server says: %s\n", r.Said)
	}
	return nil
}
