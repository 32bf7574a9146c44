//go:build race

package main

// games are those of an experiment that takes seconds, where the detector of races is told of all that happens.
const games = 800
