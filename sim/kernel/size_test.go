//go:build !long

package kernel

// How much the statistical tests draw; `go test -tags long` draws more.
const (
	distributionDraws = 1 << 23
	correlationDraws  = 1 << 20
)
