package nodes

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"caveau/bus"
	"caveau/guests"
	"caveau/lobby"
	"caveau/owner"
	"caveau/server"
	"caveau/wire"
)

// What is noted once counts at all doors with the next thing that somebody asks, though no node hears another, and nobody has looked since. Whatever is good once is good once, at however many doors it
// is shown at the same moment.

// A crowd is everybody at all doors, who do one thing after the other.
type crowd struct {
	w     *world
	from  string
	doors []door
	then  []func(next func())
}

// does has something follow on what was done before.
func (c *crowd) does(step func(next func())) { c.then = append(c.then, step) }

// goes has all be done, each as soon as what was before is answered.
func (c *crowd) goes() {
	if c.w.calm || c.w.fault != "" || len(c.then) == 0 {
		return
	}
	step := c.then[0]
	c.then = c.then[1:]
	step(c.goes)
}

// A request is what somebody asks.
type request struct{ shows, method, path, body string }

// asks asks one door.
func (c *crowd) asks(d door, r request, answered func(*httptest.ResponseRecorder)) {
	d.asks(c.from, r.shows, r.method, r.path, r.body, answered)
}

// done asks one door, which does it.
func (c *crowd) done(d door, r func() request, then func(*httptest.ResponseRecorder)) {
	c.does(func(next func()) {
		is := r()
		c.asks(d, is, func(said *httptest.ResponseRecorder) {
			if said.Code >= 300 {
				c.w.fail("somebody asks %v: %s %s %s, and is answered %d %s", d.n, is.method, is.path, is.body, said.Code, said.Body)
				return
			}
			then(said)
			next()
		})
	})
}

// shown has everybody ask the same of all doors, at moments so near that none has heard of another, and of which so many may do it.
func (c *crowd) shown(what string, may int, r func() request, so func(*httptest.ResponseRecorder) bool) {
	c.does(func(next func()) {
		is, waits, did := r(), len(c.doors), 0
		answered := func(said *httptest.ResponseRecorder) {
			if so(said) {
				did++
			}
			if waits--; waits > 0 {
				return
			}
			if did != may {
				c.w.fail("%s: at %d doors at nearly the same moment, and it is so at %d, and should be at %d", what, len(c.doors), did, may)
			}
			next()
		}
		for k, d := range c.doors {
			c.w.in(time.Duration(k)*time.Millisecond, func() { c.asks(d, is, answered) })
		}
	})
}

// unread has all doors be asked while the database does not say what is noted, nor whose session has ended: none says what was so before, nor that somebody is nobody.
func (c *crowd) unread(what string, r func() request) {
	c.does(func(next func()) {
		c.w.noting = func(string, func() error) error { return errFailed }
		c.w.meets = func(k *call) error {
			if k.what == "ended" {
				return errFailed
			}
			return nil
		}
		next()
	})
	c.shown(what+", and it cannot be read", len(c.doors), r, func(said *httptest.ResponseRecorder) bool { return said.Code == http.StatusServiceUnavailable })
	c.well()
}

// lost has the answer be lost to what is noted next, until it is well again.
func (c *crowd) lost() {
	c.does(func(next func()) {
		before := true
		c.w.noting = func(what string, do func() error) error {
			err := do()
			if what == "set note" && before {
				before, err = false, errNobody
			}
			return err
		}
		next()
	})
}

// well has the database be well again.
func (c *crowd) well() {
	c.does(func(next func()) {
		c.w.meets, c.w.noting = nil, nil
		next()
	})
}

func isDone(said *httptest.ResponseRecorder) bool { return said.Code < 300 }

// isCalled tells whether somebody is told that he is called so.
func isCalled(name string) func(*httptest.ResponseRecorder) bool {
	return func(said *httptest.ResponseRecorder) bool {
		return isDone(said) && strings.Contains(said.Body.String(), fmt.Sprintf(`"name":%q`, name))
	}
}

// midst is what stands in a text after one and before another.
func midst(text, after, before string) string {
	_, text, _ = strings.Cut(text, after)
	text, _, _ = strings.Cut(text, before)
	return text
}

// saysAtOnce: whoever runs the house says one thing right after the other, by several nodes of which none hears another.
func (w *world) saysAtOnce() {
	c := &crowd{w: w, from: "198.51.100.5", doors: w.doors(server.Limits{})}
	first, last, now := c.doors[0], c.doors[len(c.doors)-1], time.Now()
	var cookie, code string
	asks := func(method, path, body string) func() request {
		return func() request { return request{cookie, method, "/api/owner/" + path, body} }
	}
	enters := func(at time.Time) func() request {
		return asks(http.MethodPost, "enter", fmt.Sprintf(`{"key":%q}`, owner.Key([]byte(keyOfTheHouse), at)))
	}
	comes := func() request {
		return request{"", http.MethodPost, "/api/guest", fmt.Sprintf(`{"name":"Otto","invitation":%q}`, code)}
	}
	house, nothing := asks(http.MethodGet, "house", ""), func(*httptest.ResponseRecorder) {}
	invites := func(d door, times int) {
		c.done(d, asks(http.MethodPost, "invitations", fmt.Sprintf(`{"for":"some","days":1,"times":%d}`, times)), func(said *httptest.ResponseRecorder) { code = midst(said.Body.String(), "/i/", `"`) })
	}
	w.mutes(true)
	c.shown("a key", 1, enters(now), func(said *httptest.ResponseRecorder) bool {
		if isDone(said) {
			cookie = given(said)
		}
		return isDone(said)
	})
	c.shown("whoever runs the house has come in", len(c.doors), house, isDone)
	c.shown("a key that was made before one that was used", 0, enters(now.Add(-3*time.Second)), isDone)
	c.done(last, asks(http.MethodPut, "house", `{"invited":true}`), nothing)
	c.does(func(next func()) { w.then(pulse+time.Second, next) })
	c.shown("a house for invited people", 0, comes, isDone)
	invites(c.doors[1%len(c.doors)], 2)
	c.done(last, comes, nothing)
	c.shown("an invitation that is good once more", 1, comes, isDone)
	invites(last, 1)
	c.shown("an invitation that is good once", 1, comes, isDone)
	invites(first, 1)
	c.lost()
	c.done(last, comes, nothing)
	c.well()
	c.shown("an invitation that somebody has come by, which was noted and not answered", 0, comes, isDone)
	for times := 1; times <= 2; times++ {
		invites(first, times)
		c.shown("whoever hears no answer, and asks again by another node", len(c.doors), func() request {
			return request{"", http.MethodPost, "/api/guest", fmt.Sprintf(`{"name":"Otto","invitation":%q,"try":"0123456789abcdef0123456789abcdef"}`, code)}
		}, isDone)
		c.shown("an invitation that somebody has come by who heard no answer", times-1, comes, isDone)
	}
	invites(first, 9)
	c.done(last, func() request {
		return request{cookie, http.MethodDelete, "/api/owner/invitations/" + midst(code, "", "-"), ""}
	}, nothing)
	c.shown("an invitation that was taken back", 0, comes, isDone)
	c.shown("whoever runs the house asks", len(c.doors), house, isDone)
	c.done(first, asks(http.MethodPost, "leave", ""), nothing)
	c.unread("whoever runs the house has locked his page", house)
	c.shown("whoever runs the house has locked his page", 0, house, isDone)
	c.does(func(func()) {
		w.did["whoever runs the house says one thing right after the other"]++
		w.mutes(false)
	})
	c.goes()
}

// doesAtOnce: somebody does one thing right after the other by several nodes of which none hears another.
func (w *world) doesAtOnce() {
	c := &crowd{w: w, from: "198.51.100.6", doors: w.doors(server.Limits{})}
	first, last := c.doors[0], c.doors[len(c.doors)-1]
	var cookie, code, token, guest string
	asks := func(method, path, body string) func() request {
		return func() request { return request{cookie, method, "/api/" + path, body} }
	}
	hello, nothing := asks(http.MethodGet, "hello", ""), func(*httptest.ResponseRecorder) {}
	bears := func() request { return request{"Bearer " + token, http.MethodGet, "/api/hello", ""} }
	takes := func() request {
		return request{"", http.MethodPost, "/api/guest/way/take", fmt.Sprintf(`{"code":%q,"sure":true}`, code)}
	}
	w.mutes(true)
	c.done(first, asks(http.MethodPost, "guest", `{"name":"Otto"}`), func(said *httptest.ResponseRecorder) {
		cookie, guest = given(said), midst(said.Body.String(), `"id":"`, `"`)
	})
	c.shown("somebody has come", len(c.doors), hello, isCalled("Otto"))
	c.unread("somebody has come", hello)
	c.done(last, asks(http.MethodPost, "guest", `{"name":"Ute"}`), nothing)
	c.shown("somebody has another name", len(c.doors), hello, isCalled("Ute"))
	for _, d := range []door{first, last} {
		c.done(d, asks(http.MethodPost, "guest/way", `{}`), func(said *httptest.ResponseRecorder) { code = midst(said.Body.String(), "/move#", ".") })
		c.shown("a link to another device", 1, takes, isDone)
		c.shown("a link to another device that was taken", 0, takes, isDone)
	}
	c.done(first, asks(http.MethodPost, "guest/way", `{}`), func(said *httptest.ResponseRecorder) { code = midst(said.Body.String(), "/move#", ".") })
	c.takenByTwo(takes)
	tokens := map[string]bool{}
	c.shown("somebody brings a program", len(c.doors), asks(http.MethodPost, "programs", `{"name":"Robo"}`), func(said *httptest.ResponseRecorder) bool {
		token = midst(said.Body.String(), `"token":"`, `"`)
		tokens[midst(said.Body.String(), `"id":"`, `"`)] = true
		return isDone(said)
	})
	c.does(func(next func()) {
		if len(tokens) != len(c.doors) {
			w.fail("somebody brings a program to each of %d doors, and has %d", len(c.doors), len(tokens))
		}
		next()
	})
	c.shown("a program comes", len(c.doors), bears, isCalled("Robo (bot)"))
	for id := range c.doors {
		c.done(c.doors[id], asks(http.MethodDelete, fmt.Sprint("programs/", id), ""), nothing)
	}
	c.shown("a program that was taken away", 0, bears, isDone)
	c.goesInVain()
	c.makesAsHeIsErased("tables", "programs", `{"name":"Robo"}`)
	c.makesAsHeIsErased("tables", "tables/played", w.gameOfDevice())
	c.makesAsHeIsErased("ended", "tables/played", w.gameOfDevice())
	c.does(func(next func()) { w.renamesAsHeIsErased(c, cookie, guest, next) })
	c.unread("somebody has gone for good", hello)
	c.shown("somebody has gone for good", 0, hello, isCalled("Ute"))
	c.does(func(func()) {
		w.did["somebody does one thing right after the other"]++
		w.mutes(false)
	})
	c.goes()
}

// takenByTwo: two who are somebody themselves take a link at two doors at nearly the same moment. Whoever comes second stays who he was.
func (c *crowd) takenByTwo(takes func() request) {
	first, last := c.doors[0], c.doors[len(c.doors)-1]
	cookies, second := map[string]string{}, ""
	for _, name := range []string{"Kim", "Lea"} {
		c.done(first, func() request { return request{"", http.MethodPost, "/api/guest", fmt.Sprintf(`{"name":%q}`, name)} }, func(said *httptest.ResponseRecorder) { cookies[name] = given(said) })
	}
	c.does(func(next func()) {
		waits, is := 2, takes()
		for k, name := range []string{"Kim", "Lea"} {
			c.w.in(time.Duration(k)*time.Millisecond, func() {
				is.shows = cookies[name]
				c.asks([]door{first, last}[k], is, func(said *httptest.ResponseRecorder) {
					if !isDone(said) {
						second = name
					}
					if waits--; waits == 0 {
						next()
					}
				})
			})
		}
	})
	c.shown("whoever came second with a link to another device", len(c.doors), func() request { return request{cookies[second], http.MethodGet, "/api/hello", ""} }, func(said *httptest.ResponseRecorder) bool { return isCalled(second)(said) })
}

// goesInVain: somebody wants to go for good by one node while a game of his device is looked at by another, which does not hear of it. He is told to try again, and has it yet; where it is looked at he goes.
func (c *crowd) goesInVain() {
	first, last := c.doors[0], c.doors[len(c.doors)-1]
	var looks *lobby.Session
	var cookie, id string
	asks := func(method, path, body string) func() request {
		return func() request { return request{cookie, method, "/api/" + path, body} }
	}
	c.done(first, asks(http.MethodPost, "guest", `{"name":"Eva"}`), func(said *httptest.ResponseRecorder) { cookie = given(said) })
	c.done(first, asks(http.MethodPost, "tables/played", c.w.gameOfDevice()), func(said *httptest.ResponseRecorder) {
		id = midst(said.Body.String(), `"table":"`, `"`)
		looks = first.n.house().Connect(lobby.Visitor{}, func() {})
		looks.Do(wire.Command{ID: "looks", Do: "watch", Table: wire.ID(id)})
	})
	c.does(func(next func()) { c.w.then(time.Second, next) })
	if first != last {
		refused := func(r func() request) {
			c.does(func(next func()) {
				c.w.meets, c.w.unheeded = func(*call) error { return nil }, 2*bus.Beat
				c.asks(last, r(), func(said *httptest.ResponseRecorder) {
					if c.w.meets, c.w.unheeded = nil, 0; said.Code != http.StatusServiceUnavailable {
						c.w.fail("somebody wants to go, or a game of his to, while that is looked at elsewhere, and is answered %d %s", said.Code, said.Body)
					}
					next()
				})
			})
		}
		refused(func() request { return asks(http.MethodDelete, "tables/played/"+id, "")() })
		refused(asks(http.MethodDelete, "guest", ""))
		c.shown("somebody could not go for good, nor his game", len(c.doors), asks(http.MethodGet, "tables/played", ""), func(said *httptest.ResponseRecorder) bool { return strings.Contains(said.Body.String(), id) })
	}
	c.done(first, asks(http.MethodDelete, "guest", ""), func(*httptest.ResponseRecorder) {
		if looks.Close(); len(c.w.base.entries(wire.ID(id))) > 0 {
			c.w.fail("somebody has gone for good, and a game of his device has not")
		}
	})
}

// makesAsHeIsErased: somebody brings a program at one door, or has a game of his device kept, while he is erased at another: as his sessions are about to end there, or as it has been found that they last where he makes it.
// Nothing of it is left.
func (c *crowd) makesAsHeIsErased(slow, path, body string) {
	w, first, last := c.w, c.doors[0], c.doors[len(c.doors)-1]
	var cookie, guest, token, table string
	c.done(first, func() request { return request{"", http.MethodPost, "/api/guest", `{"name":"Ida"}`} }, func(said *httptest.ResponseRecorder) {
		cookie, guest = given(said), midst(said.Body.String(), `"id":"`, `"`)
	})
	if first == last {
		return
	}
	c.does(func(next func()) {
		waits, asked := 2, 0
		over := func(*httptest.ResponseRecorder) {
			if waits--; waits == 0 {
				w.meets = nil
				next()
			}
		}
		erases := func() { c.asks(last, request{cookie, http.MethodDelete, "/api/guest", ""}, over) }
		makes := func() {
			c.asks(first, request{cookie, http.MethodPost, "/api/" + path, body}, func(said *httptest.ResponseRecorder) {
				if made := said.Body.String(); said.Code == http.StatusOK {
					token, table = midst(made, `"token":"`, `"`), midst(made, `"table":"`, `"`)
				}
				over(said)
			})
		}
		before, after, at := makes, erases, first.n
		if slow == "tables" {
			before, after, at = erases, makes, last.n
		}
		w.meets = func(k *call) error {
			if k.n == at && k.what == slow && string(k.id) == guest {
				if asked++; asked == 1 && slow == "tables" || asked == 2 { // he was known as he came, and is asked again before anything is made
					k.late = 900 * time.Millisecond
				}
			}
			return nil
		}
		before()
		w.then(300*time.Millisecond, after)
	})
	c.shown("what somebody has made who is erased meanwhile", 0, func() request { return request{"Bearer " + token, http.MethodGet, "/api/hello", ""} }, isCalled("Robo (bot)"))
	c.does(func(next func()) {
		if list, err := w.base.Log.(guests.Keeper).Tables(always, guest); len(list) > 0 || err != nil || len(w.base.entries(wire.ID(table))) > 0 {
			w.fail("somebody was erased, and a game of his device is kept that was brought meanwhile")
		}
		next()
	})
}

// renamesAsHeIsErased: somebody takes another name at one door, and while it is asked there whether he is signed in he is erased at another. He has no name afterwards.
func (w *world) renamesAsHeIsErased(c *crowd, cookie, guest string, next func()) {
	first, last, asked, waits := c.doors[0], c.doors[len(c.doors)-1], 0, 2
	over := func(*httptest.ResponseRecorder) {
		if waits--; waits > 0 {
			return
		}
		if names, _ := w.base.Names(always, guest); names[guest] != "" {
			w.fail("somebody was erased, and is called %s", names[guest])
		}
		w.meets = nil
		next()
	}
	w.meets = func(k *call) error {
		if k.n == first.n && k.what == "ended" && string(k.id) == guest {
			if asked++; asked == 2 { // he was known as he came, and is asked again before he is renamed
				k.late = 900 * time.Millisecond
			}
		}
		return nil
	}
	c.asks(first, request{cookie, http.MethodPost, "/api/guest", `{"name":"Uwe"}`}, over)
	w.then(100*time.Millisecond, func() { c.asks(last, request{cookie, http.MethodDelete, "/api/guest", ""}, over) })
}
