package nodes

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/coder/websocket"

	"caveau/guests"
	"caveau/limit"
	"caveau/owner"
	"caveau/server"
	"caveau/server/servertest"
	"caveau/store/memory"
)

// What one may have made in a while, how fast he may ask and how many lines he may hold counts at all nodes of a house (server/limit.go).

const keyOfTheHouse = "the key of the house"

// newcomers are how many may come from one address, so soon after each other that none of them is forgotten.
const newcomers = 12

// A spending is what somebody had made at a node, on its way to another.
type spending struct{ what, address, guest string }

func (n *node) Spent(what, address, guest string) {
	n.post(&letter{kind: "spent", spent: spending{what, address, guest}})
}

func (n *node) HearSpent(hear func(what, address, guest string)) { n.spends = hear }

// A door is the server of a node, to which people come by their browsers, and whoever runs the house.
type door struct {
	*server.Server
	n *node
}

// doors are those of all nodes, which let nobody have more than that; of what is not said, as much as usual, and so many tables.
func (w *world) doors(limits server.Limits) (all []door) {
	w.built++
	limits.Tables = limit.Share{Guest: limit.Rate{AtOnce: mostMade, PerSecond: 0.001}, Address: limit.Rate{AtOnce: mostThere, PerSecond: 0.001}}
	noted := new(memory.Notes)
	for _, n := range w.living() {
		random := rand.NewChaCha8([32]byte{byte(w.seed), byte(n.number), w.built})
		g := gate{w.base, n}
		runs, err := owner.New(w.night, owner.Config{
			Secret: []byte(keyOfTheHouse), Notes: &notes{g, noted, w.scene.late}, Lobby: n.house(), Now: time.Now, Random: random, Origin: "http://house.example", Sockets: func() int { return 0 }, Slog: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			w.fail("it cannot be read who may come: %v", err)
			return nil
		}
		s, err := server.New(server.Config{
			Lobby: n.house(), Owner: runs, Keeper: keeper{g, w.base.Log.(guests.Keeper)}, Secret: []byte("a secret of the house"), Origin: "http://house.example", Random: random,
			Limits: limits, Others: n, Slog: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			w.fail("a server does not open: %v", err)
			return nil
		}
		all = append(all, door{s, n})
		context.AfterFunc(w.night, s.Close)
	}
	return all
}

// asks is that somebody asks something of a door, from an address, with a cookie or a token if he has one. He is answered at once, unless something is wrong.
func (d door) asks(from, shows, method, path, body string, answered func(*httptest.ResponseRecorder)) {
	w := d.n.w
	w.note("somebody from %s asks %s %s at %v", from, method, path, d.n)
	r := httptest.NewRequest(method, "http://house.example"+path, strings.NewReader(body))
	r.RemoteAddr = from + ":999"
	r.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(shows, "Bearer ") {
		r.Header.Set("Authorization", shows)
	} else if shows != "" {
		r.Header.Set("Cookie", shows)
	}
	said, asked := httptest.NewRecorder(), time.Now()
	done := make(chan bool, 1)
	go func() { d.ServeHTTP(said, r); done <- true }()
	const look = 20*time.Millisecond + 7*time.Microsecond
	var looks func()
	looks = func() {
		select {
		case <-done:
			answered(said)
			return
		default:
		}
		waits := time.Since(asked)
		switch wrong := w.meets != nil || w.trouble.Add(2*time.Second).After(asked); {
		case waits > 200*time.Millisecond && !wrong, waits > 10*time.Second+w.unheeded:
			w.fail("%v does not answer %s %s", d.n, method, path)
		default:
			w.in(look, looks)
		}
	}
	w.in(look, looks)
}

// comes is that somebody comes for the first time, and takes a name.
func (d door) comes(from string, answered func(*httptest.ResponseRecorder)) {
	d.asks(from, "", http.MethodPost, "/api/guest", `{"name":"Otto"}`, answered)
}

// given is the cookie that somebody is given.
func given(said *httptest.ResponseRecorder) (cookie string) {
	for _, c := range said.Result().Cookies() {
		if c.MaxAge >= 0 {
			cookie = c.Name + "=" + c.Value
		}
	}
	return cookie
}

// names: whoever listens to the bus does not read where people come from, if there is a door by which they come.
func (w *world) names(n *node, l *letter) {
	if w.built == 0 {
		return
	}
	if said := fmt.Sprint(l.is, l.spent); strings.Contains(said, "192.0.2.") || strings.Contains(said, "198.51.100.") {
		w.fail("%v tells all others an address: %s", n, said)
	}
}

// crowds is that many come from one address, one after the other, to all nodes in turn. As many are let in as at one node, and one from elsewhere as well.
func (w *world) crowds() {
	began, came := time.Now(), 0
	doors := w.doors(server.Limits{Guests: limit.Rate{AtOnce: newcomers, PerSecond: 0.001}})
	for k := range 3 * newcomers {
		w.in(time.Duration(k)*250*time.Millisecond, func() {
			doors[k%len(doors)].comes(fmt.Sprint("192.0.2.", w.seed), func(said *httptest.ResponseRecorder) {
				if said.Code == http.StatusOK {
					came++
				}
			})
		})
	}
	w.in(newcomers*time.Second, func() {
		if w.did["many come from one address"]++; came != newcomers && w.fine(began) {
			w.fail("%d come from one address to all nodes, and %d may", came, newcomers)
		}
		doors[0].comes("198.51.100.1", func(said *httptest.ResponseRecorder) {
			if said.Code != http.StatusOK {
				w.fail("somebody comes from an address where nobody else has, and is answered %d", said.Code)
			}
		})
	})
}

// throngs is that people from one address come to all nodes at the same moments, so that each node lets them in before it has heard of the others. What was too much is owed: in a
// minute no more have come than to one node.
func (w *world) throngs() {
	const lasts, often = 60, 0.25
	doors := w.doors(server.Limits{Guests: limit.Rate{AtOnce: newcomers, PerSecond: often}})
	w.in(10*time.Second, func() { // the house has been well for some time by then
		began, came := time.Now(), 0
		for k := range lasts {
			w.in(time.Duration(k)*time.Second, func() {
				for _, d := range doors {
					d.comes(fmt.Sprint("203.0.113.", w.seed), func(said *httptest.ResponseRecorder) {
						if said.Code == http.StatusOK {
							came++
						}
					})
				}
			})
		}
		w.in((lasts+1)*time.Second, func() {
			may := newcomers + int(lasts*often)
			if off := came - may; max(off, -off) > 2*len(doors) && w.fine(began) {
				w.fail("%d come from one address to all nodes in a minute, at the same moments, and %d may", came, may)
			} else if w.fine(began) {
				w.did["people come to all nodes at the same moments"]++
			}
		})
	})
}

// asksTooMuch is that somebody asks something of all nodes at the same moments, and much more than he may: who is known there, and others at an address where many are. What
// was too much is owed: in a minute they are answered as often as by one node.
func (w *world) asksTooMuch() {
	const lasts = 60
	his, theirs := limit.Rate{AtOnce: 10, PerSecond: 2}, limit.Rate{AtOnce: 20, PerSecond: 3}
	from := fmt.Sprint("203.0.113.", w.seed)
	doors := w.doors(server.Limits{Requests: limit.Share{Guest: his, Address: theirs}})
	doors[0].comes("198.51.100.7", func(said *httptest.ResponseRecorder) {
		cookie, elsewhere := given(said), "198.51.100.8"
		w.in(10*time.Second, func() { // the house has been well for some time by then
			began := time.Now()
			answered := map[string]int{}
			ask := func(d door, from, cookie string) {
				d.asks(from, cookie, http.MethodGet, "/api/hello", "", func(said *httptest.ResponseRecorder) {
					if said.Code == http.StatusOK {
						answered[from]++
					} else if said.Code != http.StatusTooManyRequests {
						w.fail("somebody asks %v, and is answered %d", d.n, said.Code)
					}
				})
			}
			for k := range lasts {
				w.in(time.Duration(k)*time.Second, func() {
					for _, d := range doors {
						for range 4 {
							ask(d, from, "")
						}
						for range 3 {
							ask(d, elsewhere, cookie)
						}
					}
				})
			}
			w.in((lasts+1)*time.Second, func() {
				if w.fine(began) {
					w.did["somebody asks too much of all nodes"]++
				}
				for from, rate := range map[string]limit.Rate{from: theirs, elsewhere: his} {
					may := rate.AtOnce + int(lasts*rate.PerSecond)
					if off := answered[from] - may; max(off, -off) > 4*len(doors) && w.fine(began) {
						w.fail("whoever asks all nodes at the same moments is answered %d times in a minute from %s, and may be %d times", answered[from], from, may)
					}
				}
			})
		})
	})
}

// asksEnough is that somebody asks less of all nodes together than he may ask of one, and is answered each time, though the bus brings all letters twice.
func (w *world) asksEnough() {
	const lasts, often = 40, 2 * time.Second
	doors := w.doors(server.Limits{Requests: limit.Share{Guest: limit.Rate{AtOnce: 10, PerSecond: 2}, Address: limit.Rate{AtOnce: 10, PerSecond: 2}}})
	began := time.Now().Add(10 * time.Second) // the house has been well for some time by then
	doors[0].comes(fmt.Sprint("198.51.100.1", w.seed%10), func(said *httptest.ResponseRecorder) {
		cookie := given(said)
		w.in(10*time.Second, func() {
			w.doubles = true
			w.in((lasts+2)*time.Second, func() { w.doubles = false })
			for k := range lasts * len(doors) / int(often/time.Second) {
				w.in(time.Duration(k)*often/time.Duration(len(doors)), func() {
					d := doors[k%len(doors)]
					d.asks("198.51.100.1", cookie, http.MethodGet, "/api/hello", "", func(said *httptest.ResponseRecorder) {
						if w.did["somebody asks all nodes, and not too much"]++; said.Code != http.StatusOK && w.fine(began) {
							w.fail("somebody who asks now and then by each node is answered %d by %v", said.Code, d.n)
						}
					})
				})
			}
		})
	})
}

// holdsLines is that two open lines at all nodes in turn, and others where they do: together they have as many as one node would let them have. Whoever ends his may open as
// many again, at one node, and when a node dies, those who had lines there may have some elsewhere at once.
func (w *world) holdsLines() {
	const free, his, theirs = 550, 3, 10                                                  // a fiftieth of which an address may have, and a guest three
	doors, began := w.doors(server.Limits{Sockets: free}), time.Now().Add(10*time.Second) // the house has been well for some time by then
	var up []func() bool
	// opens opens so many at the doors but for the first few, until somebody has had enough, and then looks how many are open.
	opens := func(until context.Context, first, n int, cookie string, then func(open int)) {
		up = nil
		for i := range n {
			w.in(time.Duration(i)*700*time.Millisecond, func() {
				d := doors[first+i%(len(doors)-first)]
				w.note("somebody opens a line at %v", d.n)
				is, _, end := d.opens(cookie)
				context.AfterFunc(until, end)
				up = append(up, is)
			})
		}
		w.in(time.Duration(n)*700*time.Millisecond+100*time.Millisecond, func() {
			open := 0
			for _, is := range up {
				if is() {
					open++
				}
			}
			then(open)
		})
	}
	had := func(open, may int, who string) {
		if open != may && w.fine(began) {
			w.fail("%s may have %d lines more at all nodes, and has %d", who, may, open)
		}
	}
	night, ends := context.WithCancel(w.night)
	evening, goes := context.WithCancel(w.night)
	var one, two string
	doors[0].comes("198.51.100.9", func(said *httptest.ResponseRecorder) { one = given(said) })
	w.in(time.Second, func() {
		doors[0].comes("198.51.100.9", func(said *httptest.ResponseRecorder) { two = given(said) })
	})
	ended := func(open int) {
		if open == 0 {
			w.fail("a node has died, and nobody who had a line there may have one elsewhere")
		}
		w.did["somebody opens lines at all nodes"]++
		ends()
	}
	again := func(open int) {
		if had(open, his, "one who has ended his"); w.calm {
			ends()
			return
		}
		w.dies(doors[0].n)
		w.in(3*time.Second, func() { opens(night, 1, theirs, "", ended) })
	}
	strangers := func(open int) {
		had(open, theirs-2*his, "an address")
		goes()
		w.in(2*time.Second, func() { opens(night, len(doors)-1, 2*his, one, again) })
	}
	other := func(open int) {
		had(open, his, "another guest")
		opens(night, 0, theirs, "", strangers)
	}
	w.in(10*time.Second, func() {
		opens(evening, 0, 2*his, one, func(open int) {
			had(open, his, "one guest")
			opens(night, 0, 2*his, two, other)
		})
	})
}

// signsOut: somebody signs out at one node, and is nobody at all others as well, to which he came before.
func (w *world) signsOut() {
	const from = "198.51.100.2"
	doors := w.doors(server.Limits{})
	doors[0].comes(from, func(said *httptest.ResponseRecorder) {
		cookie := given(said)
		knows := func(so bool) {
			for _, d := range doors {
				d.asks(from, cookie, http.MethodGet, "/api/hello", "", func(said *httptest.ResponseRecorder) {
					if knows := strings.Contains(said.Body.String(), `"name":"Otto"`); said.Code != http.StatusOK || knows != so {
						w.fail("somebody is signed in: %t, and %v answers him %d %s", so, d.n, said.Code, said.Body)
					}
				})
			}
		}
		knows(true)
		w.in(2*time.Second, func() {
			doors[0].asks(from, cookie, http.MethodPost, "/api/guest/end", "{}", func(said *httptest.ResponseRecorder) {
				if w.did["somebody signs out"]++; said.Code != http.StatusNoContent {
					w.fail("somebody signs out, and is answered %d", said.Code)
				}
				w.in(2*time.Second, func() { knows(false) })
			})
		})
	})
}

// opens has somebody open a line at a door, and hold it as a browser does, until he ends it. It tells whether it is up, and whether it is over.
func (d door) opens(cookie string) (up, over func() bool, end func()) {
	line, end := context.WithCancel(d.n.w.night)
	porch := servertest.NewPorch()
	web := &http.Server{Handler: d}
	go web.Serve(porch)
	context.AfterFunc(d.n.w.night, func() { web.Close() })
	browser := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		porch.Call(far)
		return near, nil
	}}}
	opened, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		conn, _, err := websocket.Dial(line, "ws://house.example/ws?protocol=3", &websocket.DialOptions{HTTPClient: browser, HTTPHeader: http.Header{"Cookie": {cookie}, "Origin": {"http://house.example"}}})
		if err != nil {
			return
		}
		close(opened)
		for err == nil {
			_, _, err = conn.Read(line)
		}
	}()
	return func() bool { return isClosed(opened) }, func() bool { return isClosed(ended) }, end
}

// signsOutUnheard: somebody signs out at one node while the bus is away, for longer than anybody says what has changed. His lines at all others end all the same, as soon as these
// ask whether he is there.
func (w *world) signsOutUnheard() {
	const from = "198.51.100.4"
	doors := w.doors(server.Limits{})
	doors[0].comes(from, func(said *httptest.ResponseRecorder) {
		cookie := given(said)
		var up, over []func() bool
		for _, d := range doors {
			is, was, _ := d.opens(cookie)
			up, over = append(up, is), append(over, was)
		}
		w.in(2*time.Second, func() {
			for i, d := range doors {
				if !up[i]() || over[i]() {
					w.fail("%v does not let somebody have a line", d.n)
				}
			}
			w.mutes(true)
			w.in(6*time.Second, func() { w.mutes(false) })
			doors[0].asks(from, cookie, http.MethodPost, "/api/guest/end", "{}", func(*httptest.ResponseRecorder) {
				if !over[0]() {
					w.fail("somebody has signed out at %v, and has his line there", doors[0].n)
				}
				w.in(25*time.Second, func() {
					for i, d := range doors {
						if w.did["somebody signs out unheard"]++; !over[i]() {
							w.fail("somebody has signed out at %v, and has his line at %v", doors[0].n, d.n)
						}
					}
				})
			})
		})
	})
}

// invites: whoever runs the house says at one node that it is for invited people, and is obeyed at all; whom he invites at another comes by any, as often as he said, and
// whom he invites no more comes by none. When he has locked his page, it is locked everywhere at once.
func (w *world) invites() {
	const from = "198.51.100.3"
	doors := w.doors(server.Limits{})
	last := doors[len(doors)-1]
	var cookie, code string
	says := func(d door, method, path, body string, answered func(*httptest.ResponseRecorder)) {
		d.asks(from, cookie, method, "/api/owner/"+path, body, func(said *httptest.ResponseRecorder) {
			if said.Code >= 300 {
				w.fail("whoever runs the house says %s %s %s at %v, and is answered %d %s", method, path, body, d.n, said.Code, said.Body)
				return
			}
			answered(said)
		})
	}
	invites := func(d door) {
		says(d, http.MethodPost, "invitations", `{"for":"some","days":1,"times":2}`, func(said *httptest.ResponseRecorder) {
			_, code, _ = strings.Cut(said.Body.String(), "/i/")
			code, _, _ = strings.Cut(code, `"`)
		})
	}
	// come: somebody comes to each door at once, and so many are let in.
	come := func(may int) {
		came, words := 0, fmt.Sprintf(`{"name":"Otto","invitation":%q}`, code)
		for _, d := range doors {
			d.asks(from, "", http.MethodPost, "/api/guest", words, func(said *httptest.ResponseRecorder) {
				if said.Code == http.StatusOK {
					came++
				}
			})
		}
		w.in(time.Second, func() {
			if came != may {
				w.fail("somebody comes to each of %d doors, and of them %d are let in, and %d may be", len(doors), came, may)
			}
		})
	}
	nothing := func(*httptest.ResponseRecorder) {}
	says(doors[0], http.MethodPost, "enter", fmt.Sprintf(`{"key":%q}`, owner.Key([]byte(keyOfTheHouse), time.Now())), func(said *httptest.ResponseRecorder) { cookie = given(said) })
	for k, then := range []func(){
		func() { says(last, http.MethodPut, "house", `{"invited":true}`, nothing) },
		func() { come(0) },
		func() { invites(doors[1]) },
		func() { come(min(2, len(doors))) },
		func() { invites(doors[0]) },
		func() {
			n, _, _ := strings.Cut(code, "-")
			says(last, http.MethodDelete, "invitations/"+n, "", nothing)
		},
		func() { come(0) },
		func() { says(doors[0], http.MethodPut, "house", `{"invited":false}`, nothing) },
		func() {
			code = ""
			come(len(doors))
			w.did["a house is for invited people"]++
		},
		func() { // he locks his page while the nodes do not hear each other
			w.mutes(true)
			says(doors[0], http.MethodPost, "leave", "", func(*httptest.ResponseRecorder) {
				last.asks(from, cookie, http.MethodGet, "/api/owner/house", "", func(said *httptest.ResponseRecorder) {
					if w.mutes(false); said.Code != http.StatusUnauthorized {
						w.fail("whoever runs the house has locked his page at %v, and %v shows it: %d", doors[0].n, last.n, said.Code)
					}
				})
			})
		},
	} {
		w.in(time.Duration(k+1)*2*time.Second, then)
	}
}
