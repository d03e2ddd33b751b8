package rows

import (
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Ranks names rows and lines of the weights of keys by rank.
func Ranks(quantity string) Filter {
	return Filter{Experiment: names.ExperimentRanks, Quantity: quantity}
}

// RanksGrid returns the law and the number of keys that stand for all: normal, or else the
// first law, and the keys that the most d_k have.
func RanksGrid(doc *result.Document) result.Params {
	return ofOneLaw(doc, Ranks(names.RankedWeight), []string{names.ParamKeys}, names.ParamDimension)
}
