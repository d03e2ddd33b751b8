package training

import (
	"mcsim/sim/attention/training"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
)

// A node holds the numbers of each seed, a column each, of one number: medians, and ratios of
// steps, need every seed. The first column is the mean loss over all seeds, which counts them.

// numbers returns the numbers of a seed in the order of their columns: steps, the mean loss, and
// the loss at each checkpoint.
func numbers(r *training.Record) []float64 {
	return append([]float64{float64(r.Steps), r.Mean}, r.Losses[:]...)
}

// numbersOfSeed is how many columns a seed has.
var numbersOfSeed = len(numbers(&training.Record{}))

// columns returns the layout of a node.
func columns(experiment.Cell) []experiment.Column {
	each := experiment.Columns("steps, mean, losses", 2, seeds*numbersOfSeed)
	return append(experiment.Columns("mean of all seeds", 2, 1), each...)
}

// nodeOf returns the node of the records of all seeds.
func nodeOf(records []training.Record) (n moments.Node) {
	means := each(records, func(r *training.Record) float64 { return r.Mean })
	n.Moments = append(n.Moments, moments.New(means, 2))
	for i := range records {
		for _, x := range numbers(&records[i]) {
			n.Moments = append(n.Moments, moments.New([]float64{x}, 2))
		}
	}
	return n
}

// recordsOf reads the records of all seeds from a node.
func recordsOf(n moments.Node) []training.Record {
	records := make([]training.Record, seeds)
	for i := range records {
		column, r := n.Moments[1+i*numbersOfSeed:], &records[i]
		r.Steps, r.Mean = int(column[0].Mean), column[1].Mean
		for c := range r.Losses {
			r.Losses[c] = column[2+c].Mean
		}
	}
	return records
}
