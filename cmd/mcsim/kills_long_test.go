//go:build long

package main

const kills = 200
