package nodes

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"caveau/guests"
	"caveau/limit"
	"caveau/server"
)

// What one may have made in a while counts at all nodes of a house (server/limit.go).

// newcomers are how many may come from one address, so soon after each other that none of them is forgotten.
const newcomers = 12

// A spending is what somebody had made at a node, on its way to another.
type spending struct{ what, address, guest string }

func (n *node) Spent(what, address, guest string) {
	n.post(&letter{kind: "spent", spent: spending{what, address, guest}})
}

func (n *node) HearSpent(hear func(what, address, guest string)) { n.spends = hear }

// crowds is that many come from one address, one after the other, to all nodes in turn. As many are let in as at one node, and one from elsewhere as well.
func (w *world) crowds() {
	var doors []*server.Server
	living, began := w.living(), time.Now()
	for _, n := range living {
		door, err := server.New(server.Config{
			Lobby: n.house(), Keeper: w.base.Log.(guests.Keeper), Secret: []byte("a secret of the house"), Origin: "http://house.example", Random: rand.NewChaCha8([32]byte{byte(w.seed), byte(n.number)}),
			Limits: server.Limits{Guests: limit.Rate{AtOnce: newcomers, PerSecond: 0.001}}, Clock: n, Others: n, Slog: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			w.fail("a server does not open: %v", err)
			return
		}
		doors = append(doors, door)
		context.AfterFunc(w.night, door.Close)
	}
	knock := func(i int, from string, answered func(code int)) {
		w.note("somebody from %s knocks at %v", from, living[i])
		r := httptest.NewRequest(http.MethodPost, "http://house.example/api/guest", strings.NewReader(`{"name":"Otto"}`))
		r.RemoteAddr = from + ":999"
		r.Header.Set("Content-Type", "application/json")
		said := httptest.NewRecorder()
		done := make(chan bool, 1)
		go func() { doors[i].ServeHTTP(said, r); done <- true }()
		w.in(200*time.Millisecond, func() {
			if len(done) == 0 {
				w.fail("%v does not answer whoever knocks", living[i])
				return
			}
			answered(said.Code)
		})
	}
	came := 0
	for k := range 3 * newcomers {
		w.in(time.Duration(k)*250*time.Millisecond, func() {
			knock(k%len(living), fmt.Sprint("192.0.2.", w.seed), func(code int) {
				if code == http.StatusOK {
					came++
				}
			})
		})
	}
	w.in(newcomers*time.Second, func() {
		if w.did["many come from one address"]++; came != newcomers && w.fine(began) {
			w.fail("%d come from one address to all nodes, and %d may", came, newcomers)
		}
		knock(0, "198.51.100.1", func(code int) {
			if code != http.StatusOK {
				w.fail("somebody comes from an address where nobody else has, and is answered %d", code)
			}
		})
	})
}
