package game

import (
	"fmt"
	"math/bits"
)

// A Seat is a place at the table, counted from 0 in playing order. It is written A, B, C and so on; the left neighbour
// of a seat is the next one.
type Seat uint8

const (
	// NoSeat is nobody: whose turn it is when the game is over, who begins when the deal decides.
	NoSeat Seat = 0xff
	// Watcher is the audience that sits nowhere. It may know what every seat knows, and no more.
	Watcher Seat = 0xfe
	// MaxSeats is the largest number of seats that any game here has.
	MaxSeats = 6
)

// String is the seat's letter; NoSeat and Watcher are the empty string, as the record writes them.
func (s Seat) String() string {
	if s >= MaxSeats {
		return ""
	}
	return "ABCDEF"[s : s+1]
}

// ParseSeat reads a seat's letter.
func ParseSeat(letter string) (Seat, error) {
	if len(letter) == 1 && letter[0] >= 'A' && letter[0] < 'A'+MaxSeats {
		return Seat(letter[0] - 'A'), nil
	}
	return NoSeat, fmt.Errorf("%q is no seat: seats are A to F", letter)
}

// MarshalText and UnmarshalText write a seat in JSON as its letter, nobody as "".
func (s Seat) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Seat) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*s = NoSeat
		return nil
	}
	*s, err = ParseSeat(string(text))
	return err
}

// IsZero tells encoding/json what to leave out where a field says omitzero: nobody. Seat A, the number 0, is somebody.
func (s Seat) IsZero() bool { return s >= MaxSeats }

// Left is the left neighbour among so many players: the next in playing order.
func (s Seat) Left(players uint8) Seat {
	if s++; uint8(s) == players {
		return 0
	}
	return s
}

// Seats is a set of seats.
type Seats uint16

// EverySeat is the set of the first so many seats.
func EverySeat(players uint8) Seats { return 1<<players - 1 }

// Has, With, Without and Len are what one does with a set.
func (ss Seats) Has(s Seat) bool      { return s < MaxSeats && ss>>s&1 == 1 }
func (ss Seats) With(s Seat) Seats    { return ss | 1<<s }
func (ss Seats) Without(s Seat) Seats { return ss &^ (1 << s) }
func (ss Seats) Len() int             { return bits.OnesCount16(uint16(ss)) }

// List is the set's seats in playing order.
func (ss Seats) List() []Seat {
	list := make([]Seat, 0, ss.Len())
	for ; ss != 0; ss &= ss - 1 {
		list = append(list, Seat(bits.TrailingZeros16(uint16(ss))))
	}
	return list
}

// After is the first seat of the set clockwise from s, s itself last; NoSeat if the set is empty.
func (ss Seats) After(s Seat) Seat {
	if later := ss >> (s + 1) << (s + 1); later != 0 {
		ss = later
	}
	if ss == 0 {
		return NoSeat
	}
	return Seat(bits.TrailingZeros16(uint16(ss)))
}
