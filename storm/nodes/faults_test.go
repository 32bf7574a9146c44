package nodes

import (
	"flag"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"caveau/storm/planted"
)

// faults are planted one by one. The usual nights find each; without them all is well. The first is planted in the database of these nights: that of the house is
// examined by deedstest.
var faults = []planted.Fault{
	{Name: "no epoch in the fence", Edits: []planted.Edit{
		{"storm/nodes/base_test.go", "\t\treturn g.fenced(func() error {\n\t\t\terr := g.Log.Append(always, id, e)\n", "\t\treturn func(do func() error) error { g.mu.Lock(); defer g.mu.Unlock(); return do() }(func() error {\n\t\t\terr := g.Log.Append(always, id, e)\n"},
	}},
	{Name: "a lease that nobody looks at before he tells", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tif tells(effects) && !r.lasts(ctx) {\n", "\tif false {\n"},
	}},
	{Name: "presence that is forgotten when a table is taken", Edits: []planted.Edit{
		{"bus/line.go", "\t\t\tall = append(all, match.Again{Client: w.Client, Since: w.Since})\n", "\t\t\t_ = w\n"},
	}},
	{Name: "those at other nodes are forgotten when a table is taken", Edits: []planted.Edit{
		{"bus/desk.go", "\t\t\tall = append(all, match.Again{Client: c.own(w.Client), Since: w.Since})\n", ""},
	}},
	{Name: "a letter of before is believed", Edits: []planted.Edit{
		{"bus/desk.go", "\tif a.N <= c.n {\n", "\tif false {\n"},
	}},
	{Name: "lines that are passed on twice", Edits: []planted.Edit{
		{"bus/line.go", "t.Lines[min(len(t.Lines), l.heard+1-t.First):]", "t.Lines"},
	}},
	{Name: "what was said to an owner who is gone is forgotten", Edits: []planted.Edit{
		{"bus/line.go", "\t\tl.id, l.heard = l.number(), 0\n", "\t\tl.id, l.heard, l.said = l.number(), 0, nil\n"},
	}},
	{Name: "a sweep that wakes nobody", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\t\tfree(tables)\n", "\t\t\t_ = free\n"},
	}},
	{Name: "a node that is not heard is never missed", Edits: []planted.Edit{
		{"bus/desk.go", "c.lost || now.Sub(c.last) < silence && len(c.lines) <= mostLines", "c.lost || len(c.lines) <= mostLines"},
	}},
	{Name: "news of a dead node are kept for ever", Edits: []planted.Edit{
		{"bus/hearsay.go", "now.Sub(from.last) >= goneTime {\n\t\t\tleft", "now.Sub(from.last) >= 1000*goneTime {\n\t\t\tleft"},
	}},
	{Name: "of two signs the older hangs", Edits: []planted.Edit{
		{"bus/bus.go", "\treturn s.Term > than.Term ||", "\treturn s.Term < than.Term ||"},
	}},
	{Name: "a refusal by whoever has not looked", Edits: []planted.Edit{
		{"match/confirm.go", "\tif !o.hours.Shared || s.Nth <= o.looked {\n", "\tif true {\n"},
	}},
	{Name: "a lease that is counted from the answer", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\tl.until = asked.Add(leaseTime)\n", "\t\tl.until = l.clock.Now().Add(leaseTime + 0*time.Since(asked))\n"},
	}},
	{Name: "a table that is given back by whoever has lost its lease", Edits: []planted.Edit{
		{"match/runner/runner.go", "r.term > 0 && err != ErrAnothers {", "r.term > 0 {"},
	}},
	{Name: "somebody is away while a node that lives is not heard", Edits: []planted.Edit{
		{"bus/exchange.go", "\t\t\tunheard = node\n", "\t\t\t_ = node\n"},
	}},
	{Name: "a clock that runs while nobody has the table", Edits: []planted.Edit{
		{"table/apply.go", "\t\tt.outages.Add(f.Outage())\n", ""},
	}},
	{Name: "whoever looks at a table that rested once is away when it changes nodes", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tif ago > 0 {\n", "\tif false {\n"},
	}},
	{Name: "a table that was woken and is given back rests", Edits: []planted.Edit{
		{"match/runner/runner.go", "\treturn fact.Stopped\n", "\treturn fact.Rests\n"},
	}},
	{Name: "what an older term tells is passed on", Edits: []planted.Edit{
		{"bus/line.go", "t.Line != l.id || t.Term < l.term || ", "t.Line != l.id || "},
	}},
	{Name: "whoever is called is not heard", Edits: []planted.Edit{
		{"bus/desk.go", "\tc.n, c.last = n, now\n\tif", "\tc.n = n\n\tif"},
	}},
	{Name: "whoever has lost the database says that his tables are there", Edits: []planted.Edit{
		{"bus/exchange.go", " || !sure {", " || false && !sure {"},
	}},
	{Name: "what a roll has missed is not told again", Edits: []planted.Edit{
		{"bus/desk.go", "; len(c.lines) == 0 {\n\t\treturn isHere", "; true {\n\t\treturn isHere"},
	}},
	{Name: "a node that others do not hear goes on", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\t\t\tclose(l.deaf)\n\t\t\t\treturn", "\t\t\t\treturn"},
	}},
	{Name: "nodes close where the bus reaches nobody", Edits: []planted.Edit{
		{"bus/exchange.go", "x.bus == nil || !x.bus.There() {", "x.bus == nil {"},
	}},
	{Name: "what a node has that closes is not given back", Edits: []planted.Edit{
		{"match/runner/runner.go", "Give(r.begun, r.id, r.term, r.left())", "Give(ctx, r.id, r.term, r.left())"},
	}},
	{Name: "an owner of a version before is not believed when he has been silent", Edits: []planted.Edit{
		{"bus/line.go", "t.From != 0 && t.Ask < l.since", "t.Ask < l.since"},
	}},
	{Name: "what somebody has said who looks away is not said again", Edits: []planted.Edit{
		{"bus/line.go", "func(w Watcher) bool { return w.Client == c })\n}\n\nfunc (l *line) watcher(", "func(w Watcher) bool { return w.Client == c })\n\tl.said = slices.DeleteFunc(l.said, func(s match.Said) bool { return s.Client == c })\n}\n\nfunc (l *line) watcher("},
	}},
	{Name: "what another node has put away is shown", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tif len(entries) == 0 || !entries[0].At.Equal(t.At()) {\n", "\tif len(entries) == 0 {\n\t\treturn t, nil\n\t}\n\tif !entries[0].At.Equal(t.At()) {\n"},
	}},
	{Name: "who goes and comes again has back what he had used", Edits: []planted.Edit{
		{"match/timers.go", "\treturn later(later(o.unheard.Since, o.table.At()), went), limit", "\treturn later(o.unheard.Since, o.table.At()), limit"},
	}},
	{Name: "a game that another node has is not deleted", Edits: []planted.Edit{
		{"lobby/keep.go", "if err == runner.ErrAnothers {", "if err == nil && false {"},
	}},
	{Name: "what somebody makes by way of another node while he is erased is not forgotten", Edits: []planted.Edit{
		{"guests/guests.go", "\tif err == nil {\n\t\terr = made(ctx, guest)\n\t}\n", ""},
	}},
	{Name: "a game that is kept when its guest has been erased elsewhere is not dropped", Edits: []planted.Edit{
		{"guests/tables.go", "if err = b.Check(ctx, badge); errors.Is(err, ErrEnded) { // by", "if err = b.Check(ctx, badge); errors.Is(err, ErrEnded) && ctx.Err() != nil { // by"},
	}},
	{Name: "while the log takes nothing, and can be read, time goes by", Edits: []planted.Edit{
		{"match/owner.go", "\tif o.unsure = false; p.failed && len(in.Entries) == 0 {", "\tif o.unsure = false; p.failed && len(in.Entries) < 0 {"},
	}},
	{Name: "who could not be called is called, whatever he did since", Edits: []planted.Edit{
		{"crier/crier.go", "if waits, err := one.waits(c.ctx, rooms); waits || err != nil {\n\t\tc.cry(", "if waits, err := one.waits(c.ctx, rooms); waits || !waits || err != nil {\n\t\tc.cry("},
	}},
	{Name: "what somebody has had made by another node is nobody's", Edits: []planted.Edit{
		{"lobby/around.go", "Guest: wire.Guest{ID: fact.Founder(entries)}}", "Guest: wire.Guest{ID: fact.Founder(entries[:0])}}"},
	}},
	{Name: "whose the tables are that were made before a node began it never reads", Edits: []planted.Edit{
		{"lobby/around.go", "len(makers) < mostRead", "len(makers) < 0"},
	}},
	{Name: "the clock of whoever went home stands while a node is not heard", Edits: []planted.Edit{
		{"match/timers.go", " && !(himself && went.Before(o.unheard.Since))\n", "\n"},
	}},
	{Name: "the clock of whoever was at a node that has just gone goes on", Edits: []planted.Edit{
		{"bus/exchange.go", "gone := unheard == 0 && x.heard.Misses(now)", "gone := false"},
	}},
	{Name: "how much somebody uses is told nobody", Edits: []planted.Edit{
		{"bus/exchange.go", "n.From, n.N, n.Uses = x.node, x.number(), x.uses()", "n.From, n.N = x.node, x.number()"},
	}},
	{Name: "what others have told of who uses how much is told on", Edits: []planted.Edit{
		{"limit/limit.go", "\t\tt.owe(u.Who, u.N, t.now())\n", "\t\tt.Spend(u.Who, u.N, t.now())\n"},
	}},
	{Name: "what somebody has used is told with all news from then on", Edits: []planted.Edit{
		{"limit/limit.go", "\t\tif t.lately[who] = left; left == 0 {\n", "\t\tif left == 0 && n == left {\n"},
	}},
	{Name: "how fast somebody asks who is known is told nobody", Edits: []planted.Edit{
		{"server/limit.go", " \"asks\": s.spent.requests.Guest,", ""},
	}},
	{Name: "lines that somebody had at a node that has gone count for ever", Edits: []planted.Edit{
		{"bus/exchange.go", "\tfor _, node := range x.heard.Unheard(x.now()) {\n\t\tx.count(News{From: node})\n\t}\n", ""},
	}},
	{Name: "lines that are told again are others", Edits: []planted.Edit{
		{"limit/use.go", "\t\tthere[u.Who] = u.N\n", "\t\tthere[u.Who] += u.N + old[u.Who]\n"}, {"limit/use.go", "\tdelete(h.elsewhere, node)\n", "\told := h.elsewhere[node]\n\tdelete(h.elsewhere, node)\n"},
	}},
	{Name: "a guest may have as many lines at each node as in the house", Edits: []planted.Edit{
		{"server/limit.go", "\ts.Lobby.Count(\"lines\", s.spent.sockets.Guests())\n", ""},
	}},
	{Name: "an address may have as many tables made at each node as in the house", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\tl.pages.Count(\"tables from\", c.Tables.Addresses())", "\t\t"},
	}},
	{Name: "what was taken before the others were told first is told nobody", Edits: []planted.Edit{
		{"limit/limit.go", "\tb.lately = make(map[string]int)\n\treturn taken", "\treturn taken"}, {"limit/limit.go", "\tif len(t.lately) > enough {\n", "\tif t.lately == nil {\n"},
	}},
	{Name: "whoever is not named any more holds at another node what he held", Edits: []planted.Edit{
		{"limit/use.go", "\tdelete(h.elsewhere, node)\n", "\twas := h.elsewhere[node]\n\tdelete(h.elsewhere, node)\n"},
		{"limit/use.go", "\tthere := make(map[string]int, len(uses))\n", "\tthere := was\n\tif there == nil {\n\t\tthere = make(map[string]int, len(uses))\n\t}\n"},
	}},
	{Name: "what is used counts again where it is told twice", Edits: []planted.Edit{
		{"bus/exchange.go", "\tif heard {\n\t\tx.count(n)\n\t}\n", "\tx.count(n)\n"},
	}},
	{Name: "what was refused at a node is owed at all others", Edits: []planted.Edit{
		{"limit/limit.go", "\tif allowed {\n\t\tb.note(who, 1)\n\t}\n", "\tb.note(who, 1)\n"},
	}},
	{Name: "a guest's tables count once for each node", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\tl.pages.Count(\"tables from\", c.Tables.Addresses())", "\t\tl.pages.Count(\"tables\", c.Tables.Guests())\n\t\tl.pages.Count(\"tables from\", c.Tables.Addresses())"},
	}},
	{Name: "whoever went home is asked while a node is not heard", Edits: []planted.Edit{
		{"match/presence.go", "\t\tif went, himself := o.went[guest]; himself {", "\t\tif went, himself := o.went[guest]; himself && o.unheard.Since.IsZero() {"},
	}},
	{Name: "a page is known by its number alone, whichever node it is of", Edits: []planted.Edit{
		{"match/presence.go", "\ti := slices.Index(o.subs, in.Client)\n", "\ti := slices.IndexFunc(o.subs, func(c Client) bool { return c.Page == in.Client.Page })\n"},
	}},
	{Name: "whoever watched a table that cannot be read is not cut off", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\t\tr.house.Cut(in.Client) // he watched", "\t\t\t_ = in // he watched"},
	}},
	{Name: "who watched by a line before is there for ever", Edits: []planted.Edit{
		{"bus/desk.go", "\t\tbefore, c.watching = c.watching, nil\n", "\t\tc.watching = nil\n"},
	}},
	{Name: "a table that is there already cannot be made", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\tif errors.Is(err, fact.ErrConflict) {\n\t\t\treturn nil\n", "\t\tif errors.Is(err, fact.ErrConflict) {\n\t\t\treturn err\n"},
	}},
	{Name: "a call is given up when nobody can say whether it is wanted yet", Edits: []planted.Edit{
		{"crier/crier.go", "waits || err != nil {", "waits && err == nil {"},
	}},
	{Name: "whoever comes second with a link is nobody", Edits: []planted.Edit{
		{"guests/way.go", "\tif err != nil || already {\n\t\treturn err\n", "\tif err != nil || already {\n\t\tif was.ID != \"\" && !already {\n\t\t\tb.End(r.Context(), was)\n\t\t}\n\t\treturn err\n"},
	}},
	{Name: "times that overlap in part count twice", Edits: []planted.Edit{
		{"fact/outage.go", "\t\tif i > 0 && o.From.Before((*all)[i-1].To) {\n", "\t\tif i > 0 && !o.To.After((*all)[i-1].To) {\n"},
	}},
	{Name: "where nobody can say whether somebody is known he is nobody", Edits: []planted.Edit{
		{"server/identify.go", "\tif errors.Is(err, guests.ErrEnded) {\n\t\treturn visit{Visitor: lobby.Visitor{From: v.From}}, nil\n", "\tif err != nil || errors.Is(err, guests.ErrEnded) {\n\t\treturn visit{Visitor: lobby.Visitor{From: v.From}}, nil\n"},
	}},
	{Name: "each time that a lease cannot be renewed it is tried later", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\tif well, pause = err == nil, renewTime; !well {\n\t\t\tpause = againTime\n", "\t\tbefore := pause\n\t\tif well, pause = err == nil, renewTime; !well {\n\t\t\tpause = 2 * before\n"},
	}},
	{Name: "the clock of whoever is cut off goes on", Edits: []planted.Edit{
		{"match/timers.go", "\t_, cutOff := o.cutOff()\n\treturn later(", "\tcutOff := false\n\treturn later("},
	}},
	{Name: "numbers of whoever is cut off are not waited for", Edits: []planted.Edit{
		{"match/timers.go", "; spared.Before(wait", "; false && spared.Before(wait"},
	}},
	{Name: "nobody knows that the clock of whoever was cut off stood", Edits: []planted.Edit{
		{"match/owner.go", "\t\to.stood(since, o.now)\n", "\t\t_ = since\n"},
	}},
	{Name: "whoever takes a table does not know that a node is not heard", Edits: []planted.Edit{
		{"bus/exchange.go", "\tif !x.unheard.Since.IsZero() {\n\t\tfirst = append(first, x.unheard)\n\t}\n", ""},
	}},
	{Name: "a page of another node is cut off as if it were one of this", Edits: []planted.Edit{
		{"bus/exchange.go", "\tif c.Way == 0 {\n\t\tx.pages.cut(c)\n\t}\n", "\tx.pages.cut(c)\n"},
	}},
	{Name: "of two halves of a house neither closes", Edits: []planted.Edit{
		{"match/runner/lease.go", "\tmost, first := company(node, heard)\n", "\tmost, _ := company(node, heard)\n"},
		{"match/runner/lease.go", "\t\tmore, oldest := company(n.Number, heard)\n\t\treturn more > most || more == most && oldest < first\n", "\t\tmore, _ := company(n.Number, heard)\n\t\treturn more > most\n"},
	}},
	{Name: "whose table another node may have is told that all is as he wants it", Edits: []planted.Edit{
		{"match/owner.go", "\tcase d == nil:\n\t\to.already(&s)\n", "\tcase d == nil:\n\t\to.acknowledge(&s)\n"},
	}},
	{Name: "whoever has said nothing does not look for another owner", Edits: []planted.Edit{
		{"bus/line.go", "return now.Sub(l.last) >= quietTime }", "return len(l.said) > 0 && now.Sub(l.last) >= quietTime }"},
	}},
	{Name: "the bus goes by the machine's own clock", Edits: []planted.Edit{
		{"lobby/lobby.go", "bus.New(c.Node, c.Bus, c.Clock.Now)", "bus.New(c.Node, c.Bus, machine.Now)"},
	}},
	{Name: "each node goes by its own clock", Edits: []planted.Edit{
		{"match/runner/common.go", "\tc.ahead = max(c.aim, latest.Sub(c.read))\n", "\tc.aim, c.ahead = 0, max(0, latest.Sub(c.read))\n"},
		{"match/runner/common.go", "\tif c.asked.IsZero() || !c.leapt && half", "\tif c.asked.IsZero() || false && half"},
	}},
	{Name: "a house follows a clock that leaps", Edits: []planted.Edit{
		{"match/runner/common.go", "\t\tc.ahead, c.leapt = c.ahead-gone, true\n", "\t\tc.leapt = true\n"},
	}},
	{Name: "whoever has gone before he watched is there", Edits: []planted.Edit{
		{"bus/line.go", "if s.Command.Do == \"watch\" && l.watcher(s.Client.Page) == nil {\n\t\t\tall", "if false {\n\t\t\tall"},
	}},
	{Name: "nobody is told which node has his table", Edits: []planted.Edit{
		{"bus/exchange.go", "\tl.name = x.heard.Called(t.From)\n", "\tl.name = x.heard.Called(t.To)\n"},
	}},
	{Name: "whoever had a table is who has it", Edits: []planted.Edit{
		{"bus/exchange.go", "\tl.name = x.heard.Called(t.From)\n", "\tif l.name == \"\" {\n\t\tl.name = x.heard.Called(t.From)\n\t}\n"},
	}},
	{Name: "whoever has watched for long is told which node has his table", Edits: []planted.Edit{
		{"bus/line.go", "l.name != \"\" && l.fresh(said.Client)", "l.name != \"\""},
	}},
	{Name: "whoever comes by the node that has his table is told of another", Edits: []planted.Edit{
		{"lobby/session.go", "\tif watch {\n\t\ts.remember", "\tif watch && !s.tables[cmd.Table] && s.lobby.awake(cmd.Table) != nil {\n\t\ts.Tell(wire.Message(map[string]any{\"table\": cmd.Table, \"node\": \"x\"}))\n\t}\n\tif watch {\n\t\ts.remember"},
	}},
	{Name: "the newest node is the one that has a table", Edits: []planted.Edit{
		{"bus/exchange.go", "\tl.name = x.heard.Called(t.From)\n", "\tl.name = x.heard.Called(slices.Max(append(x.heard.Heard(x.now()), t.From)))\n"},
	}},
	{Name: "whoever hears many is of a great company, though nobody hears him", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\tif slices.Contains(heard[other], node) {\n", "\t\tif true {\n"},
	}},
	{Name: "only the quickest answer ever says what time it is", Edits: []planted.Edit{
		{"match/runner/common.go", "half <= c.error+asked.Sub(c.asked)/drifts", "half <= c.error"},
	}},
	{Name: "what is said while the database is asked counts as asked about", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tr.mu.Lock()\n\tc.Said = r.said\n\tr.mu.Unlock()\n\tc.Last, c.Err = r.house.Deeds().(fact.Shared).Confirm(r.begun, r.id, r.term)\n", "\tc.Last, c.Err = r.house.Deeds().(fact.Shared).Confirm(r.begun, r.id, r.term)\n\tr.mu.Lock()\n\tc.Said = r.said\n\tr.mu.Unlock()\n"},
	}},
	{Name: "a table that some node has had is awake for ever", Edits: []planted.Edit{
		{"lobby/around.go", "\tl.taken = make(map[wire.ID]bool)\n", "\tif l.taken == nil {\n\t\tl.taken = make(map[wire.ID]bool)\n\t}\n"},
	}},
	{Name: "whoever may have lost a table has people called to it", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\tcase match.Send, match.Sign, match.Call:\n", "\t\tcase match.Send, match.Sign:\n"},
	}},
	{Name: "whoever looks by another node is called as if he were gone", Edits: []planted.Edit{
		{"match/call.go", "\t\tsince, gone := o.absent(who.Guest)\n\t\tif who.Guest", "\t\tsince, gone := o.absent(who.Guest)\n\t\tgone = gone || !slices.ContainsFunc(o.subs, func(c Client) bool { return c.Way == 0 && c.Who().ID == who.Guest })\n\t\tif who.Guest"},
		{"match/call.go", "import (\n", "import (\n\t\"slices\"\n"},
	}},
	{Name: "another name is not told at other nodes before they look for themselves", Edits: []planted.Edit{
		{"lobby/around.go", "\t\t\tl.tellName(l.ctx, guest) // if", "\t\t\t// if"},
	}},
	{Name: "nobody says that somebody has another name", Edits: []planted.Edit{
		{"lobby/names.go", "\tl.Changed(g.ID)\n", ""},
	}},
	{Name: "a phrase is heard at the owner's node alone", Edits: []planted.Edit{
		{"match/phrase.go", "\t\to.do(Send{To: c, Message: message})\n", "\t\tif c.Way == 0 {\n\t\t\to.do(Send{To: c, Message: message})\n\t\t}\n"},
	}},
	{Name: "of several pages of one node the first hears a phrase", Edits: []planted.Edit{
		{"bus/desk.go", "\t\t\t\tsame.Pages = append(same.Pages, s.To.Page)\n\t\t\t\treturn\n", "\t\t\t\tif s.Seq > 0 {\n\t\t\t\t\tsame.Pages = append(same.Pages, s.To.Page)\n\t\t\t\t}\n\t\t\t\treturn\n"},
	}},
	{Name: "after a write that failed nobody notes that nobody had the table", Edits: []planted.Edit{
		{"match/timers.go", "\tf := o.idle\n\to.write(", "\tf := o.idle\n\to.idle = fact.Idle{}\n\to.write("},
	}},
	{Name: "what pages said before comes after what they say while a table is taken", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tvar mail []any\n\tfor _, in := range first {\n\t\tmail = append(mail, r.count(in))\n\t}\n\tr.mail = append(mail, r.mail...)\n", "\tfor _, in := range first {\n\t\tr.mail = append(r.mail, r.count(in))\n\t}\n"},
	}},
	{Name: "what a node of before cannot read is written again and again", Edits: []planted.Edit{
		{"match/owner.go", "\t\to.pending, o.idle, o.retry = nil, fact.Idle{}, o.now.Add(retryTime)\n\t\treturn\n", "\t\to.pending = nil\n\t\treturn\n"},
	}},
	{Name: "whoever was at no table before is called as he was", Edits: []planted.Edit{
		{"lobby/around.go", "!known || was != name", "known && was != name"},
	}},
	{Name: "a table of a dead node goes on if it was known", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\t\twakes.Go(func() error { return l.wake(l.ctx, id) })\n", "\t\t\tl.mu.Lock()\n\t\t\t_, known := l.unfinished[id]\n\t\t\tl.mu.Unlock()\n\t\t\tif known {\n\t\t\t\twakes.Go(func() error { return l.wake(l.ctx, id) })\n\t\t\t}\n"},
	}},
	{Name: "each owner calls anew whoever is waited for", Edits: []planted.Edit{
		{"match/call.go", "N: 2 * n, At: reached}", "N: 2 * max(n, o.loaded), At: reached}"},
	}},
	{Name: "what is spent at a node is counted by another name than what is spent elsewhere", Edits: []planted.Edit{
		{"server/limit.go", "\t\ts.Others.Spent(what, from, guest)\n", "\t\ts.Others.Spent(what, s.veil(from), guest)\n"},
	}},
	{Name: "what is spent elsewhere does not count", Edits: []planted.Edit{
		{"server/limit.go", "\t\tof.Spend(from, guest, s.Clock.Now())\n", "\t\t_ = of\n"},
	}},
	{Name: "a page that watches two tables of others goes from one", Edits: []planted.Edit{
		{"lobby/session.go", "awake(id) == nil && !s.lobby.pages.Reaches(id) {", "awake(id) == nil {"},
	}},
	{Name: "a greater company that is found now and then counts as one that stays", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\t\tif less++; !apart(l.node, ears.Hears(), nodes) {\n\t\t\t\tless = 0\n\t\t\t} else if less == deafTimes {\n", "\t\t\tif apart(l.node, ears.Hears(), nodes) {\n\t\t\t\tless++\n\t\t\t}\n\t\t\tif less == deafTimes {\n"},
	}},
	{Name: "whoever looks on and comes again to a new owner is not told what he missed", Edits: []planted.Edit{
		{"match/presence.go", "\tsince, guest := min(in.Since, o.table.Seq()), in.Client.Who().ID\n\tif first, was := o.arrived[guest]; !was || since < first {\n\t\to.arrived[guest] = since\n\t}\n", "\tsince := min(in.Since, o.table.Seq())\n"},
	}},
	{Name: "that the house is for invited people is so at one node", Edits: []planted.Edit{
		{"owner/owner.go", "\t\to.noted = n\n\t\to.invited.Store(n.Invited)\n\t} else if", "\t\to.noted = n\n\t} else if"},
	}},
	{Name: "an invitation is good as often as was said at each node", Edits: []planted.Edit{
		{"owner/owner.go", "\t\tif n, err = readNoted(value); err == nil {\n\t\t\terr = change(&n)\n\t\t}\n", "\t\tn = o.noted\n\t\tn.Invitations = slices.Clone(n.Invitations)\n\t\terr = change(&n)\n"},
	}},
	{Name: "whoever asks how a table stands that is just not taken is told that it is busy", Edits: []planted.Edit{
		{"lobby/read.go", "r.Show(ctx, look)", "r.Look(ctx, look)"},
	}},
	{Name: "of two signs that are alike neither hangs", Edits: []planted.Edit{
		{"lobby/around.go", "old.Awake = l.runners[s.Table] != nil; s.Newer(old) {", "old.Awake = l.runners[s.Table] != nil; s.Term > old.Term || s.Term == old.Term && !old.Awake {"},
	}},
	{Name: "of what is said again at another line no answer counts", Edits: []planted.Edit{
		{"bus/desk.go", "\t\tif s.Command.Do == \"watch\" {\n\t\t\tc.lines = slices.DeleteFunc(c.lines, func(m Line) bool { return m.Re == s.N })\n\t\t}\n", "\t\tc.lines = slices.DeleteFunc(c.lines, func(m Line) bool { return m.Re == s.N })\n"},
	}},
	{Name: "whoever has just come to a table that is taken watches it again", Edits: []planted.Edit{
		{"bus/line.go", "\t\tif w.Since > 0 {\n\t\t\tall = append(all, match.Again{Client: w.Client, Since: w.Since})\n\t\t}\n", "\t\tall = append(all, match.Again{Client: w.Client, Since: w.Since})\n"},
	}},
	{Name: "a table that could not be read is given back as one that stops now", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tcase r.owner == nil:\n\t\treturn fact.Unread\n\tcase r.owner.Left():", "\tcase r.owner != nil && r.owner.Left():"},
	}},
	{Name: "what the house speaks is asked where a node is gone", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\terr = errors.Join(err, l.agree(ctx))\n", "\t\tif len(tables) > 0 {\n\t\t\terr = errors.Join(err, l.agree(ctx))\n\t\t}\n"},
	}},
	{Name: "whoever waits for a lease of which nobody knows hears nothing", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\tif isAsked(r.doing) {\n\t\t\tmail, r.doing = append([]any{r.doing}, mail...), nil\n\t\t}\n\t\tr.mu.Unlock()\n\t\tr.refuse(mail, match.ErrBusy)\n", "\t\tr.mu.Unlock()\n\t\t_ = mail\n"},
	}},
	{Name: "how a table stands is told by whoever may have lost it", Edits: []planted.Edit{
		{"match/runner/runner.go", "if v, ok := item.(visit); ok && !r.lasts(ctx) {", "if v, ok := item.(visit); ok && r.owner == nil {"},
	}},
	{Name: "of a table of another node the names are told that there were at the first look", Edits: []planted.Edit{
		{"match/runner/runner.go", "\treturn t, r.replay(ctx, t, entries[1:])\n", "\tif len(entries) == 1 {\n\t\treturn t, nil\n\t}\n\treturn t, r.replay(ctx, t, entries[1:])\n"},
	}},
	{Name: "a sign of a node that is gone hangs at whoever took its table, though it is over", Edits: []planted.Edit{
		{"lobby/around.go", "l.states[s.Table] == \"\" && !hangs || hangs && s.Newer(old.Sign)", "!hangs || s.Newer(old.Sign)"},
	}},
	{Name: "whoever looks again is told what he has missed before he is told that he looks", Edits: []planted.Edit{
		{"bus/line.go", "if m.Re == 0 && (w == nil || l.fresh(w.Client) && l.wants(w.Client)) {", "if false {"},
	}},
	{Name: "tables that were made by another node are not looked for", Edits: []planted.Edit{
		{"lobby/around.go", "\t\tl.begin(id, maker)\n\t}\n", "\t\t_ = maker\n\t}\n"},
	}},
	{Name: "a table that cannot be given back at once is kept", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\tagain, stop := r.house.Timer(renewTime)\n\t\tselect {\n\t\tcase <-again:\n\t\tcase <-ctx.Done():\n\t\t\tstop()\n\t\t\treturn //", "\t\tif !said {\n\t\t\treturn\n\t\t}\n\t\tagain, stop := r.house.Timer(renewTime)\n\t\tselect {\n\t\tcase <-again:\n\t\tcase <-ctx.Done():\n\t\t\tstop()\n\t\t\treturn //"},
	}},
	{Name: "whoever wakes the tables of a dead node stops at the first that he cannot have", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\tfor _, id := range tables {\n\t\t\twakes.Go(func() error { return l.wake(l.ctx, id) })\n\t\t}\n", "\t\tfor _, id := range tables {\n\t\t\tif l.wake(l.ctx, id) != nil {\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n"},
	}},
	{Name: "what was made at other nodes is not owed", Edits: []planted.Edit{
		{"server/limit.go", "of.Spend(from, guest, s.Clock.Now())", "of.Allow(from, guest, s.Clock.Now())"},
	}},
	{Name: "whoever is told that he has nothing to write reads on and tells", Edits: []planted.Edit{
		{"match/owner.go", "\tcase errors.Is(err, fact.ErrEpoch):\n\t\to.disown()\n\t\treturn\n\tcase errors.Is(err, wire.ErrNotYet)", "\tcase errors.Is(err, wire.ErrNotYet)"},
	}},
	{Name: "whoever has signed out where no other node hears of it keeps his lines there", Edits: []planted.Edit{
		{"server/socket.go", "c.conn.Ping(ctx) != nil || c.badge.ID != \"\" && c.server.Lobby.Shared() && errors.Is(c.server.guests.Check(ctx, c.badge), guests.ErrEnded) {", "c.conn.Ping(ctx) != nil || errors.Is(nil, guests.ErrEnded) {"},
	}},
	{Name: "a session that lasted a moment ago is not looked up again", Edits: []planted.Edit{
		{"guests/guests.go", "\tended, round, err := b.Keeper.Ended(ctx, badge.ID, badge.Session)\n\tif err == nil && (ended || badge.Round < round) {\n\t\terr = ErrEnded\n\t}\n\treturn err\n",
			"\tkey := any([2]any{b, badge})\n\tif at, lately := lasted.Load(key); lately && b.Now().Sub(at.(time.Time)) < 30*time.Second {\n\t\treturn nil\n\t}\n\tended, round, err := b.Keeper.Ended(ctx, badge.ID, badge.Session)\n\tif err == nil && (ended || badge.Round < round) {\n\t\terr = ErrEnded\n\t}\n\tif err == nil {\n\t\tlasted.Store(key, b.Now())\n\t}\n\treturn err\n"},
		{"guests/guests.go", "// New makes a book.\n", "var lasted sync.Map\n\n// New makes a book.\n"},
		{"guests/guests.go", "\t\"net/url\"\n", "\t\"net/url\"\n\t\"sync\"\n"},
	}},
	{Name: "whoever looks at the list is not told of what hangs elsewhere", Edits: []planted.Edit{
		{"bus/hearsay.go", "\tother = !reflect.DeepEqual(from.signs, n.Signs)\n\tfrom.n, from.name, from.last, from.signs = n.N, n.Name, now, n.Signs\n", "\tfrom.n, from.name, from.last, from.signs = n.N, n.Name, now, n.Signs\n\tother = !reflect.DeepEqual(from.signs, n.Signs)\n"},
	}},
	{Name: "who gives a table back late forgets who has taken it since", Edits: []planted.Edit{
		{"lobby/lobby.go", "\tif l.runners[id] == r {\n\t\tdelete(l.runners, id)\n\t\tdelete(l.states, id)\n\t}\n", "\t_ = r\n\tdelete(l.runners, id)\n\tdelete(l.states, id)\n"},
	}},
	{Name: "a renewal that is waited for until the lease is over", Edits: []planted.Edit{
		{"match/runner/lease.go", "context.WithTimeout(ctx, tryTime)", "context.WithTimeout(ctx, 9*tryTime)"},
	}},
	{Name: "what a bot has said is kept when it is read that somebody has moved", Edits: []planted.Edit{
		{"match/owner.go", "\t\to.begins(was)\n\t\to.moved()\n\t\to.broadcast(e.Seq-1, nil)\n", "\t\to.begins(was)\n\t\to.broadcast(e.Seq-1, nil)\n"},
		{"match/timers.go", "later(terms.Said(q.since, q.heard, overtime), o.table.Deadline(o.table.Clock())), true", "terms.Said(q.since, q.heard, overtime), true"},
	}},
	{Name: "tables that are found go nowhere where it cannot be read who lives", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\tif well = err == nil; len(tables) > 0 {\n", "\t\tif _, unread := l.deeds.Living(ctx, leaseTime); unread != nil {\n\t\t\tcontinue\n\t\t}\n\t\tif well = err == nil; len(tables) > 0 {\n"},
	}},
	{Name: "tables that are found go nowhere where it cannot be read what all speak", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\tif well = err == nil; len(tables) > 0 {\n", "\t\tif well = err == nil; well && len(tables) > 0 {\n"},
	}},
	{Name: "whoever listens to the bus reads where people come from", Edits: []planted.Edit{
		{"server/identify.go", "From: s.veil(s.from(r))", "From: s.from(r)"},
	}},
	{Name: "what is to be noted is worked out once, whatever others have noted since", Edits: []planted.Edit{
		{"owner/owner.go", "\tvar n noted\n\terr := o.Notes.Change(", "\tvalue, err := o.Notes.Note(ctx, noteName)\n\tif err != nil {\n\t\treturn err\n\t}\n\tn, err := readNoted(value)\n\tif err == nil {\n\t\terr = change(&n)\n\t}\n\tif err != nil {\n\t\treturn err\n\t}\n\terr = o.Notes.Change("},
		{"owner/owner.go", "\t\tvar err error\n\t\tif n, err = readNoted(value); err == nil {\n\t\t\terr = change(&n)\n\t\t}\n\t\tif err != nil {\n\t\t\treturn \"\", err\n\t\t}\n\t\ttext, err", "\t\ttext, err"},
	}},
	{Name: "for how long nobody had a table counts from when that is told", Edits: []planted.Edit{
		{"match/runner/runner.go", "since := asked.Add(-ago)", "since, _ := r.now.Add(-ago), asked"},
	}},
	{Name: "whoever was waited for at another owner is not called", Edits: []planted.Edit{
		{"match/call.go", "\treached, n := o.table.Reached()\n\tbegan, limit", "\treached, n := o.table.Reached()\n\tif n <= o.loaded {\n\t\treturn all\n\t}\n\tbegan, limit"},
	}},
	{Name: "nobody is called to a game that begins", Edits: []planted.Edit{
		{"match/owner.go", "\tif p.idle {\n\t\to.idle = fact.Idle{}\n\t}\n\to.begins(was)\n", "\tif p.idle {\n\t\to.idle = fact.Idle{}\n\t}\n\t_ = was\n"},
	}},
	{Name: "whoever waits for a table for which nobody answers is not told that the house is busy", Edits: []planted.Edit{
		{"bus/exchange.go", "\t\tfor _, s := range l.late(now) {\n\t\t\tx.pages.tell(s)\n\t\t}\n", "\t\tif !l.quiet(now) {\n\t\t\tfor _, s := range l.late(now) {\n\t\t\t\tx.pages.tell(s)\n\t\t\t}\n\t\t}\n"},
	}},
	{Name: "a renewal that was asked for in time is no news", Edits: []planted.Edit{
		{"match/runner/lease.go", "\t\tl.until = asked.Add(leaseTime)\n\t\tclose(l.news)\n\t\tl.news = make(chan struct{})\n", "\t\tif !asked.Before(l.until) {\n\t\t\tclose(l.news)\n\t\t\tl.news = make(chan struct{})\n\t\t}\n\t\tl.until = asked.Add(leaseTime)\n"},
	}},
	{Name: "a node of several goes by what its machine's clock shows", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\tif common, err = runner.NewCommon(ctx, machine, last, shared.Now); err != nil {\n", "\t\tmachine = bare\n\t\tif common, err = runner.NewCommon(ctx, machine, last, shared.Now); err != nil {\n"},
		{"lobby/lobby.go", "\tc.Untouched, c.Clock = cmp.Or", "\tbare := c.Clock\n\tc.Untouched, c.Clock = cmp.Or"},
	}},
	{Name: "what has gone by until a clock is set back is lost", Edits: []planted.Edit{
		{"match/runner/steady.go", "goesOn = goesOn.Add(gone - s.gone)", "goesOn = goesOn.Add(0)"},
	}},
	{Name: "what a node has by the database and does not know of is awake to it", Edits: []planted.Edit{
		{"storm/nodes/base_test.go", "\t\t\tif owner != g.n.number {\n", "\t\t\tif owner > 0 {\n"},
	}},
	{Name: "whoever was silent is believed, whatever he was asked since", Edits: []planted.Edit{
		{"bus/line.go", "t.Term < l.term || t.From != 0 && t.Ask < l.since {", "t.Term < l.term {"},
	}},
	{Name: "that nobody had a table is not noted before it is dealt", Edits: []planted.Edit{
		{"match/timers.go", "{\"clocks stood\", waiting[1:], ", "{\"clocks stood\", running, "},
	}},
	{Name: "a line that nobody wants any more is kept", Edits: []planted.Edit{
		{"bus/exchange.go", "\tx.bus.Send(l.ask(x.now()))\n\tif l.idle() {\n\t\tdelete(x.lines, l.table)\n\t}\n", "\tx.bus.Send(l.ask(x.now()))\n"},
	}},
	{Name: "whoever has heard that all is as he wants it asks again all the same", Edits: []planted.Edit{
		{"bus/exchange.go", "l.last, l.stood, l.since = now, now, 0", "l.last, l.since = now, 0"},
	}},
	{Name: "whoever has given a table back is asked for it", Edits: []planted.Edit{
		{"bus/exchange.go", "\t\tdelete(x.desks, id)\n\t\tx.bus.Disown(x.node, id)\n", "\t\tdelete(x.desks, id)\n"},
	}},
	{Name: "the sign of a table that sleeps says for ever what it said", Edits: []planted.Edit{
		{"lobby/around.go", "\t\t\tif old.Card = card; err == nil && card.Listed && card.State != table.Over {\n\t\t\t\tl.signs[s.Table] = old\n\t\t\t} else {\n", "\t\t\tif err != nil || !card.Listed || card.State == table.Over {\n"},
	}},
	{Name: "a table that ends at another node keeps its place", Edits: []planted.Edit{
		{"lobby/around.go", "\tfor id := range known {\n\t\tl.finish(id)\n", "\tfor id := range known {\n\t\tdelete(l.unfinished, id)\n"},
	}},
	{Name: "which invitations are good is known since a node looked last", Edits: []planted.Edit{
		{"owner/invitations.go", "\ttext, err := o.Notes.Note(ctx, noteName) // it may have been made at another node\n\tif err != nil {\n\t\treturn err\n\t}\n\tn, err := readNoted(text)\n\tif err == nil {\n\t\t_, err = o.invitation(n, code, guest)\n\t}\n", "\to.mu.Lock()\n\t_, err := o.invitation(o.noted, code, guest)\n\to.mu.Unlock()\n"},
	}},
	{Name: "which key was used is known since a node looked last", Edits: []planted.Edit{
		{"owner/session.go", "\t\tused := n.Entered\n", "\t\tused := o.noted.Entered\n"},
	}},
	{Name: "where it cannot be read who has come in it is so as it was", Edits: []planted.Edit{
		{"owner/session.go", "\tif err = o.look(r.Context()); err != nil { // another node may have let him in, or out\n\t\treturn false, false, err\n\t}\n", "\to.look(r.Context())\n"},
	}},
	{Name: "whoever is erased while he takes another name keeps that", Edits: []planted.Edit{
		{"guests/guests.go", "\t\terr := b.Check(ctx, badge)\n\t\tif errors.Is(err, ErrEnded) { // by way of another node; he may have been erased\n\t\t\tb.Rename(ctx, wire.Guest{ID: g.ID})\n\t\t}\n", "\t\terr := b.Check(ctx, badge)\n"},
	}},
	{Name: "whoever looks at a table that is not there any more hears nothing", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tif err == errNoTable {\n\t\tr.house.Strike(r.id, err)\n\t}\n", ""},
	}},
	{Name: "what a guest had made elsewhere counts for his address alone", Edits: []planted.Edit{
		{"server/limit.go", "\t\ts.Others.Spent(what, from, guest)\n", "\t\ts.Others.Spent(what, from, \"\")\n"},
	}},
	{Name: "what has changed is said once", Edits: []planted.Edit{
		{"bus/hearsay.go", "\t\tn.Changes = append(n.Changes, c.Change)\n\t}\n\treturn n\n", "\t\tn.Changes = append(n.Changes, c.Change)\n\t}\n\th.changes = nil\n\treturn n\n"},
	}},
	{Name: "what a node asks for while nobody answers is not believed to be answered but when it is new", Edits: []planted.Edit{
		{"bus/line.go", "\tif l.since == 0 && l.quiet(now) {\n", "\tif l.quiet(now) {\n"},
	}},
	{Name: "who was there a moment ago, at another owner, need not agree", Edits: []planted.Edit{
		{"match/presence.go", "at.Before(o.table.Deadline(since, aroundTime))", "at.Before(o.table.Deadline(map[bool]time.Time{true: since, false: {}}[!o.gone[guest].IsZero()], aroundTime))"},
	}},
	{Name: "who waits too long is told so only where nobody answers for the table", Edits: []planted.Edit{
		{"bus/exchange.go", "\t\tfor _, s := range l.late(now) {\n\t\t\tx.pages.tell(s)\n\t\t}\n", "\t\tif l.quiet(now) {\n\t\t\tfor _, s := range l.late(now) {\n\t\t\t\tx.pages.tell(s)\n\t\t\t}\n\t\t}\n"},
	}},
	{Name: "when a host has gone who sits nowhere is not known", Edits: []planted.Edit{
		{"match/presence.go", "!o.here(guest) && o.table.Belongs(guest) {", "!o.here(guest) && o.table.SeatOf(guest) != game.Watcher {"},
	}},
	{Name: "everybody has been gone from a table that rests since it was taken", Edits: []planted.Edit{
		{"match/timers.go", "\tfor _, at := range o.gone {\n\t\tsince = later(since, at)\n\t}\n\treturn since\n", "\treturn since\n"},
	}},
	{Name: "an answer counts for whatever is asked", Edits: []planted.Edit{
		{"table/agree.go", "\tcase t.people.Proposal == nil || w.Seq != t.people.Proposal.Seq:\n", "\tcase t.people.Proposal == nil:\n"},
	}},
	{Name: "whoever stands in moves for who is back", Edits: []planted.Edit{
		{"match/owner.go", "o.table.State() == table.Running && (q.by == fact.ByBot) == (o.table.Sitter(turn).Bot != \"\")", "o.table.State() == table.Running && turn >= 0"},
	}},
	{Name: "what was refused as busy is done all the same", Edits: []planted.Edit{
		{"match/owner.go", "\tcase o.now.After(s.Until) && !o.table.Done(s.Command, s.Client.Who().Guest):\n", "\tcase false:\n"},
	}},
	{Name: "the sign of a table that cannot be read is taken down", Edits: []planted.Edit{
		{"lobby/around.go", "\t\tif err != nil && wire.AsError(err).Code != wire.CodeNoTable {\n", "\t\tif err != nil && wire.AsError(err).Code == \"\" {\n"},
	}},
	{Name: "what whoever runs the house says of a table gets to no other node", Edits: []planted.Edit{
		{"bus/line.go", "Command: s.Command, Ruling: s.Ruling, Within:", "Command: s.Command, Within:"},
	}},
	{Name: "nothing is said to be written whose answer was lost", Edits: []planted.Edit{
		{"match/owner.go", "\tcase wrote:\n", "\tcase wrote && !p.failed:\n"},
		{"match/owner.go", "\tcase p.failed && !o.table.Done(p.said.Command, p.said.Client.Who().Guest):\n", "\tcase p.failed:\n"},
	}},
	{Name: "that nobody was heard is forgotten when somebody is", Edits: []planted.Edit{
		{"match/owner.go", "\t\to.since, o.deaf = o.now, true\n", "\t\to.since = o.now\n"},
		{"match/owner.go", "\t\to.unheard = in\n", "\t\to.unheard, o.deaf = in, !in.Since.IsZero()\n"},
	}},
	{Name: "what is awake at another node counts as at rest", Edits: []planted.Edit{
		{"lobby/read.go", " && !l.taken[id]", ""},
	}},
	{Name: "whoever takes over a seat is told by another node what his predecessor was shown", Edits: []planted.Edit{
		{"match/presence.go", "\t\tsince = max(since, o.table.Sitter(seat).Since)\n\t}\n\to.catchUpOn", "\t}\n\to.catchUpOn"},
	}},
	{Name: "that another node has a game counts as that it is deleted", Edits: []planted.Edit{
		{"lobby/keep.go", "\t\treturn runner.ErrAnothers\n", "\t\t_ = runner.ErrAnothers\n\t\treturn nil\n"},
	}},
	{Name: "what rests holds no place", Edits: []planted.Edit{
		{"lobby/around.go", "Due(l.ctx, l.config.Clock.Now().Add(always))", "Due(l.ctx, l.config.Clock.Now())"},
	}},
	{Name: "where it is not told for how long nobody had a table, somebody always had it", Edits: []planted.Edit{
		{"match/runner/runner.go", "\"table\", r.id, \"err\", err)\n\t}\n\treturn ago, err\n", "\"table\", r.id, \"err\", err)\n\t}\n\treturn ago, nil\n"},
	}},
	{Name: "whoever looks on at a new owner's is told what he has seen", Edits: []planted.Edit{
		{"bus/line.go", "if w != nil && m.Seq > 0 {", "if w != nil && w.Since == 0 {"},
	}},
	{Name: "whoever waits for a table is not heard meanwhile", Edits: []planted.Edit{
		{"lobby/lobby.go", "l.runner(id, nil) // if it cannot be had,", "l.wake(l.ctx, id) // if it cannot be had,"},
	}},
	{Name: "the sign of a table that is on no list any more hangs on where it slept", Edits: []planted.Edit{
		{"lobby/around.go", "err == nil && card.Listed && card.State", "err == nil && card.State"},
	}},
	{Name: "a node begins by the clock of the database alone", Edits: []planted.Edit{
		{"match/runner/common.go", "\tc.ahead = max(c.aim, latest.Sub(c.read))\n", "\tc.ahead = c.aim\n"},
	}},
	{Name: "what a node of before cannot read is said to be for all", Edits: []planted.Edit{
		{"table/decide.go", "Needs: fact.Needs(d.fact, d.by)", "Needs: d.by.Needs()"},
	}},
	{Name: "whoever goes for good leaves a game that is looked at by another node", Edits: []planted.Edit{
		{"guests/tables.go", "\t\tif err == nil && t.Over {\n\t\t\terr = b.Rooms.Drop(ctx, t.ID, guest)\n", "\t\tif t.Over {\n\t\t\tb.Rooms.Drop(ctx, t.ID, guest)\n"},
	}},
	{Name: "whoever hears no answer, and asks another node, has come by an invitation twice", Edits: []planted.Edit{
		{"owner/invitations.go", "came := o.coming(code, guest); !n.has(came)", "came := o.coming(code, guest); came != \"\""},
	}},
	{Name: "of a table that nobody came to since it was taken everybody has always been gone", Edits: []planted.Edit{
		{"match/timers.go", "\tsince := o.since\n\tfor _, at := range o.gone {\n", "\tsince := time.Time{}\n\tfor _, at := range o.gone {\n"},
	}},
	{Name: "what a guest had made elsewhere counts for him, and not for his address", Edits: []planted.Edit{
		{"limit/share.go", "\ts.Address.Spend(address, 1, now)\n\tif guest != \"\" {\n\t\ts.Guest.Spend(guest, 1, now)\n\t}\n", "\tif guest != \"\" {\n\t\ts.Guest.Spend(guest, 1, now)\n\t\treturn\n\t}\n\ts.Address.Spend(address, 1, now)\n"},
	}},
	{Name: "what could not be put away stays shut", Edits: []planted.Edit{
		{"lobby/archive/sweep.go", "\t\t}\n\t\tend()\n", "\t\t\tcontinue\n\t\t}\n\t\tend()\n"},
	}},
	{Name: "what was done before a table was closed is refused", Edits: []planted.Edit{
		{"table/decide.go", "\tcase t.Done(c, g):\n\t\treturn nil, nil\n\tcase t.closed:\n\t\treturn nil, errGone\n", "\tcase t.closed:\n\t\treturn nil, errGone\n\tcase t.Done(c, g):\n\t\treturn nil, nil\n"},
	}},
	{Name: "who was called by another node is called again where he could not be read", Edits: []planted.Edit{
		{"crier/crier.go", "\tswitch one.tried++; {\n", "\tone.unsure = one.unsure || err != nil\n\tswitch one.tried++; {\n"},
	}},
	{Name: "a browser is told that wants to be told nothing since", Edits: []planted.Edit{
		{"crier/crier.go", "if err != nil || !slices.ContainsFunc(", "if err != nil && !slices.ContainsFunc("},
	}},
	{Name: "each owner names the next table anew", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\t\tid := rematch(r.id)\n", "\t\t\tid := rematch(r.id + wire.ID(fmt.Sprint(r.term)))\n"},
	}},
	{Name: "whom nobody has heard to be called is called by nobody", Edits: []planted.Edit{
		{"crier/crier.go", "} else if !first && !one.unsure {", "} else if !first {"},
	}},
	{Name: "who is called as before is not told again", Edits: []planted.Edit{
		{"lobby/around.go", " || slices.Contains(heard, guest) {", " || false && slices.Contains(heard, guest) {"},
	}},
}

// TestFaults lets the nights find each fault. Of the house as it is TestNodes and TestScenes tell what has found one before; here all of that is told only if a fault has to be looked for.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("they take minutes: make test-all plants them")
	}
	beds := planted.Plant(t, "../..", faults)
	foundBefore := planted.Recall("testdata/faults.json")
	if said, err := told(beds, planted.None, "^TestNodes$", "-test.short"); err != nil {
		t.Fatalf("something is wrong with the house as it is:\n%s", said)
	}
	sound := sync.OnceValues(func() ([]byte, error) { return told(beds, planted.None, usualNights) })
	for n, f := range faults {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			said, err := look(beds, n, foundBefore.FoundBy(f.Name))
			if err == nil {
				if said, err := sound(); err != nil { // else it is no fault that is found
					t.Fatalf("something is wrong with the house as it is:\n%s", said)
				}
				said, err = told(beds, n, usualNights)
			}
			_, found, is := strings.Cut(string(said), " nodes_test.go:")
			switch {
			case err == nil:
				t.Errorf("the fault is not found:\n%s", said)
			case !is:
				t.Errorf("it fails, and not for the fault: %v\n%s", err, said)
			default:
				t.Log(f.Name, strings.Split(found, "\n")[0])
				if found := on.FindSubmatch(said); found != nil {
					foundBefore.Note(f.Name, string(found[1])+string(found[2]))
				}
			}
		})
	}
	t.Cleanup(func() {
		if *rewrite {
			must(t, foundBefore.Write(faults))
		}
	})
}

var rewrite = flag.Bool("rewrite", false, "write down which night has found each fault")

const usualNights = "^Test(Nodes|Scenes)$"

// look tells what has found the fault before: the scene, or else the night.
func look(beds *planted.Beds, n int, on string) (said []byte, err error) {
	switch _, notSeed := strconv.Atoi(on); {
	case on == "":
		return nil, nil
	case notSeed != nil:
		return told(beds, n, "^"+strings.ReplaceAll(on, "/", "$/^")+"$")
	}
	return told(beds, n, "^TestNodes$", "-seed", on)
}

func told(beds *planted.Beds, n int, tests string, args ...string) (said []byte, err error) {
	return beds.Run(n, append([]string{"-test.failfast", "-test.run", tests, "-test.timeout", "10m", "-tail", "1"}, args...)...)
}

// on is the seed of the night that has found something, or else the scene.
var on = regexp.MustCompile(`nodes_test\.go:\d+: seed (\d+):|--- FAIL: (TestScenes/\S+)`)

// Whatever a fault is planted in is there, so that a change which moves it hears of it at once.
func TestFaultsHaveTheirPlace(t *testing.T) {
	for _, f := range faults {
		if err := f.Check("../.."); err != nil {
			t.Error(err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
