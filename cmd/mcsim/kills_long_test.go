//go:build long

package main

// kills is the number of times that TestKilled kills a run.
const kills = 200
