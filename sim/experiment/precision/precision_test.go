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

// testRow is a query with its keys.
type testRow struct {
	query []float32
	keys  [][]float32
}

// sampleRows returns the rows of a cell's first block, sampled as the experiment does but without
// its tally. Long vectors are sampled in chunks.
func sampleRows(c experiment.Cell) (sampled []testRow) {
	var d experiment.BlockStream
	d.Begin(stream.Open(stream.ID{Seed: 11, Cell: c.ID}), 0)
	keys, vectors := rows.Keys(c), kernel.Vectors(c.Distribution())
	for range blockUnits(c) / kernel.Width {
		group := make([]testRow, kernel.Width)
		for lane := range group {
			group[lane].keys = make([][]float32, keys)
		}
		for first := 0; first < c.Dimension(); first += rows.ChunkSize(c, keys) {
			dst := make([][kernel.Width]float32, min(rows.ChunkSize(c, keys), c.Dimension()-first))
			for j := -1; j < keys; j++ {
				vectors(&d.Lanes, dst)
				for _, x := range dst {
					for lane := range group {
						if j < 0 {
							group[lane].query = append(group[lane].query, x[lane])
						} else {
							group[lane].keys[j] = append(group[lane].keys[j], x[lane])
						}
					}
				}
			}
		}
		sampled = append(sampled, group...)
	}
	return sampled
}

// referenceWeights returns the softmax weights by math.Exp, or nil if a logit is NaN or the
// largest is infinite.
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

// computeRow returns the total variation of a row, computed directly, and whether the sum of the
// first key's score overflowed.
func computeRow(r testRow, cfg config) (variation float64, overflowed bool) {
	f, d := cfg.format, float64(len(r.query))
	root, quarter := 1/math.Sqrt(d), math.Pow(d, -0.25)
	multiply := func(x, c float64) float64 {
		if cfg.arithmetic == names.ArithmeticWorst {
			return f.Round(x * f.Round(c))
		}
		return f.Round(float64(float32(x) * float32(c)))
	}
	var logits, exact []float64
	for j, key := range r.keys {
		var exactScore, formatSum float64
		var float32Sum float32
		scoreOverflows := false
		for i := range key {
			exactScore += float64(r.query[i]) * float64(key[i])
			q, k := f.Round(float64(r.query[i])), f.Round(float64(key[i]))
			switch cfg.placement {
			case names.PlacementBefore:
				q = multiply(q, root)
			case names.PlacementSplit:
				q, k = multiply(q, quarter), multiply(k, quarter)
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
			score = multiply(score, root)
		}
		if j == 0 {
			overflowed = scoreOverflows
		}
		logits, exact = append(logits, score), append(exact, exactScore*root)
	}
	a, b := referenceWeights(logits), referenceWeights(exact)
	if a == nil {
		return 1, overflowed
	}
	for j := range a {
		variation += math.Abs(a[j]-b[j]) / 2
	}
	return variation, overflowed
}

// TestAgainstPlainRows compares the mean total variation and the counted overflows of a block with
// the same rows computed one by one: under every config, for vectors at once and in chunks, and
// with many overflows. The tolerance allows for the softmax in float32.
func TestAgainstPlainRows(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many rows")
	}
	overflows := int64(0)
	for _, c := range []experiment.Cell{
		newPrecisionCell(t, 3, 2, allFormats), newPrecisionCell(t, 80, 8, allFormats),
		newPrecisionCell(t, 300, 5, allFormats), newPrecisionCell(t, 3000, 64, "float16 e5m2"),
		newPrecisionCell(t, 65536, 2, "e4m3fn-saturating e4m3fn-nan"),
	} {
		testRows, c := sampleRows(c), experimenttest.WithPilot(c, 16)
		n := experimenttest.SampleCell(c, 1)
		for i, cfg := range cellConfigs(c) {
			mean, overflowCount := 0.0, int64(0)
			for _, r := range testRows {
				variation, firstOverflowed := computeRow(r, cfg)
				mean += variation / float64(len(testRows))
				if firstOverflowed {
					overflowCount++
				}
			}
			m := n.Moments[i]
			if m.N != int64(len(testRows)) || math.Abs(m.Mean-mean) > 2e-7 {
				t.Errorf("%s, %v: the mean total variation of %d rows is %v, want %v over %d", c.ID, cfg.params(), m.N,
					m.Mean, mean, len(testRows))
			}
			if n.Counts[i] != overflowCount {
				t.Errorf("%s, %v: %d first scores overflow, want %d", c.ID, cfg.params(), n.Counts[i], overflowCount)
			}
			overflows += overflowCount
		}
	}
	if overflows == 0 {
		t.Error("no score overflows, so overflow is not tested")
	}
}

// TestOverflowAgainstTail compares a large proportion of overflows with the exact tail. The
// tolerance is the sampling error, and 3 % for the rounding of components to e4m3fn: it raises the
// variance of a component by up to 2⁻⁸/3, and that of the score by twice as much; a tail beyond x
// standard deviations changes by half of that times x², with x = 3.6 here.
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
		if !(r.Theory > 0.05 && r.Theory < 0.1) ||
			math.Abs(float64(r.Value-r.Theory)) > 4.5*float64(r.SE)+0.03*float64(r.Theory) {
			t.Errorf("%v: %v ± %v of the scores overflow, the tail is %v", r.Params, r.Value, r.SE, r.Theory)
		}
	}
	if count != 2 {
		t.Errorf("%d rows of overflow", count)
	}
	saturated := experimenttest.EstimateAt(t, f, names.TotalVariation, names.ParamFormat, names.FormatE4M3Saturating)
	undefined := experimenttest.EstimateAt(t, f, names.TotalVariation, names.ParamFormat, "e4m3fn-nan")
	if !(undefined.Value > saturated.Value+0.05) {
		t.Errorf("total variation: %v with NaN, and %v with saturation", undefined.Value, saturated.Value)
	}
}

// TestTails checks that tails and headrooms use the limit of the stored score, and that the tail
// is one in a million at a headroom of 1.
func TestTails(t *testing.T) {
	e4m3 := Lookup(names.FormatE4M3Saturating)
	afterProduct := config{e4m3, names.PlacementAfter, names.ArithmeticPractice}
	beforeProduct := config{e4m3, names.PlacementBefore, names.ArithmeticPractice}
	splitScale := config{e4m3, names.PlacementSplit, names.ArithmeticPractice}
	// The limit 464 is 3.625 standard deviations at d_k = 16384. The tail is by mpmath 1.2.1
	// (sim/statistics/theory/testdata/tails.csv).
	if got := overflowTail(afterProduct, 16384); math.Abs(got/2.895887203061432e-4-1) > 1e-9 {
		t.Errorf("the tail is %v", got)
	}
	if b, s := overflowTail(beforeProduct, 16384), overflowTail(splitScale, 16384); b != 0 || s != 0 {
		t.Errorf("the tails before the product are %v and %v", b, s)
	}
	for _, d := range []int{16, 4096, 1 << 20} {
		afterHeadroom := headroom(afterProduct, d)
		if p := overflowTail(afterProduct, d); (afterHeadroom < 1) != (p > names.MaxOverflow) {
			t.Errorf("d_k = %d: the headroom is %v and the tail %v", d, afterHeadroom, p)
		}
		if got := headroom(beforeProduct, d) / afterHeadroom; math.Abs(got/math.Sqrt(float64(d))-1) > 1e-12 {
			t.Errorf("d_k = %d: scaling before the product gives %v times the headroom", d, got)
		}
	}
}

// TestScaleExample checks that the example of a rounded scale in the table of names has the
// numbers of the worst case.
func TestScaleExample(t *testing.T) {
	const d = 80
	exact := math.Pow(d, -0.25)
	stored := config{Lookup(names.FormatE5M2), names.PlacementSplit, names.ArithmeticWorst}.scale(d)
	percent := 100 * (1 - stored*stored/(exact*exact))
	want := fmt.Sprintf("d_k^(−1/4) of d_k = %d is %.4f, and in e5m2 %v: with that on query and key logits are "+
		"%.1f %% too small.", d, exact, stored, percent)
	if e := names.EntryOf(names.GroupValue, names.ArithmeticWorst); !strings.Contains(e.Definition, want) {
		t.Errorf("the example is not %q: %s", want, e.Definition)
	}
}
