package storm

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A fault is a mistake that somebody could make: a few places of the sources as they are, and as they would be then.
type fault struct {
	name  string
	edits []edit
}

type edit struct{ file, is, would string }

// faults are planted one by one. The usual evenings find each; without them all is well.
var faults = []fault{
	{"told before it is written", []edit{
		{"match/owner.go", "\to.do(Append{o.table.Entry(d, o.now)})\n", "\tif said != nil {\n\t\to.acknowledge(said)\n\t}\n\to.do(Append{o.table.Entry(d, o.now)})\n"},
	}},
	{"acknowledged before the disk has it", []edit{
		{"store/sqlite/sqlite.go", `"_synchronous=full"`, `"_synchronous=off"`},
	}},
	{"a watch that is not ended", []edit{
		{"lobby/session.go", "\tfor id := range s.tables {\n\t\ts.leave(id)\n\t}\n", ""},
	}},
	{"an alarm that is set again and again", []edit{
		{"match/presence.go", "\to.changed, o.renamed = time.Time{}, false\n", "\to.changed, o.renamed = o.now, false\n"},
	}},
	{"a retry that is lost", []edit{
		{"match/timers.go", "retryTime    = time.Second ", "retryTime    = 1000 * time.Hour "},
	}},
	{"a command that is done twice", []edit{
		{"table/apply.go", "\t\tt.done[by.Key()] = true\n", ""},
	}},
	{"a decision by a table that does not know what is written", []edit{
		{"match/owner.go", "\tcase o.unsure:\n\t\to.pending = &pending{said: &s}\n\t\to.do(Read{o.table.Seq()})\n", ""},
	}},
	{"a failed write that is taken for a refused one", []edit{
		{"match/owner.go", "\to.unsure = true\n\to.do(Read{o.table.Seq()})\n}\n\n// apply makes", "\to.pending = nil\n\tif p.said != nil {\n\t\to.refuse(p.said, err)\n\t}\n}\n\n// apply makes"},
	}},
	{"one page of two is closed, and its reader is gone", []edit{
		{"match/presence.go", "\to.subs = slices.Delete(o.subs, i, i+1)\n", "\to.subs = slices.DeleteFunc(o.subs, func(s Client) bool { return s.Who().ID == c.Who().ID })\n"},
	}},
	{"whoever comes back has all his time again", []edit{
		{"table/apply.go", "\tt.people.Return(f.Seat, t.at)\n", "\tt.people.Return(f.Seat, t.at)\n\tt.clock = t.at\n"},
	}},
	{"time in which the house was closed counts", []edit{
		{"fact/outage.go", "\t\td -= o.during(from, to)\n", "\t\t_ = o\n"}, {"fact/outage.go", "\t\t\tat = at.Add(o.during(from, o.To))\n", "\t\t\tat = at.Add(0 * o.during(from, o.To))\n"},
	}},
	{"a frame that is left out", []edit{
		{"match/presence.go", "\t\t\tsend.Answer = o.done(said)\n", "\t\t\to.acknowledge(said)\n\t\t\tcontinue\n"},
	}},
	{"a timer that is not stopped", []edit{
		{"match/runner/runner.go", "\t\tdefer stop()\n", "\t\t_ = stop\n"},
	}},
	{"a move in somebody else's name", []edit{
		{"table/decide.go", "\tcase c.Guest != w.guest.ID || c.Left:\n", "\tcase c.Left:\n"},
	}},
	{"a table that is woken too late", []edit{
		{"match/timers.go", "\trest := fact.Rest{Seq: o.table.Seq(), Until: until, Since: o.goneSince()}\n", "\trest := fact.Rest{Seq: o.table.Seq(), Until: until.Add(100 * time.Hour), Since: o.goneSince()}\n"},
	}},
	{"a sign that hangs there for ever", []edit{
		{"lobby/lobby.go", "\t\tl.finish(c.Table)\n\t\tdelete(l.signs, c.Table)\n", "\t\tl.finish(c.Table)\n"},
	}},
	{"an hour that comes twice", []edit{
		{"match/runner/steady.go", "\tif now.Before(s.latest) {\n", "\tif false {\n"},
	}},
	{"a question that is asked on when the game is over", []edit{
		{"table/apply.go", "\t\tt.people.Proposal = nil // there is nothing left to agree to\n", ""}, {"table/table.go", "\treturn t.over, nil\n", "\treturn false, nil\n"},
		{"match/timers.go", "\t\tif o.table.Finished() {\n", "\t\tif true {\n"},
	}},
	{"whoever comes back is told nothing of what he missed", []edit{
		{"match/presence.go", "\t\treturn max(had, first)\n", "\t\treturn max(seq, first)\n"},
	}},
	{"whoever comes back is told what was shown before he first came", []edit{
		{"match/presence.go", "\t\treturn max(had, first)\n", "\t\treturn had\n"},
	}},
	{"whatever somebody is told is kept for him who does not read", []edit{
		{"lobby/session.go", "\tcase len(s.out) >= enoughMessages:\n\t\ts.cut = true\n", ""},
	}},
	{"a conflict that is taken for success", []edit{
		{"match/owner.go", "\tcase err == nil:\n\t\to.pending = nil\n\t\to.apply(p)", "\tcase err == nil || errors.Is(err, fact.ErrConflict):\n\t\to.pending = nil\n\t\to.apply(p)"},
	}},
	{"room for lines that is not given back", []edit{
		{"server/socket.go", "\ts.spent.sockets.Give(v.From, v.Guest.ID)\n", ""},
	}},
	{"room for tables that is not given back", []edit{
		{"lobby/lobby.go", "\t\tdelete(l.unfinished, id)\n\t\tl.config.Tables.Give(maker.From, maker.Guest.ID)\n", "\t\tdelete(l.unfinished, id)\n\t\t_ = maker\n"},
	}},
	{"a table that is let go while people look", []edit{
		{"match/timers.go", "if len(o.subs) > 0 || o.left", "if o.left"},
	}},
	{"a bot's answer to another question", []edit{
		{"match/owner.go", "\tq.said, q.words, q.heard = true, in.Words, o.now\n\tif !o.wanted(q) {\n\t\to.question = nil // the timers ask again\n\t}\n", "\tq.said, q.words, q.heard = true, in.Words, o.now\n"},
		{"match/owner.go", "\tif q := o.question; q != nil && !o.wanted(q) {\n\t\to.drop()\n\t}\n", ""},
	}},
	{"a bot that takes no time", []edit{
		{"match/timers.go", "\treturn at.Add(times * pause), true\n", "\treturn at.Add(0 * times * pause), true\n"},
	}},
	{"what changes nothing is not answered", []edit{
		{"match/owner.go", "\tcase d == nil:\n\t\to.already(&s)\n", "\tcase d == nil:\n"},
	}},
	{"a lobby that nobody is told of", []edit{
		{"lobby/lobby.go", "\tcase l.news <- struct{}{}:\n\tdefault:\n", "\tdefault:\n"},
	}},
	{"a session that has ended, and its lines have not", []edit{
		{"server/socket.go", "\tfor _, c := range his {\n\t\tc.recheck(ctx)\n\t}\n", ""},
	}},
	{"somebody is taken for away too early", []edit{
		{"match/timers.go", "\t\tif due := o.table.Deadline(since, o.table.Away()); gone && (!ok", "\t\tif due := o.table.Deadline(since, o.table.Away()/2); gone && (!ok"},
	}},
	{"one who agrees is enough", []edit{
		{"company/proposal.go", "\tcase asked&^p.Agreed != 0:\n\t\treturn false\n", "\tcase asked&p.Agreed == 0 && asked != 0:\n\t\treturn false\n"},
	}},
	{"a host who does not get his office back", []edit{
		{"match/timers.go", "o.table.Host() != o.table.Founder() && o.here(o.table.Founder())", "false"},
	}},
	{"a clock that runs out late", []edit{
		{"match/timers.go", "\treturn o.table.Deadline(began, limit), limit > 0 && o.question == nil", "\treturn o.table.Deadline(began, limit).Add(20*time.Second), limit > 0 && o.question == nil"},
	}},
	{"of two outages one counts", []edit{
		{"fact/outage.go", "\tfor _, o := range all {\n\t\td -= o.during(from, to)\n", "\tfor _, o := range all[max(0, len(all)-1):] {\n\t\td -= o.during(from, to)\n"},
		{"fact/outage.go", "\tfor _, o := range all { // each", "\tfor _, o := range all[max(0, len(all)-1):] { // each"},
	}},
	{"a table asleep whose sign says an old name", []edit{
		{"lobby/names.go", "\t\tl.wake(l.ctx, id) // and", "\t\t_ = id // and"},
	}},
	{"a handshake that a server which closes forgets", []edit{
		{"server/socket.go", "\tif s.ctx.Err() != nil {\n\t\tgo c.stop()\n\t}\n", ""},
	}},
	{"a number that stays on a seat when its player leaves", []edit{
		{"table/apply.go", "\t*c = company.Chair{}\n\tt.ceremony.Lose(f.Seat)\n}\n\n// applyBotted", "\t*c = company.Chair{}\n}\n\n// applyBotted"},
	}},
	{"whoever kept his number shut is waited for again", []edit{
		{"ceremony/ceremony.go", "late: g.late || g.shut()", "late: g.late"},
	}},
	{"a question to a bot that goes on when somebody else is to answer", []edit{
		{"match/owner.go", " && (q.by == fact.ByBot) == (o.table.Sitter(turn).Bot != \"\")", ""}, {"match/owner.go", "\tturn := o.table.Turn()\n\treturn asked", "\treturn asked"},
	}},
	{"people are asked on whether somebody shall go who has gone", []edit{
		{"company/company.go", "\tc.settle(ToFree, s)\n", ""},
	}},
	{"nobody ends what nobody answers", []edit{
		{"match/timers.go", "\treturn o.table.Deadline(at, lapseTime), asked", "\treturn o.table.Deadline(at, lapseTime), asked && o.alone()"},
	}},
	{"a table that could not be deleted, and is not to be had any more", []edit{
		{"lobby/archive/sweep.go", "\t\tend()\n", "\t\tif err != nil {\n\t\t\tbreak\n\t\t}\n\t\tend()\n"},
	}},
	{"what could not be deleted is not tried again", []edit{
		{"lobby/sweep.go", "\t\t\tl.config.Slog.Error(\"games that", "\t\t\treturn\n\t\t\tl.config.Slog.Error(\"games that"},
	}},
	{"an invitation that nobody remembers to be used", []edit{
		{"owner/invitations.go", "\t\tn.Invitations[i].Used++\n", ""},
	}},
	{"an invitation that is good once too often", []edit{
		{"owner/invitations.go", "i.Used < i.Times", "i.Used <= i.Times"},
	}},
	{"a token that is revoked, and good", []edit{
		{"guests/program.go", "\tif err := b.forget(ctx, p.ID); err != nil {\n\t\treturn err\n\t}\n", ""},
	}},
	{"since when it is one's turn is since anything happened", []edit{
		{"lobby/read.go", "m.Since, _ = t.Reached()", "m.Since = t.At()"},
	}},
	{"a founder who is not put where he said", []edit{
		{"fact/founding.go", "chair := &f.Chairs[seat[0]-'A']", "chair := &f.Chairs[(int(seat[0]-'A')+1)%len(f.Chairs)]"},
	}},
	{"whoever had left has a seat at the next game", []edit{
		{"table/decide.go", "\t\tif c.Left && c.Guest != g.ID {\n\t\t\tc = company.Chair{}\n\t\t}\n", ""},
	}},
	{"all lies open before the end", []edit{
		{"table/frame.go", "\tif t.State() == Over {\n\t\treturn t.state.Revealed()", "\tif t.State() == Over || len(t.moves) > 5 {\n\t\treturn t.state.Revealed()"},
	}},
	{"a seat that is given to two", []edit{
		{"table/decide.go", "c.Person() && !c.Left || c.Kept", "c.Person() && c.Away && !c.Left || c.Kept"},
	}},
	{"somebody looks into a hand on his own word", []edit{
		{"company/proposal.go", "\treturn p.Agreed != 0\n", "\treturn true\n"},
	}},
	{"whoever looks on, and whose line breaks, is told nothing of what he missed", []edit{
		{"match/presence.go", "\to.subs = slices.Delete(o.subs, i, i+1)\n", "\to.subs = slices.Delete(o.subs, i, i+1)\n\tif !o.here(c.Who().ID) {\n\t\tdelete(o.arrived, c.Who().ID)\n\t}\n"},
	}},
	{"whoever has turned away from the lobby is told of it", []edit{
		{"lobby/session.go", "\tcase \"unlobby\":\n\t\ts.lobby.unwatch(s)\n", "\tcase \"unlobby\":\n"},
	}},
	{"a move that is not known again", []edit{
		{"table/apply.go", "\tif by.ID != \"\" {\n\t\tt.done", "\tif by.ID != \"\" && !move {\n\t\tt.done"},
	}},
	{"an invitation that lets in though that could not be noted", []edit{
		{"owner/invitations.go", "\t\to.Slog.Info(\"somebody came by an invitation\", \"invitation\", number)\n\t}\n\treturn err\n", "\t\to.Slog.Info(\"somebody came by an invitation\", \"invitation\", number)\n\t}\n\tif wire.AsError(err).Code == wire.CodeStorage {\n\t\treturn nil\n\t}\n\treturn err\n"},
	}},
	{"a move for the position before", []edit{
		{"table/decide.go", "w.Seq < t.asked ||", "w.Seq+1 < t.asked ||"},
	}},
	{"of what somebody else wrote the last alone is told", []edit{
		{"match/owner.go", "\t\to.broadcast(e.Seq-1, nil)\n\t}\n", "\t}\n\tif len(entries) > 0 {\n\t\to.broadcast(o.table.Seq()-1, nil)\n\t}\n"},
	}},
	{"a house that closes, and does not note when", []edit{
		{"lobby/lobby.go", "\tl.book.Close(context.WithoutCancel(l.ctx))\n", ""},
	}},
	{"whoever is not let in has a place all the same", []edit{
		{"limit/limit.go", "\tfree := p.all - p.taken\n", "\tfree := p.all - p.taken\n\tp.taken++\n"},
		{"limit/limit.go", "\t\treturn false\n\t}\n\tp.taken++\n\tp.add", "\t\treturn false\n\t}\n\tp.add"},
	}},
	{"a bot that does not come back, and is asked again and again", []edit{
		{"slots/slots.go", "\t\t\tc.isLate()\n", ""},
	}},
	{"a sign that is taken away, and nobody in the lobby is told", []edit{
		{"lobby/lobby.go", "\t\tcase !c.Listed:\n\t\t\tdelete(l.signs, c.Table)\n", "\t\tcase !c.Listed:\n\t\t\tdelete(l.signs, c.Table)\n\t\t\treturn\n"},
	}},
	{"numbers are to be opened while the house is closed", []edit{
		{"match/timers.go", "o.table.Deadline(wait.Since, numberTime), wait", "wait.Since.Add(numberTime), wait"},
	}},
	{"whoever kept his number shut is forgiven at the next attempt", []edit{
		{"ceremony/ceremony.go", "late: g.late || g.shut()}", "late: g.shut()}"},
	}},
	{"whoever went last has been gone for as long as the first", []edit{
		{"match/timers.go", "\tsince := o.since\n\tfor _, at := range o.gone {\n\t\tsince = later(since, at)\n\t}\n\treturn since\n", "\tsince := o.now\n\tfor _, at := range o.gone {\n\t\tif at.Before(since) {\n\t\t\tsince = at\n\t\t}\n\t}\n\treturn since\n"},
	}},
	{"a name that could not be read, and is not asked for again", []edit{
		{"match/runner/runner.go", "\t\tr.know(false, who.ID) // another time\n", ""},
	}},
	{"who was erased is called what a log of before calls him", []edit{
		{"company/names.go", "\tif name, known := n.now[guest]; known {\n\t\treturn name\n\t}\n\treturn n.was[guest]\n", "\treturn cmp.Or(n.now[guest], n.was[guest])\n"},
	}},
	{"whoever was turned out of a game comes back by himself", []edit{
		{"match/ruling.go", "All: running, Ruled", "Ruled"},
	}},
	{"a phrase that one of those who look is not told", []edit{
		{"match/phrase.go", "range o.subs {", "range o.subs[min(1, len(o.subs)-1):] {"},
	}},
	{"a phrase that is told as often as it is said again", []edit{
		{"match/phrase.go", "\tif slices.Contains(t.ids, s.Command.ID) {\n\t\to.acknowledge(&s)\n\t\treturn\n\t}\n", ""},
	}},
	{"whoever has left goes on talking", []edit{
		{"match/phrase.go", " || o.table.Sitter(seat).Left", ""},
	}},
	{"one phrase too many", []edit{
		{"match/phrase.go", "> (phrasesAtOnce-1)*phraseTime &&", "> phrasesAtOnce*phraseTime &&"},
	}},
	{"a phrase too few", []edit{
		{"match/phrase.go", "> (phrasesAtOnce-1)*phraseTime &&", "> (phrasesAtOnce-2)*phraseTime &&"},
	}},
	{"a phrase that whoever comes hears once more", []edit{
		{"match/phrase.go", "\tmessage := wire.Phrase(o.id, seat, s.Command.Move)\n", "\tmessage := wire.Phrase(o.id, seat, s.Command.Move)\n\to.last = message\n"},
		{"match/owner.go", "\ttalks   [game.MaxSeats]talk\n", "\ttalks   [game.MaxSeats]talk\n\tlast    []byte\n"},
		{"match/presence.go", "\to.catchUpOn(s.Client, since)\n}\n", "\to.catchUpOn(s.Client, since)\n\tif o.last != nil {\n\t\to.do(Send{To: s.Client, Message: o.last})\n\t}\n}\n"},
	}},
	{"a link to another device that is taken twice", []edit{
		{"guests/way.go", "first, err := b.Keeper.TakeWay(r.Context(), to)", "first, err := true, error(nil)"},
	}},
	{"a link to another device that whoever looks at it uses up", []edit{
		{"guests/way.go", "\tcase !body.Sure:\n", "\tcase !body.Sure:\n\t\tb.Keeper.TakeWay(r.Context(), to)\n"},
	}},
	{"a link to another device that is good for hours", []edit{
		{"guests/way.go", "wayTime = 5 * time.Minute", "wayTime = 5 * time.Hour"},
	}},
	{"a link that outlives the session which made it", []edit{
		{"guests/way.go", "\tif errors.Is(err, ErrEnded) {\n\t\treturn nil, ErrWrong\n\t}\n", "\tif errors.Is(err, ErrEnded) {\n\t\terr = nil\n\t}\n"},
	}},
	{"two links to other devices at once", []edit{
		{"store/memory/memory.go", "\tm.ways[w.Of.ID] = w\n", "\tm.ways[string(w.Sum)] = w\n"},
	}},
	{"a browser that is somebody's, and still whose it was", []edit{
		{"guests/way.go", "\t\tif err := b.End(r.Context(), was); err != nil {\n\t\t\treturn err\n\t\t}\n", ""},
	}},
	{"another device that stays when all sessions are ended", []edit{
		{"guests/way.go", "Round: is.Round}", "Round: is.Round + 9}"},
	}},
	{"who leaves one device is gone from all", []edit{
		{"guests/guests.go", "\tif badge.Session == \"\" {\n\t\treturn b.EndAll", "\tif badge.Session != \"-\" {\n\t\treturn b.EndAll"},
	}},
	{"what was signed is good once more", []edit{
		{"guests/passkey.go", "if err == nil && !first {", "if err == nil && !first && c.Until == 0 {"},
	}},
	{"what was asked is good for ever", []edit{
		{"guests/passkey.go", " || b.Now().Unix() > c.Until", ""},
	}},
	{"a passkey that is removed, and opens", []edit{
		{"guests/mine.go", "return nil, b.Keeper.RemovePasskey(r.Context(), badge.ID, id)", "_ = id\n\treturn nil, nil"},
	}},
	{"a passkey whose guest was forgotten", []edit{
		{"guests/guests.go", "err := b.Keeper.Forget(ctx, guest)", "_, err := b.Keeper.EndAll(ctx, guest)"},
	}},
	{"a passkey that opens, and leaves whoever was there", []edit{
		{"guests/passkey.go", "\tif err == nil && badge.ID != \"\" {\n\t\terr = b.End(r.Context(), badge)\n\t}\n", ""},
	}},
	{"somebody who asks for a seat, and has no name after a restart", []edit{
		{"table/agree.go", "By: t.hear(f.Guest), Seat", "By: f.Guest.ID, Seat"},
	}},
	{"an outage that is noted, could not be read, and is forgotten", []edit{
		{"lobby/daybook/daybook.go", "\tall, err := b.log.Outages(ctx, now.Add(-longOutages))\n\tif", "\tb.alive.Store(now.UnixNano())\n\tall, err := b.log.Outages(ctx, now.Add(-longOutages))\n\tif"},
	}},
	{"a place that is lost where names cannot be read", []edit{
		{"lobby/lobby.go", "\terr := l.introduce(ctx, f.Guests())\n\tif err == nil {\n", "\terr := l.introduce(ctx, f.Guests())\n\tif err != nil {\n\t\treturn \"\", wire.AsError(err)\n\t}\n\tif err == nil {\n"},
	}},
	{"a line that stays where nobody knows whether its session does", []edit{
		{"server/socket.go", "\t\tcode, why = websocket.StatusTryAgainLater, \"try again\"\n", "\t\treturn\n"},
	}},
	{"messages that are written over while somebody reads slowly", []edit{
		{"server/socket.go", "messages, cut = c.session.Take(messages) {", "messages, cut = c.session.Take(room[:0]) {"},
	}},
	{"whoever takes another name has another session", []edit{
		{"guests/guests.go", "\tif badge.Name = name; badge.Session == \"\" {\n", "\tif badge.Name = name; badge.Session != \"-\" {\n"},
	}},
	{"whoever is forgotten is nobody before all is forgotten", []edit{
		{"guests/guests.go", "\tif err := b.forgetPrograms(ctx, guest); err != nil {\n\t\treturn err\n\t}\n\tif err := b.dropKept(ctx, guest); err != nil {\n\t\treturn err\n\t}\n\treturn b.forget(ctx, guest)\n", "\tif err := b.dropKept(ctx, guest); err != nil {\n\t\treturn err\n\t}\n\tif err := b.forget(ctx, guest); err != nil {\n\t\treturn err\n\t}\n\treturn b.forgetPrograms(ctx, guest)\n"},
	}},
	{"a bot that is late because it had to wait", []edit{
		{"slots/slots.go", "\tif !s.take(ctx, waits) {", "\tlate, stop := s.timer(botLimit)\n\tdefer stop()\n\tif !s.take(ctx, waits) {"},
		{"slots/slots.go", "\t}()\n\tlate, stop := s.timer(botLimit)\n\tdefer stop()\n", "\t}()\n"},
	}},
	{"whoever goes by himself is voted on all the same", []edit{
		{"company/company.go", "\tc.settle(ToFree, s)\n", "\tif all {\n\t\tc.settle(ToFree, s)\n\t}\n"},
	}},
	{"a seat that is kept, and given away while its player sleeps", []edit{
		{"company/proposal.go", "\tcase p.Do == ToSit && cs[p.Seat].Kept(p.By):\n\t\treturn p.Agreed.Has(p.Seat)\n", ""},
	}},
	{"a record of whoever sat there last", []edit{
		{"table/apply.go", "\tt.players = slices.Clone(t.people.Chairs)\n", "\tt.players = t.people.Chairs\n"},
	}},
	{"a seat is taken, and people are asked on who shall have it", []edit{
		{"company/company.go", "\tc.Chairs[s] = Chair{Guest: guest, Sat: at}\n\tc.settle(ToSit, s)\n", "\tc.Chairs[s] = Chair{Guest: guest, Sat: at}\n"},
	}},
	{"who stood up is asked whether the game shall end", []edit{
		{"company/proposal.go", "\t\tcase c.Left && !(about && p.Do == ToSit):\n", "\t\tcase c.Left && p.Do == ToFree:\n"},
	}},
	{"whoever comes back by himself is still asked for", []edit{
		{"company/company.go", "chair.Sat = false, false, false, at\n\tc.settle(ToSit, s)\n", "chair.Sat = false, false, false, at\n"},
	}},
	{"what bots played is not in the record", []edit{
		{"table/record.go", "\t\t\tn.ByBot = append(n.ByBot, i+1)\n", "\t\t\tn.ByBot = append(n.ByBot, i)\n"},
	}},
	{"the end of a session that was not noted, and is said to be", []edit{
		{"guests/guests.go", "may be noted all the same\n\treturn err\n", "may be noted all the same\n\t_ = err\n\treturn nil\n"},
	}},
	{"time goes on where an outage cannot be noted", []edit{
		{"lobby/daybook/daybook.go", "return now.Add(-b.unnoted), false", "return now, false"},
	}},
	{"a message that is lost when many wait", []edit{
		{"lobby/session.go", "\tmessages, s.out = s.out, room[:0]\n", "\tmessages, s.out = s.out, room[:0]\n\tif len(messages) > 3 {\n\t\tmessages = messages[1:]\n\t}\n"},
	}},
	{"cookies of before outlive all sessions", []edit{
		{"guests/guests.go", "\treturn b.give(w, r, badge) // of", "\tbadge.Round += 99\n\treturn b.give(w, r, badge) // of"},
	}},
	{"of two that wait for a processor one is forgotten", []edit{
		{"slots/slots.go", "\twaits(true)\n\tselect {\n", "\twaits(true)\n\tif s.asked.Load() > 2 {\n\t\treturn false\n\t}\n\tselect {\n"},
	}},
	{"a session that has ended, which nobody could say, and its lines have not", []edit{
		{"guests/guests.go", "\tb.Ended(ctx, badge.ID) //", "\tif err != nil {\n\t\treturn err\n\t}\n\tb.Ended(ctx, badge.ID) //"},
	}},
	{"all sessions have ended, which nobody could say, and their lines have not", []edit{
		{"guests/guests.go", "round, err = b.Keeper.EndAll(ctx, guest)\n", "if round, err = b.Keeper.EndAll(ctx, guest); err != nil {\n\t\treturn round, err\n\t}\n"},
	}},
	{"a name that was noted, could not be read, and is told nobody", []edit{
		{"lobby/house.go", "\t\tl.tellUntold()\n", ""},
	}},
	{"a house that opens though it cannot be read what is in it", []edit{
		{"lobby/lobby.go", "\t\tl.config.Tables.Hold(before.From, \"\")\n\t}\n\treturn err\n", "\t\tl.config.Tables.Hold(before.From, \"\")\n\t}\n\t_ = err\n\treturn nil\n"},
	}},
	{"a table that cannot be known to rest, and is taken for one that does not", []edit{
		{"match/runner/runner.go", "\t\tr.house.Slog().Error(\"a table's rest cannot be read\", \"table\", r.id, \"err\", err)\n\t\treturn err\n", "\t\tr.house.Slog().Error(\"a table's rest cannot be read\", \"table\", r.id, \"err\", err)\n"},
	}},
	{"a game of a device that anybody may delete", []edit{
		{"lobby/keep.go", " && slices.Equal(fact.Guests(entries[0].Data), []string{guest}) {", " && slices.Contains(append(fact.Guests(entries[0].Data), guest), guest) {"},
	}},
	{"a game of a device that is kept as often as it is brought", []edit{
		{"lobby/keep.go", "\tid := wire.NewID(func(i, of int) int { return int(digest[i]) % of })\n", "\t_ = digest\n\tid := l.newID()\n"},
	}},
	{"a game of a device that outlives whoever brought it", []edit{
		{"guests/guests.go", "\tif err := b.dropKept(ctx, guest); err != nil {\n\t\treturn err\n\t}\n", ""},
	}},
	{"a game of a device that cannot be deleted, and is said to be", []edit{
		{"lobby/keep.go", "\treturn l.whether(ctx, err)\n", "\t_ = l.whether(ctx, err)\n\treturn nil\n"},
	}},
	{"what cannot be read is said to be nowhere", []edit{
		{"match/runner/runner.go", "\"a table cannot be read\", \"table\", r.id, \"err\", err)\n", "\"a table cannot be read\", \"table\", r.id, \"err\", err)\n\t\terr = errNoTable\n"},
	}},
	{"a table that whoever looks at its door wakes", []edit{
		{"lobby/read.go", "\t\tif r, err = l.reader(id, r); err == nil {\n", "\t\tif r, err = l.runner(id, r); err == nil {\n"},
	}},
	{"a game that stays on the list from which it was taken", []edit{
		{"guests/tables.go", "\t\terr = b.Keeper.ForgetTable(r.Context(), badge.ID, id)\n", "\t\t_ = b.Keeper.ForgetTable\n"},
	}},
	{"of several who ask for a table that sleeps one is forgotten", []edit{
		{"match/runner/runner.go", "\t\tfor ; len(r.taken) > 0; r.taken = r.taken[1:] { // each", "\t\tfor ; len(r.taken) > 0; r.taken = r.taken[min(2, len(r.taken)):] { // each"},
	}},
	{"advice for whoever is not asked", []edit{
		{"lobby/read.go", "\t\tcase turn != s || t.Sitter(s).Left:\n", "\t\tcase s > turn && s < turn:\n"}, {"lobby/read.go", "game, seen = t.Game(), t.Seen(s)\n", "game, seen = t.Game(), t.Seen(turn)\n"},
	}},
	{"who has just gone is waited for until all is forgotten", []edit{
		{"match/timers.go", "\tfor _, at := range o.leavings() {\n\t\tif _, settled, _ := o.table.Proposed(o.aroundAt(at)); settled {\n\t\t\treturn at, true\n\t\t}\n\t}\n\treturn at, false\n}", "\t_, settled, _ := o.table.Proposed(o.around())\n\treturn o.now, settled\n}"},
	}},
	{"a table that nobody has touched is as new whenever the house opens", []edit{
		{"match/owner.go", "touched: t.At(), hours", "touched: now, hours"},
	}},
	{"whoever goes when it is his turn is not called", []edit{
		{"match/call.go", "\tif !since.After(o.table.Deadline(reached, seenTime)) {", "\tif since.Before(reached) {"},
	}},
	{"of two pauses that could not be noted the first counts", []edit{
		{"lobby/daybook/daybook.go", "b.unnoted, b.woke = b.unnoted+since, time.Time{}", "b.unnoted, b.woke = since, time.Time{}"},
	}},
	{"a name whose answer was lost is told nobody", []edit{
		{"lobby/names.go", "\tunread := l.tellName(ctx, g.ID)\n", "\tif err != nil {\n\t\treturn wire.AsError(err)\n\t}\n\tunread := l.tellName(ctx, g.ID)\n"},
	}},
	{"a table that could not be read once is over", []edit{
		{"lobby/lobby.go", "\tcase table.Over:\n\t\tl.finish", "\tcase table.Over, runner.Unread:\n\t\tl.finish"},
		{"lobby/lobby.go", "\tcase runner.Unread: // it is still there, and may be read another time\n\t\tdelete(l.signs, c.Table)\n", ""},
	}},
	{"a browser that could not be told is forgotten", []edit{
		{"crier/crier.go", "waited for\", \"table\", one.table, \"err\", err)\n\t}\n}\n\n// stillSo", "waited for\", \"table\", one.table, \"err\", err)\n\t\tc.drop(to)\n\t}\n}\n\n// stillSo"},
	}},
	{"whoever reads slowly is stuck", []edit{
		{"server/socket.go", "\t\tc.writing.Store(c.server.Clock.Now().UnixNano()) // each has its time\n", "\t\tif i == 0 {\n\t\t\tc.writing.Store(c.server.Clock.Now().UnixNano())\n\t\t}\n"},
	}},
	{"a link that is taken before it is of use", []edit{
		{"guests/way.go", "\tif was.ID != \"\" && !already {\n\t\tif err := b.End(r.Context(), was); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n", ""},
		{"guests/way.go", "\t\terr = ErrWrong // somebody was quicker\n\t}\n", "\t\terr = ErrWrong // somebody was quicker\n\t}\n\tif err == nil && was.ID != \"\" && !already {\n\t\terr = b.End(r.Context(), was)\n\t}\n"},
	}},
	{"a game of a device that leaves the list before it is deleted", []edit{
		{"guests/tables.go", "\t\terr = b.Rooms.Drop(r.Context(), id, badge.ID)\n\t}\n\tif err == nil {\n\t\terr = b.Keeper.ForgetTable(r.Context(), badge.ID, id)\n", "\t\terr = b.Keeper.ForgetTable(r.Context(), badge.ID, id)\n\t}\n\tif err == nil {\n\t\terr = b.Rooms.Drop(r.Context(), id, badge.ID)\n"},
	}},
	{"whoever is refused has spent it all the same", []edit{
		{"limit/limit.go", "return b.of(who).AllowN(now, 1) }", "return b.Wait(who, now) == 0 }"},
	}},
	{"a founder to whom his table does not belong while somebody stands in", []edit{
		{"company/company.go", "guest == c.Founder || guest == c.Acting", "guest == c.Host()"},
	}},
	{"an office that is given back when somebody says something", []edit{
		{"match/timers.go", "func (o *Owner) hostDue() (time.Time, bool) {\n", "func (o *Owner) hostDue() (time.Time, bool) {\n\tif len(o.subs) > 0 && o.now.Sub(o.quiet) > 20*time.Second {\n\t\treturn o.now, false\n\t}\n"},
	}},
	{"a table that is put away an hour late", []edit{
		{"match/timers.go", "return later(o.touched.Add(o.hours.Untouched),", "return later(o.touched.Add(o.hours.Untouched+time.Hour),"},
	}},
	{"whoever is called is called again and again", []edit{
		{"match/call.go", "\to.called[c.Guest] = c.N\n", "\to.called[c.Guest] = c.N - 1\n"},
	}},
	{"whoever looks is called", []edit{
		{"match/call.go", "who.Guest == \"\" || who.Left || !gone {", "who.Guest == \"\" || who.Left {\n\t\t\t_ = gone"},
	}},
	{"somebody is told what he was told before the house closed", []edit{
		{"crier/crier.go", "one.N); !first {", "one.N); !first && one.Why != match.Turned {"},
	}},
	{"a browser that its service has forgotten, and the house has not", []edit{
		{"crier/crier.go", "\tcase errors.Is(err, push.ErrGone):\n\t\tc.drop(to)\n", "\tcase errors.Is(err, push.ErrGone):\n"},
	}},
	{"a busy service is not asked again", []edit{
		{"crier/crier.go", "if err = c.send(one, to); !errors.As(err, &later) {", "if err = c.send(one, to); true {"},
	}},
	{"a pause that could not be noted is let loose when it is asked again", []edit{
		{"lobby/daybook/daybook.go", "\treturn now.Add(-b.unnoted), false", "\treturn now.Add(-b.unnoted / 2), false"},
	}},
	{"who moves a game of a device away takes it from nobody", []edit{
		{"lobby/keep.go", "keepsake.Record(entries); kept {", "keepsake.Record(entries); !kept {"},
	}},
	{"one link more than there may be", []edit{
		{"guests/way.go", "limit.Rate{AtOnce: 6, PerSecond: 1.0 / 20}", "limit.Rate{AtOnce: 9, PerSecond: 1.0 / 20}"},
	}},
	{"a limit that fills three times too slowly", []edit{
		{"limit/limit.go", "rate.NewLimiter(rate.Limit(b.rate.PerSecond),", "rate.NewLimiter(rate.Limit(b.rate.PerSecond/3),"},
	}},
	{"a name is noted, and tables that sleep keep the old sign where it could not be read", []edit{
		{"lobby/house.go", "\t\tl.tellUntold()\n", "\t\tif len(l.untold) > 0 {\n\t\t\tl.untold = l.untold[1:]\n\t\t}\n"},
	}},
	{"a table that sleeps, and was looked at a moment ago, says what people were called then", []edit{
		{"match/runner/runner.go", "\treturn t, r.replay(ctx, t, entries[1:])\n", "\tif len(entries) == 1 {\n\t\treturn t, nil\n\t}\n\treturn t, r.replay(ctx, t, entries[1:])\n"},
	}},
	{"two bring the game of one device, and have it together", []edit{
		{"keepsake/keepsake.go", "sha256.Sum256(append([]byte(guest+\"\\n\"), whole...))", "sha256.Sum256(whole)"},
	}},
	{"what waits for somebody who reads slowly is written over", []edit{
		{"server/bundle/bundle.go", "\terr := b.held.Flush()\n\tb.held.Reset(nil)\n\tholders.Put(b.held)\n\tb.held = nil\n\treturn err\n", "\theld := b.held\n\tb.held = nil\n\tholders.Put(held)\n\treturn held.Flush()\n"},
	}},
	{"a busy service is asked again when the turn is another", []edit{
		{"crier/crier.go", " && m.Since.Equal(one.At))", ")"},
	}},
	{"while the house slept somebody has been seen to look", []edit{
		{"match/call.go", "o.table.Deadline(reached, seenTime)", "reached.Add(seenTime)"},
	}},
	{"of two tables that wait for somebody a service brings the newest alone", []edit{
		{"crier/crier.go", "\"topic\\n\" + one.table", "\"topic\\n\" + one.Guest"},
	}},
	{"tables that sleep are not on the page of whoever runs the house", []edit{
		{"lobby/ruling.go", "l.config.Log.Due(ctx, l.config.Clock.Now().Add(always))", "l.config.Log.Due(ctx, l.config.Clock.Now())"},
	}},
	{"who wants a seat that is asked for already is told that he asks", []edit{
		{"company/proposal.go", " && p.By == o.By", ""},
	}},
	{"whoever begins begins the next game as well", []edit{
		{"table/decide.go", "\tf.Setup.First = t.first.Left(uint8(len(t.people.Chairs))).String()", "\tif f.Setup.First == \"\" {\n\t\tf.Setup.First = t.first.Left(uint8(len(t.people.Chairs))).String()\n\t}"},
	}},
	{"a name that is refused uses an invitation up", []edit{
		{"server/api.go", "\t\tif !s.comeIn(w, r, body.Invitation) {\n\t\t\treturn\n\t\t}\n", ""},
		{"server/api.go", "\tvar ok bool\n\tif g.Name, ok = names.Clean(body.Name); !ok {\n", "\tif g.ID == \"\" && !s.comeIn(w, r, body.Invitation) {\n\t\treturn\n\t}\n\tvar ok bool\n\tif g.Name, ok = names.Clean(body.Name); !ok {\n"},
	}},
	{"a host who has no seat is gone as soon as his line breaks", []edit{
		{"match/presence.go", "!o.here(guest) && o.table.Belongs(guest) {", "!o.here(guest) && o.table.SeatOf(guest) != game.Watcher {"},
	}},
	{"of two times that the clock was set back the last counts", []edit{
		{"match/runner/steady.go", "s.ahead += s.latest.Sub(now)", "s.ahead = s.latest.Sub(now)"},
	}},
	{"whose name was taken away has it again when he sits down", []edit{
		{"lobby/house.go", "name, known := names[g.ID]\n\tif err == nil && !known && g.Name", "name := names[g.ID]\n\tif err == nil && name == \"\" && g.Name"},
	}},
	{"a program makes way for a new one", []edit{
		{"guests/program.go", "\tfor n < len(taken) && taken[n].ID == strconv.Itoa(n) {\n\t\tn++\n\t}\n", "\tn = len(taken)\n"},
	}},
	{"a bot does not come back, and its namesake at another game is not asked", []edit{
		{"slots/slots.go", "bot: game + \" \" + bot, came", "bot: bot, came"},
	}},
	{"whose services are busy holds up all others", []edit{
		{"crier/crier.go", "\t\t\t\tc.carry(one, to, rooms)\n", "\t\t\t\tc.sending <- struct{}{}\n\t\t\t\tc.carry(one, to, rooms)\n\t\t\t\t<-c.sending\n"},
		{"crier/crier.go", "\tselect {\n\tcase c.sending <- struct{}{}:\n\t\tdefer func() { <-c.sending }()\n\tcase <-c.ctx.Done():\n\t\treturn c.ctx.Err()\n\t}\n", ""},
	}},
	{"all have taken a seat from somebody, and he is told what the bot sees that plays there", []edit{
		{"table/frame.go", "\t\ttext = f.events(text, eyes)\n", "\t\ttext = f.events(text, audience)\n"},
	}},
	{"whose time is nearly over is not told so", []edit{
		{"match/call.go", "c.Why, c.N = Late, c.N+1", "c.Why = Late"},
	}},
	{"whoever plays for days is away when he does not look", []edit{
		{"match/timers.go", "\treturn at, ok && !o.overDays()\n", "\treturn at, ok\n"},
	}},
	{"who takes another name while his table is read keeps the old one there", []edit{
		{"match/runner/runner.go", "\tr.know(true, guests...)\n\tnames, err := r.house.Log().Names(ctx, guests...)\n", "\tnames, err := r.house.Log().Names(ctx, guests...)\n\tr.know(true, guests...)\n"},
	}},
}

// TestFaults builds the house anew with each fault in it, and lets the stories and evenings find it.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("every fault is a house of its own to build: make test-all plants them")
	}
	if said, err := search(fault{}.plant(t)); err != nil { // else it is no fault that is found
		t.Fatalf("something is wrong with the house as it is:\n%s", said)
	}
	sound := sync.OnceValues(func() ([]byte, error) { return searchOn(fault{}.plant(t)) })
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			overlay := f.plant(t)
			said, err := foundBefore.look(overlay, f.name)
			if err == nil {
				said, err = search(overlay)
			}
			if err == nil { // chance has it that none of these evenings is one for it
				if said, err := sound(); err != nil {
					t.Fatalf("something is wrong with the house as it is:\n%s", said)
				}
				said, err = searchOn(overlay)
			}
			switch {
			case err == nil:
				t.Errorf("the fault is not found:\n%s", said)
			case !strings.Contains(string(said), " storm_test.go:") && !strings.Contains(string(said), "does not come to rest"):
				t.Errorf("it fails, and not for the fault:\n%s", said)
			default:
				t.Log(f.name, "\n", head(string(said)))
				foundBefore.note(f.name, string(said))
			}
		})
	}
	t.Cleanup(func() { foundBefore.write(t) })
}

// Whatever a fault is planted in is there, so that a change which moves it hears of it at once.
func TestFaultsHaveTheirPlace(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) { f.plant(t) })
	}
}

// search tells as many evenings as are told of each fault.
func search(overlay string) (said []byte, err error) {
	return told(overlay, "^(TestStories|TestHabits|TestStorm)$", "-evenings", fmt.Sprint(usualEvenings))
}

const usualEvenings = 120

// searchOn tells three times as many others.
func searchOn(overlay string) (said []byte, err error) {
	return told(overlay, "^TestStorm$", "-from", fmt.Sprint(usualEvenings+1), "-evenings", "480")
}

func told(overlay, tests string, args ...string) (said []byte, err error) {
	return exec.Command("go", append([]string{"test", "-overlay", overlay, "-vet=off", "-ldflags=-s -w", "-count=1", "-failfast", "-run", tests, "-timeout", "1h", ".", "-tries", "0"},
		args...)...).CombinedOutput()
}

// A memory of which evening has found each fault: it is told first, which saves whoever waits most of the others. Where it does not find it any more the others are told.
type memory struct {
	mu  sync.Mutex
	all map[string]string // what is told, by a fault's name: a test, or the seed of an evening
}

const memoryFile = "testdata/faults.json"

var (
	rewrite     = flag.Bool("rewrite", false, "write down which evening has found each fault")
	foundBefore = recall()
)

func recall() *memory {
	m := &memory{all: map[string]string{}}
	if text, err := os.ReadFile(memoryFile); err == nil {
		json.Unmarshal(text, &m.all) // what cannot be read is as if there were none
	}
	return m
}

// look tells that evening; nothing where there is none, or it is one of those that are told only where no usual one finds anything.
func (m *memory) look(overlay, name string) (said []byte, err error) {
	m.mu.Lock()
	on := m.all[name]
	m.mu.Unlock()
	switch n, notSeed := strconv.Atoi(on); {
	case on == "":
		return nil, nil
	case notSeed != nil:
		return told(overlay, "^"+strings.ReplaceAll(on, "/", "$/^")+"$")
	case n <= usualEvenings:
		return told(overlay, "^TestStorm$", "-seed", on)
	}
	return nil, nil
}

// on is the seed of the evening that has found something, or else the story or the habit.
var on = regexp.MustCompile(`storm_test\.go:\d+: seed (\d+):|--- FAIL: (Test(?:Stories|Habits)/\S+)`)

func (m *memory) note(name, said string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if found := on.FindStringSubmatch(said); found != nil {
		m.all[name] = found[1] + found[2]
	}
}

// write writes it down, if that is wanted, for those faults that there are.
func (m *memory) write(t *testing.T) {
	if !*rewrite {
		return
	}
	kept := map[string]string{}
	for _, f := range faults {
		if m.all[f.name] != "" {
			kept[f.name] = m.all[f.name]
		}
	}
	text, err := json.MarshalIndent(kept, "", "\t")
	must(t, err)
	must(t, os.WriteFile(memoryFile, append(text, '\n'), 0o644))
}

func head(text string) string { return strings.Join(strings.Split(text, "\n")[:2], "\n") }

// plant writes the files with the fault in them, and which they stand for.
func (f fault) plant(t *testing.T) (overlay string) {
	dir, replace := t.TempDir(), map[string]string{}
	for _, e := range f.edits {
		path, err := filepath.Abs(filepath.Join("..", e.file))
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
