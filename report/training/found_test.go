package training

import (
	"strings"
	"testing"

	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// contrasted is a rule with the interval of its ratio of steps and the share of its seeds that
// learns.
type contrasted struct {
	exponent           float64
	optimiser          string
	ratio, lo, hi      float64
	learnt, rootLearnt float64
}

// documentOf has the rows that contrasts are read from, at one d_k; those of a declared run
// have a number of tests.
func documentOf(tests float64, all ...contrasted) *view.Source {
	doc := &result.Document{}
	add := func(quantity string, p result.Params, value, lo, hi float64) {
		doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: names.ExperimentTraining, Quantity: quantity, Params: p, N: 20,
			Value: result.Number(value), Lo: result.Number(lo), Hi: result.Number(hi), SE: result.Absent()})
	}
	for _, c := range all {
		at := func(exponent float64) result.Params {
			return result.Params{names.ParamDimension: 256.0, names.ParamExponent: exponent, names.ParamOptimiser: c.optimiser,
				names.ParamTrained: names.TrainedQueryKey, names.ParamSteps: 200.0}
		}
		add(names.LearningRate, at(c.exponent), 1, 1, 1)
		add(names.StepsRatio, at(c.exponent), c.ratio, c.lo, c.hi)
		if tests > 0 {
			add(names.StepsRatio, with(at(c.exponent), names.ParamTests, tests), c.ratio, c.lo, c.hi)
		}
		add(names.ReachedShare, with(at(c.exponent), names.ParamChosen, names.ChosenBest), c.learnt, 0, 1)
		add(names.ReachedShare, with(at(0.5), names.ParamChosen, names.ChosenBest), c.rootLearnt, 0, 1)
	}
	return &view.Source{Doc: doc}
}

// The lead names the rules that take more steps, with a bound where runs were cut off, those
// that take about as many, and those of which neither is known: no ratio stands for more than
// its interval says.
func TestLead(t *testing.T) {
	clear := contrasted{0, names.OptimiserAdam, 12, 10, 15, 0, 1}
	open := contrasted{0, names.OptimiserDescent, 4, 1, 7, 0, 0.75}
	same := contrasted{1, names.OptimiserDescent, 1, 0.9, 1.1, 1, 1}
	fewer := contrasted{1, names.OptimiserAdam, 0.6, 0.5, 0.7, 1, 1}
	const root = "$1/\\sqrt{d_k}$"
	for _, c := range []struct {
		all  []contrasted
		want string
	}{
		{[]contrasted{clear, open, fewer}, "takes at least 12.0 [10.0, 15.0] times as many steps with no scale under Adam as with " + root +
			"; it is not shown to take more with $1/d_k$ under Adam or with no scale under gradient descent."},
		{[]contrasted{clear, same}, "takes at least 12.0 [10.0, 15.0] times as many steps with no scale under Adam and about as many with $1/d_k$ under gradient descent (1.00 [0.90, 1.10]) as with " + root + "."},
		{[]contrasted{same}, "takes about as many steps with $1/d_k$ under gradient descent (1.00 [0.90, 1.10]) as with " + root + "."},
		{[]contrasted{open, fewer}, "is not shown to take more steps with $1/d_k$ under Adam or with no scale under gradient descent than with " + root + "."},
	} {
		for _, tests := range []float64{0, 4} {
			s := documentOf(tests, c.all...)
			got := lead(s, result.Params{names.ParamTrained: names.TrainedQueryKey, names.ParamSteps: 200.0})
			if !strings.HasSuffix(got, c.want) {
				t.Errorf("tests %v:\n%s\nwant it to end in\n%s", tests, got, c.want)
			}
		}
	}
}

// Predictions count where enough rates were tried to find another power, and then by the
// interval.
func TestPredictions(t *testing.T) {
	s := &view.Source{Doc: &result.Document{}}
	slope := func(exponent float64, optimiser string, expected, lo, hi result.Number) {
		s.Doc.Estimates = append(s.Doc.Estimates, result.Estimate{Experiment: names.ExperimentTraining, Quantity: names.RateSlope,
			Params: result.Params{names.ParamExponent: exponent, names.ParamOptimiser: optimiser, names.ParamTrained: names.TrainedQueryKey},
			Value:  (lo + hi) / 2, Lo: lo, Hi: hi, Theory: expected, SE: result.Absent()})
	}
	said := func(want string) {
		t.Helper()
		if got := predictions(s); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q in it", got, want)
		}
	}
	said("")
	slope(0.5, names.OptimiserDescent, result.Absent(), -0.1, 0.1)
	said("") // no test
	slope(0, names.OptimiserAdam, -1, -1, -1)
	said("") // not predicted
	slope(0.5, names.OptimiserAdam, -0.5, -0.6, -0.4)
	said("one was predicted and tested here, of which one lies within")
	slope(1, names.OptimiserAdam, 0, 0.1, 0.3)
	said("two were predicted and tested here, of which one lies within")
}
