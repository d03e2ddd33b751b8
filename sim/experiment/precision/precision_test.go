package precision

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

func newPrecisionCell(t testing.TB, d, keys int, formats string) experiment.Cell {
	return experimenttest.NewCell(t, Experiment,
		map[string]string{"distribution": "normal", "d_k": fmt.Sprint(d), "keys": fmt.Sprint(keys), "format": formats})
}

const allFormats = "float32 bfloat16 float16 e4m3fn-saturating e4m3fn-nan e5m2"

type testRow struct {
	query []float32
	keys  [][]float32
}

// sampleRows returns the rows of the first block of a cell, which it samples like the experiment
// but without a tally.
func sampleRows(c experiment.Cell) (sampled []testRow) {
	var blockStream experiment.BlockStream
	blockStream.Begin(stream.Open(stream.ID{Seed: 11, Cell: c.ID}), 0)
	keys, sampleVectors := rows.Keys(c), kernel.Vectors(c.Distribution())
	for range blockUnits(c) / kernel.Width {
		group := make([]testRow, kernel.Width)
		for lane := range group {
			group[lane].keys = make([][]float32, keys)
		}
		for first := 0; first < c.Dimension(); first += rows.ChunkSize(c, keys) {
			chunk := make([][kernel.Width]float32, min(rows.ChunkSize(c, keys), c.Dimension()-first))
			sampleVectors(&blockStream.Lanes, chunk)
			for lane := range group {
				group[lane].query = appendLane(group[lane].query, chunk, lane)
			}
			for j := range keys {
				sampleVectors(&blockStream.Lanes, chunk)
				for lane := range group {
					group[lane].keys[j] = appendLane(group[lane].keys[j], chunk, lane)
				}
			}
		}
		sampled = append(sampled, group...)
	}
	return sampled
}

// appendLane appends the components in a lane to a vector.
func appendLane(vector []float32, components [][kernel.Width]float32, lane int) []float32 {
	for _, x := range components {
		vector = append(vector, x[lane])
	}
	return vector
}

// referenceWeights returns the softmax weights by math.Exp, or nil if they do not exist.
func referenceWeights(logits []float64) []float64 {
	maxLogit, sum := math.Inf(-1), 0.0
	for _, s := range logits {
		if math.IsNaN(s) || math.IsInf(s, 1) {
			return nil
		}
		maxLogit = max(maxLogit, s)
	}
	if math.IsInf(maxLogit, -1) {
		return nil
	}
	weights := make([]float64, len(logits))
	for j, s := range logits {
		weights[j] = math.Exp(s - maxLogit)
		sum += weights[j]
	}
	for j := range weights {
		weights[j] /= sum
	}
	return weights
}

// computeRow returns the total variation of a row under a config, and whether the score of the
// first key overflowed. It computes one key after the other.
func computeRow(r testRow, cfg config) (variation float64, overflowed bool) {
	f, d := cfg.format, float64(len(r.query))
	scale, splitScale := 1/math.Sqrt(d), math.Pow(d, -0.25)
	multiply := func(x, c float64) float64 {
		if cfg.arithmetic == names.ArithmeticWorst {
			return f.Round(x * f.Round(c))
		}
		return f.Round(float64(float32(x) * float32(c)))
	}
	var logits, exactLogits []float64
	for j, key := range r.keys {
		var exactScore, formatSum float64
		var float32Sum float32
		scoreOverflows := false
		for i := range key {
			exactScore += float64(r.query[i]) * float64(key[i])
			q, k := f.Round(float64(r.query[i])), f.Round(float64(key[i]))
			switch cfg.placement {
			case names.PlacementBefore:
				q = multiply(q, scale)
			case names.PlacementSplit:
				q, k = multiply(q, splitScale), multiply(k, splitScale)
			}
			float32Sum += float32(q) * float32(k)
			product := f.Round(q * k)
			scoreOverflows = scoreOverflows || f.Overflows(q*k) || f.Overflows(formatSum+product)
			formatSum = f.Round(formatSum + product)
		}
		score := formatSum
		if cfg.arithmetic == names.ArithmeticPractice {
			scoreOverflows = f.Overflows(float64(float32Sum))
			score = f.Round(float64(float32Sum))
		}
		if cfg.placement == names.PlacementAfter {
			score = multiply(score, scale)
		}
		if j == 0 {
			overflowed = scoreOverflows
		}
		logits, exactLogits = append(logits, score), append(exactLogits, exactScore*scale)
	}
	weights, exactWeights := referenceWeights(logits), referenceWeights(exactLogits)
	if weights == nil {
		return 1, overflowed
	}
	for j := range weights {
		variation += math.Abs(weights[j]-exactWeights[j]) / 2
	}
	return variation, overflowed
}

// TestAgainstSingleRows compares the mean total variation and the number of overflows of a block
// with the results of computeRow for the same rows, under every config. The cells have vectors that
// are sampled at once and in chunks, and many overflows. The tolerance allows for the softmax in
// float32.
func TestAgainstSingleRows(t *testing.T) {
	if testing.Short() {
		t.Skip("samples many rows")
	}
	var totalOverflows int64
	for _, c := range []experiment.Cell{
		newPrecisionCell(t, 3, 2, allFormats), newPrecisionCell(t, 80, 8, allFormats),
		newPrecisionCell(t, 300, 5, allFormats), newPrecisionCell(t, 3000, 64, "float16 e5m2"),
		newPrecisionCell(t, 65536, 2, "e4m3fn-saturating e4m3fn-nan"),
	} {
		testRows, c := sampleRows(c), experimenttest.WithPilot(c, 16)
		n := experimenttest.SampleCell(c, 1)
		for i, cfg := range cellConfigs(c) {
			wantMean, wantOverflows := 0.0, int64(0)
			for _, r := range testRows {
				variation, firstOverflowed := computeRow(r, cfg)
				wantMean += variation / float64(len(testRows))
				if firstOverflowed {
					wantOverflows++
				}
			}
			m := n.Moments[i]
			if want := int64(len(testRows)); m.N != want {
				t.Errorf("%s, %v: got %d rows, want %d", c.ID, cfg.params(), m.N, want)
			}
			if math.Abs(m.Mean-wantMean) > 2e-7 {
				t.Errorf("%s, %v: mean total variation: got %v, want %v", c.ID, cfg.params(), m.Mean, wantMean)
			}
			if n.Counts[i] != wantOverflows {
				t.Errorf("%s, %v: got %d overflows of first scores, want %d", c.ID, cfg.params(), n.Counts[i],
					wantOverflows)
			}
			totalOverflows += wantOverflows
		}
	}
	if totalOverflows == 0 {
		t.Error("no score overflows, so overflow is not tested")
	}
}

// TestOverflowAgainstTail compares the proportion of overflows with the exact tail, which is 5 % to
// 10 % for the cell of the test. The tolerance is 4.5 standard errors, and 3 % of the tail for the
// rounding of components to e4m3fn. Rounding increases the variance of a component by up to 2⁻⁸/3,
// and the variance of the score by up to v = 2·2⁻⁸/3. The tail beyond x standard deviations
// increases by about v·x²/2, with x = 3.6 here. Scores that overflow to NaN must lose more than
// saturated ones.
func TestOverflowAgainstTail(t *testing.T) {
	c := experimenttest.NewCell(t, Experiment, map[string]string{"distribution": "normal", "d_k": "65536", "keys": "2",
		"format":    "e4m3fn-saturating e4m3fn-nan",
		"placement": "after-product", "arithmetic": "practice"})
	c = experimenttest.WithPilot(c, 512)
	f := estimates(c, experimenttest.SampleRows(c, 512))
	count := 0
	for _, r := range f.Estimates {
		if r.Quantity != "overflow" {
			continue
		}
		count++
		if !(r.Theory > 0.05 && r.Theory < 0.1) {
			t.Errorf("%v: got the tail %v, want 0.05 to 0.1", r.Params, r.Theory)
		}
		tolerance := 4.5*float64(r.SE) + 0.03*float64(r.Theory)
		if math.Abs(float64(r.Value-r.Theory)) > tolerance {
			t.Errorf("%v: proportion of overflows: got %v, want %v ± %.2g", r.Params, r.Value, r.Theory, tolerance)
		}
	}
	if count != 2 {
		t.Errorf("got %d estimates of overflow, want 2", count)
	}
	saturated := experimenttest.EstimateAt(t, f, names.TotalVariation, names.ParamFormat, names.FormatE4M3Saturating)
	undefined := experimenttest.EstimateAt(t, f, names.TotalVariation, names.ParamFormat, "e4m3fn-nan")
	if !(undefined.Value > saturated.Value+0.05) {
		t.Errorf("total variation with NaN: got %v, want at least %v, 0.05 more than with saturation",
			undefined.Value, saturated.Value+0.05)
	}
}

// TestTails compares the tail of a score with a reference, and checks that tails and headrooms
// depend on whether the scale is applied before the score is stored, and that the headroom is below
// 1 if and only if the tail is above names.MaxOverflow.
func TestTails(t *testing.T) {
	e4m3 := Lookup(names.FormatE4M3Saturating)
	afterProduct := config{e4m3, names.PlacementAfter, names.ArithmeticPractice}
	beforeProduct := config{e4m3, names.PlacementBefore, names.ArithmeticPractice}
	splitScale := config{e4m3, names.PlacementSplit, names.ArithmeticPractice}
	// The limit 464 is 3.625 standard deviations at d_k = 16384. The expected tail is by mpmath
	// 1.2.1 (sim/statistics/theory/testdata/tails.csv).
	const wantTail = 2.895887203061432e-4
	if got := overflowTail(afterProduct, 16384); math.Abs(got/wantTail-1) > 1e-9 {
		t.Errorf("tail with the scale after the product: got %v, want %v", got, wantTail)
	}
	for _, cfg := range []config{beforeProduct, splitScale} {
		if got := overflowTail(cfg, 16384); got != 0 {
			t.Errorf("tail with the placement %s: got %v, want 0", cfg.placement, got)
		}
	}
	for _, d := range []int{16, 4096, 1 << 20} {
		afterHeadroom := headroom(afterProduct, d)
		if p := overflowTail(afterProduct, d); (afterHeadroom < 1) != (p > names.MaxOverflow) {
			t.Errorf("d_k = %d: the headroom is %v and the tail %v; want a headroom below 1 if and only if the tail "+
				"is above %v", d, afterHeadroom, p, names.MaxOverflow)
		}
		got, want := headroom(beforeProduct, d)/afterHeadroom, math.Sqrt(float64(d))
		if math.Abs(got/want-1) > 1e-12 {
			t.Errorf("d_k = %d: ratio of headrooms with the scale before and after the product: got %v, want %v", d,
				got, want)
		}
	}
}

// TestScaleExample checks that the example of a rounded scale in the definition of the value "worst
// case" in the table of names has the numbers that the package computes.
func TestScaleExample(t *testing.T) {
	const d = 80
	exact := math.Pow(d, -0.25)
	stored := config{Lookup(names.FormatE5M2), names.PlacementSplit, names.ArithmeticWorst}.scale(d)
	percent := 100 * (1 - stored*stored/(exact*exact))
	want := fmt.Sprintf("d_k^(−1/4) of d_k = %d is %.4f, which e5m2 rounds to %v. If query and key are multiplied "+
		"by that, logits are %.1f %% too small.", d, exact, stored, percent)
	if e := names.EntryOf(names.GroupValue, names.ArithmeticWorst); !strings.Contains(e.Definition, want) {
		t.Errorf("the definition %q does not contain the example %q", e.Definition, want)
	}
}
