//go:build thirdgame

package main

import (
	"caveau/catalog"
	"caveau/tools/pebbles"
)

// shelf is that of a house for tests of the page: with the game on it that nobody is served.
var shelf = catalog.House.With(pebbles.Entry)
