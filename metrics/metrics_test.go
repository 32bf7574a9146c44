package metrics

import (
	"maps"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"caveau/metrics/metricstest"
)

// What is told is read again, by a reader as strict as the format.
func TestPage(t *testing.T) {
	var p Page
	var h Histogram
	for _, d := range []time.Duration{0, time.Millisecond, time.Millisecond + 1, time.Minute} {
		h.Took(d)
	}
	var c Counts
	c.Add("late")
	c.Add("late")
	c.Add(`of "\` + "\nmore")
	p.Gauge("tables", "How many\\there\nare", 3)
	p.Counter("entries_total", "Entries", 1e9)
	p.Counters("answers_total", "Answers", "code", c.All())
	p.Gauges("empty", "Nothing", "of", nil)
	p.Histogram("write_seconds", "Writes", &h)
	w := httptest.NewRecorder()
	p.ServeHTTP(w, nil)
	all, err := metricstest.Read(w.Body.String())
	if err != nil {
		t.Fatal(err)
	}
	for series, want := range map[string]float64{
		`tables`: 3, `entries_total`: 1e9, `answers_total{code="late"}`: 2, `answers_total{code="of \"\\\nmore"}`: 1,
		`write_seconds_bucket{le="0.0005"}`: 1, `write_seconds_bucket{le="0.001"}`: 2, `write_seconds_bucket{le="0.002"}`: 3,
		`write_seconds_bucket{le="5"}`: 3, `write_seconds_bucket{le="+Inf"}`: 4, `write_seconds_count`: 4, `write_seconds_sum`: 60.002000001,
	} {
		if got, ok := all[series]; !ok || got != want {
			t.Errorf("%s is %v (%v), want %v", series, got, ok, want)
		}
	}
	if got := w.Header().Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("the page is %s", got)
	}
}

// The reader of the tests can say no.
func TestTheReaderIsStrict(t *testing.T) {
	gauge := "# HELP a b\n# TYPE a gauge\n"
	histogram := "# HELP h b\n# TYPE h histogram\n"
	if all, err := metricstest.Read(gauge + "a 1\n"); err != nil || !maps.Equal(all, map[string]float64{"a": 1}) {
		t.Errorf("%v, %v", all, err)
	}
	for _, text := range []string{
		"", "a 1\n", gauge + "a 1", gauge + "a  1\n", gauge + "a one\n", gauge + "b 1\n", gauge + "a 1\na 2\n", gauge + gauge, gauge + "\n",
		gauge + "a{of=\"\\q\"} 1\n", gauge + "a{of=x} 1\n", "# TYPE a gauge\na 1\n", strings.Replace(gauge, "gauge", "number", 1) + "a 1\n",
		strings.Replace(gauge, "gauge", "counter", 1) + "a 1\n", histogram + "h 1\n", histogram + "h_bucket{le=\"+Inf\"} 1\n",
		histogram + "h_bucket{le=\"2\"} 1\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
		histogram + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
		histogram + "h_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n", histogram + "h_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n",
	} {
		if _, err := metricstest.Read(text); err == nil {
			t.Errorf("it reads %q", text)
		}
	}
}
