package training

import (
	"mcsim/sim/attention/training"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"slices"
)

// A node holds numbers of each seed, a column each, of one number: medians, and differences
// between rules, need every seed.

// numbers are what a node holds of a seed, in the order of their columns.
func numbers(r *training.Record) []*float64 {
	all := []*float64{&r.Mean, &r.Gradient}
	for c := range r.Losses {
		all = append(all, &r.Losses[c])
	}
	return slices.Concat(all, looks(&r.Start), looks(&r.End))
}

// looks are the numbers of what attention looks like.
func looks(l *training.Look) []*float64 {
	return []*float64{&l.Logit, &l.Entropy, &l.RelativeTrace.Median, &l.RelativeTrace.Root,
		&l.KeyGradient.Median, &l.KeyGradient.Root, &l.Cosine}
}

func atStart(r *training.Record) *training.Look { return &r.Start }
func atEnd(r *training.Record) *training.Look   { return &r.End }

// The first two columns of a seed are whole numbers: steps, and whether it diverged. So many
// others follow.
var whole, others = 2, len(numbers(&training.Record{}))

// columns: the loss by which rates are chosen over all seeds, which counts them; then all
// numbers of the first seed, those of the second, and so on.
func columns(experiment.Cell) []experiment.Column {
	seed := slices.Concat([]experiment.Column{{Name: "steps", Order: 2}, {Name: "diverged", Order: 2}},
		slices.Repeat([]experiment.Column{{Name: "mean, gradient, losses, looks", Order: 2}}, others))
	return append([]experiment.Column{{Name: "mean of all seeds", Order: 2}}, slices.Repeat(seed, seeds)...)
}

// nodeOf holds what became of the seeds.
func nodeOf(records []training.Record) (n moments.Node) {
	n.Moments = append(n.Moments, moments.Of(each(records, func(r *training.Record) float64 { return r.Mean }), 2))
	one := func(x float64) { n.Moments = append(n.Moments, moments.Of([]float64{x}, 2)) }
	for i := range records {
		r := &records[i]
		one(float64(r.Steps))
		if r.Blown {
			one(1)
		} else {
			one(0)
		}
		for _, x := range numbers(r) {
			one(*x)
		}
	}
	return n
}

// recordsOf reads what became of the seeds.
func recordsOf(n moments.Node) []training.Record {
	records := make([]training.Record, seeds)
	for i := range records {
		of, r := n.Moments[1+i*(whole+others):], &records[i]
		r.Steps, r.Blown = int(of[0].Mean), of[1].Mean != 0
		for j, x := range numbers(r) {
			*x = of[whole+j].Mean
		}
	}
	return records
}
