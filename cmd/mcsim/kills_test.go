//go:build !long

package main

// kills is how many random moments TestKilled kills runs at.
const kills = 20
