package secrets

import (
	"context"
	"maps"
	"math/rand/v2"
	"strings"
	"time"

	"caveau/game"
	"caveau/owner"
)

// Whoever runs the house sees more tables than anybody, and no more of a game than a watcher. He may do what he likes to a table that
// nobody knows; what he does to this one is at the end (play.rules).

func init() { maps.Copy(requests, ownersRequests) }

var ownersRequests = map[string][]request{
	"/api/owner/": {
		{method: "GET", path: "/api/owner/nothing"},
		{method: "GET", path: "/api/owner/house", header: "Cookie: caveau_owner=" + forged},
	},
	"/api/owner/enter": {
		{method: "POST", path: "/api/owner/enter", body: `{"key": "dk3.` + forged + `"}`},
		{method: "POST", path: "/api/owner/enter", body: `{"key": 5}`},
		{method: "POST", path: "/api/owner/enter", body: `{"key": "x"}`, header: "Origin: https://evil.example"},
	},
	"GET /api/owner/house":          {{method: "GET", path: "/api/owner/house"}},
	"PUT /api/owner/house":          {{method: "PUT", path: "/api/owner/house", body: `{"invited": false}`}},
	"POST /api/owner/leave":         {{method: "POST", path: "/api/owner/leave", body: "{}", header: "Origin: https://evil.example"}}, // whoever leaves sees nothing more
	"GET /api/owner/tables":         {{method: "GET", path: "/api/owner/tables"}, {method: "GET", path: "/api/owner/tables?from=1"}},
	"GET /api/owner/tables/{table}": {{method: "GET", path: "/api/owner/tables/TABLE"}, {method: "GET", path: "/api/owner/tables/nowhere"}},
	"POST /api/owner/tables/{table}/close": {
		{method: "POST", path: "/api/owner/tables/nowhere/close"},
		{method: "POST", path: "/api/owner/tables/TABLE/close", header: "Origin: https://evil.example"},
	},
	"POST /api/owner/tables/{table}/unlist":   {{method: "POST", path: "/api/owner/tables/nowhere/unlist"}},
	"POST /api/owner/tables/{table}/out":      {{method: "POST", path: "/api/owner/tables/TABLE/out", body: `{"guest": "nobody"}`}},
	"POST /api/owner/guests/{guest}/nameless": {{method: "POST", path: "/api/owner/guests/nobody/nameless"}},
	"POST /api/owner/guests/{guest}/out":      {{method: "POST", path: "/api/owner/guests/nobody/out"}},
	"POST /api/owner/invitations":             {{method: "POST", path: "/api/owner/invitations", body: `{"for": "Zoe", "days": 1, "times": 1}`}},
	"DELETE /api/owner/invitations/{n}":       {{method: "DELETE", path: "/api/owner/invitations/1"}},
	"GET /api/owner/invitations/{n}/qr.svg":   {{method: "GET", path: "/api/owner/invitations/1/qr.svg"}},
	"GET /owner":                              {{method: "GET", path: "/owner"}},
	"GET /i/{invitation}":                     {{method: "GET", path: "/i/1-abc"}},
}

// ownedBy is who runs the house, over what was noted before.
func (h *house) ownedBy(c owner.Config) *owner.Owner {
	c.Secret, c.Notes, c.Lobby, c.Now, c.Origin, c.Version = []byte(key), &h.notes, h.lobby, time.Now, origin, "test"
	h.opened++
	c.Random = rand.NewChaCha8([32]byte{8, byte(h.opened)})
	c.TurnOut = func(ctx context.Context, guest string) error { return h.door.TurnOut(ctx, guest) }
	c.Sockets = func() int { return h.door.Sockets() }
	o, err := owner.New(h.t.Context(), c)
	if err != nil {
		h.t.Fatal(err)
	}
	return o
}

// ada is heard by HTTP alone.
var ada = listener{game.Watcher, "Ada", "HTTP"}

// owns has Ada come with a key: she runs the house until it is closed.
func (p *play) owns() {
	p.ada = &person{h: p.house, name: ada.name, seat: ada.seat}
	entered := p.ada.ask(request{method: "POST", path: "/api/owner/enter", body: `{"key": "` + owner.Key([]byte(key), time.Now()) + `"}`})
	p.ada.cookie = find(p.t, entered, `Set-Cookie: ([^;]+);`)
	p.named = append(p.named, p.ada)
}

// rules is what Ada may do to a table where a game runs. To close it opens what was sealed; nothing is compared after that.
func (p *play) rules() {
	sees := p.ada.ask(request{method: "GET", path: "/api/owner/tables/" + p.table})
	host := find(p.t, sees, `"hostId":"([^"]+)"`)
	for _, r := range []request{
		{method: "POST", path: "/unlist"}, {method: "POST", path: "/out", body: `{"guest": "` + host + `"}`}, {method: "POST", path: "/close"},
	} {
		if r.path == "/close" {
			p.book.turn(len(p.steps) + 2)
		}
		r.path = "/api/owner/tables/" + p.table + r.path
		if answer := p.ada.ask(r); !strings.Contains(answer, " 204 ") {
			p.t.Fatalf("Ada asked %s and was answered %s", r.path, answer)
		}
		p.ada.ask(request{method: "POST", path: "/api/owner/guests/" + host + "/nameless"})
	}
	p.mustBe("closed")
}
