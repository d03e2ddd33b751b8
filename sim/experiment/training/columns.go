package training

import (
	"slices"

	"mcsim/sim/attention/training"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
)

// A node has the numbers of every seed, since medians and ratios of steps cannot be computed from
// moments. Each number is a column by itself. The first column of a node has the mean losses of all
// seeds, so that its N is the number of seeds.

// recordNumbers returns the numbers of a seed in the order of their columns: the steps to the
// threshold, the mean loss, and the loss at each checkpoint.
func recordNumbers(r *training.Record) []float64 {
	return append([]float64{float64(r.Steps), r.Mean}, r.Losses[:]...)
}

// columnsPerSeed is the number of columns of a seed.
var columnsPerSeed = len(recordNumbers(&training.Record{}))

func columns(experiment.Cell) []experiment.Column {
	perSeed := experiment.Column{Name: "steps, mean, losses", Order: 2, PerBlock: 1}
	return append(experiment.Columns("mean of all seeds", 2, 1),
		slices.Repeat([]experiment.Column{perSeed}, seedCount*columnsPerSeed)...)
}

// newNode returns the node of the records of all seeds.
func newNode(records []training.Record) (n moments.Node) {
	means := mapRecords(records, func(r *training.Record) float64 { return r.Mean })
	n.Moments = append(n.Moments, moments.New(means, 2))
	for i := range records {
		for _, x := range recordNumbers(&records[i]) {
			n.Moments = append(n.Moments, moments.New([]float64{x}, 2))
		}
	}
	return n
}

// readRecords reads the records of all seeds from a node.
func readRecords(n moments.Node) []training.Record {
	records := make([]training.Record, seedCount)
	for i := range records {
		seedColumns, r := n.Moments[1+i*columnsPerSeed:], &records[i]
		r.Steps, r.Mean = int(seedColumns[0].Mean), seedColumns[1].Mean
		for c := range r.Losses {
			r.Losses[c] = seedColumns[2+c].Mean
		}
	}
	return records
}
