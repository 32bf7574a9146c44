package wire

import "caveau/game"

// Phrase is what all at a table are told of somebody who says one of the phrases that there are: his seat and its name, and nothing else.
func Phrase(table ID, seat game.Seat, phrase string) []byte {
	text := append(make(game.JSON, 0, 96), '{').Key("table").Text(string(table))
	text = append(text.Key("phrase"), '{').Key("seat").Text(seat.String()).Key("id").Text(phrase)
	return append(text, '}', '}')
}
