package crier_test

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caveau/crier"
	"caveau/guests"
	"caveau/lobby"
	"caveau/match/matchtest"
	"caveau/push"
	"caveau/store/storetest"
	"caveau/terms"
	"caveau/wire"
)

// A service is a push service of our own, which writes down what is brought to it.
type service struct {
	mu      sync.Mutex
	brought []string
	reads   strings.Builder // all that stands outside of what is sealed
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(&s.reads, r.URL, r.Header)
	s.brought = append(s.brought, fmt.Sprintf("%s %s, good for %s s", time.Since(start).Round(time.Second), r.URL, r.Header.Get("TTL")))
	return &http.Response{StatusCode: http.StatusCreated, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

// From the table to the push service: Ben has closed his page, it is his turn, and his browser is told so, once, and not when he is back; over
// a restart of the house too. The service does not learn which table it is.
func TestATurnReachesTheBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept, far := storetest.Memory(), &service{}
		sender := push.New(push.Config{Secrets: [][]byte{[]byte("secret")}, Random: rand.NewChaCha8([32]byte{1}), Now: time.Now, Service: far})
		quiet := slog.New(slog.DiscardHandler)
		open := func() (*lobby.Lobby, func()) {
			c := crier.New(crier.Config{Keeper: kept, Send: sender.Send, Slog: quiet})
			l, err := lobby.Open(t.Context(), lobby.Config{Log: kept, Shelf: matchtest.Shelf{}, Clock: matchtest.Clock{}, Rand: matchtest.Rand(1), Call: c.Call, Slog: quiet})
			if err != nil {
				t.Fatal(err)
			}
			c.Go(l, l.Clock())
			return l, func() { l.Close(); c.Close() }
		}
		l, shut := open()
		defer func() { shut() }()
		id, err := l.Make(t.Context(), visitor("ana"), terms.Setup{Game: "toy", Seats: 2, Sit: true, First: "A", MoveTime: 24 * 3600})
		if err != nil {
			t.Fatal(err)
		}
		ana, ben := l.Connect(visitor("ana"), func() {}), l.Connect(visitor("ben"), func() {})
		said := 0
		say := func(s *lobby.Session, c wire.Command) {
			said++
			c.ID, c.Table = fmt.Sprint(said), id
			s.Do(c)
			time.Sleep(time.Second)
		}
		say(ana, wire.Command{Do: "watch"})
		say(ben, wire.Command{Do: "watch"})
		say(ben, wire.Command{Do: "sit", Seat: "B"})
		key, err := ecdh.P256().NewPrivateKey(append(make([]byte, 31), 7))
		if err != nil {
			t.Fatal(err)
		}
		err = kept.Subscribe(t.Context(), guests.Subscription{
			Subscription: push.Subscription{Endpoint: "https://push.example/ben", Key: key.PublicKey().Bytes(), Auth: make([]byte, 16), House: sender.Key()},
			Guest:        "ben", Session: "1", Language: "fr", Made: time.Now(),
		})
		if err != nil {
			t.Fatal(err)
		}
		say(ana, wire.Command{Do: "start"})
		time.Sleep(time.Minute)
		ben.Close() // he looked on until now
		card, _, err := l.Mine(t.Context(), id, "ana")
		if err != nil || card.Turn != card.You {
			t.Fatalf("it is not Ana's turn: %+v (%v)", card, err)
		}
		entries, err := kept.Entries(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		say(ana, wire.Command{Do: "play", Seat: "A", Seq: len(entries), Move: "keep"}) // at 1m4s
		time.Sleep(time.Hour)
		shut()
		l, shut = open()
		if _, err := l.Card(context.Background(), id); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		ben = l.Connect(visitor("ben"), func() {})
		say(ben, wire.Command{Do: "watch"})
		time.Sleep(time.Hour)
		far.mu.Lock()
		defer far.mu.Unlock()
		if want := []string{"1m14s https://push.example/ben, good for 86390 s"}; !slices.Equal(far.brought, want) {
			t.Errorf("the service is brought %q, not %q", far.brought, want)
		}
		for _, words := range []string{string(id), hex.EncodeToString([]byte(id)), base64.RawURLEncoding.EncodeToString([]byte(id)), "toy", "ana", "Ana", "keep"} {
			if strings.Contains(far.reads.String(), words) {
				t.Errorf("the service reads %q, which is not for it: %s", words, &far.reads)
			}
		}
		ben.Close()
	})
}

func visitor(id string) lobby.Visitor {
	return lobby.Visitor{Guest: wire.Guest{ID: id, Name: id}}
}
