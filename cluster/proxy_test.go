//go:build unix

package cluster

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A station stands for a node: it is ready or not, or hangs, says its name and what it was sent, and keeps a connection at /ws.
type station struct {
	*httptest.Server
	ready, hangs atomic.Bool
}

func open(t *testing.T, name string) *station {
	s := &station{}
	s.ready.Store(true)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/readyz" && s.hangs.Load():
			<-r.Context().Done()
		case r.URL.Path == "/readyz" && !s.ready.Load():
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/ws":
			w.Header().Set("Connection", "Upgrade")
			w.Header().Set("Upgrade", "words")
			w.WriteHeader(http.StatusSwitchingProtocols)
			conn, rw, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			fmt.Fprintf(rw, "%s\n", name)
			rw.Flush()
			io.Copy(io.Discard, conn)
		case strings.HasPrefix(r.URL.Path, "/assets/") && r.URL.Path != "/assets/"+name:
			http.NotFound(w, r)
		default:
			body, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, "%s %s %s %s", name, r.Host, r.Header.Get("X-Forwarded-For"), body)
		}
	}))
	t.Cleanup(s.CloseClientConnections)
	return s
}

func (s *station) addr() string { return s.Listener.Addr().String() }

// front is a proxy before them, when it knows that all are ready.
func front(t *testing.T, stations ...*station) (*Proxy, string) {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	var addrs []string
	for _, s := range stations {
		addrs = append(addrs, s.addr())
	}
	p := NewProxy(ctx, addrs...)
	mustBeReady(t, p, addrs...)
	web := httptest.NewServer(p)
	t.Cleanup(web.Close)
	return p, web.URL
}

func mustBeReady(t *testing.T, p *Proxy, want ...string) {
	t.Helper()
	slices.Sort(want)
	for began := time.Now(); !slices.Equal(slices.Sorted(slices.Values(p.Ready())), want); time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("ready are %v, want %v", p.Ready(), want)
		}
	}
}

func ask(t *testing.T, url, body string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Host, r.Close = "house.example", true
	r.Header.Set("X-Forwarded-For", "192.0.2.7") // nobody says where he comes from but the proxy
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// Each request goes to the next node, with the name that was asked for and the address of who asks; to those that are ready alone; and where one does not open, to
// another, whole.
func TestProxy(t *testing.T) {
	one, two := open(t, "one"), open(t, "two")
	p, url := front(t, one, two)
	said := map[string]int{}
	for range 6 {
		said[ask(t, url, "a word")]++
	}
	if said["one house.example 127.0.0.1 a word"] != 3 || said["two house.example 127.0.0.1 a word"] != 3 {
		t.Errorf("the nodes are told %v", said)
	}
	one.ready.Store(false)
	mustBeReady(t, p, two.addr())
	for range 3 {
		if a := ask(t, url, ""); !strings.HasPrefix(a, "two ") {
			t.Errorf("where one is not ready it is asked: %s", a)
		}
	}
	one.ready.Store(true)
	mustBeReady(t, p, one.addr(), two.addr())
	one.hangs.Store(true) // as a node that was stopped: it takes what is asked, and says nothing
	mustBeReady(t, p, two.addr())
	one.hangs.Store(false)
	mustBeReady(t, p, one.addr(), two.addr())
	one.Close()
	for range 3 {
		if a := ask(t, url, "many words"); a != "two house.example 127.0.0.1 many words" {
			t.Errorf("where one does not open the answer is %q", a)
		}
	}
	two.Close()
	if a := ask(t, url, ""); !strings.Contains(a, "no node is ready") {
		t.Errorf("where nobody opens the answer is %q", a)
	}
}

// Who names a node comes there while it is ready, and else to another; so does who names one that there is not.
func TestWhoNamesANode(t *testing.T) {
	one, two := open(t, "one"), open(t, "two")
	p, url := front(t, one, two)
	asks := func(node string) (all []string) {
		for range 4 {
			name, _, _ := strings.Cut(ask(t, url+"/?node="+node, ""), " ")
			all = append(all, name)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	for node, want := range map[string]string{"1": "one", "2": "two", "3": "one two", "": "one two"} {
		if all := strings.Join(asks(node), " "); all != want {
			t.Errorf("who names %q comes to %s, want %s", node, all, want)
		}
	}
	one.ready.Store(false)
	mustBeReady(t, p, two.addr())
	if all := asks("1"); !slices.Equal(all, []string{"two"}) {
		t.Errorf("who names a node that is not ready comes to %s", all)
	}
	one.ready.Store(true)
	mustBeReady(t, p, one.addr(), two.addr())
	one.Close()
	if all := asks("1"); !slices.Equal(all, []string{"two"}) {
		t.Errorf("who names a node that does not open comes to %s", all)
	}
}

// While nodes are of two builds a part of a page is found at whichever has it; and where none has it that is said.
func TestPartsOfPages(t *testing.T) {
	_, url := front(t, open(t, "one"), open(t, "two"), open(t, "three"))
	for _, name := range []string{"one", "two", "three", "three", "one"} {
		if a := ask(t, url+"/assets/"+name, ""); !strings.HasPrefix(a, name+" ") {
			t.Errorf("a part that %s has is answered with %q", name, a)
		}
	}
	if a := ask(t, url+"/assets/none", ""); a != "404 page not found" {
		t.Errorf("a part that nobody has is answered with %q", a)
	}
}

// Whoever speaks with a node that is not ready any more is cut off, and nobody else.
func TestWhoIsCutOff(t *testing.T) {
	stations := map[string]*station{"one": open(t, "one"), "two": open(t, "two")}
	p, url := front(t, stations["one"], stations["two"])
	lines := map[string]*bufio.Reader{}
	for len(lines) < 2 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "GET /ws HTTP/1.1\r\nHost: house.example\r\nConnection: Upgrade\r\nUpgrade: words\r\n\r\n")
		r := bufio.NewReader(conn)
		if answer, err := http.ReadResponse(r, nil); err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
			t.Fatalf("%v %v", answer, err)
		}
		name, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		lines[strings.TrimSpace(name)] = r
	}
	stations["one"].ready.Store(false)
	if _, err := lines["one"].ReadByte(); err != io.EOF {
		t.Errorf("whoever was with one reads %v", err)
	}
	mustBeReady(t, p, stations["two"].addr())
	for began, want := time.Now(), map[string]int{stations["one"].addr(): 0, stations["two"].addr(): 1}; ; time.Sleep(time.Millisecond) { // whoever is cut off has gone a moment later
		there := map[string]int{}
		p.mu.Lock()
		for _, d := range p.nodes {
			there[d.addr] = len(d.in)
		}
		p.mu.Unlock()
		if maps.Equal(there, want) {
			return
		}
		if time.Since(began) > 10*time.Second {
			t.Fatalf("there are %v, want %v", there, want)
		}
	}
}
