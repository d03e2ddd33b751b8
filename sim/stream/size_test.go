//go:build !long

package stream

// firstKeys is how many keys the tests of first words go through; `go test
// -tags long` takes more.
const firstKeys = 1 << 13
