package wire

import "caveau/game"

// Phrases are what people can say to each other, each in his own language: eight sentences and four gestures.
var Phrases = []string{"hello", "good", "hurry", "ohno", "thanks", "sorry", "played", "more", "clap", "laugh", "think", "heart"}

// Phrase is what all at a table are told of somebody who says one of the phrases that there are: his seat and its name, and nothing else.
func Phrase(table ID, seat game.Seat, phrase string) []byte {
	text := append(make(game.JSON, 0, 96), '{').Key("table").Text(string(table))
	text = append(text.Key("phrase"), '{').Key("seat").Text(seat.String()).Key("id").Text(phrase)
	return append(text, '}', '}')
}
