package wire

import "caveau/game"

// An answer is what a command gets.
type answer struct {
	Re    string `json:"re"`
	OK    bool   `json:"ok,omitempty"`
	Seq   int    `json:"seq,omitempty"`
	Error *Error `json:"error,omitempty"`
}

// Done is what a client is told of a command that was done; seq is the table's newest entry, 0 where it was about none. It is what
// encoding/json would make of an answer.
func Done(re string, seq int) []byte {
	text := append(make(game.JSON, 0, 64), '{').Key("re").Text(re)
	return append(append(text, `,"ok":true`...).NumberIn("seq", seq), '}')
}

// Refused is what a client is told of a command that was not.
func Refused(re string, err error) []byte { return Message(answer{Re: re, Error: AsError(err)}) }
