package bundle

import (
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
)

// A counted connection keeps what is written to it, a call an item.
type counted struct {
	net.Conn
	writes []string
	err    error
}

func (c *counted) Write(data []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	c.writes = append(c.writes, string(data))
	return len(data), nil
}

func TestWhatIsHeldGoesOutAtOnce(t *testing.T) {
	conn := new(counted)
	b := New()
	b.Conn = conn
	write := func(text string) {
		if n, err := b.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatalf("%d bytes are taken of %q (%v)", n, text, err)
		}
	}
	write("a")
	b.Hold()
	write("answer ")
	write("frame")
	if len(conn.writes) != 1 {
		t.Errorf("while it is held, %q goes out", conn.writes[1:])
	}
	if err := b.Release(); err != nil {
		t.Fatal(err)
	}
	write("z")
	if want := []string{"a", "answer frame", "z"}; !slices.Equal(conn.writes, want) {
		t.Errorf("%q goes out, not %q", conn.writes, want)
	}
}

// What is too much to be held goes out at once, and in order.
func TestWhatIsHeldHasAnEnd(t *testing.T) {
	conn := new(counted)
	b := New()
	b.Conn = conn
	b.Hold()
	for range 100 {
		b.Write([]byte(strings.Repeat("x", 999) + "\n"))
	}
	if len(conn.writes) == 0 {
		t.Error("all of 100 kB is held")
	}
	b.Release()
	if all := strings.Join(conn.writes, ""); all != strings.Repeat(strings.Repeat("x", 999)+"\n", 100) {
		t.Errorf("of 100,000 bytes %d go out, or not in order", len(all))
	}
}

func TestReleaseTellsWhatWentWrong(t *testing.T) {
	b := New()
	b.Conn = &counted{err: errors.New("broken")}
	b.Hold()
	b.Write([]byte("x"))
	if err := b.Release(); err == nil {
		t.Error("nobody hears that it was not written")
	}
	if err := b.Release(); err != nil {
		t.Errorf("with nothing held: %v", err)
	}
}
