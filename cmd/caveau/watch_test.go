package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caveau/metrics/metricstest"
)

// ask is what is answered at an address, by which name of the host.
func ask(t testing.TB, url, host string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(data)
}

// numbers are all that there are. None of them follows from what lies hidden, as the length of an entry would, in which somebody says something secret, or the time for which a bot
// has thought.
var numbers = []string{
	"caveau_tables", "caveau_sockets", "caveau_answers_total", "caveau_entries_total", "caveau_commits_total", "caveau_write_seconds", "caveau_bots", "caveau_outages",
	"caveau_log_lines_total", "caveau_goroutines", "caveau_nodes",
}

// The numbers are those of what was played, in the format that is read everywhere, and name nobody.
func TestNumbers(t *testing.T) {
	at := freeAddr(t)
	url := inProcess(t, "--metrics", at)
	k := newKeeper(t, url, "Anastasia")
	if err := k.play(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := k.insist(t.Context(), map[string]any{"id": `","ok":true`, "do": "start", "table": k.table}); err == nil {
		t.Fatal("a game began twice")
	}
	if _, err := k.makeTable(t.Context(), map[string]any{"game": "dawn-under", "seats": 2}); err != nil {
		t.Fatal(err)
	}
	status, text := ask(t, "http://"+at+"/metrics", "")
	all, err := metricstest.Read(text)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%v, %d\n%s", err, status, text)
	}
	for series, want := range map[string]float64{
		`caveau_tables{state="running"}`: 1, `caveau_tables{state="open"}`: 1, `caveau_tables{state="over"}`: 0, `caveau_tables{state="resting"}`: 0,
		`caveau_sockets`: 1, `caveau_answers_total{code="started"}`: 1, `caveau_answers_total{code="ok"}`: 4, // start, watch, two moves
		`caveau_log_lines_total{level="error"}`: 0, `caveau_bots{state="waiting"}`: 0, `caveau_outages`: 0, `caveau_nodes{state="living"}`: 1, `caveau_nodes{state="heard"}`: 1,
	} {
		if got, ok := all[series]; !ok || got != want {
			t.Errorf("%s is %v (%v), want %v", series, got, ok, want)
		}
	}
	if n := all["caveau_entries_total"]; n < 5 || n < all["caveau_commits_total"] || all["caveau_commits_total"] == 0 || all["caveau_write_seconds_count"] < n {
		t.Errorf("%v entries in %v commits, of which %v were timed", n, all["caveau_commits_total"], all["caveau_write_seconds_count"])
	}
	for series := range all {
		if !regexp.MustCompile(`^caveau_[a-z_]+(\{(state|code|level)="[a-z_]+"\}|\{le="[0-9.]+"\}|\{le="\+Inf"\})?$`).MatchString(series) {
			t.Errorf("%s has more in it than a word of the program", series)
		}
		family, _, _ := strings.Cut(series, "{")
		if family = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(family, "_bucket"), "_sum"), "_count"); !slices.Contains(numbers, family) {
			t.Errorf("%s is new: see that it does not tell whoever reads it often what is dealt or said, and put it into the list", series)
		}
	}
}

// Strangers see no number at the house's address, and at the other one there is nothing else, nor for a page whose name leads there.
func TestNumbersAreNoStrangersAffair(t *testing.T) {
	at, bare := freeAddr(t), freeAddr(t)
	url := inProcess(t, "--metrics", at, "--pprof", "--host", "attic.example")
	inProcess(t, "--metrics", bare)
	inProcess(t) // shows nothing anywhere: another would not find the addresses free
	for _, x := range []struct {
		url, host string
		status    int
	}{
		{"http://" + at + "/metrics", "", http.StatusOK},
		{"http://" + at + "/metrics", "attic.example:9100", http.StatusOK},
		{"http://" + at + "/metrics", "evil.example", http.StatusMisdirectedRequest},
		{"http://" + at + "/debug/pprof/goroutine", "", http.StatusOK},
		{"http://" + at + "/debug/pprof/cmdline", "", http.StatusNotFound},
		{"http://" + at + "/debug/pprof/goroutine", "evil.example", http.StatusMisdirectedRequest},
		{"http://" + at + "/api/hello", "", http.StatusNotFound},
		{"http://" + bare + "/metrics", "", http.StatusOK},
		{"http://" + bare + "/debug/pprof/goroutine", "", http.StatusNotFound},
		{url + "/metrics", "", http.StatusNotFound},
		{url + "/debug/pprof/goroutine", "", http.StatusNotFound},
	} {
		status, text := ask(t, x.url, x.host)
		if status != x.status || status != http.StatusOK && strings.Contains(text, "caveau_") {
			t.Errorf("%s as %q is answered %d: %.100s", x.url, x.host, status, text)
		}
	}
}

// A line in the log is counted by its level, whoever wrote it.
func TestLinesAreCounted(t *testing.T) {
	w := new(watched)
	log := newLog(io.Discard, w)
	log.Info("fine")
	log.Warn("hm")
	log.With("table", "k3x").WithGroup("of").Error("oh")
	log.ErrorContext(context.Background(), "oh")
	if all := w.lines.All(); all["warn"] != 1 || all["error"] != 2 || len(all) != 2 {
		t.Errorf("counted are %v", all)
	}
}

// Whatever the alerts that are given along ask for is there.
func TestAlertsAskForWhatIsThere(t *testing.T) {
	at := freeAddr(t)
	k := newKeeper(t, inProcess(t, "--metrics", at), "Ana")
	if err := k.play(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	_, numbers := ask(t, "http://"+at+"/metrics", "")
	alerts, err := os.ReadFile("../../deploy/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`caveau_\w+`).FindAllString(string(alerts), -1)
	if len(asked) < 5 {
		t.Fatalf("the alerts ask for %v", asked)
	}
	for _, name := range asked {
		if !regexp.MustCompile(`(?m)^` + name + `[ {]`).MatchString(numbers) {
			t.Errorf("there is no %s", name)
		}
	}
}
