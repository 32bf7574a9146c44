package secrets

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"caveau/fact"
	"caveau/game"
	"caveau/lobby"
	"caveau/owner"
	"caveau/server"
)

// Here stands every way on which something leaves the house, and what the twin worlds do on it. TestEveryPathIsListed
// compares these lists with the sources: what is added there fails until it stands here, and what stands here is done in
// both worlds by every audience.

// requests are by the route that answers, as the server writes it.
var requests = map[string][]request{
	"GET /api/hello": {
		{method: "GET", path: "/api/hello"}, {method: "HEAD", path: "/api/hello"},
		{method: "GET", path: "http://evil.example/api/hello"},
		{method: "GET", path: "/api/hello", header: "Cookie: caveau_guest=" + forged},
	},
	"POST /api/guest": {
		{method: "POST", path: "/api/guest", body: `{"name": "Zoe"}`},
		{method: "POST", path: "/api/guest", body: `{"name": ""}`},
		{method: "POST", path: "/api/guest", body: `{"name": "Keen bot"}`},
		{method: "POST", path: "/api/guest", body: `{"name": "Zoe", "seat": "A"}`},
		{method: "POST", path: "/api/guest", body: `{"name": "` + strings.Repeat("Zoe", 2000) + `"}`},
		{method: "POST", path: "/api/guest", body: `{"name": "Zoe"}`, header: "Origin: https://evil.example"},
	},
	"DELETE /api/guest": {
		{method: "DELETE", path: "/api/guest"},
		{method: "DELETE", path: "/api/guest", header: "Origin: https://evil.example"},
	},
	"POST /api/guest/end": {
		{method: "POST", path: "/api/guest/end", body: `{}`, header: "Cookie: caveau_guest=" + forged},
		{method: "POST", path: "/api/guest/end", body: `{"others": true}`},
		{method: "POST", path: "/api/guest/end", body: `{"others": true}`, header: "Origin: https://evil.example"},
		{method: "POST", path: "/api/guest/end", body: `{"guest": "Ana"}`},
	},
	"POST /api/guest/way": {
		{method: "POST", path: "/api/guest/way", body: `{"table": "TABLE"}`},
		{method: "POST", path: "/api/guest/way", body: `{"table": "/"}`},
		{method: "POST", path: "/api/guest/way", body: `{}`, header: "Origin: https://evil.example"},
	},
	"POST /api/guest/way/take": { // a good code is nobody's but who was told it: session_test.go of server
		{method: "POST", path: "/api/guest/way/take", body: `{"code": "00"}`},
		{method: "POST", path: "/api/guest/way/take", body: `{"code": "", "sure": true}`},
	},
	"GET /move":                      {{method: "GET", path: "/move"}},
	"GET /api/guest/export":          {{method: "GET", path: "/api/guest/export"}}, // which names tables, and tells nothing of them
	"GET /api/passkeys":              {{method: "GET", path: "/api/passkeys"}},
	"POST /api/passkeys":             {{method: "POST", path: "/api/passkeys", body: `{"name": "Zoe", "made": {}}`}}, // at an address there are none
	"POST /api/passkeys/make":        {{method: "POST", path: "/api/passkeys/make"}},
	"POST /api/passkeys/ask":         {{method: "POST", path: "/api/passkeys/ask"}},
	"POST /api/passkeys/show":        {{method: "POST", path: "/api/passkeys/show", body: `{}`}},
	"DELETE /api/passkeys/{passkey}": {{method: "DELETE", path: "/api/passkeys/AAAA"}, {method: "DELETE", path: "/api/passkeys/!"}},
	"GET /api/programs":              {{method: "GET", path: "/api/programs"}, {method: "GET", path: "/api/programs", header: "Authorization: Bearer " + forged}},
	"POST /api/programs": {
		{method: "POST", path: "/api/programs", body: `{"name": "Robbie"}`},
		{method: "POST", path: "/api/programs", body: `{"name": "Robbie", "seat": "A"}`},
		{method: "POST", path: "/api/programs", body: `{"name": "Robbie"}`, header: "Origin: https://evil.example"},
	},
	"DELETE /api/programs/{program}": {{method: "DELETE", path: "/api/programs/0"}, {method: "DELETE", path: "/api/programs/!"}},
	"GET /api/notices":               {{method: "GET", path: "/api/notices"}},
	"POST /api/notices": {
		{method: "POST", path: "/api/notices", body: notice},
		{method: "POST", path: "/api/notices", body: strings.Replace(notice, "https", "http", 1)},
		{method: "POST", path: "/api/notices", body: notice, header: "Origin: https://evil.example"},
	},
	"DELETE /api/notices": {{method: "DELETE", path: "/api/notices", body: `{"endpoint": "https://push.example/1"}`}},
	"GET /api/tables":     {{method: "GET", path: "/api/tables"}},
	"POST /api/tables": {
		{method: "POST", path: "/api/tables", body: `{"game": "dawn-under", "edition": "2004", "seats": 3, "sit": true, "listed": true}`},
		{method: "POST", path: "/api/tables", body: `{"game": "toc-toc-toc", "edition": "", "seats": 3}`},
		{method: "POST", path: "/api/tables", body: `{"game": "dawn-under", "seats": 2, "choices": {"bare": ["a1", "a1"]}}`},
		{method: "POST", path: "/api/tables", body: `{"game": "chess", "seats": 2}`},
		{method: "POST", path: "/api/tables", body: `{"record": {"format": "caveau/1", "game": "chess"}}`}, // a good one is in imported_test.go
		{method: "POST", path: "/api/tables", body: `[]`},
	},
	"GET /api/tables/mine":   {{method: "GET", path: "/api/tables/mine"}},
	"GET /api/tables/played": {{method: "GET", path: "/api/tables/played"}, {method: "GET", path: "/api/tables/played?after=TABLE"}},
	"POST /api/tables/played": {
		{method: "POST", path: "/api/tables/played", body: `{"format": "caveau/1", "game": "chess"}`}, // a good one is over, and has no secrets
		{method: "POST", path: "/api/tables/played", body: `{}`, header: "Origin: https://evil.example"},
	},
	"DELETE /api/tables/played/{table}": {{method: "DELETE", path: "/api/tables/played/TABLE"}, {method: "DELETE", path: "/api/tables/played/nowhere"}},
	"GET /api/tables/{table}": {
		{method: "GET", path: "/api/tables/TABLE"},
		{method: "GET", path: "/api/tables/nowhere"},
	},
	"GET /api/tables/{table}/qr.svg": {
		{method: "GET", path: "/api/tables/TABLE/qr.svg"},
		{method: "GET", path: "/api/tables/nowhere/qr.svg"},
	},
	"GET /api/tables/{table}/record": { // before the end; afterwards a record has no secrets
		{method: "GET", path: "/api/tables/TABLE/record"},
		{method: "GET", path: "/api/tables/nowhere/record"},
	},
	"GET /api/tables/{table}/story": { // as its record
		{method: "GET", path: "/api/tables/TABLE/story"},
		{method: "GET", path: "/api/tables/nowhere/story"},
	},
	"GET /api/tables/{table}/advice": {
		{method: "GET", path: "/api/tables/TABLE/advice"},
		{method: "GET", path: "/api/tables/nowhere/advice"},
	},
	"GET /healthz": {{method: "GET", path: "/healthz"}},
	"GET /readyz":  {{method: "GET", path: "/readyz"}},
	"GET /ws": { // what is no handshake, or not one of ours; the others listen on it all the time
		{method: "GET", path: "/ws?protocol=3"},
		{method: "GET", path: "/ws?protocol=3&guest=none"},
		{method: "GET", path: "/ws?protocol=3", header: handshake + "\r\nOrigin: https://evil.example"},
	},
	"/api/": {
		{method: "GET", path: "/api/tables/TABLE/state"},
		{method: "DELETE", path: "/api/tables/TABLE"},
		{method: "PUT", path: "/api/tables/TABLE/record", body: "{}"},
	},
	"GET /t/{table}":        {{method: "GET", path: "/t/TABLE"}, {method: "GET", path: "/t/nowhere"}},
	"GET /t/{table}/screen": {{method: "GET", path: "/t/TABLE/screen"}, {method: "GET", path: "/t/nowhere/screen"}},
	"GET /rules":            {{method: "GET", path: "/rules"}},
	"GET /rules/{book}":     {{method: "GET", path: "/rules/2004"}, {method: "GET", path: "/rules/TABLE"}},
	"GET /verify":           {{method: "GET", path: "/verify"}},
	"GET /replay/{table}":   {{method: "GET", path: "/replay/TABLE"}, {method: "GET", path: "/replay/nowhere"}},
	"GET /privacy":          {{method: "GET", path: "/privacy"}},
	"GET /games":            {{method: "GET", path: "/games"}},
	"GET /here":             {{method: "GET", path: "/here"}},
	"GET /learn":            {{method: "GET", path: "/learn"}},
	"GET /learn/{lesson}":   {{method: "GET", path: "/learn/2004"}}, // it is given in the page: the house knows nothing of it
	"GET /here/{table}":     {{method: "GET", path: "/here/TABLE"}}, // a table of the page's own: the house knows nothing of it

	"GET /here/{table}/replay": {{method: "GET", path: "/here/TABLE/replay"}}, // as GET /here/{table}
	"/pocket.js":               {{method: "GET", path: "/pocket.js"}},
	"/": {
		{method: "GET", path: "/"},
		{method: "GET", path: "/assets/app-1.js", header: "Accept-Encoding: gzip"},
		{method: "GET", path: "/nothing"},
		{method: "POST", path: "/", body: "{}"},
	},
}

// notice is where a browser wants to be told something.
const notice = `{"subscription": {"endpoint": "https://push.example/1", "keys": {"auth": "BTBZMqHH6r4Tts7J_aSIgg",
	"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}}, "language": "fr"}`

// endings are the routes after which somebody is nobody; who plays goes on.
var endings = []string{"DELETE /api/guest", "POST /api/guest/end"}

// forged is a cookie that the house has not marked.
const forged = "eyJpZCI6IjAxMjMiLCJuYW1lIjoiWm9lIn0.bm9uZSBvZiBvdXIgb3duIG1hcmtz"

// A command is said on a socket: TABLE is the table, SEQ its newest frame, SEAT a seat of one's own or A, OTHER somebody
// else's, WORDS words that are no move of his now, BITS a number that nobody sealed, ID a new one.
type command struct {
	text string
	by   by
}

// by is who may say it without changing the table; what does change it is in the scenes of play_test.go.
type by int

const (
	anybody by = iota
	guests     // all but the host
	lookers    // who sits nowhere
)

// commands are by what `do` says.
var commands = map[string][]command{
	"watch": {
		{`{"id": "ID", "do": "watch", "table": "TABLE"}`, anybody},
		{`{"id": "ID", "do": "watch", "table": "TABLE", "seq": 1}`, anybody},
		{`{"id": "ID", "do": "watch", "table": "TABLE", "seq": SEQ}`, anybody},
		{`{"id": "ID", "do": "watch", "table": "TABLE", "seq": 99999}`, anybody},
		{`{"id": "ID", "do": "watch", "table": "nowhere"}`, anybody},
	},
	"unwatch": {
		{`{"id": "ID", "do": "unwatch", "table": "nowhere"}`, anybody},
		{`{"id": "ID", "do": "unwatch", "table": "TABLE"}`, lookers},
	},
	"sit": {
		{`{"id": "ID", "do": "sit", "table": "TABLE", "seat": "SEAT"}`, anybody},
		{`{"id": "ID", "do": "sit", "table": "TABLE", "seat": "OTHER"}`, anybody},
		{`{"id": "ID", "do": "sit", "table": "TABLE", "seat": "Z"}`, anybody},
	},
	"leave": {{`{"id": "ID", "do": "leave", "table": "TABLE"}`, lookers}},
	"bot":   {{`{"id": "ID", "do": "bot", "table": "TABLE", "seat": "A", "bot": "random"}`, anybody}},
	"start": {{`{"id": "ID", "do": "start", "table": "TABLE"}`, guests}},
	"play": {
		{`{"id": "ID", "do": "play", "table": "TABLE", "seat": "SEAT", "seq": SEQ, "move": "WORDS"}`, anybody},
		{`{"id": "ID", "do": "play", "table": "TABLE", "seat": "SEAT", "seq": SEQ, "move": "WORDS"}`, anybody},
		{`{"id": "ID", "do": "play", "table": "TABLE", "seat": "SEAT", "seq": SEQ, "move": "WORDS"}`, anybody},
		{`{"id": "ID", "do": "play", "table": "TABLE", "seat": "OTHER", "seq": SEQ, "move": "WORDS"}`, anybody},
		{`{"id": "ID", "do": "play", "table": "TABLE", "seat": "SEAT", "seq": 1, "move": "WORDS"}`, anybody},
		{`{"id": "ID", "do": "play", "table": "TABLE", "seat": "SEAT", "seq": 99999, "move": "WORDS"}`, anybody},
		{`{"id": "ID", "do": "play", "table": "nowhere", "seat": "SEAT", "seq": SEQ, "move": "WORDS"}`, anybody},
	},
	"seal": {
		{`{"id": "ID", "do": "seal", "table": "TABLE", "bits": "00"}`, anybody},
		{`{"id": "ID", "do": "seal", "table": "TABLE", "bits": "BITS"}`, lookers},
	},
	"unseal": {{`{"id": "ID", "do": "unseal", "table": "TABLE", "bits": "BITS"}`, anybody}}, // it is no one's number
	"break":  {{`{"id": "ID", "do": "break", "table": "TABLE"}`, guests}},
	"close":  {{`{"id": "ID", "do": "close", "table": "TABLE"}`, guests}},
	"free": {
		{`{"id": "ID", "do": "free", "table": "TABLE", "seat": "OTHER"}`, guests},
		{`{"id": "ID", "do": "free", "table": "TABLE", "seat": "Z"}`, anybody},
	},
	"agree":   {{`{"id": "ID", "do": "agree", "table": "TABLE", "seq": SEQ}`, anybody}}, // nothing is asked
	"decline": {{`{"id": "ID", "do": "decline", "table": "TABLE", "seq": SEQ}`, anybody}},
	"rematch": {{`{"id": "ID", "do": "rematch", "table": "TABLE"}`, lookers}},
	"phrase": {
		{`{"id": "ID", "do": "phrase", "table": "TABLE", "move": "thanks"}`, anybody},
		{`{"id": "ID", "do": "phrase", "table": "TABLE", "move": "WORDS"}`, anybody},
	},
	"lobby":   {{`{"id": "ID", "do": "lobby"}`, anybody}},
	"unlobby": {{`{"id": "ID", "do": "unlobby"}`, anybody}},
	"ping":    {{`{"id": "ID", "do": "ping"}`, anybody}},
	"": { // what is no command
		{`{"id": "ID", "do": "peek", "table": "TABLE", "seat": "OTHER"}`, anybody},
		{`{"do": "ping"}`, anybody},
		{`{"id": 5`, anybody},
		{`{"id": "ID", "do": "play", "move": "` + strings.Repeat("open d3 ", 600) + `"}`, anybody},
	},
}

// doors are where the parts of the house meet: each is either written down in the twin worlds, or why it need not be.
var doors = map[string]string{
	"lobby.Config.Log":        "every entry says all: it is the one place where a secret is kept, and no audience reads it",
	"lobby.Config.Deeds":      "names of tables, and of nobody and nothing else",
	"lobby.Config.Bus":        "every letter is compared, in bus_test.go",
	"lobby.Config.Node":       "a number",
	"lobby.Config.Shelf":      "what a bot is handed is written down by scribe",
	"lobby.Config.Clock":      "the time of every byte is compared",
	"lobby.Config.Rand":       "the same stream in both worlds; the secret of the deal is planted",
	"lobby.Config.Tables":     "they count and do not look",
	"lobby.Config.Untouched":  "a time",
	"lobby.Config.KeepPlayed": "a time",
	"lobby.Config.Thinking":   "a number",
	"lobby.Config.Call":       "compared, as the server's log",
	"lobby.Config.Slog":       "compared, at every level",

	"server.Config.Lobby":   "what it says comes out of the sockets",
	"server.Config.Keeper":  "it knows guests, and no card: whose session has ended, their passkeys, where they sat",
	"server.Config.Older":   "as server.Config.Secret",
	"server.Config.Secret":  "the same in both worlds; a cookie that tells it is no cookie that tells a card",
	"server.Config.Origin":  "the same in both worlds",
	"server.Config.Client":  "its files are asked for",
	"server.Config.Proxies": "they say where somebody asks from, and that is only counted",
	"server.Config.Hosts":   "names that are asked for; a request for another one is among these",
	"server.Config.Owner":   "asked over HTTP, by everybody and by Ada",
	"server.Config.Ready":   "asked by /readyz",
	"server.Config.Clock":   "the time of every byte is compared",
	"server.Config.Random":  "the same stream in both worlds",
	"server.Config.Limits":  "they count and do not look",
	"server.Config.Others":  "what they are told is compared",
	"server.Config.Push":    "the same in both worlds",
	"server.Config.Slog":    "compared, at every level",
	"server.Config.Version": "the same in both worlds",

	"owner.Config.Secret":  "the same in both worlds; the server's log has neither keys nor cookies",
	"owner.Config.Older":   "as Secret",
	"owner.Config.Notes":   "what the owner said, and no table",
	"owner.Config.Lobby":   "what it says is asked for over HTTP",
	"owner.Config.Now":     "the time of every byte is compared",
	"owner.Config.Wall":    "as Now",
	"owner.Config.Random":  "the same stream in both worlds",
	"owner.Config.Origin":  "the same in both worlds",
	"owner.Config.Invited": "it keeps people out",
	"owner.Config.TurnOut": "it is told a guest's id",
	"owner.Config.Sockets": "a number of connections",
	"owner.Config.Version": "the same in both worlds",
	"owner.Config.Slog":    "compared, at every level",
	"owner.Owner.Answer":   "asked over HTTP, by everybody and by Ada",
	"owner.Owner.Invited":  "it says who may come",
	"owner.Owner.Redeem":   "asked over HTTP, in owner's own tests: it knows no table",

	"lobby.Lobby.CloseTable": "asked for over HTTP",
	"lobby.Lobby.Unlist":     "asked for over HTTP",
	"lobby.Lobby.TurnOut":    "asked for over HTTP",
	"lobby.Lobby.Sight":      "asked for over HTTP",
	"lobby.Lobby.Unfinished": "asked for over HTTP",

	"lobby.Lobby.Advice":       "asked for over HTTP",
	"lobby.Lobby.Bots":         "names of bots",
	"lobby.Lobby.Called":       "asked for over HTTP",
	"lobby.Lobby.Card":         "asked for over HTTP",
	"lobby.Lobby.Cards":        "asked for over HTTP, and on the lobby's socket",
	"lobby.Lobby.CheckArchive": "it replays what is over, and those records have no secrets; of a move it names the number and the rule",
	"lobby.Lobby.Changed":      "a guest's id, for other nodes",
	"lobby.Lobby.Close":        "the house is closed and opened again in the middle of games",
	"lobby.Lobby.Connect":      "every socket",
	"lobby.Lobby.Games":        "asked for over HTTP",
	"lobby.Lobby.Counts":       "they count and name nobody; whoever runs the house sees them, at an address of their own",
	"lobby.Lobby.Drop":         "as lobby.Lobby.Keep: it deletes one",
	"lobby.Lobby.Count":        "how much guests and addresses have asked for, in portions, and how many lines they have: server.Server.count; no table is named, and nothing that is said there",
	"lobby.Lobby.Heed":         "as lobby.Lobby.Changed",
	"lobby.Lobby.Keep":         "asked for over HTTP; what is kept was played elsewhere, is over, and has no secrets",
	"lobby.Lobby.KeepsPlayed":  "a time",
	"lobby.Lobby.Ended":        "that this node has lost its lease, which follows from time alone",
	"lobby.Lobby.Deaf":         "as lobby.Lobby.Ended: it says when, and nothing else",
	"lobby.Lobby.Clock":        "a time",
	"lobby.Lobby.Make":         "asked for over HTTP",
	"lobby.Lobby.Mine":         "asked for over HTTP",
	"lobby.Lobby.Played":       "asked for over HTTP, of games that are over",
	"lobby.Lobby.Rename":       "asked for over HTTP",
	"lobby.Lobby.Record":       "asked for over HTTP; it is refused before the end",
	"lobby.Lobby.Shared":       "whether there are other nodes",
	"lobby.Lobby.Story":        "as lobby.Lobby.Record, of which it is made",

	"lobby.Session.Close":  "every socket",
	"lobby.Session.Cut":    "a socket that is too slow is closed; there is nothing in it",
	"lobby.Session.Do":     "commands",
	"lobby.Session.Take":   "every socket",
	"lobby.Session.Refuse": "every socket",
	"lobby.Session.Tell":   "every socket",
	"lobby.Session.Who":    "whoever said it himself",

	"caveau backup":    "it writes the database, which has every secret, for whoever runs the house; it says how much is in it, and where the key lies",
	"caveau env":       "no house is open there: whoever runs it plays all the seats himself",
	"caveau health":    "it asks /readyz",
	"caveau lab":       "no house is open there: bots play among themselves, and the games are counted",
	"caveau load":      "it is a client, and counts",
	"caveau owner":     "it reads the key of the house, and prints what follows from it",
	"caveau restore":   "as caveau backup",
	"caveau serve":     "it is what house_test.go opens; on its standard output it says where and, for load tests, how much was written",
	"caveau trace":     "it reads a record, which has no secrets",
	"caveau recall":    "as caveau verify",
	"caveau verify":    "it reads a record, which has no secrets",
	"caveau version":   "it knows no game",
	"caveau yardstick": "it knows no game",
}

// counted are the numbers that a house shows to whoever watches over it, and why he may have each: he reads the log of the process, and need not be
// able to read that of the tables. What is played is counted and timed, and not measured: how long an entry is tells what it may say.
var counted = map[string]string{
	"caveau_tables":          "compared: lobby.Lobby.Counts",
	"caveau_sockets":         "compared",
	"caveau_answers_total":   "compared: the codes of refusals",
	"caveau_entries_total":   "each entry, whatever it says",
	"caveau_commits_total":   "those that had to wait for each other",
	"caveau_write_seconds":   "how long the disk took for as many; an entry is short next to a page of it",
	"caveau_bots":            "how long a bot thinks he can see, who could have it think about anything",
	"caveau_nodes":           "how many there are, of the whole house",
	"caveau_outages":         "compared: lobby.Lobby.Counts",
	"caveau_log_lines_total": "compared: the lines themselves",
	"caveau_goroutines":      "of the whole process",
}

// noRoutes look like routes, and are parts of addresses, or are compared with one.
var noRoutes = []string{"/t/", "/i/", "/verify", "/replay/", "/ws", "/readyz", "/api/hello", "/api/tables", "/api/tables/", "/invitation.jpg"}

func TestEveryPathIsListed(t *testing.T) {
	// Whatever looks like a route is one, wherever it stands.
	route := regexp.MustCompile(`^([A-Z]+ )?/\S*$`)
	picked := func(n ast.Node) ast.Expr {
		lit, ok := n.(*ast.BasicLit)
		if text, err := strconv.Unquote(textOf(lit)); ok && err == nil && route.MatchString(text) && !slices.Contains(noRoutes, text) {
			return lit
		}
		return nil
	}
	routes := append(literals(t, "../server", picked), literals(t, "../owner", picked)...)
	same(t, "routes of the house", routes, keys(requests))
	told := slices.DeleteFunc(keys(commands), func(do string) bool { return do == "" })
	same(t, "commands of the house", commandsIn(t), told)
	same(t, "commands of docs/protocol.md", found(t, "../docs/protocol.md", `"do": "([a-z]+)"`), told)
	same(t, "numbers of the house", literals(t, "../cmd/caveau", func(n ast.Node) ast.Expr {
		lit, ok := n.(*ast.BasicLit)
		if ok && strings.HasPrefix(lit.Value, `"caveau_`) {
			return lit
		}
		return nil
	}), keys(counted))
	var there []string
	there = append(there, fieldsOf[lobby.Config]()...)
	there = append(there, fieldsOf[server.Config]()...)
	there = append(there, fieldsOf[owner.Config]()...)
	there = append(there, methodsOf[*owner.Owner]()...)
	there = append(there, methodsOf[*lobby.Lobby]()...)
	there = append(there, methodsOf[*lobby.Session]()...)
	for _, name := range found(t, "../cmd/caveau/main.go", `(?m)^\t\{"([a-z]+)", "`) {
		there = append(there, "caveau "+name)
	}
	same(t, "doors", there, keys(doors))
}

// What is served elsewhere, and never here: it is not there, as nothing is that nobody thought of.
func TestNothingElseIsServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, &world{secret: func(e fact.Entry) fact.Entry { return e }})
		h.open(examined)
		defer h.close()
		eve := &person{h: h, name: "Eve", seat: game.Watcher}
		for _, path := range []string{
			"/debug/pprof/", "/debug/pprof/heap", "/debug/vars", "/debug/requests", "/metrics", "/status", "/server-status", "/stats", "/admin", "/console",
			"/caveau.db", "/caveau.db-key", "/caveau.db-wal", "/../caveau.db", "/%2e%2e/caveau.db", "/assets/../../caveau.db", "/assets/", "/.git/config", "/.env",
			"/index.html.map", "/assets/app-1.js.map", "/api/", "/api/debug", "/api/sessions", "/api/guests", "/api/log", "/api/tables/x/log", "/api/tables/x/deal",
		} {
			if answer := eve.ask(request{method: "GET", path: path}); !strings.HasPrefix(answer, "HTTP/1.1 404 ") && !strings.HasPrefix(answer, "HTTP/1.1 30") {
				t.Errorf("%s is answered with %.300s", path, answer)
			}
		}
	})
}

// same compares two lists of names.
func same(t *testing.T, what string, there, listed []string) {
	t.Helper()
	for _, name := range there {
		if !slices.Contains(listed, name) {
			t.Errorf("%s: %q is not in the list of package secrets; see there what is to be done before it may stand in it", what, name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(there, name) {
			t.Errorf("%s: %q is in the list of package secrets, and nowhere else", what, name)
		}
	}
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// literals are the strings that pick points at in the sources of a package, each once.
func literals(t *testing.T, dir string, pick func(ast.Node) ast.Expr) []string {
	t.Helper()
	all := map[string]bool{}
	for _, file := range sources(t, dir) {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := pick(n).(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				all[text] = true
			}
			return true
		})
	}
	return keys(all)
}

func sources(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no sources (%v)", dir, err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

func textOf(lit *ast.BasicLit) string {
	if lit == nil {
		return ""
	}
	return lit.Value
}

// commandsIn are what the house compares a command's Do with, and the keys of its decisions.
func commandsIn(t *testing.T) []string {
	isDo := func(e ast.Expr) bool {
		sel, ok := e.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Do"
	}
	var all []string
	for _, dir := range []string{"../table", "../match", "../lobby"} {
		all = append(all, literals(t, dir, func(n ast.Node) ast.Expr {
			if b, ok := n.(*ast.BinaryExpr); ok && isDo(b.X) {
				return b.Y
			}
			return nil
		})...)
		for _, file := range sources(t, dir) {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SwitchStmt:
					for _, c := range n.Body.List {
						if n.Tag != nil && isDo(n.Tag) {
							all = append(all, texts(c.(*ast.CaseClause).List)...)
						}
					}
				case *ast.ValueSpec:
					if n.Names[0].Name == "decisions" {
						for _, e := range n.Values[0].(*ast.CompositeLit).Elts {
							all = append(all, texts([]ast.Expr{e.(*ast.KeyValueExpr).Key})...)
						}
					}
				}
				return true
			})
		}
	}
	return all
}

func texts(list []ast.Expr) (all []string) {
	for _, e := range list {
		if lit, ok := e.(*ast.BasicLit); ok {
			all = append(all, strings.Trim(lit.Value, `"`))
		}
	}
	return all
}

// found is what a pattern finds in a file.
func found(t *testing.T, path, pattern string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(all, m[1]) {
			all = append(all, m[1])
		}
	}
	return all
}

func fieldsOf[T any]() (names []string) {
	typ := reflect.TypeFor[T]()
	for i := range typ.NumField() {
		names = append(names, typ.String()+"."+typ.Field(i).Name)
	}
	return names
}

// methodsOf leaves out those of an embedded Config, which are no doors of their own.
func methodsOf[T any]() (names []string) {
	typ := reflect.TypeFor[T]()
	for i := range typ.NumMethod() {
		names = append(names, strings.TrimPrefix(typ.String(), "*")+"."+typ.Method(i).Name)
	}
	return names
}
