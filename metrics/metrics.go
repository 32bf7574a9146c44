// Package metrics writes numbers as Prometheus reads them: its text format, version 0.0.4.
package metrics

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Page is what is told at one moment. Each name is told once.
type Page struct{ text bytes.Buffer }

// Gauge tells a number that goes up and down.
func (p *Page) Gauge(name, help string, value float64) {
	p.head(name, help, "gauge")
	p.line(name, value)
}

// Counter tells a number that only goes up.
func (p *Page) Counter(name, help string, value float64) {
	p.head(name, help, "counter")
	p.line(name, value)
}

// Gauges tells a number for each value of a label, in their order.
func (p *Page) Gauges(name, help, label string, values map[string]float64) {
	p.head(name, help, "gauge")
	p.lines(name, label, values)
}

// Counters is Gauges for numbers that only go up.
func (p *Page) Counters(name, help, label string, values map[string]float64) {
	p.head(name, help, "counter")
	p.lines(name, label, values)
}

// Histogram tells how often something took how long.
func (p *Page) Histogram(name, help string, h *Histogram) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p.head(name, help, "histogram")
	all := 0.0
	for i, n := range h.counts {
		most := "+Inf"
		if i < len(steps) {
			most = number(steps[i].Seconds())
		}
		all += float64(n)
		p.line(labelled(name+"_bucket", "le", most), all)
	}
	p.line(name+"_sum", h.sum.Seconds())
	p.line(name+"_count", all)
}

// ServeHTTP answers with the page.
func (p *Page) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(p.text.Bytes())
}

var helpText = strings.NewReplacer(`\`, `\\`, "\n", `\n`)

func (p *Page) head(name, help, kind string) {
	fmt.Fprintf(&p.text, "# HELP %s %s\n# TYPE %s %s\n", name, helpText.Replace(help), name, kind)
}

func (p *Page) line(series string, value float64) {
	fmt.Fprintf(&p.text, "%s %s\n", series, number(value))
}

func (p *Page) lines(name, label string, values map[string]float64) {
	for _, value := range slices.Sorted(maps.Keys(values)) {
		p.line(labelled(name, label, value), values[value])
	}
}

var labelText = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func labelled(name, label, value string) string {
	return name + "{" + label + `="` + labelText.Replace(value) + `"}`
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

// steps are how long something takes that waits for a disk, from a good one to one that fails.
var steps = [...]time.Duration{
	time.Millisecond / 2, time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond,
	50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second,
}

// A Histogram is how often something took how long; the zero one is empty. Its methods may be called from several goroutines.
type Histogram struct {
	mu     sync.Mutex
	counts [len(steps) + 1]int64 // by the step that it did not exceed; the last: longer than all
	sum    time.Duration
}

// Took counts something once.
func (h *Histogram) Took(d time.Duration) {
	i, _ := slices.BinarySearch(steps[:], d)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts[i]++
	h.sum += d
}

// Counts are numbers that only go up, by what is counted; the zero one is empty. Its methods may be called from several goroutines.
type Counts struct {
	mu sync.Mutex
	n  map[string]float64
}

// Add counts something once.
func (c *Counts) Add(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = make(map[string]float64)
	}
	c.n[what]++
}

// All is how often what was counted.
func (c *Counts) All() map[string]float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.n)
}
