package softmax

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"mcsim/sim/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// seeded is what a row says over many seeds.
type seeded struct {
	values, squares []float64 // and squares of the printed errors
	intervals       int
}

// Every error that is printed is the standard deviation of its number over seeds: of means,
// shares and quantiles, with keys of their own and shared ones, unscaled and divided by
// √d_k and d_k, and near saturation. The jackknife says how well the ratio of the standard deviation to
// the root mean square of the printed errors is known; all ratios together may be off with
// a chance of 10⁻³. And whether a row has an error or an interval is the same for all seeds.
func TestErrorsAreScatterOverSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("counts over many seeds")
	}
	const seeds, rows = errorSeeds, 4096
	found := map[string]*seeded{}
	for _, c := range []experiment.Cell{
		softmaxCell("normal", 64, 8, names.No, 0, 0.5, 1),
		softmaxCell("normal", 64, 8, names.Yes, 0, 0.5, 1),
		softmaxCell("normal", 7, 13, names.Yes, 0, 0.5),
		softmaxCell("normal", 512, 8, names.No, 0),
		softmaxCell("laplace", 3, 5, names.No, 0, 0.5),
		softmaxCell("rademacher", 16, 6, names.No, 0, 0.5), // on a lattice: its quantiles have no error
	} {
		c = experimenttest.Taught(c, rows)
		each, _ := experimenttest.Runs(c, 77, seeds, int(rows/softmaxUnits(c)))
		for _, n := range each {
			for _, r := range softmaxFindings(c, n).Rows {
				at, _ := json.Marshal(r.Params)
				key := r.Cell + " " + string(at) + " " + r.Quantity
				if found[key] == nil {
					found[key] = &seeded{}
				}
				found[key].take(r)
			}
		}
	}
	tested := 0
	for key, s := range found {
		if len(s.values) > 0 {
			tested++
		}
		if len(s.values) > 0 && strings.Contains(key, "rademacher") && strings.Contains(key, "_q") && strings.Contains(key, "max_weight") {
			t.Errorf("%s has an error, and jumps", key)
		}
	}
	limit := -elementary.Quantile(1e-3 / 2 / float64(tested))
	var far, most float64
	for key, s := range found {
		if n := len(s.values); n != 0 && n != seeds || s.intervals != 0 && s.intervals != seeds {
			t.Errorf("%s has an error for %d of %d seeds and an interval for %d", key, n, seeds, s.intervals)
			continue
		} else if n == 0 {
			continue
		}
		ratio, se := s.ratio()
		if z := math.Abs(ratio) / se; z > limit {
			t.Errorf("%s: the standard deviation over seeds is %.3f of the printed error, %.1f of the jackknife's errors from 1", key, math.Exp(ratio), z)
		} else {
			most = max(most, z)
		}
		far = max(far, math.Abs(ratio))
	}
	// 10 means, 6 shares and 45 quantiles of each of 11 scalings, but for those without an error.
	if tested < 11*50 {
		t.Errorf("only %d errors are held", tested)
	}
	t.Logf("%d errors, the farthest off by %.0f %%; the largest z %.2f of %.2f", tested, 100*far, most, limit)
}

// take adds a row of one seed.
func (s *seeded) take(r result.Estimate) {
	if r.SE.Present() {
		s.values, s.squares = append(s.values, float64(r.Value)), append(s.squares, float64(r.SE*r.SE))
	}
	if r.Level.Present() {
		s.intervals++
	}
}

// ratio is the logarithm of the standard deviation of the values over the root mean square
// of the printed errors, with its standard error by the jackknife.
func (s *seeded) ratio() (log, se float64) {
	of := func(skip int) float64 {
		var values, squares []float64
		for i := range s.values {
			if i != skip {
				values, squares = append(values, s.values[i]), append(squares, s.squares[i])
			}
		}
		return math.Log(moments.Of(values, 2).Variance()/moments.Of(squares, 2).Mean) / 2
	}
	var without []float64
	for i := range s.values {
		without = append(without, of(i))
	}
	n := float64(len(without))
	return of(-1), math.Sqrt(moments.Of(without, 2).Variance() * (n - 1) * (n - 1) / n)
}
