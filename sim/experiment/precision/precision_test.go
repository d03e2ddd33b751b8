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

// cellOf returns a cell of rows at a point, in formats.
func cellOf(t testing.TB, d, keys int, formats string) experiment.Cell {
	return experimenttest.NewCell(t, Experiment,
		map[string]string{"distribution": "normal", "d_k": fmt.Sprint(d), "keys": fmt.Sprint(keys), "format": formats})
}

const every = "float32 bfloat16 float16 e4m3fn-saturating e4m3fn-nan e5m2"

// row is a query with its keys.
type row struct {
	query []float32
	keys  [][]float32
}

// drawn returns the rows of a cell's first block as the experiment draws them, without its
// tally; those of long vectors come in chunks.
func drawn(c experiment.Cell) (all []row) {
	var d experiment.BlockStream
	d.Begin(stream.Open(stream.ID{Seed: 11, Cell: c.ID}), 0)
	keys, vectors := rows.Keys(c), kernel.Vectors(c.Distribution())
	for range units(c) / kernel.Width {
		group := make([]row, kernel.Width)
		for lane := range group {
			group[lane].keys = make([][]float32, keys)
		}
		for from := 0; from < c.Dimension(); from += rows.ChunkSize(c, keys) {
			dst := make([][kernel.Width]float32, min(rows.ChunkSize(c, keys), c.Dimension()-from))
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
		all = append(all, group...)
	}
	return all
}

// weights returns those of math.Exp, none where a logit is no finite number or the greatest
// is infinite.
func weights(logits []float64) []float64 {
	most, sum := math.Inf(-1), 0.0
	for _, s := range logits {
		if math.IsNaN(s) || math.IsInf(s, 1) {
			return nil
		}
		most = max(most, s)
	}
	if math.IsInf(most, -1) {
		return nil
	}
	out := make([]float64, len(logits))
	for j, s := range logits {
		out[j] = math.Exp(s - most)
		sum += out[j]
	}
	for j := range out {
		out[j] /= sum
	}
	return out
}

// plain works out a row in the plainest way: total variation, and whether the first key's
// score overflowed on its way.
func plain(r row, w way) (variation float64, over bool) {
	f, d := w.format, float64(len(r.query))
	root, quarter := 1/math.Sqrt(d), math.Pow(d, -0.25)
	times := func(x, c float64) float64 {
		if w.arithmetic == names.ArithmeticWorst {
			return f.Round(x * f.Round(c))
		}
		return f.Round(float64(float32(x) * float32(c)))
	}
	var logits, exact []float64
	for j, key := range r.keys {
		var truth, own float64
		var single float32
		lost := false
		for i := range key {
			truth += float64(r.query[i]) * float64(key[i])
			q, k := f.Round(float64(r.query[i])), f.Round(float64(key[i]))
			switch w.placement {
			case names.PlacementBefore:
				q = times(q, root)
			case names.PlacementSplit:
				q, k = times(q, quarter), times(k, quarter)
			}
			single += float32(q) * float32(k)
			product := f.Round(q * k)
			lost = lost || f.Overflows(q*k) || f.Overflows(own+product)
			own = f.Round(own + product)
		}
		score := own
		if w.arithmetic == names.ArithmeticPractice {
			lost = f.Overflows(float64(single))
			score = f.Round(float64(single))
		}
		if w.placement == names.PlacementAfter {
			score = times(score, root)
		}
		if j == 0 {
			over = lost
		}
		logits, exact = append(logits, score), append(exact, truth*root)
	}
	a, b := weights(logits), weights(exact)
	if a == nil {
		return 1, over
	}
	for j := range a {
		variation += math.Abs(a[j]-b[j]) / 2
	}
	return variation, over
}

// The mean total variation and the counted overflows of a block are those of the same rows
// worked out one by one: in every way, over vectors that come at once and in chunks, and
// where many scores overflow. The softmax of float32 makes all the difference.
func TestAgainstPlainRows(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many rows")
	}
	lost := int64(0)
	for _, c := range []experiment.Cell{cellOf(t, 3, 2, every), cellOf(t, 80, 8, every), cellOf(t, 300, 5, every),
		cellOf(t, 3000, 64, "float16 e5m2"), cellOf(t, 65536, 2, "e4m3fn-saturating e4m3fn-nan")} {
		all, c := drawn(c), experimenttest.WithPilot(c, 16)
		n := experimenttest.SampleCell(c, 1)
		for i, w := range waysOf(c) {
			mean, over := 0.0, int64(0)
			for _, r := range all {
				variation, first := plain(r, w)
				mean += variation / float64(len(all))
				if first {
					over++
				}
			}
			if off := math.Abs(n.Moments[i].Mean - mean); off > 2e-7 || n.Moments[i].N != int64(len(all)) {
				t.Errorf("%s, %v: the mean total variation of %d rows is %v, want %v", c.ID, w.params(), n.Moments[i].N,
					n.Moments[i].Mean, mean)
			}
			if n.Counts[i] != over {
				t.Errorf("%s, %v: %d first scores overflow, want %d", c.ID, w.params(), n.Counts[i], over)
			}
			lost += over
		}
	}
	if lost == 0 {
		t.Error("no score overflows, so that nothing of it is tested")
	}
}

// Where many scores overflow, as many do as the exact tail says: within what sampling
// leaves, and 3 % that rounding the components to e4m3fn may change: it raises the variance
// of a component by up to 2⁻⁸/3, of which the score has twice as much, and a tail beyond x
// standard deviations changes by x² times half of that, with x = 3.6 here.
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
		t.Errorf("rows with NaN are not lost: %v beside %v", undefined.Value, saturated.Value)
	}
}

// Tails and headrooms: they are those of the limit where the score is stored, and at a
// headroom of 1 the tail is one in a million.
func TestTails(t *testing.T) {
	e4m3 := Named(names.FormatE4M3Saturating)
	after, before, split := way{e4m3, names.PlacementAfter, names.ArithmeticPractice}, way{e4m3, names.PlacementBefore,
		names.ArithmeticPractice}, way{e4m3, names.PlacementSplit, names.ArithmeticPractice}
	// 464 are 3.625 standard deviations of d_k = 16384: by
	// mpmath 1.2.1 (sim/statistics/theory/testdata/tails.csv).
	if got := tail(after, 16384); math.Abs(got/2.895887203061432e-4-1) > 1e-9 {
		t.Errorf("the tail is %v", got)
	}
	if tail(before, 16384) != 0 || tail(split, 16384) != tail(before, 16384) {
		t.Errorf("the tails before the product are %v and %v", tail(before, 16384), tail(split, 16384))
	}
	for _, d := range []int{16, 4096, 1 << 20} {
		room := headroom(after, d)
		at := way{format: e4m3, placement: names.PlacementAfter}
		if (room < 1) != (tail(at, d) > names.MaxOverflow) {
			t.Errorf("d_k = %d: the headroom is %v and the tail %v", d, room, tail(at, d))
		}
		if got := headroom(before, d) / room; math.Abs(got/math.Sqrt(float64(d))-1) > 1e-12 {
			t.Errorf("d_k = %d: scaling before the product gives %v times the headroom", d, got)
		}
	}
}

// The example of a rounded scale has the numbers of the worst case.
func TestScaleExample(t *testing.T) {
	const d = 80
	exact := math.Pow(d, -0.25)
	stored := way{Named(names.FormatE5M2), names.PlacementSplit, names.ArithmeticWorst}.scale(d)
	off := 100 * (1 - stored*stored/(exact*exact))
	want := fmt.Sprintf("d_k^(−1/4) of d_k = %d is %.4f, and in e5m2 %v: with that on query and key logits are "+
		"%.1f %% too small.", d, exact, stored, off)
	if e := names.EntryOf(names.GroupValue, names.ArithmeticWorst); !strings.Contains(e.Definition, want) {
		t.Errorf("the example is not %q: %s", want, e.Definition)
	}
}
