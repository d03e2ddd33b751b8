//go:build long

package kernel

const (
	distributionDraws = 1_000_013_824 // the least above 10⁹ in whole blocks

	singles     = 1000
	everyCouple = true
)
