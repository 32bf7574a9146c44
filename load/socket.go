package load

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"sync"
)

// A socket is the client's end of a WebSocket (RFC 6455), as little of it as a load generator needs: it shares a machine with
// what it measures, and a library's care for strange servers would cost more than the games.
//
// One goroutine reads; any may write.
type socket struct {
	conn net.Conn
	in   *bufio.Reader
	text []byte // the last message; it is overwritten by the next

	writing sync.Mutex
	out     []byte
}

// The kinds of frames.
const (
	continuation = 0x0
	textFrame    = 0x1
	closeFrame   = 0x8
	ping         = 0x9
	pong         = 0xA
)

// longestMessage is more than any server here says at once.
const longestMessage = 16 << 20

// dial opens a WebSocket at an http address.
func dial(ctx context.Context, address, cookie string) (*socket, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" {
		return nil, fmt.Errorf("%s: load speaks http alone, so that no proxy and no cipher is measured along: give it the house's own address", address)
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	s := newSocket(conn)
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if err := s.shakeHands(u, cookie); err != nil {
		conn.Close()
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return s, nil
}

func newSocket(conn net.Conn) *socket { return &socket{conn: conn, in: bufio.NewReader(conn)} }

func (s *socket) shakeHands(u *url.URL, cookie string) error {
	var key [16]byte
	rand.Read(key[:]) // it never fails: it ends the process sooner
	r, err := http.NewRequest(http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	r.Header = http.Header{
		"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"},
		"Sec-Websocket-Key": {base64.StdEncoding.EncodeToString(key[:])},
	}
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	if err := r.Write(s.conn); err != nil {
		return err
	}
	res, err := http.ReadResponse(s.in, r)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusSwitchingProtocols {
		return fmt.Errorf("no socket: %s", res.Status)
	}
	return nil
}

// read is the next message, which stays as it is until the next read. Pings are answered on the way.
func (s *socket) read() ([]byte, error) {
	s.text = s.text[:0]
	for {
		kind, last, err := s.readFrame()
		switch {
		case err != nil:
			return nil, err
		case kind == closeFrame:
			return nil, closed(s.text)
		case kind == ping:
			if err := s.write(pong, s.text); err != nil {
				return nil, err
			}
			s.text = s.text[:0]
		case last && kind != pong:
			return s.text, nil
		}
	}
}

// closed is the error of a server that closes the socket for this reason.
func closed(reason []byte) error {
	if len(reason) < 2 {
		return io.EOF
	}
	return fmt.Errorf("the server closed the socket: %d %s", binary.BigEndian.Uint16(reason), reason[2:])
}

// readFrame adds what a frame holds to the message. A server may put a ping between the parts of a message; ours say each
// message in one part, so that this is refused rather than mended.
func (s *socket) readFrame() (kind byte, last bool, err error) {
	var head [2]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return 0, false, err
	}
	kind, last = head[0]&0xF, head[0]&0x80 != 0
	n, err := s.readLength(head[1])
	if err != nil {
		return 0, false, err
	}
	if kind >= closeFrame && len(s.text) > 0 || head[0]&0x70 != 0 || n > longestMessage-len(s.text) {
		return 0, false, errors.New("a frame that is not to be expected of this server")
	}
	at := len(s.text)
	s.text = append(s.text, make([]byte, n)...)
	_, err = io.ReadFull(s.in, s.text[at:])
	return kind, last, err
}

func (s *socket) readLength(short byte) (int, error) {
	var long [8]byte
	switch {
	case short < 126:
		return int(short), nil
	case short == 126:
		_, err := io.ReadFull(s.in, long[6:])
		return int(binary.BigEndian.Uint64(long[:])), err
	}
	_, err := io.ReadFull(s.in, long[:])
	if n := binary.BigEndian.Uint64(long[:]); n <= math.MaxInt32 {
		return int(n), err
	}
	return 0, errors.New("a message that is too long, or masked")
}

// say writes a message.
func (s *socket) say(text []byte) error { return s.write(textFrame, text) }

// write writes one frame. Its mask is all zeros, which is allowed, and leaves the bytes as they are: masks keep pages from
// cheating a proxy, and here are neither.
func (s *socket) write(kind byte, text []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.out = append(s.out[:0], 0x80|kind)
	if n := len(text); n < 126 {
		s.out = append(s.out, 0x80|byte(n))
	} else if n <= math.MaxUint16 {
		s.out = binary.BigEndian.AppendUint16(append(s.out, 0x80|126), uint16(n))
	} else {
		s.out = binary.BigEndian.AppendUint64(append(s.out, 0x80|127), uint64(n))
	}
	s.out = append(append(s.out, 0, 0, 0, 0), text...)
	_, err := s.conn.Write(s.out)
	return err
}

func (s *socket) close() { s.conn.Close() }
