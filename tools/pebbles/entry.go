package pebbles

import (
	"caveau/catalog"
	"caveau/game"
)

// Entry is what a catalogue has of Pebbles. Nobody plays it well.
var Entry = catalog.Entry{Game: game.Edge(Rules), FaceDown: FaceDown, Players: []catalog.Player{catalog.Random[View]()}}
