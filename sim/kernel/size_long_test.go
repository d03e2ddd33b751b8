//go:build long

package kernel

const (
	distributionDraws = 1_000_013_824 // the smallest number above 10⁹ in whole blocks

	lanesPerBoundary   = 1000
	pairsAllBoundaries = true
)
