//go:build long

package kernel

const (
	distributionDraws = 1_000_013_824 // smallest whole number of blocks above 10⁹ draws

	lanesPerBoundary   = 1000
	pairsAllBoundaries = true
)
