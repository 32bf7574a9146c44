//go:build !race

package main

// games are those of an experiment that takes seconds.
const games = 4000
