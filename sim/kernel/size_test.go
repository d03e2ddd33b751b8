//go:build !long

package kernel

// How much the statistical tests draw; `go test -tags long` draws more.
const (
	distributionDraws = 1 << 23

	singles     = 16    // lanes in which a bound stands at a place
	everyCouple = false // of bounds; else of the ends
)
