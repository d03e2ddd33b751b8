package inspect

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/experiment/precision"
	"mcsim/sim/names"
)

// estimateFormat measures one head of one text and returns the estimates by placement.
func estimateFormat(t *testing.T, q, k Vectors, o Options) map[string]FormatEstimate {
	t.Helper()
	byPlacement := map[string]FormatEstimate{}
	for _, e := range EstimateFormat([]HeadText{measure(t, q, k, o)}, []Head{{}}, o.Format) {
		byPlacement[e.Placement] = e
	}
	return byPlacement
}

// TestFormatAgainstNumPy compares the number of scores that overflow and the median moved weight
// with NumPy 1.24.2 (float16) and PyTorch 1.13.0 (bfloat16). They round the same queries and keys,
// and add products in float32 one component after the other.
func TestFormatAgainstNumPy(t *testing.T) {
	const rows, d = 12, 16
	for _, c := range []struct {
		name, format  string
		factor, scale float64
		causal        bool
		overflow      map[string]float64
		moved         map[string]float64
	}{
		{"float16", names.FormatFloat16, 250, 1e-5, false, map[string]float64{names.PlacementAfter: 25.0 / 144},
			map[string]float64{names.PlacementAfter: 0.09438880547979692, names.PlacementBefore: 8.855885460414166e-05,
				precision.PlacementKey: 0.00011066097312545028, names.PlacementSplit: 0.00012981067739069752}},
		{"causal float16", names.FormatFloat16, 250, 1e-5, true, map[string]float64{names.PlacementAfter: 13.0 / 77},
			map[string]float64{names.PlacementAfter: 0.07288457116112979, names.PlacementBefore: 7.832533954600651e-05,
				precision.PlacementKey: 0.00010374424618966871, names.PlacementSplit: 0.00012224871698633677}},
		{"bfloat16", names.FormatBFloat16, 40, 9e-4, false, nil,
			map[string]float64{names.PlacementAfter: 0.0014771324781325348, names.PlacementBefore: 0.001498862278382874,
				precision.PlacementKey: 0.0015889381839778636, names.PlacementSplit: 0.002140416353147634}},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, k := newArray(7919, rows, d, 0), newArray(104729, rows, d, 0)
			for i := range q.Data {
				q.Data[i] *= c.factor
				k.Data[i] *= c.factor
			}
			o := Options{Scale: c.scale, Causal: c.causal, Format: precision.Lookup(c.format), Workers: 1}
			for name, e := range estimateFormat(t, q, k, o) {
				if math.Abs(float64(e.Overflow.Value)-c.overflow[name]) > 1e-12 {
					t.Errorf("%s: a proportion of %v overflows, want %v", name, e.Overflow.Value, c.overflow[name])
				}
				const maxError = 5e-7 // of weights in float32
				if math.Abs(float64(e.MovedWeight.Value)-c.moved[name]) > maxError {
					t.Errorf("%s: the median moved weight is %v, want %v", name, e.MovedWeight.Value, c.moved[name])
				}
			}
		})
	}
}

// TestFormatOutcomes checks in which placements formats fail. Components of one size give scores
// that overflow float16 or e4m3fn unless the scale 1/64 comes before the product. Normal scores
// move more than 1 % of the weight in e4m3fn, but not in bfloat16, where scores need a large common
// part for that.
func TestFormatOutcomes(t *testing.T) {
	r := rand.New(rand.NewPCG(111, 112))
	const rows, d = 64, 16
	signs := func(size float64) Vectors {
		v := Vectors{rows, d, make([]float64, rows*d)}
		for i := range v.Data {
			v.Data[i] = math.Copysign(size, r.NormFloat64())
		}
		return v
	}
	normalQueries, normalKeys := sampleVectors(r, rows, d, normal), sampleVectors(r, rows, d, normal)
	transform := func(v Vectors, factor, addend float64) Vectors {
		w := Vectors{v.Rows, v.Dimension, make([]float64, len(v.Data))}
		for i, x := range v.Data {
			w.Data[i] = float64(x*factor) + addend
		}
		return w
	}
	all := func(outcome string) map[string]string {
		return map[string]string{names.PlacementAfter: outcome, names.PlacementBefore: outcome,
			precision.PlacementKey: outcome, names.PlacementSplit: outcome}
	}
	onlyAfterFails := all("does not fail")
	onlyAfterFails[names.PlacementAfter] = "fails"
	for _, c := range []struct {
		name, format string
		q, k         Vectors
		scale        float64
		want         map[string]string
	}{
		{"float16, scores of 2^18 times the cosine", names.FormatFloat16, signs(128), signs(128), 1.0 / 64,
			onlyAfterFails},
		{"bfloat16, the same scores", names.FormatBFloat16, signs(128), signs(128), 1.0 / 64, all("does not fail")},
		{"e4m3fn, scores of 1024 times the cosine", names.FormatE4M3Saturating, signs(8), signs(8), 1.0 / 64,
			onlyAfterFails},
		{"e4m3fn, normal scores", names.FormatE4M3Saturating, normalQueries, normalKeys, 0.25, all("fails")},
		{"e4m3fn, short vectors", names.FormatE4M3Saturating, transform(normalQueries, 0.1, 0),
			transform(normalKeys, 0.1, 0), 0.25, all("does not fail")},
		{"bfloat16, normal scores", names.FormatBFloat16, normalQueries, normalKeys, 0.25, all("does not fail")},
		{"bfloat16, keys with a large mean", names.FormatBFloat16, normalQueries, transform(normalKeys, 1, 64), 0.25,
			all("fails")},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Scale: c.scale, Format: precision.Lookup(c.format), Workers: 1}
			for name, e := range estimateFormat(t, c.q, c.k, o) {
				if e.Outcome != c.want[name] {
					t.Errorf("%s %s, want %s: overflow %v, moved weight %v", name, e.Outcome, c.want[name], e.Overflow,
						e.MovedWeight)
				}
			}
		})
	}
}

// TestFormatRows checks that a head has at most maxFormatRows rows over all texts, and at least one
// of each text.
func TestFormatRows(t *testing.T) {
	r := rand.New(rand.NewPCG(113, 114))
	for _, c := range []struct{ rows, texts, want int }{{40, 0, 40}, {400, 1, 256}, {400, 16, 16}, {400, 1000, 1}} {
		q, k := sampleVectors(r, c.rows, 4, normal), sampleVectors(r, c.rows, 4, normal)
		o := Options{Scale: 0.5, Texts: c.texts, Format: precision.Lookup(names.FormatFloat16)}
		if got := len(measureFormat(q, k, o)); got != c.want {
			t.Errorf("%d rows of %d texts: %d are measured, want %d", c.rows, c.texts, got, c.want)
		}
	}
}

// TestFormatIntervals checks the coverage of both 95 % intervals, which may be larger: rows of one
// cluster share a probability of overflow and an addend of the moved weight.
func TestFormatIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(115, 116))
	const files, clusters, rowsPerCluster, keys, meanProbability = 1000, 16, 16, 50, 0.02
	for _, scatter := range []float64{0, 1} {
		overflowHits, medianHits := 0, 0
		for range files {
			rows := make([][]precision.GivenRow, clusters)
			for c := range rows {
				p := meanProbability * (1 - scatter + 2*scatter*r.Float64())
				shift := scatter * r.NormFloat64()
				for range rowsPerCluster {
					row := precision.GivenRow{Keys: keys}
					for range keys {
						if r.Float64() < p {
							row.Overflows[0]++
						}
					}
					row.Moved[0] = shift + r.NormFloat64()
					rows[c] = append(rows[c], row)
				}
			}
			e := newFormatEstimate(rows, 0)
			if e.Overflow.Lo <= meanProbability && meanProbability <= e.Overflow.Hi {
				overflowHits++
			}
			if e.MovedWeight.Lo <= 0 && 0 <= e.MovedWeight.Hi {
				medianHits++
			}
		}
		t.Logf("scatter %v: coverage %d and %d of %d", scatter, overflowHits, medianHits, files)
		if min(overflowHits, medianHits) < 0.92*files {
			t.Errorf("scatter %v: the intervals cover in %d and %d of %d files", scatter, overflowHits, medianHits,
				files)
		}
	}
}

// TestFormatExtremes checks the intervals of proportions of 0 and 1 and of a single cluster.
func TestFormatExtremes(t *testing.T) {
	rows := make([][]precision.GivenRow, 20)
	for i := range rows {
		rows[i] = []precision.GivenRow{{Keys: i + 2, Overflows: [len(precision.Placements)]int{0, i + 2}}}
	}
	none, every := newFormatEstimate(rows, 0).Overflow, newFormatEstimate(rows, 1).Overflow
	limit := 1 - math.Pow(0.025, 1.0/20) // of no event in 20 rows
	if none.Value != 0 || none.Lo != 0 || math.Abs(float64(none.Hi)-limit) > 1e-9 {
		t.Errorf("no overflow: got %v, want an upper limit of %v", none, limit)
	}
	if every.Value != 1 || every.Hi != 1 || math.Abs(float64(every.Lo)-(1-limit)) > 1e-9 {
		t.Errorf("every score overflows: got %v, want a lower limit of %v", every, 1-limit)
	}
	e := newFormatEstimate(rows[:1], 0)
	if e.Overflow.Lo.Present() || e.MovedWeight.Lo.Present() || e.Outcome != "undecided" {
		t.Errorf("one row: got %v, want no intervals", e)
	}
}
