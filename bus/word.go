package bus

import (
	"encoding/json"

	"caveau/match"
	"caveau/wire"
)

// A Word is a page of whoever says one word to a table, and wants to know what has become of it. It has room for one answer.
type Word chan error

// Cut is that nobody answers any more.
func (w Word) Cut() {
	select {
	case w <- match.ErrBusy:
	default:
	}
}

// Tell notes the answer.
func (w Word) Tell(message []byte, _ ...[]byte) {
	var err error
	if no := refusal(message); no != nil {
		err = no
	}
	select {
	case w <- err:
	default: // he was answered
	}
}

// refusal is the error that an answer says, nil for none.
func refusal(answer []byte) *wire.Error {
	var told struct{ Error *wire.Error }
	json.Unmarshal(answer, &told) // an answer always can be read
	return told.Error
}
