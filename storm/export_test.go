package storm

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"caveau/fact"
	"caveau/table"
)

// body is what comes after the head of an answer; a long one comes in pieces.
func body(answer string) []byte {
	got, err := http.ReadResponse(bufio.NewReader(strings.NewReader(answer)), nil)
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(got.Body) // as much as there is
	return text
}

// sat is a table in what the house has of somebody.
type sat struct {
	Table string
	Over  bool
}

// hisProgram is a program there.
type hisProgram struct {
	ID     string
	Tables []sat
}

// checkExport: what the house says that it has of somebody are all tables at which he sits, and none at which he never was; his programs, and likewise
// theirs; his passkeys, and the browsers in which he is told that he is waited for; and nothing of anybody else.
func (p *person) checkExport(answer string) {
	w := p.w
	var his struct {
		Guest    struct{ ID string }
		Tables   []sat
		Passkeys []struct{ ID string }
		Notices  []struct{ Endpoint string }
		Programs []hisProgram
	}
	if err := json.Unmarshal(body(answer), &his); err != nil || his.Guest.ID != p.guest {
		w.fail("%s asks what the house has of him, and is answered %.200q: %v", p.name, answer, err)
	}
	w.looked++
	p.checkSat(his.Tables)
	for _, o := range p.programs() {
		i := slices.IndexFunc(his.Programs, func(one hisProgram) bool { return one.ID == o.nth })
		switch {
		case i >= 0:
			o.checkSat(his.Programs[i].Tables)
		case !o.nameless:
			w.fail("%s has the program %s, and what the house has of him does not say so: %.300q", p.name, o.name, answer)
		}
	}
	for _, k := range w.passkeys {
		told := slices.ContainsFunc(his.Passkeys, func(one struct{ ID string }) bool { return one.ID == b64.EncodeToString(k.id) })
		if !k.doubted && told != (k.of == p && !k.over) {
			w.fail("%s has made a passkey, removed: %t, and of what the house has of %s it is: %t", k.of.name, k.over, p.name, told)
		}
	}
	for _, b := range w.browsers {
		told := slices.ContainsFunc(his.Notices, func(one struct{ Endpoint string }) bool { return one.Endpoint == b.endpoint })
		if !b.doubted && b.gone == 0 && told != (b.of == p && !b.over) {
			w.fail("a browser of %s wants to be told when he is waited for, over: %t; of what the house has of %s it is: %t", b.of.name, b.over, p.name, told)
		}
	}
}

// checkSat: those are the tables at which somebody sits, or a program.
func (p *person) checkSat(told []sat) {
	w := p.w
	for _, e := range w.tables {
		if e.unknown() {
			continue
		}
		sits := e.paper.seatOf(p.guest) >= 0 || p.guest == e.shadow.Host()
		was := slices.ContainsFunc(e.log, func(l fact.Entry) bool { return strings.Contains(string(l.Data), p.guest) })
		i := slices.IndexFunc(told, func(t sat) bool { return t.Table == string(e.id) })
		over := e.shadow.State() == table.Over
		switch {
		case i < 0 && sits && !over, i >= 0 && !was:
			w.fail("%s sits at table %s: %t, and was there: %t; of what the house has of him it is: %t", p.name, e.id, sits, was, i >= 0)
		case i >= 0 && told[i].Over != over:
			w.fail("%s is told that a game of his at table %s is over: %t", p.name, e.id, !over)
		}
	}
}
