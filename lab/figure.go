package lab

import (
	"fmt"
	"math"
	"strconv"
)

// A figure is a plot with one mark a row: a dot in its interval, or in a box of quantiles.
type figure struct {
	Title, Caption, How, Axis string
	Marks                     []mark
	Ticks                     []tick

	write func(float64) string
	unit  string
	scale float64 // of the numbers on the axis
}

// A mark is one row: its numbers in words, and where they are drawn, in parts of the axis.
type mark struct {
	Label, Text         string
	Value, Low, High    string
	Left, Right, Across string // of a box, and how wide it is; "" for a dot
	Fair                string // the stroke to compare with; "" for none

	value Estimate
	fair  float64
	box   []float64
}

type tick struct{ At, Text string }

func sharesOf(title, caption string) *figure {
	return &figure{
		Title: title, Caption: caption, Axis: "% of games", write: hundredths, unit: " %", scale: 100,
		How: "The dot is the share, the line its 99 % interval (Wilson’s, for games of one deal together).",
	}
}

func meansOf(title, axis, caption string) *figure {
	return &figure{
		Title: title, Caption: caption, Axis: axis, write: short, scale: 1,
		How: "The dot is the mean, the line its 99 % interval (normal, for games of one deal together).",
	}
}

func quantilesOf(title, axis, caption string) *figure {
	return &figure{
		Title: title, Caption: caption, Axis: axis, write: short, scale: 1,
		How: "The dot is the median; the box holds the middle half of the games, the line nine of ten.",
	}
}

// nowhere is the stroke of a mark that has none.
var nowhere = math.NaN()

func (f *figure) dot(label string, e Estimate, fair float64) { f.add(label, e, fair, nil) }

func (f *figure) boxOf(label string, values []float64) {
	q := quantiles(values, 5, 25, 50, 75, 95)
	f.add(label, Estimate{q[2], q[0], q[4]}, nowhere, q)
}

func (f *figure) add(label string, e Estimate, fair float64, box []float64) {
	text := fmt.Sprintf("%s%s (%s)", f.write(e.Value), f.unit, interval(e, f.write))
	f.Marks = append(f.Marks, mark{Label: label, Text: text, value: e, fair: fair, box: box})
}

// drawn are the figures that have anything to show, each on an axis from nought.
func drawn(all ...*figure) (list []figure) {
	for _, f := range all {
		if len(f.Marks) > 0 {
			f.draw()
			list = append(list, *f)
		}
	}
	return list
}

func (f *figure) draw() {
	most := 0.0
	for _, m := range f.Marks {
		most = math.Max(most, m.value.High)
		if m.fair > most { // nowhere is not
			most = m.fair
		}
	}
	step := stepOf(most)
	steps := math.Max(1, math.Ceil(most/step-1e-9))
	at := func(v float64) string { return plain(100*v/(steps*step), 100) + "%" }
	for n := 0.0; n <= steps; n++ {
		f.Ticks = append(f.Ticks, tick{at(n * step), plain(n*step*f.scale, 1e6)})
	}
	for i := range f.Marks {
		m := &f.Marks[i]
		m.Value, m.Low, m.High = at(m.value.Value), at(m.value.Low), at(m.value.High)
		if m.box != nil {
			m.Left, m.Right, m.Across = at(m.box[1]), at(m.box[3]), at(m.box[3]-m.box[1])
		}
		if !math.IsNaN(m.fair) {
			m.Fair = at(m.fair)
		}
	}
}

// stepOf is a round number that goes into another four or five times, or a few less.
func stepOf(most float64) float64 {
	if most <= 0 {
		return 1
	}
	step := math.Pow(10, math.Floor(math.Log10(most))) / 5
	for _, up := range []float64{2.5, 2, 2} { // 0.2, 0.5, 1, 2
		if most/step > 5 {
			step *= up
		}
	}
	return step
}

// plain is a number to the nearest of so many parts of one, without noughts behind.
func plain(v, parts float64) string {
	return strconv.FormatFloat(math.Round(v*parts)/parts, 'f', -1, 64)
}

// hundredths is a share in hundredths.
func hundredths(v float64) string { return fmt.Sprintf("%.1f", 100*v) }

// short is a number with as many digits as one reads.
func short(v float64) string {
	switch {
	case v == math.Trunc(v) || v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func interval(e Estimate, write func(float64) string) string {
	return write(e.Low) + "–" + write(e.High)
}
