//go:build !thirdgame

package main

import "caveau/catalog"

// shelf is what is served here, and what records are read by.
var shelf = catalog.House
