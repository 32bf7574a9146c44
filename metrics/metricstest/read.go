// Package metricstest reads Prometheus' text format, version 0.0.4, as strictly as it is written down, for tests.
package metricstest

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	headLine   = regexp.MustCompile(`^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$`)
	sampleLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"\})? (\S+)$`)
	helpText   = regexp.MustCompile(`^(?:[^\\]|\\[\\n])+$`)
)

// A family is all the numbers of one name.
type family struct {
	name, kind string
	le, below  float64 // of a histogram, the last bucket's
	sum, count bool
}

// Read is the number of each series, as `name` or `name{label="value"}`; an error names the first line that is not allowed. Of a
// histogram all buckets have to be there, in their order.
func Read(text string) (map[string]float64, error) {
	if !strings.HasSuffix(text, "\n") {
		return nil, fmt.Errorf("the last line does not end")
	}
	all, named := map[string]float64{}, map[string]bool{}
	var f family
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		err := func() error {
			if m := headLine.FindStringSubmatch(line); m != nil {
				return f.head(m[1], m[2], m[3], named)
			}
			m := sampleLine.FindStringSubmatch(line)
			if m == nil {
				return fmt.Errorf("no line of the format")
			}
			value, err := strconv.ParseFloat(m[4], 64)
			if err != nil {
				return err
			}
			series, _, _ := strings.Cut(line, " "+m[4])
			if _, twice := all[series]; twice {
				return fmt.Errorf("told twice")
			}
			all[series] = value
			return f.sample(m[1], m[2], m[3], value)
		}()
		if err != nil {
			return nil, fmt.Errorf("line %d, %q: %w", i+1, line, err)
		}
	}
	return all, f.end()
}

// head reads what stands before the numbers of a family: what it is for, then of which kind it is.
func (f *family) head(what, name, text string, named map[string]bool) error {
	if what == "HELP" {
		if named[name] || !helpText.MatchString(text) {
			return fmt.Errorf("a name that was there before, or a text that is not escaped")
		}
		named[name] = true
		err := f.end()
		*f = family{name: name, le: math.Inf(-1)}
		return err
	}
	if name != f.name || f.kind != "" || text != "counter" && text != "gauge" && text != "histogram" {
		return fmt.Errorf("not the kind of the name above")
	}
	f.kind = text
	return nil
}

func (f *family) sample(name, label, value string, n float64) (err error) {
	switch {
	case f.kind == "counter" && name == f.name && n >= 0 && strings.HasSuffix(name, "_total"), f.kind == "gauge" && name == f.name:
		return nil
	case f.kind != "histogram":
	case name == f.name+"_bucket" && label == "le" && !f.sum:
		var le float64
		if le, err = strconv.ParseFloat(value, 64); err == nil && (le <= f.le || n < f.below) {
			err = fmt.Errorf("a bucket out of order")
		}
		f.le, f.below = le, n
		return err
	case name == f.name+"_sum" && math.IsInf(f.le, 1) && !f.sum:
		f.sum = true
		return nil
	case name == f.name+"_count" && f.sum && n == f.below:
		f.count = true
		return nil
	}
	return fmt.Errorf("no number of the %s %s", cmp.Or(f.kind, "nameless"), f.name)
}

// end fails where a histogram was broken off.
func (f *family) end() error {
	if f.kind == "histogram" && !f.count {
		return fmt.Errorf("the histogram %s has no end", f.name)
	}
	return nil
}
