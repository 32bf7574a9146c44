package storm

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"caveau/storm/planted"
)

// faults are planted one by one. The usual evenings find each; without them all is well.
var faults = []planted.Fault{
	{Name: "told before it is written", Edits: []planted.Edit{
		{"match/owner.go", "\to.do(Append{o.table.Entry(d, o.now)})\n", "\tif said != nil {\n\t\to.acknowledge(said)\n\t}\n\to.do(Append{o.table.Entry(d, o.now)})\n"},
	}},
	{Name: "acknowledged before the disk has it", Edits: []planted.Edit{
		{"store/sqlite/sqlite.go", `"_synchronous=full"`, `"_synchronous=off"`},
	}},
	{Name: "a watch that is not ended", Edits: []planted.Edit{
		{"lobby/session.go", "\tfor id := range s.tables {\n\t\ts.leave(id)\n\t}\n", ""},
	}},
	{Name: "an alarm that is set again and again", Edits: []planted.Edit{
		{"match/presence.go", "\to.changed, o.renamed = time.Time{}, false\n", "\to.changed, o.renamed = o.now, false\n"},
	}},
	{Name: "a retry that is lost", Edits: []planted.Edit{
		{"match/timers.go", "retryTime    = time.Second ", "retryTime    = 1000 * time.Hour "},
	}},
	{Name: "a command that is done twice", Edits: []planted.Edit{
		{"table/apply.go", "\t\tt.done[by.Key()] = true\n", ""},
	}},
	{Name: "a decision by a table that does not know what is written", Edits: []planted.Edit{
		{"match/owner.go", "\tcase o.unsure:\n\t\to.pending = &pending{said: &s, at: o.now}\n\t\to.do(Read{o.table.Seq()})\n", ""},
	}},
	{Name: "a failed write that is taken for a refused one", Edits: []planted.Edit{
		{"match/owner.go", "\to.unsure = true\n\to.do(Read{o.table.Seq()})\n}\n\n// apply makes", "\to.pending = nil\n\tif p.said != nil {\n\t\to.refuse(p.said, err)\n\t}\n}\n\n// apply makes"},
	}},
	{Name: "one page of two is closed, and its reader is gone", Edits: []planted.Edit{
		{"match/presence.go", "\to.subs = slices.Delete(o.subs, i, i+1)\n", "\to.subs = slices.DeleteFunc(o.subs, func(s Client) bool { return s.Who().ID == in.Client.Who().ID })\n"},
	}},
	{Name: "whoever comes back has all his time again", Edits: []planted.Edit{
		{"table/apply.go", "\tt.people.Return(f.Seat, t.at)\n", "\tt.people.Return(f.Seat, t.at)\n\tt.clock = t.at\n"},
	}},
	{Name: "time in which the house was closed counts", Edits: []planted.Edit{
		{"fact/outage.go", "\t\td -= o.during(from, to)\n", "\t\t_ = o\n"}, {"fact/outage.go", "\t\t\tat = at.Add(o.during(from, o.To))\n", "\t\t\tat = at.Add(0 * o.during(from, o.To))\n"},
	}},
	{Name: "time in which the log takes nothing counts", Edits: []planted.Edit{
		{"match/owner.go", "\tif o.unsure = false; p.failed && len(in.Entries) == 0 {\n\t\to.stood(p.at, o.now)\n\t}\n", "\to.unsure = false\n"},
	}},
	{Name: "whoever comes while the log takes nothing is told that time runs", Edits: []planted.Edit{
		{"match/presence.go", "since, true, o.hour())", "since, true, o.now)"},
	}},
	{Name: "a frame that is left out", Edits: []planted.Edit{
		{"match/presence.go", "\t\t\tsend.Answer = o.done(said)\n", "\t\t\to.acknowledge(said)\n\t\t\tcontinue\n"},
	}},
	{Name: "a timer that is not stopped", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\tdefer stop()\n", "\t\t_ = stop\n"},
	}},
	{Name: "a move in somebody else's name", Edits: []planted.Edit{
		{"table/decide.go", "\tcase c.Guest != w.guest.ID || c.Left:\n", "\tcase c.Left:\n"},
	}},
	{Name: "a table that is woken too late", Edits: []planted.Edit{
		{"match/timers.go", "\trest := fact.Rest{Seq: o.table.Seq(), Until: until, Since: o.goneSince()}\n", "\trest := fact.Rest{Seq: o.table.Seq(), Until: until.Add(100 * time.Hour), Since: o.goneSince()}\n"},
	}},
	{Name: "a sign that hangs there for ever", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\tl.finish(c.Table)\n\t\tdelete(l.signs, c.Table)\n", "\t\tl.finish(c.Table)\n"},
	}},
	{Name: "an hour that comes twice", Edits: []planted.Edit{
		{"match/runner/steady.go", "\tif now.Before(s.latest) {\n", "\tif false {\n"},
	}},
	{Name: "a question that is asked on when the game is over", Edits: []planted.Edit{
		{"table/apply.go", "\t\tt.people.Proposal = nil // there is nothing left to agree to\n", ""}, {"table/table.go", "\treturn t.over, nil\n", "\treturn false, nil\n"},
		{"match/timers.go", "\t\tif o.table.Finished() {\n", "\t\tif true {\n"},
	}},
	{Name: "whoever comes back is told nothing of what he missed", Edits: []planted.Edit{
		{"match/presence.go", "\t\treturn max(had, first)\n", "\t\treturn max(seq, first)\n"},
	}},
	{Name: "whoever comes back is told what was shown before he first came", Edits: []planted.Edit{
		{"match/presence.go", "\t\treturn max(had, first)\n", "\t\treturn had\n"},
	}},
	{Name: "whatever somebody is told is kept for him who does not read", Edits: []planted.Edit{
		{"lobby/session.go", "\tcase len(s.out) >= enoughMessages:\n\t\ts.cut = true\n", ""},
	}},
	{Name: "a conflict that is taken for success", Edits: []planted.Edit{
		{"match/owner.go", "\tcase err == nil:\n\t\to.pending = nil\n\t\to.apply(p)", "\tcase err == nil || errors.Is(err, fact.ErrConflict):\n\t\to.pending = nil\n\t\to.apply(p)"},
	}},
	{Name: "room for lines that is not given back", Edits: []planted.Edit{
		{"server/socket.go", "\ts.spent.sockets.Give(v.From, v.Guest.ID)\n", ""},
	}},
	{Name: "room for tables that is not given back", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\tdelete(l.unfinished, id)\n\t\tl.config.Tables.Give(maker.From, maker.Guest.ID)\n", "\t\tdelete(l.unfinished, id)\n\t\t_ = maker\n"},
	}},
	{Name: "a table that is let go while people look", Edits: []planted.Edit{
		{"match/timers.go", "if len(o.subs) > 0 || o.left", "if o.left"},
	}},
	{Name: "a bot's answer to another question", Edits: []planted.Edit{
		{"match/owner.go", "\tq.said, q.words, q.heard = true, in.Words, o.now\n\tif !o.wanted(q) {\n\t\to.question = nil // the timers ask again\n\t}\n", "\tq.said, q.words, q.heard = true, in.Words, o.now\n"},
		{"match/owner.go", "\tif q := o.question; q != nil && !o.wanted(q) {\n\t\to.drop()\n\t}\n", ""},
	}},
	{Name: "a bot that takes no time", Edits: []planted.Edit{
		{"match/timers.go", "\treturn terms.Said(at, q.heard, o.table.BotTime(o.spare)), true\n", "\treturn terms.Said(at, q.heard, 0), true\n"},
	}},
	{Name: "what changes nothing is not answered", Edits: []planted.Edit{
		{"match/owner.go", "\tcase d == nil:\n\t\to.already(&s)\n", "\tcase d == nil:\n"},
	}},
	{Name: "a lobby that nobody is told of", Edits: []planted.Edit{
		{"lobby/lobby.go", "\tcase l.news <- struct{}{}:\n\tdefault:\n", "\tdefault:\n"},
	}},
	{Name: "a session that has ended, and its lines have not", Edits: []planted.Edit{
		{"server/socket.go", "\tfor _, c := range his {\n\t\tc.recheck(ctx)\n\t}\n", ""},
	}},
	{Name: "somebody is taken for away too early", Edits: []planted.Edit{
		{"match/timers.go", "\t\tif due := o.table.Deadline(since, o.table.Away()); gone && (!ok", "\t\tif due := o.table.Deadline(since, o.table.Away()/2); gone && (!ok"},
	}},
	{Name: "one who agrees is enough", Edits: []planted.Edit{
		{"company/proposal.go", "\tcase asked&^p.Agreed != 0:\n\t\treturn false\n", "\tcase asked&p.Agreed == 0 && asked != 0:\n\t\treturn false\n"},
	}},
	{Name: "a host who does not get his office back", Edits: []planted.Edit{
		{"match/timers.go", "o.table.Host() != o.table.Founder() && o.here(o.table.Founder())", "false"},
	}},
	{Name: "a clock that runs out late", Edits: []planted.Edit{
		{"match/timers.go", "\treturn later(o.table.Deadline(began, limit), o.unheard.Till), limit > 0", "\treturn o.table.Deadline(began, limit).Add(20*time.Second), limit > 0"},
	}},
	{Name: "of two outages one counts", Edits: []planted.Edit{
		{"fact/outage.go", "\tfor _, o := range all {\n\t\td -= o.during(from, to)\n", "\tfor _, o := range all[max(0, len(all)-1):] {\n\t\td -= o.during(from, to)\n"},
		{"fact/outage.go", "\tfor _, o := range all { // each", "\tfor _, o := range all[max(0, len(all)-1):] { // each"},
	}},
	{Name: "a table asleep whose sign says an old name", Edits: []planted.Edit{
		{"lobby/names.go", "\t\tl.wake(l.ctx, id) // and", "\t\t_ = id // and"},
	}},
	{Name: "a handshake that a server which closes forgets", Edits: []planted.Edit{
		{"server/socket.go", "\tif s.ctx.Err() != nil {\n\t\tgo c.stop()\n\t}\n", ""},
	}},
	{Name: "a number that stays on a seat when its player leaves", Edits: []planted.Edit{
		{"table/apply.go", "\t*c = company.Chair{}\n\tt.ceremony.Lose(f.Seat)\n}\n\n// applyBotted", "\t*c = company.Chair{}\n}\n\n// applyBotted"},
	}},
	{Name: "whoever kept his number shut is waited for again", Edits: []planted.Edit{
		{"ceremony/ceremony.go", "late: g.late || g.shut()", "late: g.late"},
	}},
	{Name: "a question to a bot that goes on when somebody else is to answer", Edits: []planted.Edit{
		{"match/owner.go", " && (q.by == fact.ByBot) == (o.table.Sitter(turn).Bot != \"\")", ""}, {"match/owner.go", "\tturn := o.table.Turn()\n\treturn asked", "\treturn asked"},
	}},
	{Name: "people are asked on whether somebody shall go who has gone", Edits: []planted.Edit{
		{"company/company.go", "\tc.settle(ToFree, s)\n", ""},
	}},
	{Name: "nobody ends what nobody answers", Edits: []planted.Edit{
		{"match/timers.go", "\treturn due, asked && !agreed", "\treturn due, asked && !agreed && o.alone()"},
	}},
	{Name: "a table that could not be deleted, and is not to be had any more", Edits: []planted.Edit{
		{"lobby/archive/sweep.go", "\t\tend()\n", "\t\tif err != nil {\n\t\t\tbreak\n\t\t}\n\t\tend()\n"},
	}},
	{Name: "what could not be deleted is not tried again", Edits: []planted.Edit{
		{"lobby/archive.go", "\t\t\tl.config.Slog.Error(\"games that", "\t\t\treturn\n\t\t\tl.config.Slog.Error(\"games that"},
	}},
	{Name: "an invitation that nobody remembers to be used", Edits: []planted.Edit{
		{"owner/invitations.go", "\t\t\ti.Used++\n", ""},
	}},
	{Name: "an invitation that is good once too often", Edits: []planted.Edit{
		{"owner/invitations.go", "i.Used >= i.Times", "i.Used > i.Times"},
	}},
	{Name: "a token that is revoked, and good", Edits: []planted.Edit{
		{"guests/program.go", "\tif err := b.forget(ctx, p.ID, b.dropKept); err != nil {\n\t\treturn err\n\t}\n", ""},
	}},
	{Name: "since when it is one's turn is since anything happened", Edits: []planted.Edit{
		{"lobby/read.go", "m.Since, _ = t.Reached()", "m.Since = t.At()"},
	}},
	{Name: "a founder who is not put where he said", Edits: []planted.Edit{
		{"fact/founding.go", "chair := &f.Chairs[seat[0]-'A']", "chair := &f.Chairs[(int(seat[0]-'A')+1)%len(f.Chairs)]"},
	}},
	{Name: "whoever had left has a seat at the next game", Edits: []planted.Edit{
		{"table/decide.go", "\t\tif c.Left && c.Guest != g.ID {\n\t\t\tc = company.Chair{}\n\t\t}\n", ""},
	}},
	{Name: "all lies open before the end", Edits: []planted.Edit{
		{"table/frame.go", "\tif t.State() == Over {\n\t\treturn t.state.Revealed()", "\tif t.State() == Over || len(t.moves) > 5 {\n\t\treturn t.state.Revealed()"},
	}},
	{Name: "a seat that is given to two", Edits: []planted.Edit{
		{"table/decide.go", "c.Person() && !c.Left || c.Kept", "c.Person() && c.Away && !c.Left || c.Kept"},
	}},
	{Name: "somebody looks into a hand on his own word", Edits: []planted.Edit{
		{"company/proposal.go", "\treturn p.Agreed != 0\n", "\treturn true\n"},
	}},
	{Name: "whoever looks on, and whose line breaks, is told nothing of what he missed", Edits: []planted.Edit{
		{"match/presence.go", "\to.subs = slices.Delete(o.subs, i, i+1)\n", "\to.subs = slices.Delete(o.subs, i, i+1)\n\tif !o.here(in.Client.Who().ID) {\n\t\tdelete(o.arrived, in.Client.Who().ID)\n\t}\n"},
	}},
	{Name: "whoever has turned away from the lobby is told of it", Edits: []planted.Edit{
		{"lobby/session.go", "\tcase \"unlobby\":\n\t\ts.lobby.unwatch(s)\n", "\tcase \"unlobby\":\n"},
	}},
	{Name: "a move that is not known again", Edits: []planted.Edit{
		{"table/apply.go", "\tif by.ID != \"\" {\n\t\tt.done", "\tif by.ID != \"\" && !move {\n\t\tt.done"},
	}},
	{Name: "an invitation that lets in though that could not be noted", Edits: []planted.Edit{
		{"owner/invitations.go", "\t\to.Slog.Info(\"somebody came by an invitation\", \"invitation\", number)\n\t}\n\treturn err\n", "\t\to.Slog.Info(\"somebody came by an invitation\", \"invitation\", number)\n\t}\n\tif wire.AsError(err).Code == wire.CodeStorage {\n\t\treturn nil\n\t}\n\treturn err\n"},
	}},
	{Name: "a move for the position before", Edits: []planted.Edit{
		{"table/decide.go", "w.Seq < t.asked ||", "w.Seq+1 < t.asked ||"},
	}},
	{Name: "of what somebody else wrote the last alone is told", Edits: []planted.Edit{
		{"match/owner.go", "\t\to.broadcast(e.Seq-1, nil)\n\t}\n", "\t}\n\tif len(entries) > 0 {\n\t\to.broadcast(o.table.Seq()-1, nil)\n\t}\n"},
	}},
	{Name: "a house that closes, and does not note when", Edits: []planted.Edit{
		{"lobby/lobby.go", "\tl.book.Close(context.WithoutCancel(l.ctx))\n", ""},
	}},
	{Name: "whoever is not let in has a place all the same", Edits: []planted.Edit{
		{"limit/limit.go", "\tfree := p.all - p.taken\n", "\tfree := p.all - p.taken\n\tp.taken++\n"},
		{"limit/limit.go", "\t\treturn false\n\t}\n\tp.taken++\n\tp.add", "\t\treturn false\n\t}\n\tp.add"},
	}},
	{Name: "a bot that does not come back, and is asked again and again", Edits: []planted.Edit{
		{"slots/slots.go", "\t\tc.isLate()\n", ""},
	}},
	{Name: "a sign that is taken away, and nobody in the lobby is told", Edits: []planted.Edit{
		{"lobby/lobby.go", "!c.Listed {\n\t\t\tdelete(l.signs, c.Table)\n\t\t\tbreak\n", "!c.Listed {\n\t\t\tdelete(l.signs, c.Table)\n\t\t\treturn\n"},
	}},
	{Name: "numbers are to be opened while the house is closed", Edits: []planted.Edit{
		{"match/timers.go", "o.table.Deadline(wait.Since, numberTime)\n", "wait.Since.Add(numberTime)\n"},
	}},
	{Name: "whoever kept his number shut is forgiven at the next attempt", Edits: []planted.Edit{
		{"ceremony/ceremony.go", "late: g.late || g.shut()}", "late: g.shut()}"},
	}},
	{Name: "whoever went last has been gone for as long as the first", Edits: []planted.Edit{
		{"match/timers.go", "\tsince := o.since\n\tfor _, at := range o.gone {\n\t\tsince = later(since, at)\n\t}\n\treturn since\n", "\tsince := o.now\n\tfor _, at := range o.gone {\n\t\tif at.Before(since) {\n\t\t\tsince = at\n\t\t}\n\t}\n\treturn since\n"},
	}},
	{Name: "a name that could not be read, and is not asked for again", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\tr.know(false, who.ID) // another time\n", ""},
	}},
	{Name: "who was erased is called what a log of before calls him", Edits: []planted.Edit{
		{"company/names.go", "\tif name, known := n.now[guest]; known {\n\t\treturn name\n\t}\n\treturn n.was[guest]\n", "\treturn cmp.Or(n.now[guest], n.was[guest])\n"},
	}},
	{Name: "whoever was turned out of a game comes back by himself", Edits: []planted.Edit{
		{"ruling/ruling.go", "All: running, Ruled", "Ruled"},
	}},
	{Name: "a phrase that one of those who look is not told", Edits: []planted.Edit{
		{"match/phrase.go", "range o.subs {", "range o.subs[min(1, len(o.subs)-1):] {"},
	}},
	{Name: "a phrase that is told as often as it is said again", Edits: []planted.Edit{
		{"match/phrase.go", "; !t.has(s) {\n\t\tmaps", "; len(t.last) >= 0 {\n\t\tmaps"},
	}},
	{Name: "whoever has left goes on talking", Edits: []planted.Edit{
		{"match/phrase.go", " || o.table.Sitter(seat).Left", ""},
	}},
	{Name: "one phrase too many", Edits: []planted.Edit{
		{"match/phrase.go", "> (phrasesAtOnce-1)*phraseTime &&", "> phrasesAtOnce*phraseTime &&"},
	}},
	{Name: "a phrase too few", Edits: []planted.Edit{
		{"match/phrase.go", "> (phrasesAtOnce-1)*phraseTime &&", "> (phrasesAtOnce-2)*phraseTime &&"},
	}},
	{Name: "a phrase that whoever comes hears once more", Edits: []planted.Edit{
		{"match/phrase.go", "\t\tmessage := wire.Phrase(o.id, o.table.SeatOf(guest), s.Command.Move)\n", "\t\tmessage := wire.Phrase(o.id, o.table.SeatOf(guest), s.Command.Move)\n\t\to.last = message\n"},
		{"match/owner.go", "\trenamed bool", "\tlast    []byte\n\trenamed bool"},
		{"match/presence.go", "\to.catchUpOn(s.Client, since)\n}\n", "\to.catchUpOn(s.Client, since)\n\tif o.last != nil {\n\t\to.do(Send{To: s.Client, Message: o.last})\n\t}\n}\n"},
	}},
	{Name: "a link to another device that is taken twice", Edits: []planted.Edit{
		{"guests/way.go", "first, err := b.Keeper.TakeWay(r.Context(), to)", "first, err := true, error(nil)"},
	}},
	{Name: "a link to another device that whoever looks at it uses up", Edits: []planted.Edit{
		{"guests/way.go", "\tcase !body.Sure:\n", "\tcase !body.Sure:\n\t\tb.Keeper.TakeWay(r.Context(), to)\n"},
	}},
	{Name: "a link to another device that is good for hours", Edits: []planted.Edit{
		{"guests/way.go", "wayTime = 5 * time.Minute", "wayTime = 5 * time.Hour"},
	}},
	{Name: "a link that outlives the session which made it", Edits: []planted.Edit{
		{"guests/way.go", "\tif err == nil && !there || errors.Is(err, ErrEnded) {\n", "\tif errors.Is(err, ErrEnded) {\n\t\terr = nil\n\t} else if err == nil && !there {\n"},
	}},
	{Name: "two links to other devices at once", Edits: []planted.Edit{
		{"store/memory/memory.go", "\tm.ways[w.Of.ID] = w\n", "\tm.ways[string(w.Sum)] = w\n"},
	}},
	{Name: "a browser that is somebody's, and still whose it was", Edits: []planted.Edit{
		{"guests/way.go", "if err := b.End(r.Context(), was); err != nil {", "if err := error(nil); err != nil {"},
	}},
	{Name: "another device that stays when all sessions are ended", Edits: []planted.Edit{
		{"guests/way.go", "Round: is.Round}", "Round: is.Round + 9}"},
	}},
	{Name: "who leaves one device is gone from all", Edits: []planted.Edit{
		{"guests/guests.go", "\tif badge.Session == \"\" {\n\t\t_, err := b.endAll", "\tif badge.Session != \"-\" {\n\t\t_, err := b.endAll"},
	}},
	{Name: "what was signed is good once more", Edits: []planted.Edit{
		{"guests/passkey.go", "if err == nil && !first {", "if err == nil && !first && c.Until == 0 {"},
	}},
	{Name: "what was asked is good for ever", Edits: []planted.Edit{
		{"guests/passkey.go", " || b.Now().Unix() > c.Until", ""},
	}},
	{Name: "a passkey that is removed, and opens", Edits: []planted.Edit{
		{"guests/mine.go", "return nil, b.Keeper.RemovePasskey(r.Context(), badge.ID, id)", "_ = id\n\treturn nil, nil"},
	}},
	{Name: "a passkey whose guest was forgotten", Edits: []planted.Edit{
		{"guests/guests.go", "err := b.Keeper.Forget(ctx, guest)", "_, round, err := b.Keeper.Ended(ctx, guest, \"\")\n\tif err == nil {\n\t\t_, err = b.Keeper.EndAll(ctx, Badge{Guest: wire.Guest{ID: guest}, Round: round}, Way{})\n\t}"},
	}},
	{Name: "a passkey that opens, and leaves whoever was there", Edits: []planted.Edit{
		{"guests/passkey.go", "\tif err == nil && badge.ID != \"\" {\n\t\terr = b.End(r.Context(), badge)\n\t}\n", ""},
	}},
	{Name: "somebody who asks for a seat, and has no name after a restart", Edits: []planted.Edit{
		{"table/agree.go", "By: t.hear(f.Guest), Seat", "By: f.Guest.ID, Seat"},
	}},
	{Name: "an outage that is noted, could not be read, and is forgotten", Edits: []planted.Edit{
		{"lobby/daybook/daybook.go", "\tall, err := b.log.Outages(ctx, now.Add(-longOutages))\n\tif", "\tb.alive.Store(now.UnixNano())\n\tall, err := b.log.Outages(ctx, now.Add(-longOutages))\n\tif"},
	}},
	{Name: "a place that is lost where names cannot be read", Edits: []planted.Edit{
		{"lobby/lobby.go", "\terr := h.introduce(ctx, f.Guests())\n\tif err == nil {\n", "\terr := h.introduce(ctx, f.Guests())\n\tif err != nil {\n\t\treturn wire.AsError(err)\n\t}\n\tif err == nil {\n"},
	}},
	{Name: "a line that stays where nobody knows whether its session does", Edits: []planted.Edit{
		{"server/socket.go", "\t\tcode, why = websocket.StatusTryAgainLater, \"try again\"\n", "\t\treturn\n"},
	}},
	{Name: "messages that are written over while somebody reads slowly", Edits: []planted.Edit{
		{"server/socket.go", "messages, cut = c.session.Take(messages) {", "messages, cut = c.session.Take(room[:0]) {"},
	}},
	{Name: "whoever takes another name has another session", Edits: []planted.Edit{
		{"guests/guests.go", "\tif badge.Name = name; badge.Session == \"\" {\n", "\tif badge.Name = name; badge.Session != \"-\" {\n"},
	}},
	{Name: "whoever is forgotten is nobody before all is forgotten", Edits: []planted.Edit{
		{"guests/guests.go", "\tif err := made(ctx, guest); err != nil {\n\t\treturn err\n\t}\n", ""},
	}},
	{Name: "a bot that is late because it had to wait", Edits: []planted.Edit{
		{"slots/slots.go", "\tif !s.take(ctx, waits) {", "\tctx, cancel := context.WithTimeout(ctx, botLimit)\n\tdefer cancel()\n\tif !s.take(ctx, waits) {"},
	}},
	{Name: "whoever goes by himself is voted on all the same", Edits: []planted.Edit{
		{"company/company.go", "\tc.settle(ToFree, s)\n", "\tif all {\n\t\tc.settle(ToFree, s)\n\t}\n"},
	}},
	{Name: "a seat that is kept, and given away while its player sleeps", Edits: []planted.Edit{
		{"company/proposal.go", "\tcase p.Do == ToSit && cs[p.Seat].Kept(p.By):\n\t\treturn p.Agreed.Has(p.Seat)\n", ""},
	}},
	{Name: "a record of whoever sat there last", Edits: []planted.Edit{
		{"table/apply.go", "\tt.players = slices.Clone(t.people.Chairs)\n", "\tt.players = t.people.Chairs\n"},
	}},
	{Name: "a seat is taken, and people are asked on who shall have it", Edits: []planted.Edit{
		{"company/company.go", "\tc.Chairs[s] = Chair{Guest: guest, Sat: at, Since: since}\n\tc.settle(ToSit, s)\n", "\tc.Chairs[s] = Chair{Guest: guest, Sat: at, Since: since}\n"},
	}},
	{Name: "who stood up is asked whether the game shall end", Edits: []planted.Edit{
		{"company/proposal.go", "\t\tcase c.Left && !(about && p.Do == ToSit):\n", "\t\tcase c.Left && p.Do == ToFree:\n"},
	}},
	{Name: "whoever comes back by himself is still asked for", Edits: []planted.Edit{
		{"company/company.go", "chair.Sat = false, false, false, at\n\tc.settle(ToSit, s)\n", "chair.Sat = false, false, false, at\n"},
	}},
	{Name: "what bots played is not in the record", Edits: []planted.Edit{
		{"table/record.go", "\t\t\tn.ByBot = append(n.ByBot, i+1)\n", "\t\t\tn.ByBot = append(n.ByBot, i)\n"},
	}},
	{Name: "the end of a session that was not noted, and is said to be", Edits: []planted.Edit{
		{"guests/guests.go", "may be noted all the same\n\t\treturn err\n", "may be noted all the same\n\t\t_ = err\n\t\treturn nil\n"},
	}},
	{Name: "time goes on where an outage cannot be noted", Edits: []planted.Edit{
		{"lobby/daybook/daybook.go", "return now.Add(-b.unnoted), false", "return now, false"},
	}},
	{Name: "a message that is lost when many wait", Edits: []planted.Edit{
		{"lobby/session.go", "\tmessages, s.out = s.out, room[:0]\n", "\tmessages, s.out = s.out, room[:0]\n\tif len(messages) > 3 {\n\t\tmessages = messages[1:]\n\t}\n"},
	}},
	{Name: "cookies of before outlive all sessions", Edits: []planted.Edit{
		{"guests/guests.go", "\treturn b.give(w, r, badge) // of", "\tbadge.Round += 99\n\treturn b.give(w, r, badge) // of"},
	}},
	{Name: "of two that wait for a processor one is forgotten", Edits: []planted.Edit{
		{"slots/slots.go", "\twaits(true)\n\tselect {\n", "\twaits(true)\n\tif s.asked.Load() > 2 {\n\t\treturn false\n\t}\n\tselect {\n"},
	}},
	{Name: "a session that has ended, which nobody could say, and its lines have not", Edits: []planted.Edit{
		{"guests/guests.go", "\tb.Ended(ctx, badge.ID) //", "\tif err != nil {\n\t\treturn err\n\t}\n\tb.Ended(ctx, badge.ID) //"},
	}},
	{Name: "all sessions have ended, which nobody could say, and their lines have not", Edits: []planted.Edit{
		{"guests/guests.go", "round, err = b.Keeper.EndAll(ctx, by, back)\n", "if round, err = b.Keeper.EndAll(ctx, by, back); err != nil {\n\t\t\treturn err\n\t\t}\n"},
	}},
	{Name: "a name that was noted, could not be read, and is told nobody", Edits: []planted.Edit{
		{"lobby/house.go", "\t\tl.tellUntold()\n", ""},
	}},
	{Name: "a house that opens though it cannot be read what is in it", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\tl.begin(id, before)\n\t}\n\treturn err\n", "\t\tl.begin(id, before)\n\t}\n\t_ = err\n\treturn nil\n"},
	}},
	{Name: "a table that cannot be known to rest, and is taken for one that does not", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\tr.house.Slog().Error(\"a table's rest cannot be read\", \"table\", r.id, \"err\", err)\n\t\treturn err\n", "\t\tr.house.Slog().Error(\"a table's rest cannot be read\", \"table\", r.id, \"err\", err)\n"},
	}},
	{Name: "a game of a device that anybody may delete", Edits: []planted.Edit{
		{"lobby/keep.go", " && slices.Equal(fact.Guests(entries[0].Data), []string{guest}) {", " && slices.Contains(append(fact.Guests(entries[0].Data), guest), guest) {"},
	}},
	{Name: "a game of a device that is kept as often as it is brought", Edits: []planted.Edit{
		{"lobby/keep.go", "\tid := wire.NewID(func(i, of int) int { return int(digest[i]) % of })\n", "\t_ = digest\n\trng := l.config.Rand()\n\tid := wire.NewID(func(_, of int) int { return rng.IntN(of) })\n"},
	}},
	{Name: "a game of a device that outlives whoever brought it", Edits: []planted.Edit{
		{"guests/program.go", "return b.dropKept(ctx, guest)", "return nil"},
	}},
	{Name: "a game of a device that cannot be deleted, and is said to be", Edits: []planted.Edit{
		{"lobby/keep.go", "\treturn h.whether(ctx, err)\n", "\t_ = h.whether(ctx, err)\n\treturn nil\n"},
	}},
	{Name: "what cannot be read is said to be nowhere", Edits: []planted.Edit{
		{"match/runner/runner.go", "\"a table cannot be read\", \"table\", r.id, \"err\", err)\n", "\"a table cannot be read\", \"table\", r.id, \"err\", err)\n\t\terr = errNoTable\n"},
	}},
	{Name: "a table that whoever looks at its door wakes", Edits: []planted.Edit{
		{"lobby/read.go", "\t\tif r, err = l.reader(id, r); err == nil {\n", "\t\tif r, err = l.runner(id, r); err == nil {\n"},
	}},
	{Name: "a game that stays on the list from which it was taken", Edits: []planted.Edit{
		{"guests/tables.go", "\t\terr = b.Keeper.ForgetTable(r.Context(), badge.ID, id)\n", "\t\t_ = b.Keeper.ForgetTable\n"},
	}},
	{Name: "of several who ask for a table that sleeps one is forgotten", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\tr.done()\n\t\tuntil", "\t\tr.next(ctx)\n\t\tr.done()\n\t\tuntil"},
	}},
	{Name: "advice for whoever is not asked", Edits: []planted.Edit{
		{"lobby/read.go", "\t\tcase turn != s || t.Sitter(s).Left:\n", "\t\tcase s > turn && s < turn:\n"}, {"lobby/read.go", "game, seen = t.Game(), t.Seen(s)\n", "game, seen = t.Game(), t.Seen(turn)\n"},
	}},
	{Name: "who has just gone is waited for until all is forgotten", Edits: []planted.Edit{
		{"match/timers.go", "\tfor _, at := range o.leavings() {\n\t\tif _, settled, _ := o.table.Proposed(o.around(at)); settled {\n\t\t\treturn at, true\n\t\t}\n\t}\n\treturn at, false\n}", "\t_, settled, _ := o.table.Proposed(o.around(o.now))\n\treturn o.now, settled\n}"},
	}},
	{Name: "a table that nobody has touched is as new whenever the house opens", Edits: []planted.Edit{
		{"match/owner.go", "touched: t.At(), hours", "touched: now, hours"},
	}},
	{Name: "whoever goes when it is his turn is not called", Edits: []planted.Edit{
		{"match/call.go", "\tif unseen || !since.After(o.table.Deadline(reached, seenTime)) {", "\tif since.Before(reached) {"},
	}},
	{Name: "of two pauses that could not be noted the first counts", Edits: []planted.Edit{
		{"lobby/daybook/daybook.go", "b.unnoted, b.woke = b.unnoted+since, time.Time{}", "b.unnoted, b.woke = since, time.Time{}"},
	}},
	{Name: "a name whose answer was lost is told nobody", Edits: []planted.Edit{
		{"lobby/names.go", "\tunread := l.tellName(ctx, g.ID)\n", "\tif err != nil {\n\t\treturn wire.AsError(err)\n\t}\n\tunread := l.tellName(ctx, g.ID)\n"},
	}},
	{Name: "a table that could not be read once is over", Edits: []planted.Edit{
		{"lobby/lobby.go", "\tcase table.Over:\n\t\tl.finish", "\tcase table.Over, runner.Unread:\n\t\tl.finish"},
		{"lobby/lobby.go", "\tcase runner.Unread: // it is still there, and may be read another time\n\t\tdelete(l.signs, c.Table)\n", ""},
	}},
	{Name: "a browser that could not be told is forgotten", Edits: []planted.Edit{
		{"crier/crier.go", "be told that its guest is waited for\", \"table\", one.table, \"err\", err)\n", "be told that its guest is waited for\", \"table\", one.table, \"err\", err)\n\t\tc.drop(to)\n"},
	}},
	{Name: "whoever reads slowly is stuck", Edits: []planted.Edit{
		{"server/socket.go", "\t\tc.writing.Store(c.server.Clock.Now().UnixNano()) // each has its time\n", "\t\tif i == 0 {\n\t\t\tc.writing.Store(c.server.Clock.Now().UnixNano())\n\t\t}\n"},
	}},
	{Name: "a link that is taken before it is known whether it is of use", Edits: []planted.Edit{
		{"guests/way.go", "\tvar guest wire.Guest\n\tif err == nil {\n", "\tvar guest wire.Guest\n\tif err == nil && body.Sure {\n\t\t_, err = b.Keeper.TakeWay(r.Context(), to)\n\t}\n\tif err == nil {\n"},
		{"guests/way.go", "first, err := b.Keeper.TakeWay(r.Context(), to)", "first, err := true, error(nil)"},
	}},
	{Name: "an erasure that ends all sessions before it has the name", Edits: []planted.Edit{
		{"guests/guests.go", "\t\tif err := b.Rename(ctx, wire.Guest{ID: guest}); err != nil {\n\t\t\treturn err\n\t\t}\n\t\tif err := b.forget(ctx, guest, b.forgetMade)", "\t\tif err := b.forget(ctx, guest, b.forgetMade)"},
	}},
	{Name: "a game of a device that leaves the list before it is deleted", Edits: []planted.Edit{
		{"guests/tables.go", "\t\terr = b.Rooms.Drop(r.Context(), id, badge.ID)\n\t}\n\tif err == nil {\n\t\terr = b.Keeper.ForgetTable(r.Context(), badge.ID, id)\n", "\t\terr = b.Keeper.ForgetTable(r.Context(), badge.ID, id)\n\t}\n\tif err == nil {\n\t\terr = b.Rooms.Drop(r.Context(), id, badge.ID)\n"},
	}},
	{Name: "whoever is refused has spent it all the same", Edits: []planted.Edit{
		{"limit/limit.go", "allowed := b.of(who).AllowN(now, 1)\n", "allowed := b.of(who).ReserveN(now, 1).DelayFrom(now) == 0\n"},
	}},
	{Name: "a founder to whom his table does not belong while somebody stands in", Edits: []planted.Edit{
		{"company/company.go", "guest == c.Founder || guest == c.Acting", "guest == c.Host()"},
	}},
	{Name: "an office that is given back when somebody says something", Edits: []planted.Edit{
		{"match/timers.go", "func (o *Owner) hostDue() (time.Time, bool) {\n", "func (o *Owner) hostDue() (time.Time, bool) {\n\tif len(o.subs) > 0 && o.now.Sub(o.quiet) > 20*time.Second {\n\t\treturn o.now, false\n\t}\n"},
	}},
	{Name: "a table that is put away an hour late", Edits: []planted.Edit{
		{"match/timers.go", "return later(o.touched.Add(o.hours.Untouched),", "return later(o.touched.Add(o.hours.Untouched+time.Hour),"},
	}},
	{Name: "whoever is called is called again and again", Edits: []planted.Edit{
		{"match/call.go", "\to.called[c.Guest] = c.N\n", "\to.called[c.Guest] = c.N - 1\n"},
	}},
	{Name: "whoever looks is called", Edits: []planted.Edit{
		{"match/call.go", "who.Guest == \"\" || who.Left || !gone {", "who.Guest == \"\" || who.Left {\n\t\t\t_ = gone"},
	}},
	{Name: "somebody is told what he was told before the house closed", Edits: []planted.Edit{
		{"crier/crier.go", "} else if !first && !one.unsure {", "} else if !first && !one.unsure && one.Why != match.Turned {"},
	}},
	{Name: "a browser that its service has forgotten, and the house has not", Edits: []planted.Edit{
		{"crier/crier.go", "\tcase errors.Is(err, push.ErrGone):\n\t\tc.drop(to)\n", "\tcase errors.Is(err, push.ErrGone):\n"},
	}},
	{Name: "a busy service is not asked again", Edits: []planted.Edit{
		{"crier/crier.go", "if err = c.send(one, to, at); !errors.As(err, &later) {", "if err = c.send(one, to, at); true {"},
	}},
	{Name: "a pause that could not be noted is let loose when it is asked again", Edits: []planted.Edit{
		{"lobby/daybook/daybook.go", "\treturn now.Add(-b.unnoted), false", "\treturn now.Add(-b.unnoted / 2), false"},
	}},
	{Name: "who moves a game of a device away takes it from nobody", Edits: []planted.Edit{
		{"lobby/keep.go", "keepsake.Record(entries); kept && len", "keepsake.Record(entries); !kept && len"},
	}},
	{Name: "one link more than there may be", Edits: []planted.Edit{
		{"guests/way.go", "limit.Rate{AtOnce: 6, PerSecond: 1.0 / 20}", "limit.Rate{AtOnce: 9, PerSecond: 1.0 / 20}"},
	}},
	{Name: "a limit that fills three times too slowly", Edits: []planted.Edit{
		{"limit/limit.go", "rate.NewLimiter(rate.Limit(b.rate.PerSecond),", "rate.NewLimiter(rate.Limit(b.rate.PerSecond/3),"},
	}},
	{Name: "a name is noted, and tables that sleep keep the old sign where it could not be read", Edits: []planted.Edit{
		{"lobby/house.go", "\t\tl.tellUntold()\n", "\t\tif len(l.untold) > 0 {\n\t\t\tl.untold = l.untold[1:]\n\t\t}\n"},
	}},
	{Name: "a table that sleeps, and was looked at a moment ago, says what people were called then", Edits: []planted.Edit{
		{"match/runner/runner.go", "\treturn t, r.replay(ctx, t, entries[1:])\n", "\tif len(entries) == 1 {\n\t\treturn t, nil\n\t}\n\treturn t, r.replay(ctx, t, entries[1:])\n"},
	}},
	{Name: "two bring the game of one device, and have it together", Edits: []planted.Edit{
		{"keepsake/keepsake.go", "sha256.Sum256(append([]byte(guest+\"\\n\"), whole...))", "sha256.Sum256(whole)"},
	}},
	{Name: "what waits for somebody who reads slowly is written over", Edits: []planted.Edit{
		{"server/bundle/bundle.go", "\terr := b.held.Flush()\n\tb.held.Reset(nil)\n\tholders.Put(b.held)\n\tb.held = nil\n\treturn err\n", "\theld := b.held\n\tb.held = nil\n\tholders.Put(held)\n\treturn held.Flush()\n"},
	}},
	{Name: "a busy service is asked again when the turn is another", Edits: []planted.Edit{
		{"crier/crier.go", " && m.Since.Equal(one.At))", ")"},
	}},
	{Name: "while the house slept somebody has been seen to look", Edits: []planted.Edit{
		{"match/call.go", "o.table.Deadline(reached, seenTime)", "reached.Add(seenTime)"},
	}},
	{Name: "of two tables that wait for somebody a service brings the newest alone", Edits: []planted.Edit{
		{"crier/crier.go", "+string(one.table))", "+one.Guest)"},
	}},
	{Name: "a service sees which browsers are called from one table", Edits: []planted.Edit{
		{"crier/crier.go", "hmac.New(sha256.New, browser.Auth)", "sha256.New()"}, {"crier/crier.go", "\"topic\\n\"+browser.Endpoint+\"\\n\"+", "\"topic\\n\"+"},
	}},
	{Name: "tables that sleep are not on the page of whoever runs the house", Edits: []planted.Edit{
		{"lobby/ruling.go", "l.config.Log.Due(ctx, l.config.Clock.Now().Add(always))", "l.config.Log.Due(ctx, l.config.Clock.Now())"},
	}},
	{Name: "who wants a seat that is asked for already is told that he asks", Edits: []planted.Edit{
		{"company/proposal.go", " && p.By == o.By", ""},
	}},
	{Name: "whoever begins begins the next game as well", Edits: []planted.Edit{
		{"table/decide.go", "\tf.Setup.First = t.first.Left(uint8(len(t.people.Chairs))).String()", "\tif f.Setup.First == \"\" {\n\t\tf.Setup.First = t.first.Left(uint8(len(t.people.Chairs))).String()\n\t}"},
	}},
	{Name: "a name that is refused uses an invitation up", Edits: []planted.Edit{
		{"server/api.go", "\terr := s.comeIn(r.Context(), v, body.Invitation, g.ID, func() error {\n", "\terr := s.comeIn(r.Context(), visit{badge: guests.Badge{Guest: wire.Guest{ID: \"x\"}}}, \"\", g.ID, func() error {\n"},
		{"server/api.go", "\tif g.Name, ok = names.Clean(body.Name); !ok {\n", "\tif err := s.comeIn(r.Context(), v, body.Invitation, g.ID, func() error { return nil }); err != nil {\n\t\treply.Error(w, err)\n\t\treturn\n\t}\n\tif g.Name, ok = names.Clean(body.Name); !ok {\n"},
	}},
	{Name: "whoever was turned out stands in for the host", Edits: []planted.Edit{
		{"match/timers.go", "c.Guest != \"\" && !c.Left && !wire", "c.Guest != \"\" && !wire"},
	}},
	{Name: "an invitation is used up by whoever cannot be given a name", Edits: []planted.Edit{
		{"server/api.go", "\t\treturn s.guests.Name(r.Context(), v.badge, g)\n\t})\n", "\t\treturn nil\n\t})\n\tif err == nil {\n\t\terr = s.guests.Name(r.Context(), v.badge, g)\n\t}\n"},
	}},
	{Name: "of two who are asked and go one after the other the first alone is not waited for", Edits: []planted.Edit{
		{"match/timers.go", "\tslices.SortFunc(all, time.Time.Compare)\n\treturn all\n", "\tslices.SortFunc(all, time.Time.Compare)\n\treturn all[:min(2, len(all))]\n"},
	}},
	{Name: "a phrase that is said again after a while is told again", Edits: []planted.Edit{
		{"match/phrase.go", "if t := o.talks[guest]; !t.has(s) {", "if t := o.talks[guest]; !t.has(s) || t.until.Before(o.now) {"},
	}},
	{Name: "a phrase that was said before another is told again", Edits: []planted.Edit{
		{"match/phrase.go", "append(t.last[max(0, len(t.last)-phrasesAtOnce+1):], s.Command)", "[]wire.Command{s.Command}"},
	}},
	{Name: "a host who has no seat is gone as soon as his line breaks", Edits: []planted.Edit{
		{"match/presence.go", "!o.here(guest) && o.table.Belongs(guest) {", "!o.here(guest) && o.table.SeatOf(guest) != game.Watcher {"},
	}},
	{Name: "of two times that the clock was set back the last counts", Edits: []planted.Edit{
		{"match/runner/steady.go", "s.ahead += goesOn.Sub(now)", "s.ahead = goesOn.Sub(now)"},
	}},
	{Name: "whose name was taken away has it again when he sits down", Edits: []planted.Edit{
		{"lobby/house.go", "if _, known := names[g.ID]; err == nil && !known && g.Name != \"\" {\n\t\tif err = h.config.Log.Introduce(", "if err == nil && names[g.ID] == \"\" && g.Name != \"\" {\n\t\tif err = h.config.Log.Name("},
	}},
	{Name: "a program makes way for a new one", Edits: []planted.Edit{
		{"guests/program.go", "\tfor n < len(taken) && taken[n].ID == strconv.Itoa(n) {\n\t\tn++\n\t}\n", "\tn = len(taken)\n"},
	}},
	{Name: "a bot does not come back, and its namesake at another game is not asked", Edits: []planted.Edit{
		{"slots/slots.go", "bot: game + \" \" + bot, came", "bot: bot, came"},
	}},
	{Name: "whose services are busy holds up all others", Edits: []planted.Edit{
		{"crier/crier.go", "func(at *service) { c.carry(one, to, at, rooms) }", "func(at *service) { at.sending <- struct{}{}; c.carry(one, to, at, rooms); <-at.sending }"},
		{"crier/crier.go", "\tselect {\n\tcase at.sending <- struct{}{}:\n\t\tdefer func() { <-at.sending }()\n\tcase <-c.ctx.Done():\n\t\treturn c.ctx.Err()\n\t}\n", ""},
	}},
	{Name: "all have taken a seat from somebody, and he is told what the bot sees that plays there", Edits: []planted.Edit{
		{"table/frame.go", "\t\ttext = f.events(text, eyes)\n", "\t\ttext = f.events(text, audience)\n"},
	}},
	{Name: "whose time is nearly over is not told so", Edits: []planted.Edit{
		{"match/call.go", "c.Why, c.N = Late, c.N+1", "c.Why = Late"},
	}},
	{Name: "whoever plays for days is away when he does not look", Edits: []planted.Edit{
		{"match/timers.go", "\treturn at, ok && !o.overDays()\n", "\treturn at, ok\n"},
	}},
	{Name: "a game that was deleted, for whoever has looked at it a moment ago", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tif len(entries) == 0 || !entries[0].At.Equal(t.At()) {\n", "\tif len(entries) == 0 {\n\t\treturn t, nil\n\t}\n\tif !entries[0].At.Equal(t.At()) {\n"},
	}},
	{Name: "an answer that is good for a later question", Edits: []planted.Edit{
		{"table/agree.go", "\tcase t.people.Proposal == nil || w.Seq != t.people.Proposal.Seq:\n", "\tcase t.people.Proposal == nil || w.Seq > t.people.Proposal.Seq:\n"},
	}},
	{Name: "whoever has changed much at a table, and waits, is told to wait for ever", Edits: []planted.Edit{
		{"company/company.go", "\treturn c.restless[guest].after(at) >= changesAtOnce\n", "\treturn c.restless[guest].times >= changesAtOnce\n"},
	}},
	{Name: "a pause that could not be noted is forgotten by a house that closes in good order", Edits: []planted.Edit{
		{"lobby/daybook/daybook.go", "\tif b.lapsed(now) {\n\t\treturn // the outage would be forgotten; whoever opens the house notes it\n\t}\n", ""},
	}},
	{Name: "a new name that could not be read twice is told nobody", Edits: []planted.Edit{
		{"lobby/names.go", "\t\tif len(untold) == 0 || l.tellName(l.ctx, untold[0]) != nil {\n\t\t\treturn\n\t\t}\n\t\tl.mu.Lock()\n\t\tl.untold = l.untold[1:]\n\t\tl.mu.Unlock()\n", "\t\tif len(untold) == 0 {\n\t\t\treturn\n\t\t}\n\t\terr := l.tellName(l.ctx, untold[0])\n\t\tl.mu.Lock()\n\t\tl.untold = l.untold[1:]\n\t\tl.mu.Unlock()\n\t\tif err != nil {\n\t\t\treturn\n\t\t}\n"},
	}},
	{Name: "a table that nobody has touched for long is put away as the house opens", Edits: []planted.Edit{
		{"match/timers.go", "\treturn later(o.touched.Add(o.hours.Untouched), o.since.Add(unloadAfter)), len(o.subs) == 0\n", "\treturn o.touched.Add(o.hours.Untouched), len(o.subs) == 0\n"},
	}},
	{Name: "where a new name is told together with a move the log that everybody reads keeps the old one", Edits: []planted.Edit{
		{"match/presence.go", "\tif renamed {\n", "\tif renamed && since == o.table.Seq() {\n"},
	}},
	{Name: "of two people who number what they say alike the second is told that it is done, and it is not", Edits: []planted.Edit{
		{"fact/entry.go", "[...]string{r.Guest, r.ID, r.Do,", "[...]string{r.ID, r.Do,"},
	}},
	{Name: "what is asked lapses before an answer that was there in time, where the log was slow with what came before", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\t\tr.handle(ctx, r.doing)\n", "\t\t\tr.handle(ctx, r.doing)\n\t\t\tif at, ok := r.owner.Alarm(); ok && !at.After(r.now) {\n\t\t\t\tr.step(ctx, match.Tick{})\n\t\t\t}\n"},
	}},
	{Name: "what all have agreed to lapses, where the log was slow with the last of them", Edits: []planted.Edit{
		{"match/timers.go", "\treturn due, asked && !agreed", "\t_ = agreed\n\treturn due, asked"},
	}},
	{Name: "who takes another name while his table is read keeps the old one there", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tr.know(true, guests...)\n\tnames, err := r.house.Log().Names(ctx, guests...)\n", "\tnames, err := r.house.Log().Names(ctx, guests...)\n\tr.know(true, guests...)\n"},
	}},
	{Name: "a busy service is given up too early", Edits: []planted.Edit{
		{"crier/crier.go", "range tries {", "range tries[:3] {"},
	}},
	{Name: "a busy service is asked once too often", Edits: []planted.Edit{
		{"crier/crier.go", "range tries {", "range append(tries[:4:4], time.Minute) {"},
	}},
	{Name: "whoever hangs up before his table is made has room for one less", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\th.config.Tables.Give(maker.From, maker.Guest.ID)\n\t\tif errors", "\t\tif ctx.Err() == nil {\n\t\t\th.config.Tables.Give(maker.From, maker.Guest.ID)\n\t\t}\n\t\tif errors"},
	}},
	{Name: "a rest that is noted once, and not when people have played on", Edits: []planted.Edit{
		{"match/timers.go", "\tif rest.Same(o.rest) {\n", "\tif o.rest.Seq > 0 {\n"},
	}},
	{Name: "a number that stays on a seat when its player is turned out", Edits: []planted.Edit{
		{"table/apply.go", "\t\tt.ceremony.Lose(f.Seat)\n\t}\n\tt.tell(f.Seat, ruled", "\t}\n\tt.tell(f.Seat, ruled"},
	}},
	{Name: "whoever sits may not take another seat before the game", Edits: []planted.Edit{
		{"table/decide.go", "case mine != game.Watcher && t.begun():", "case mine != game.Watcher:"},
	}},
	{Name: "whoever looks on may not say that he wants a seat", Edits: []planted.Edit{
		{"table/agree.go", "\tcase t.people.Proposal != nil:\n", "\tcase t.people.Proposal != nil || mine(t, w) == game.Watcher:\n"},
		{"table/agree.go", "// carried is what", "func mine(t *Table, w wish) game.Seat { return t.SeatOf(w.guest.ID) }\n\n// carried is what"},
	}},
	{Name: "a table that was closed, and is shown to whoever comes", Edits: []planted.Edit{
		{"match/presence.go", "\tif err := o.table.Watchable(); err != nil {\n\t\to.deny(&s, err)\n\t\treturn\n\t}\n", ""},
	}},
	{Name: "bots that are to take no time take for ever", Edits: []planted.Edit{
		{"match/timers.go", "\treturn terms.Said(at, q.heard, o.table.BotTime(o.spare)), true\n", "\treturn terms.Said(at, q.heard, o.table.BotTime(o.spare)), o.table.BotTime(o.spare) > 0\n"},
	}},
	{Name: "one household has all the lines that there are", Edits: []planted.Edit{
		{"limit/limit.go", "free <= 0 || p.addresses.of(address) >= most ||", "free <= 0 ||"},
	}},
	{Name: "whoever asks for one seat is told that he asks for another", Edits: []planted.Edit{
		{"company/proposal.go", "p.Do == o.Do && p.Seat == o.Seat && p.By == o.By", "p.Do == o.Do && p.By == o.By"},
	}},
	{Name: "whoever is away is told what he could say, and a bot says it", Edits: []planted.Edit{
		{"table/frame.go", "t.Turn() == seat && !t.people.Chairs[seat].Played()", "t.Turn() == seat"},
	}},
	{Name: "of a game that was broken off it is said that it was closed", Edits: []planted.Edit{
		{"table/frame.go", "\t\to.Why = \"broken\"\n", "\t\to.Why = \"closed\"\n"},
	}},
	{Name: "the host may not give a bot's seat to another bot", Edits: []planted.Edit{
		{"table/decide.go", "\tcase c.Person():\n\t\treturn nil, wire.Refuse(wire.CodeSeatTaken, \"somebody sits on %s\", seat)\n\tcase w.Bot == c.Bot:", "\tcase !c.Empty() && w.Bot != c.Bot:\n\t\treturn nil, wire.Refuse(wire.CodeSeatTaken, \"somebody sits on %s\", seat)\n\tcase w.Bot == c.Bot:"},
	}},
	{Name: "who leaves a table that hangs is there for ever", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tcase isAsked(item) && (r.hung || len(r.mail) >= mostMail):\n", "\tcase r.hung, isAsked(item) && len(r.mail) >= mostMail:\n"},
	}},
	{Name: "a bot who is lost is asked again where nobody has waited for him", Edits: []planted.Edit{
		{"slots/slots.go", "\tcase <-ctx.Done():\n\t}\n", "\tcase <-ctx.Done():\n\t\treturn first(seen)\n\t}\n"},
	}},
	{Name: "whoever waits at a table that hangs waits for ever", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tr.refuse(mail, match.ErrBusy)\n\treturn true\n", "\t_ = mail\n\treturn true\n"},
	}},
	{Name: "a table that has hung once is busy for ever", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tr.stepping.Store(0)\n\tr.mu.Lock()\n\tr.hung = false\n\tr.mu.Unlock()\n", "\tr.stepping.Store(0)\n"},
	}},
	{Name: "whoever looks at a table whose rules broke is left there", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tif r.owner != nil && !stopping {\n", "\tif r.owner != nil && stopping {\n"},
	}},
	{Name: "nobody is told that a game begins", Edits: []planted.Edit{
		{"match/call.go", "\t\to.begun = o.now\n", ""},
	}},
	{Name: "a page of another version is let in", Edits: []planted.Edit{
		{"server/socket.go", "\t\tgo s.reload(v, conn)\n\t\treturn\n", "\t\t_ = s.reload\n"},
	}},
	{Name: "all have opened their numbers, and are waited for", Edits: []planted.Edit{
		{"match/timers.go", "\tif !wait.Waits {\n\t\treturn wait.Since, wait\n\t}\n", ""},
	}},
	{Name: "whoever is not asked declines all the same", Edits: []planted.Edit{
		{"table/agree.go", "\tcase w.guest.ID != t.people.Proposal.By && !t.people.Proposal.Asked(t.people.Chairs, w.here.With(mine)).Has(mine):\n\t\treturn nil, wire.Refuse(wire.CodeNotYourSeat, \"you are not asked\")\n\t}\n\treturn &fact.Declined", "\t}\n\treturn &fact.Declined"},
	}},
	{Name: "the door says who has sealed a number", Edits: []planted.Edit{
		{"table/frame.go", "\t\tc.Seal.Numbers, c.Seal.Failed = nil, nil // they", "\t\t// they"},
	}},
	{Name: "the table for another game is made, and nobody wakes it", Edits: []planted.Edit{
		{"lobby/lobby.go", "\th.runner(id, nil) // if the house", "\t// if the house"},
	}},
	{Name: "an entry after a rest does not end it", Edits: []planted.Edit{
		{"store/writer.go", "\tw.keep(id, head{h.key, h.last, due, h.term})\n\treturn nil\n}\n\nfunc (w *writing) delete", "\tif h.due = due; !w.keeps(h) {\n\t\tw.passing = append(w.passing, id)\n\t}\n\treturn nil\n}\n\nfunc (w *writing) delete"},
	}},
	{Name: "what is remembered of a group that was undone", Edits: []planted.Edit{
		{"store/writer.go", "\tdefer func() {\n\t\tif err != nil {\n\t\t\ts.stale = true // what is remembered may be ahead of the database, or behind it\n\t\t}\n\t}()\n\tif answers, err = w.all(group); err != nil {\n\t\treturn nil, err\n\t}\n\tif err := tx.Commit(); err != nil {\n", "\tif answers, err = w.all(group); err != nil {\n\t\treturn nil, err\n\t}\n\tif err := tx.Commit(); err != nil {\n\t\ts.stale = true\n"},
	}},
	{Name: "whoever has just come, and is refused as late, is shown what was before he came", Edits: []planted.Edit{
		{"match/owner.go", "o.missed(s.Client, seq-1), true, o.hour())", "seq-1, true, o.hour())"},
	}},
	{Name: "a bot's answer outlives what the log had more", Edits: []planted.Edit{
		{"match/owner.go", "\t\to.begins(was)\n\t\to.moved()\n\t\to.broadcast(e.Seq-1, nil)\n", "\t\to.begins(was)\n\t\to.broadcast(e.Seq-1, nil)\n"},
	}},
	{Name: "a table is woken until it could not be read five times in all", Edits: []planted.Edit{
		{"lobby/house.go", "\t\t\tdelete(failed, id)\n\t\t\tcontinue\n", "\t\t\tcontinue\n"},
		{"lobby/house.go", "\t\tif n%wakeAnew == 0 {\n\t\t\tclear(failed)\n\t\t}\n", ""},
	}},
	{Name: "whoever hangs up while the database writes is told that nothing was done", Edits: []planted.Edit{
		{"store/writer.go", "\tcase s.jobs <- j:\n\t\treturn <-j.done\n", "\tcase s.jobs <- j:\n\t\tselect {\n\t\tcase err := <-j.done:\n\t\t\treturn err\n\t\tcase <-ctx.Done():\n\t\t\treturn ctx.Err()\n\t\t}\n"},
	}},
	{Name: "whoever has just gone is not asked any more", Edits: []planted.Edit{
		{"match/presence.go", "at.Before(o.table.Deadline(since, aroundTime)))", "at.Before(since))"},
	}},
	{Name: "whoever is waited for is called at once", Edits: []planted.Edit{
		{"match/call.go", "return o.table.Deadline(later(at, since), callTime) }", "return later(at, since) }"},
	}},
	{Name: "whoever has seen that it is his turn is called all the same", Edits: []planted.Edit{
		{"match/call.go", "if unseen || !since.After(o.table.Deadline(reached, seenTime)) {", "if unseen || n > 0 {"},
	}},
	{Name: "of a page that is closed the house knows for ever", Edits: []planted.Edit{
		{"lobby/session.go", "\t\ts.leave(id)\n\t}\n\ts.lobby.pages.Close(s.page)\n", "\t\ts.leave(id)\n\t}\n"},
	}},
	{Name: "whoever goes looks at the lobby for ever", Edits: []planted.Edit{
		{"lobby/session.go", "func (s *Session) Close() {\n\ts.lobby.unwatch(s)\n", "func (s *Session) Close() {\n"},
	}},
	{Name: "whoever has read a table is remembered for ever", Edits: []planted.Edit{
		{"lobby/read.go", "\t\t\tif l.readers[id] == r {\n\t\t\t\tdelete(l.readers, id)\n\t\t\t}\n", ""},
	}},
	{Name: "a connection that has ended is counted for ever", Edits: []planted.Edit{
		{"server/socket.go", "\tdelete(s.sockets.open, c)\n\ts.spent", "\ts.spent"},
	}},
	{Name: "an address that holds nothing is remembered for ever", Edits: []planted.Edit{
		{"limit/use.go", "if h.here[who] += n; h.here[who] == 0 {", "if h.here[who] += n; h.here[who] < 0 {"},
	}},
	{Name: "a service keeps for a day what is late in an hour", Edits: []planted.Edit{
		{"crier/crier.go", "\t\tttl = one.Until.Sub(c.clock.Now())\n", "\t\tttl = max(ttl, one.Until.Sub(c.clock.Now()))\n"},
	}},
	{Name: "until when somebody is waited for is said when it is nearly over, and not before", Edits: []planted.Edit{
		{"crier/crier.go", "\tif !one.Until.IsZero() {\n\t\tsaid.Until", "\tif one.Why == match.Late {\n\t\tsaid.Until"},
	}},
	{Name: "that a game begins is not said again", Edits: []planted.Edit{
		{"crier/crier.go", "(one.Why == match.Begun || m.You == m.Turn && m.Since.Equal(one.At))", "m.You == m.Turn && m.Since.Equal(one.At)"},
	}},
	{Name: "where time is measured nobody tries again to tell", Edits: []planted.Edit{
		{"crier/crier.go", "wait > longestWait {", "wait > longestWait || wait > 0 && !one.Until.IsZero() {"},
	}},
	{Name: "a house that closes does not wait for its log", Edits: []planted.Edit{
		{"match/runner/runner.go", "r.house.Log().Append(r.begun, r.id, e.Entry)", "r.house.Log().Append(ctx, r.id, e.Entry)"},
	}},
	{Name: "a table that is written though its maker heard otherwise is known to nobody", Edits: []planted.Edit{
		{"lobby/lobby.go", "\tif err != nil {\n\t\th.doubtful.Store(true)\n\t\th.config.Tables.Give(maker.From", "\tif err != nil {\n\t\th.config.Tables.Give(maker.From"},
	}},
	{Name: "a push service that refuses once is asked no more", Edits: []planted.Edit{
		{"push/push.go", "\tdefault:\n\t\treturn fmt.Errorf(\"the push service refuses: %d\", code)\n", "\tcase code >= 400:\n\t\treturn ErrGone\n\tdefault:\n\t\treturn fmt.Errorf(\"the push service refuses: %d\", code)\n"},
	}},
	{Name: "a browser that does not want to know any more while its service is busy", Edits: []planted.Edit{
		{"crier/crier.go", "!slices.ContainsFunc(all, func(s guests.Subscription) bool { return s.Endpoint == to.Endpoint })", "!slices.ContainsFunc(all, func(s guests.Subscription) bool { return s.Guest == to.Guest })"},
	}},
	{Name: "a game that is stopped, and nobody says how it ended", Edits: []planted.Edit{
		{"table/table.go", "\t\tcase len(t.moves)+1 >= t.game.Info().MaxMoves:\n", "\t\tcase len(t.moves) >= t.game.Info().MaxMoves:\n"},
	}},
	{Name: "a game that is stopped one move late", Edits: []planted.Edit{
		{"table/table.go", "len(t.moves) >= t.game.Info().MaxMoves)\n", "len(t.moves) > t.game.Info().MaxMoves)\n"}, {"table/table.go", "len(t.moves)+1 >= t.game", "len(t.moves) >= t.game"},
	}},
	{Name: "another game with the same position is dealt", Edits: []planted.Edit{
		{"table/decide.go", "Imported: t.imported, Standin: fact.Standin(t.shelf.Bots(t.setup.Game))}\n\tf.Setup.First", "Standin: fact.Standin(t.shelf.Bots(t.setup.Game))}\n\tf.Setup.First"},
	}},
	{Name: "a bot's moves are counted from where the position was", Edits: []planted.Edit{
		{"table/record.go", "\t\t\tn.ByBot = append(n.ByBot, i+1)\n", "\t\t\tif came := t.imports(); came != nil {\n\t\t\t\ti -= *came\n\t\t\t}\n\t\t\tn.ByBot = append(n.ByBot, i+1)\n"},
	}},
	{Name: "whoever is called is told when his time is up as if the house had never been closed", Edits: []planted.Edit{
		{"match/call.go", "c.Until = o.table.Deadline(began, limit)", "c.Until = began.Add(limit)"},
	}},
	{Name: "where a game is to go on over days its table waits for days for another host", Edits: []planted.Edit{
		{"match/timers.go", "o.overDays() && o.table.State() == table.Running {\n\t\tpatience", "o.overDays() {\n\t\tpatience"},
	}},
	{Name: "whoever waits for a game that goes on from a record is not told its past", Edits: []planted.Edit{
		{"table/frame.go", "if log || t.imports() != nil && t.state != nil && f.since < t.dealt {", "if log {"},
	}},
	{Name: "whoever could not be forgotten has something done to him for ever", Edits: []planted.Edit{
		{"guests/guests.go", "\tdefer over()\n\treturn do()\n", "\tif err = do(); err == nil {\n\t\tover()\n\t}\n\treturn err\n"},
	}},
	{Name: "whose number is sealed may lose his seat while it is dealt", Edits: []planted.Edit{
		{"table/decide.go", "\tcase t.begun() && t.state == nil:\n\t\treturn nil, errDealing\n\tcase c.Program():", "\tcase c.Program():"},
	}},
	{Name: "while somebody looks at an old game none after it is deleted", Edits: []planted.Edit{
		{"lobby/archive/sweep.go", "\t\tif !begin(id) {\n\t\t\tcontinue\n", "\t\tif !begin(id) {\n\t\t\tbreak\n"},
	}},
	{Name: "whoever waits for others at his address says too much", Edits: []planted.Edit{
		{"server/limit.go", "\twait := p.bucket.ReserveN(now, 1).DelayFrom(now)\n", "\twait := max(p.bucket.ReserveN(now, 1).DelayFrom(now), p.all.Wait(p.visitor.From, p.visitor.Guest.ID, now))\n"},
		{"server/limit.go", "\tif wait = max(wait, p.all.Wait(p.visitor.From, p.visitor.Guest.ID, now)); wait == 0 {\n", "\tif wait == 0 {\n"},
	}},
	{Name: "what a bot has said for somebody who moves himself is moved for the next", Edits: []planted.Edit{
		{"match/owner.go", "return asked == q.asked && o.table.State()", "return asked > 0 && o.table.State()"},
		{"match/timers.go", "later(terms.Said(q.since, q.heard, overtime), o.table.Deadline(o.table.Clock())), true", "terms.Said(q.since, q.heard, overtime), true"},
	}},
	{Name: "whoever comes back has been gone since he sat down first", Edits: []planted.Edit{
		{"company/company.go", "chair.Left, chair.Away, chair.Freed, chair.Sat = false, false, false, at", "chair.Left, chair.Away, chair.Freed, _ = false, false, false, at"},
	}},
	{Name: "it is noted that somebody is called before it is known in which browsers", Edits: []planted.Edit{
		{"crier/crier.go", "\tall, err := c.Keeper.Subscriptions(c.ctx, one.Guest)\n\tif err == nil && len(all) > 0 {\n\t\tvar first bool\n\t\tif first, err = c.Keeper.Tell(c.ctx, one.Guest, one.table, one.N); err != nil {\n\t\t\tone.unsure = true\n\t\t} else if !first && !one.unsure {\n\t\t\tall = nil\n\t\t}\n\t}\n", "\tvar all []guests.Subscription\n\tfirst, err := c.Keeper.Tell(c.ctx, one.Guest, one.table, one.N)\n\tif first {\n\t\tall, err = c.Keeper.Subscriptions(c.ctx, one.Guest)\n\t}\n"},
	}},
	{Name: "where the link to another game could not be written a second table is founded for it", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\t\tid := rematch(r.id)\n", "\t\t\tid := rematch(r.id + wire.ID(fmt.Sprint(r.house.Now().UnixNano())))\n"},
	}},
	{Name: "whose session nobody can look up is told that it has ended", Edits: []planted.Edit{
		{"server/socket.go", "\tcase !errors.Is(err, guests.ErrEnded):\n\t\tcode, why = websocket.StatusTryAgainLater, \"try again\"\n", ""},
	}},
	{Name: "another game is at a table that hangs in the lobby, and nobody has time for a move there", Edits: []planted.Edit{
		{"table/decide.go", "\tf.Setup.First = t.first.Left(uint8(len(t.people.Chairs))).String() // of a deal", "\tf.Setup.Listed, f.Setup.MoveTime = true, 0\n\tf.Setup.First = t.first.Left(uint8(len(t.people.Chairs))).String() // of a deal"},
	}},
	{Name: "a stranger has the link of a table in a house for invited people", Edits: []planted.Edit{
		{"server/invited.go", "strings.HasPrefix(r.URL.Path, \"/api/tables\")", "strings.TrimSuffix(r.URL.Path, \"/\") == \"/api/tables\""},
	}},
	{Name: "a program may do what people do", Edits: []planted.Edit{
		{"server/program.go", "case path != \"/ws\" && path != \"/api/hello\" && path != \"/api/tables\" && !strings.HasPrefix(path, \"/api/tables/\"):", "case strings.HasPrefix(path, \"/api/owner/\"):"},
	}},
	{Name: "a program talks", Edits: []planted.Edit{
		{"match/phrase.go", "o.table.Sitter(seat).Left || wire.IsProgram(s.Client.Who().ID) {", "o.table.Sitter(seat).Left {"},
	}},
	{Name: "the rest of a list begins with what somebody has", Edits: []planted.Edit{
		{"guests/tables.go", "sat = sat[1+slices.IndexFunc(sat, func(t Table) bool { return t.ID == after }):]", "sat = sat[max(0, slices.IndexFunc(sat, func(t Table) bool { return t.ID == after })):]"},
	}},
	{Name: "somebody's program is said to have sat wherever he has", Edits: []planted.Edit{
		{"guests/mine.go", "b.tablesOf(r.Context(), its.ID)", "b.tablesOf(r.Context(), badge.ID)"},
		{"guests/mine.go", "its, _, err := b.latest(", "_, _, err := b.latest("},
	}},
	{Name: "a game of a device is kept that is not over", Edits: []planted.Edit{
		{"keepsake/keepsake.go", "\tif !over {\n\t\treturn e, d, errors.New(\"the game is not over\")\n\t}\n", "\t_ = over\n"},
	}},
	{Name: "a game of a device is kept with the proof of another deal", Edits: []planted.Edit{
		{"keepsake/keepsake.go", "sealed && c.Fault != \"\" {", "sealed && c.Fault == \"seal\" {"},
	}},
	{Name: "whoever looks at a game that is deleted sees it still", Edits: []planted.Edit{
		{"lobby/keep.go", "gone && r != nil {", "!gone && r != nil {"},
	}},
	{Name: "whoever looks at a game that was deleted, and nobody could say so, sees it still", Edits: []planted.Edit{
		{"lobby/keep.go", "gone := err == nil && len(entries) == 0", "gone := false"},
	}},
	{Name: "whoever comes while his session ends has a line", Edits: []planted.Edit{
		{"server/socket.go", "\tc.recheck(r.Context()) // the session may have ended before there was anything to close\n", ""},
	}},
	{Name: "whoever is erased while he takes another name has that", Edits: []planted.Edit{
		{"guests/guests.go", "\treturn b.inTurn(ctx, badge.ID, func() error {\n\t\tif err := b.Check(ctx, badge)", "\treturn func() error {\n\t\tif err := b.Check(ctx, badge)"},
		{"guests/guests.go", "\t\tif errors.Is(err, ErrEnded) { // by way", "\t\tif false { // by way"},
		{"guests/guests.go", "\t\treturn cmp.Or(renamed, nobodyIf(err))\n\t})\n", "\t\treturn cmp.Or(renamed, nobodyIf(err))\n\t}()\n"},
	}},
	{Name: "whoever does not come in after all has a name for ever", Edits: []planted.Edit{
		{"server/api.go", "\t\t\ts.Lobby.Rename(context.WithoutCancel(r.Context()), wire.Guest{ID: g.ID})\n\t\t}\n\t\ts.unmade", "\t\t\t_ = context.WithoutCancel(r.Context())\n\t\t}\n\t\ts.unmade"},
	}},
	{Name: "rules that break as a table is read bring down the house", Edits: []planted.Edit{
		{"match/runner/runner.go", "func (r *Runner) load(ctx context.Context) (err error) {\n\tdefer r.rescue(&err)\n", "func (r *Runner) load(ctx context.Context) (err error) {\n"},
	}},
	{Name: "rules that break as somebody looks at a table that sleeps bring down the house", Edits: []planted.Edit{
		{"match/runner/runner.go", "func (r *Runner) showAll(ctx context.Context, lingers time.Duration) (err error) {\n\tdefer r.rescue(&err)\n", "func (r *Runner) showAll(ctx context.Context, lingers time.Duration) (err error) {\n"},
	}},
	{Name: "whoever looked at a table whose rules broke has been gone since it rested", Edits: []planted.Edit{
		{"match/runner/runner.go", "\t\t\tr.broke()\n", "\t\t\t_ = r.broke\n"},
	}},
	{Name: "whoever asks for a table that sleeps, and hangs, waits for ever", Edits: []planted.Edit{
		{"lobby/house.go", "slices.AppendSeq(slices.Collect(maps.Values(l.runners)), maps.Values(l.readers))", "slices.Collect(maps.Values(l.runners))"},
	}},
	{Name: "whoever asked first for what does not come back waits for ever", Edits: []planted.Edit{
		{"match/runner/runner.go", "\tif v, is := r.doing.(visit); is { // he waits", "\tif v, is := r.doing.(visit); is && r.closed { // he waits"},
	}},
	{Name: "a house that closes waits for a table that hangs", Edits: []planted.Edit{
		{"lobby/lobby.go", "\tselect {\n\tcase <-ended:\n\tcase <-late:\n", "\tselect {\n\tcase <-ended:\n\tcase <-map[bool]<-chan time.Time{true: late}[l.ctx.Err() == nil]:\n"},
	}},
	{Name: "a screen is shown the hand of whoever opened it", Edits: []planted.Edit{
		{"guests/cookie.go", "\tif asNobody(r) {\n\t\treturn Badge{}, http.ErrNoCookie\n\t}\n", ""},
	}},
	{Name: "a house with a new secret knows nobody", Edits: []planted.Edit{
		{"guests/cookie.go", "ours = ours || hmac.Equal(mark, sign(secret, kind, text))", "_ = secret"},
	}},
	{Name: "whoever comes every month is forgotten after half a year", Edits: []planted.Edit{
		{"guests/guests.go", "if badge.Name == name && b.Now().Sub(time.Unix(badge.Since, 0)) < renewing {", "if badge.Name == name && b.Now().Sub(time.Unix(badge.Since, 0)) < lasting {"},
	}},
	{Name: "whoever does not come for half a year is not forgotten", Edits: []planted.Edit{
		{"guests/cookie.go", "case err == nil && b.Now().Sub(time.Unix(badge.Since, 0)) > lasting:", "case err == nil && b.Now().Sub(time.Unix(badge.Since, 0)) > 2*lasting:"},
	}},
	{Name: "a game over days is never let go", Edits: []planted.Edit{
		{"match/timers.go", "\treturn at, ok && until.Sub(later(at, o.now)) >= unloadAfter\n", "\treturn at, ok && until.Sub(later(at, o.now)) >= unloadAfter && !o.overDays()\n"},
	}},
	{Name: "a call that is noted, and nobody hears that it is, is not made", Edits: []planted.Edit{
		{"crier/crier.go", "\t\t\tone.unsure = true\n", "\t\t\tone.unsure = false\n"},
	}},
	{Name: "a call that a service did not take is dropped where it cannot be read whether it is so yet", Edits: []planted.Edit{
		{"crier/crier.go", "\t\t\tif so, err = c.stillSo(one, to, rooms); err != nil {\n\t\t\t\tcontinue\n\t\t\t} else if !so {\n", "\t\t\tif so, err = c.stillSo(one, to, rooms); err != nil || !so {\n"},
	}},
	{Name: "of a house that was closed for days no more than a day is left out", Edits: []planted.Edit{
		{"fact/outage.go", "\treturn max(0, to.Sub(from))\n", "\treturn min(24*time.Hour, max(0, to.Sub(from)))\n"},
	}},
	{Name: "whoever says again that he closes his table is told that it is closed", Edits: []planted.Edit{
		{"table/decide.go", "\tcase t.Done(c, g):\n\t\treturn nil, nil\n\tcase t.closed:\n\t\treturn nil, errGone\n", "\tcase t.closed:\n\t\treturn nil, errGone\n\tcase t.Done(c, g):\n\t\treturn nil, nil\n"},
	}},
	{Name: "whoever wanted a table that cannot be made has a place less", Edits: []planted.Edit{
		{"lobby/lobby.go", "\t\th.doubtful.Store(true)\n\t\th.config.Tables.Give(maker.From, maker.Guest.ID)\n", "\t\th.doubtful.Store(true)\n"},
	}},
}

// TestFaults lets the stories and evenings find each fault. Of the house as it is what has found one before is told too, by the other tests or else here; and all of them
// only if a fault has to be looked for.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred faults take minutes: make test-all plants them")
	}
	beds := planted.Plant(t, "..", faults)
	foundBefore := planted.Recall("testdata/faults.json")
	isSound := func(t *testing.T, said []byte, err error) { // else it is no fault that is found
		t.Helper()
		if err != nil {
			t.Fatalf("something is wrong with the house as it is:\n%s", said)
		}
	}
	said, err := told(beds, planted.None, "^TestStories$")
	isSound(t, said, err)
	for n := someEvenings + 1; n <= usualEvenings; n++ { // TestStorm tells those before
		if on := fmt.Sprint(n); slices.ContainsFunc(faults, func(f planted.Fault) bool { return foundBefore.FoundBy(f.Name) == on }) {
			said, err := look(beds, planted.None, on)
			isSound(t, said, err)
		}
	}
	sound := sync.OnceValues(func() ([]byte, error) { return search(beds, planted.None) })
	soundOn := sync.OnceValues(func() ([]byte, error) { return searchOn(beds, planted.None) })
	for n, f := range faults {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			said, err := look(beds, n, foundBefore.FoundBy(f.Name))
			if err == nil {
				said, err = sound()
				isSound(t, said, err)
				said, err = search(beds, n)
			}
			if err == nil { // chance has it that none of these evenings is one for it
				said, err = soundOn()
				isSound(t, said, err)
				said, err = searchOn(beds, n)
			}
			switch {
			case err == nil:
				t.Errorf("the fault is not found:\n%s", said)
			case !strings.Contains(string(said), " storm_test.go:") && !strings.Contains(string(said), "does not come to rest") && !strings.Contains(string(said), "panic: "+theyBreak):
				t.Errorf("it fails, and not for the fault: %v\n%s", err, said)
			default:
				t.Log(f.Name, "\n", head(string(said)))
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

var rewrite = flag.Bool("rewrite", false, "write down which evening has found each fault")

// Whatever a fault is planted in is there, so that a change which moves it hears of it at once.
func TestFaultsHaveTheirPlace(t *testing.T) {
	for _, f := range faults {
		if err := f.Check(".."); err != nil {
			t.Error(err)
		}
	}
}

// search tells as many evenings as are told of each fault.
func search(beds *planted.Beds, n int) (said []byte, err error) {
	return told(beds, n, "^(TestStories|TestHabits|TestStorm|TestLooksAround)$", "-evenings", fmt.Sprint(usualEvenings))
}

const usualEvenings = 120

// searchOn tells three times as many others.
func searchOn(beds *planted.Beds, n int) (said []byte, err error) {
	return told(beds, n, "^TestStorm$", "-from", fmt.Sprint(usualEvenings+1), "-evenings", "480")
}

// look tells what has found the fault before: the story or the habit, or else the evening, if that is one of the usual ones.
func look(beds *planted.Beds, n int, on string) (said []byte, err error) {
	switch seed, notSeed := strconv.Atoi(on); {
	case on == "":
		return nil, nil
	case notSeed != nil:
		return told(beds, n, "^"+strings.ReplaceAll(on, "/", "$/^")+"$")
	case seed <= usualEvenings:
		return told(beds, n, "^TestStorm$", "-seed", on)
	}
	return nil, nil
}

func told(beds *planted.Beds, n int, tests string, args ...string) (said []byte, err error) {
	return beds.Run(n, append([]string{"-test.failfast", "-test.run", tests, "-test.timeout", "1h", "-tries", "0", "-rest", "40s"}, args...)...)
}

// on is the seed of the evening that has found something, or else the story, the habit, or those who look around. Where the program ends with what is found
// nothing says so: what has found that is written down by hand.
var on = regexp.MustCompile(`storm_test\.go:\d+: seed (\d+):|--- FAIL: (Test(?:Stories|Habits)/\S+|TestLooksAround)`)

func head(text string) string { return strings.Join(strings.Split(text, "\n")[:2], "\n") }
