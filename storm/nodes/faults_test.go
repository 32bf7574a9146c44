package nodes

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A fault is a mistake that somebody could make: a few places of the sources as they are, and as they would be then.
type fault struct {
	name  string
	edits []edit
}

type edit struct{ file, is, would string }

// faults are planted one by one. The usual nights find each; without them all is well. The first is planted in the database of these nights: that of the house is
// examined by deedstest.
var faults = []fault{
	{"no epoch in the fence", []edit{
		{"storm/nodes/base_test.go", "\t\treturn g.fenced(func() error {\n\t\t\terr := g.Log.Append(always, id, e)\n", "\t\treturn func(do func() error) error { g.mu.Lock(); defer g.mu.Unlock(); return do() }(func() error {\n\t\t\terr := g.Log.Append(always, id, e)\n"},
	}},
	{"a lease that nobody looks at before he tells", []edit{
		{"match/runner/runner.go", "\tif tells(effects) && !r.house.Lease().Lasts(ctx) {\n", "\tif false {\n"},
	}},
	{"presence that is forgotten when a table is taken", []edit{
		{"bus/line.go", "\t\t\tall = append(all, match.Again{Client: w.Client, Since: w.Since})\n", "\t\t\t_ = w\n"},
	}},
	{"those at other nodes are forgotten when a table is taken", []edit{
		{"bus/desk.go", "\t\t\tall = append(all, match.Again{Client: c.own(w.Client), Since: w.Since})\n", ""},
	}},
	{"a letter of before is believed", []edit{
		{"bus/desk.go", "\tif a.N <= c.n {\n", "\tif false {\n"},
	}},
	{"lines that are passed on twice", []edit{
		{"bus/line.go", "t.Lines[min(len(t.Lines), l.heard+1-t.First):]", "t.Lines"},
	}},
	{"what was said to an owner who is gone is forgotten", []edit{
		{"bus/line.go", "\t\tl.id, l.heard = l.number(), 0\n", "\t\tl.id, l.heard, l.said = l.number(), 0, nil\n"},
	}},
	{"a sweep that wakes nobody", []edit{
		{"match/runner/lease.go", "\t\t\tfree(tables)\n", "\t\t\t_ = free\n"},
	}},
	{"a node that is not heard is never missed", []edit{
		{"bus/desk.go", "c.lost || now.Sub(c.last) < silence && len(c.lines) <= mostLines", "c.lost || len(c.lines) <= mostLines"},
	}},
	{"news of a dead node are kept for ever", []edit{
		{"bus/hearsay.go", "now.Sub(from.last) >= goneTime {\n\t\t\tleft", "now.Sub(from.last) >= 1000*goneTime {\n\t\t\tleft"},
	}},
	{"of two signs the older hangs", []edit{
		{"bus/bus.go", "\treturn s.Term > than.Term ||", "\treturn s.Term < than.Term ||"},
	}},
	{"a refusal by whoever has not looked", []edit{
		{"match/confirm.go", "\tif !o.hours.Shared || s.Nth <= o.looked {\n", "\tif true {\n"},
	}},
	{"a lease that is counted from the answer", []edit{
		{"match/runner/lease.go", "\t\tl.until = asked.Add(leaseTime)\n", "\t\tl.until = l.clock.Now().Add(leaseTime + 0*time.Since(asked))\n"},
	}},
	{"a table that is given back by whoever has lost its lease", []edit{
		{"match/runner/runner.go", "r.term > 0 && err != ErrAnothers {", "r.term > 0 {"},
	}},
	{"somebody is away while a node that lives is not heard", []edit{
		{"bus/exchange.go", "\t\t\tx.doubt = node\n", "\t\t\t_ = node\n"},
	}},
	{"a clock that runs while nobody has the table", []edit{
		{"table/apply.go", "\t\tt.outages.Add(f.Outage())\n", ""},
	}},
	{"whoever looks at a table that rested once is away when it changes nodes", []edit{
		{"match/runner/runner.go", "\tif ago > 0 {\n", "\tif false {\n"},
	}},
	{"a table that was woken and is given back rests", []edit{
		{"match/runner/runner.go", "\treturn fact.Stopped\n", "\treturn fact.Rests\n"},
	}},
	{"what an older term tells is passed on", []edit{
		{"bus/line.go", "t.Line != l.id || t.Term < l.term {", "t.Line != l.id {"},
	}},
	{"whoever is called is not heard", []edit{
		{"bus/desk.go", "\tc.n, c.last = n, now\n\tif", "\tc.n = n\n\tif"},
	}},
	{"whoever has lost the database says that his tables are there", []edit{
		{"bus/exchange.go", " || !sure {", " || false && !sure {"},
	}},
	{"what a roll has missed is not told again", []edit{
		{"bus/desk.go", "; len(c.lines) == 0 {\n\t\treturn isHere", "; true {\n\t\treturn isHere"},
	}},
	{"a node that others do not hear goes on", []edit{
		{"match/runner/lease.go", "\t\t\t\tclose(l.deaf)\n\t\t\t\treturn", "\t\t\t\treturn"},
	}},
	{"nodes close where the bus reaches nobody", []edit{
		{"bus/exchange.go", "x.bus == nil || !x.bus.There() {", "x.bus == nil {"},
	}},
	{"each node goes by its own clock", []edit{
		{"match/runner/common.go", "\tc.ahead = max(c.aim, latest.Sub(c.read))\n", "\tc.aim, c.ahead = 0, max(0, latest.Sub(c.read))\n"},
		{"match/runner/common.go", "\tif c.asked.IsZero() || half", "\tif c.asked.IsZero() || false && half"},
	}},
	{"whoever has gone before he watched is there", []edit{
		{"bus/line.go", "if s.Command.Do == \"watch\" && l.watcher(s.Client.Page) == nil {\n\t\t\tall", "if false {\n\t\t\tall"},
	}},
	{"nobody is told which node has his table", []edit{
		{"bus/exchange.go", "\tl.name = x.heard.Called(t.From)\n", "\tl.name = x.heard.Called(t.To)\n"},
	}},
	{"whoever had a table is who has it", []edit{
		{"bus/exchange.go", "\tl.name = x.heard.Called(t.From)\n", "\tif l.name == \"\" {\n\t\tl.name = x.heard.Called(t.From)\n\t}\n"},
	}},
	{"whoever has watched for long is told which node has his table", []edit{
		{"bus/line.go", "l.name != \"\" && l.fresh(said.Client)", "l.name != \"\""},
	}},
	{"whoever comes by the node that has his table is told of another", []edit{
		{"lobby/session.go", "\tif watch {\n\t\ts.remember", "\tif watch && !s.tables[cmd.Table] && s.lobby.awake(cmd.Table) != nil {\n\t\ts.Tell(wire.Message(map[string]any{\"table\": cmd.Table, \"node\": \"x\"}))\n\t}\n\tif watch {\n\t\ts.remember"},
	}},
	{"the newest node is the one that has a table", []edit{
		{"bus/exchange.go", "\tl.name = x.heard.Called(t.From)\n", "\tl.name = x.heard.Called(slices.Max(append(x.heard.Heard(x.now()), t.From)))\n"},
	}},
	{"whoever hears many is of a great company, though nobody hears him", []edit{
		{"match/runner/lease.go", "\t\tif slices.Contains(heard[other], node) {\n", "\t\tif true {\n"},
	}},
	{"only the quickest answer ever says what time it is", []edit{
		{"match/runner/common.go", "half <= c.error+asked.Sub(c.asked)/drifts", "half <= c.error"},
	}},
	{"what is said while the database is asked counts as asked about", []edit{
		{"match/runner/runner.go", "\tr.mu.Lock()\n\tc.Said = r.said\n\tr.mu.Unlock()\n\tc.Last, c.Err = r.house.Deeds().(fact.Shared).Confirm(r.begun, r.id, r.term)\n", "\tc.Last, c.Err = r.house.Deeds().(fact.Shared).Confirm(r.begun, r.id, r.term)\n\tr.mu.Lock()\n\tc.Said = r.said\n\tr.mu.Unlock()\n"},
	}},
	{"a table that some node has had is awake for ever", []edit{
		{"lobby/around.go", "\tl.taken = make(map[wire.ID]bool)\n", "\tif l.taken == nil {\n\t\tl.taken = make(map[wire.ID]bool)\n\t}\n"},
	}},
}

// TestFaults builds the house anew with each fault in it, and lets the nights find it.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("every fault is a house of its own to build: make test-all plants them")
	}
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			said, err := exec.Command("go", "test", "-overlay", f.plant(t), "-vet=off", "-ldflags=-s -w", "-count=1", "-failfast", "-run", "^Test(Nodes|Scenes)$", ".", "-tail", "1").CombinedOutput()
			_, found, is := strings.Cut(string(said), " nodes_test.go:")
			switch {
			case err == nil:
				t.Errorf("the fault is not found:\n%s", said)
			case !is:
				t.Errorf("it fails, and not for the fault:\n%s", said)
			default:
				t.Log(strings.Split(found, "\n")[0])
			}
		})
	}
}

// Whatever a fault is planted in is there, so that a change which moves it hears of it at once.
func TestFaultsHaveTheirPlace(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) { f.plant(t) })
	}
}

// plant writes the files with the fault in them, and which they stand for.
func (f fault) plant(t *testing.T) (overlay string) {
	dir, replace := t.TempDir(), map[string]string{}
	for _, e := range f.edits {
		path, err := filepath.Abs(filepath.Join("../..", e.file))
		must(t, err)
		planted := filepath.Join(dir, strings.ReplaceAll(e.file, "/", "_"))
		from := path
		if replace[path] != "" {
			from = planted
		}
		text, err := os.ReadFile(from)
		must(t, err)
		if strings.Count(string(text), e.is) != 1 {
			t.Fatalf("%s no longer has, once, what this fault is planted in; write the fault anew:\n%s", e.file, e.is)
		}
		must(t, os.WriteFile(planted, []byte(strings.Replace(string(text), e.is, e.would, 1)), 0o600))
		replace[path] = planted
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	must(t, err)
	overlay = filepath.Join(dir, "overlay.json")
	must(t, os.WriteFile(overlay, text, 0o600))
	return overlay
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
