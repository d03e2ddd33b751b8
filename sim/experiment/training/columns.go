package training

import (
	"fmt"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/training"
)

// A node holds numbers of each seed, a column each, of one number: medians, and differences
// between rules, need every seed. number is one of them.
type number struct {
	name string
	at   func(*training.Record) *float64
}

// numbers are what a node holds of a seed.
var numbers = listed()

func listed() []number {
	list := []number{
		{"mean", func(r *training.Record) *float64 { return &r.Mean }},
		{"gradient", func(r *training.Record) *float64 { return &r.Gradient }},
	}
	for c := range training.Checkpoints + 1 {
		list = append(list, number{fmt.Sprintf("loss %d", c), func(r *training.Record) *float64 { return &r.Losses[c] }})
	}
	for _, at := range []struct {
		name string
		look func(*training.Record) *training.Look
	}{{"start", atStart}, {"end", atEnd}} {
		for _, l := range looks {
			list = append(list, number{at.name + " " + l.name, func(r *training.Record) *float64 { return l.at(at.look(r)) }})
		}
	}
	return list
}

func atStart(r *training.Record) *training.Look { return &r.Start }
func atEnd(r *training.Record) *training.Look   { return &r.End }

// look is one number of what attention looks like.
type look struct {
	name string
	at   func(*training.Look) *float64
}

// looks are the numbers of a look.
var looks = []look{
	{"logit", func(l *training.Look) *float64 { return &l.Logit }},
	{names.EntropyRatio, func(l *training.Look) *float64 { return &l.Entropy }},
	{"survival", func(l *training.Look) *float64 { return &l.Survival.Median }},
	{"root survival", func(l *training.Look) *float64 { return &l.Survival.Root }},
	{"key gradient", func(l *training.Look) *float64 { return &l.KeyGradient.Median }},
	{"root key gradient", func(l *training.Look) *float64 { return &l.KeyGradient.Root }},
	{"cosine", func(l *training.Look) *float64 { return &l.Cosine }},
}

// The first two columns of a seed are whole numbers: steps, and whether it diverged.
const whole = 2

// columns: the loss by which rates are chosen over all seeds, which counts them; then all
// numbers of the first seed, those of the second, and so on.
func columns(experiment.Cell) (out []experiment.Column) {
	out = append(out, experiment.Column{Name: "mean of all seeds", Order: 2})
	for seed := range seeds {
		out = append(out, experiment.Column{Name: fmt.Sprintf("seed %d steps", seed), Order: 2},
			experiment.Column{Name: fmt.Sprintf("seed %d diverged", seed), Order: 2})
		for _, n := range numbers {
			out = append(out, experiment.Column{Name: fmt.Sprintf("seed %d %s", seed, n.name), Order: 2})
		}
	}
	return out
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
		for _, k := range numbers {
			one(*k.at(r))
		}
	}
	return n
}

// recordsOf reads what became of the seeds.
func recordsOf(n moments.Node) []training.Record {
	records := make([]training.Record, seeds)
	for i := range records {
		of, r := n.Moments[1+i*(whole+len(numbers)):], &records[i]
		r.Steps, r.Blown = int(of[0].Mean), of[1].Mean != 0
		for j, k := range numbers {
			*k.at(r) = of[whole+j].Mean
		}
	}
	return records
}
