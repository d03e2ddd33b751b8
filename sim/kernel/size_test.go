//go:build !long

package kernel

// Sample sizes of the tests; those of `go test -tags long` are larger.
const (
	distributionDraws = 1 << 23

	lanesPerBoundary   = 16    // lanes with a boundary word at a position
	pairsAllBoundaries = false // pairs of all boundary words, not only of edge words
)
