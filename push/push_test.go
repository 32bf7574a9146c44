package push_test

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caveau/push"
)

func decode(t *testing.T, text string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The example of RFC 8291, appendix A, to the byte.
func TestTheExampleOfTheStandard(t *testing.T) {
	to := push.Subscription{
		Key:  decode(t, "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
		Auth: decode(t, "BTBZMqHH6r4Tts7J_aSIgg"),
	}
	once, err := ecdh.P256().NewPrivateKey(decode(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("When I grow up, I want to be a watermelon")
	got, err := push.SealBy(to, text, len(text)+1, decode(t, "DGv6ra1nlYgDCS1FRnbzlw"), once)
	want := "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if err != nil || base64.RawURLEncoding.EncodeToString(got) != want {
		t.Errorf("it is sealed as %s (%v)", base64.RawURLEncoding.EncodeToString(got), err)
	}
}

// A browser has keys of its own, and reads what its service passes on.
type browser struct {
	private *ecdh.PrivateKey
	auth    []byte
}

func newBrowser(t *testing.T, seed byte) browser {
	t.Helper()
	key := sha256.Sum256([]byte{seed})
	private, err := ecdh.P256().NewPrivateKey(key[:])
	if err != nil {
		t.Fatal(err)
	}
	return browser{private, bytes.Repeat([]byte{seed}, 16)}
}

func (b browser) subscribe(endpoint string, house []byte) push.Subscription {
	return push.Subscription{Endpoint: endpoint, Key: b.private.PublicKey().Bytes(), Auth: b.auth, House: house}
}

// read opens a message by the words of RFC 8188 and RFC 8291, and not by ours.
func (b browser) read(body []byte) (string, error) {
	if len(body) < 86 || binary.BigEndian.Uint32(body[16:]) < uint32(len(body)-86) || body[20] != 65 {
		return "", fmt.Errorf("a head of %d bytes", len(body))
	}
	salt, public, record := body[:16], body[21:86], body[86:]
	sender, err := ecdh.P256().NewPublicKey(public)
	if err != nil {
		return "", err
	}
	shared, err := b.private.ECDH(sender)
	if err != nil {
		return "", err
	}
	first, _ := hkdf.Extract(sha256.New, shared, b.auth)
	input, _ := hkdf.Expand(sha256.New, first, "WebPush: info\x00"+string(b.private.PublicKey().Bytes())+string(public), 32)
	second, _ := hkdf.Extract(sha256.New, input, salt)
	key, _ := hkdf.Expand(sha256.New, second, "Content-Encoding: aes128gcm\x00", 16)
	nonce, _ := hkdf.Expand(sha256.New, second, "Content-Encoding: nonce\x00", 12)
	block, err := aes.NewCipher(key)
	if err != nil {
		return "", err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	text, err := gcm.Open(nil, nonce, record, nil)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(strings.TrimRight(string(text), "\x00"), "\x02"), nil
}

// vouched checks the house's word as a service does, and answers with what it claims.
func vouched(header string, house []byte) (claims struct {
	Aud string
	Exp int64
	Sub string
}, err error) {
	token, key, _ := strings.Cut(strings.TrimPrefix(header, "vapid t="), ", k=")
	parts := strings.Split(token, ".")
	if len(parts) != 3 || key != base64.RawURLEncoding.EncodeToString(house) {
		return claims, fmt.Errorf("a word like %s", header)
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return claims, fmt.Errorf("a signature of %d bytes (%v)", len(signature), err)
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), house)
	if err != nil {
		return claims, err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return claims, errors.New("nobody has signed that")
	}
	head, _ := base64.RawURLEncoding.DecodeString(parts[0])
	if string(head) != `{"typ":"JWT","alg":"ES256"}` {
		return claims, fmt.Errorf("a head %s", head)
	}
	body, _ := base64.RawURLEncoding.DecodeString(parts[1])
	return claims, json.Unmarshal(body, &claims)
}

var now = time.Date(2026, 11, 23, 20, 0, 0, 0, time.UTC)

func newSender(t *testing.T, service http.RoundTripper) *push.Sender {
	t.Helper()
	s := push.New(push.Config{
		Secrets: [][]byte{[]byte("the secret of the house"), []byte("the one before")}, Origin: "https://games.example.org", Random: rand.NewChaCha8([32]byte{1}),
		Now: func() time.Time { return now }, Service: service,
	})
	t.Cleanup(s.Close)
	return s
}

// A service is one of our own, which sends every request to a function, and says again and again what it was asked.
type service func(*http.Request) (status int, header http.Header)

func (s service) RoundTrip(r *http.Request) (*http.Response, error) {
	status, header := s(r)
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(strings.Repeat(r.URL.String()+" ", 1<<15))), Request: r}, nil
}

// What is sent comes to the browser that asked for it, and the service knows who sent it, until when and how much it matters; no more.
func TestAServicePassesItOn(t *testing.T) {
	ana := newBrowser(t, 1)
	var got *http.Request
	var body []byte
	far := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusCreated)
	}))
	defer far.Close()
	s := newSender(t, toward(far))
	to := ana.subscribe("https://push.example.org/wake/ana", s.Key())
	err := s.Send(t.Context(), to, push.Message{Text: []byte("It is your turn"), TTL: 90 * time.Minute, Topic: "abc"})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := ana.read(body); err != nil || text != "It is your turn" {
		t.Errorf("Ana reads %q (%v)", text, err)
	}
	if text, err := newBrowser(t, 2).read(body); err == nil {
		t.Errorf("another browser reads %q", text)
	}
	claims, err := vouched(got.Header.Get("Authorization"), s.Key())
	if err != nil || claims.Aud != "https://push.example.org" || claims.Sub != "https://games.example.org" || claims.Exp != now.Add(12*time.Hour).Unix() {
		t.Errorf("the house says %+v (%v)", claims, err)
	}
	for name, want := range map[string]string{"Ttl": "5400", "Topic": "abc", "Urgency": "high", "Content-Encoding": "aes128gcm", "Cookie": "", "Referer": ""} {
		if is := got.Header.Get(name); is != want {
			t.Errorf("%s: %q, want %q", name, is, want)
		}
	}
	if got.Method != http.MethodPost || got.URL.Path != "/wake/ana" {
		t.Errorf("%s %s", got.Method, got.URL)
	}
}

// toward leads to that server, whatever name was asked for.
func toward(far *httptest.Server) http.RoundTripper { return led{far} }

type led struct{ far *httptest.Server }

func (l led) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = strings.TrimPrefix(l.far.URL, "https://")
	return l.far.Client().Transport.RoundTrip(r)
}

// Whatever it says, a message is as long as any other; one that is too long is not sent.
func TestLengthTellsNothing(t *testing.T) {
	ana := newBrowser(t, 1)
	var lengths []int64
	s := newSender(t, service(func(r *http.Request) (int, http.Header) {
		lengths = append(lengths, r.ContentLength)
		return 201, nil
	}))
	to := ana.subscribe("https://push.example.org/ana", s.Key())
	for _, text := range []string{"", strings.Repeat("x", push.LongestText)} {
		if err := s.Send(t.Context(), to, push.Message{Text: []byte(text)}); err != nil {
			t.Error(err)
		}
	}
	if len(lengths) != 2 || lengths[0] != lengths[1] || lengths[0] > 4096 {
		t.Errorf("they are %v bytes long", lengths)
	}
	if err := s.Send(t.Context(), to, push.Message{Text: make([]byte, push.LongestText+1)}); err == nil || len(lengths) != 2 {
		t.Errorf("one that is too long is sent (%v)", err)
	}
}

// What is sent again is sealed anew, also to the same browser about the same: who passes on two messages that were sealed alike could lay one upon the other.
func TestWhatIsSentAgainIsSealedAnew(t *testing.T) {
	ana := newBrowser(t, 1)
	var bodies [][]byte
	s := newSender(t, service(func(r *http.Request) (int, http.Header) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, body)
		return 201, nil
	}))
	to := ana.subscribe("https://push.example.org/ana", s.Key())
	for range 2 {
		if err := s.Send(t.Context(), to, push.Message{Text: []byte("It is your turn"), Topic: "abc"}); err != nil {
			t.Fatal(err)
		}
	}
	const salt, key = 16, 65 // RFC 8188, section 2.1: the salt, four bytes of a size, the length of the key, and the key, which is drawn anew too
	if a, b := bodies[0], bodies[1]; bytes.Equal(a[:salt], b[:salt]) || bytes.Equal(a[salt+5:salt+5+key], b[salt+5:salt+5+key]) {
		t.Error("two messages are sealed alike")
	}
}

// What a service answers is read for what it means.
func TestWhatAServiceAnswers(t *testing.T) {
	in := func(d time.Duration) http.Header {
		return http.Header{"Retry-After": {now.Add(d).Format(http.TimeFormat)}}
	}
	for _, c := range []struct {
		status int
		header http.Header
		gone   bool
		later  time.Duration // -1: never
	}{
		{200, nil, false, -1}, {202, nil, false, -1},
		{404, nil, true, -1}, {410, nil, true, -1},
		{429, nil, false, 0}, {503, nil, false, 0},
		{429, http.Header{"Retry-After": {"120"}}, false, 2 * time.Minute},
		{429, http.Header{"Retry-After": {"-5"}}, false, 0},
		{503, http.Header{"Retry-After": {"99999999999"}}, false, 24 * time.Hour},
		{503, in(time.Hour), false, time.Hour},
		{503, in(-time.Hour), false, 0},
		{503, http.Header{"Retry-After": {"soon"}}, false, 0},
		{400, nil, false, -1}, {403, nil, false, -1}, {413, nil, false, -1},
		{301, http.Header{"Location": {"https://127.0.0.1/"}}, false, -1}, // nobody goes there
	} {
		asked := 0
		s := newSender(t, service(func(*http.Request) (int, http.Header) { asked++; return c.status, c.header }))
		err := s.Send(t.Context(), newBrowser(t, 1).subscribe("https://push.example.org/ana", s.Key()), push.Message{})
		var later push.Later
		after := time.Duration(-1)
		if errors.As(err, &later) {
			after = later.After
		}
		if errors.Is(err, push.ErrGone) != c.gone || after != c.later || (err == nil) != (c.status < 300) || asked != 1 {
			t.Errorf("%d %v: %v, asked %d times", c.status, c.header, err, asked)
		}
		if err != nil && strings.Contains(err.Error(), "push.example.org") {
			t.Errorf("%d: the error names the browser's address: %v", c.status, err)
		}
	}
}

// A subscription is good under the key that it was made for: one of before too, and none of another house.
func TestAHouseThatHasAnotherKey(t *testing.T) {
	var by string
	s := newSender(t, service(func(r *http.Request) (int, http.Header) { by = r.Header.Get("Authorization"); return 201, nil }))
	before := push.New(push.Config{Secrets: [][]byte{[]byte("the one before")}})
	if bytes.Equal(before.Key(), s.Key()) {
		t.Error("two secrets give one key")
	}
	ana := newBrowser(t, 1)
	if err := s.Send(t.Context(), ana.subscribe("https://push.example.org/ana", before.Key()), push.Message{}); err != nil {
		t.Error(err)
	}
	if _, err := vouched(by, before.Key()); err != nil {
		t.Errorf("signed as %s: %v", by, err)
	}
	other := push.New(push.Config{Secrets: [][]byte{[]byte("another house")}})
	if err := s.Send(t.Context(), ana.subscribe("https://push.example.org/ana", other.Key()), push.Message{}); !errors.Is(err, push.ErrGone) {
		t.Errorf("it is sent: %v", err)
	}
}

// What nobody's browser gives is refused before anything is sent.
func TestCheck(t *testing.T) {
	good := newBrowser(t, 1).subscribe("https://push.example.org/ana?x=1", nil)
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(*push.Subscription){
		"http":     func(s *push.Subscription) { s.Endpoint = "http://push.example.org/ana" },
		"no host":  func(s *push.Subscription) { s.Endpoint = "https:///ana" },
		"relative": func(s *push.Subscription) { s.Endpoint = "/ana" },
		"password": func(s *push.Subscription) { s.Endpoint = "https://ana:1@push.example.org/" },
		"port":     func(s *push.Subscription) { s.Endpoint = "https://push.example.org:8443/" },
		"fragment": func(s *push.Subscription) { s.Endpoint = "https://push.example.org/#x" },
		"long":     func(s *push.Subscription) { s.Endpoint += strings.Repeat("x", 1024) },
		"short":    func(s *push.Subscription) { s.Auth = s.Auth[1:] },
		"no point": func(s *push.Subscription) { s.Key = append([]byte{4}, make([]byte, 64)...) },
		"no key":   func(s *push.Subscription) { s.Key = nil },
	} {
		bad := good
		spoil(&bad)
		if bad.Check() == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

// Nobody makes the house ask inside of its own network, by whatever name.
func TestNobodyLooksInside(t *testing.T) {
	for address, want := range map[string]bool{
		"8.8.8.8": true, "2a00:1450:4001:80b::200e": true, "64:ff9b::808:808": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.7": false, "169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false,
		"224.0.0.1": false, "255.255.255.255": false, "198.18.0.1": false, "240.0.0.1": false, "192.0.2.1": false,
		"::1": false, "::": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12::1": false, "ff02::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false,
		"::ffff:100.64.0.1": false, "::ffff:192.0.2.1": false, "64:ff9b::7f00:1": false, "64:ff9b::a00:1": false, "2002:7f00:1::1": false, "::7f00:1": false, "fec0::1": false, "3fff::1": false, "5f00::1": false, "100:0:0:1::1": false, "2001:db8::1": false, "64:ff9b:1::1": false,
	} {
		if got := push.IsOutside(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is outside: %v", address, got)
		}
	}
	s := newSender(t, nil)
	for _, endpoint := range []string{"https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://169.254.169.254/latest"} {
		err := s.Send(t.Context(), newBrowser(t, 1).subscribe(endpoint, s.Key()), push.Message{})
		if !errors.Is(err, push.ErrInside) {
			t.Errorf("%s is asked: %v", endpoint, err)
		}
	}
	if _, err := push.Outside().DialContext(t.Context(), "tcp", "198.41.0.4:80"); !errors.Is(err, push.ErrInside) {
		t.Errorf("another door than that of https is knocked at: %v", err)
	}
}

// A service that says nothing is waited for as long as whoever asks likes.
func TestASilentService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSender(t, silent{})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		err := s.Send(ctx, newBrowser(t, 1).subscribe("https://push.example.org/ana", s.Key()), push.Message{})
		if later := (push.Later{}); !errors.As(err, &later) || !errors.Is(later.Err, context.DeadlineExceeded) {
			t.Errorf("it is taken: %v", err)
		}
		if strings.Contains(err.Error(), "push.example.org") {
			t.Errorf("the error names the browser's address: %v", err)
		}
	})
}

type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}
