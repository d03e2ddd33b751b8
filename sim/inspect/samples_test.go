package inspect

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// array is the twin of array in testdata/samples.py.
func array(a int64, rows, d int, mean float64) Vectors {
	v := Vectors{rows, d, make([]float64, rows*d)}
	for i := range v.Data {
		u := float64(int64(i+1)*a%65537)/65536 - 0.5
		v.Data[i] = 2*u - u*u*u + mean
	}
	return v
}

// near holds numbers against NumPy's, to 10⁻⁶ of each or of the size given.
func near(t *testing.T, what string, got, want map[string]float64, size float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, NumPy has %v", what, got, want)
	}
	for name, x := range got {
		if !(math.Abs(x-want[name]) <= 1e-6*math.Max(math.Abs(want[name]), size)) {
			t.Errorf("%s, %s: %v, NumPy %v", what, name, x, want[name])
		}
	}
}

// What is said of scores is what NumPy 1.24.2 says of all of them, one by one.
func TestAgainstNumPy(t *testing.T) {
	data, err := os.ReadFile("testdata/samples.json")
	simtest.Must(t, err)
	var all struct {
		Cases []struct {
			Queries, Keys   int
			D               int     `json:"d_k"`
			QueryMean       float64 `json:"q_mean"`
			KeyMean         float64 `json:"k_mean"`
			Crossed, Paired map[string]float64
			Softmax         map[string]map[string]map[string]float64
		}
	}
	simtest.Must(t, json.Unmarshal(data, &all))
	if len(all.Cases) < 5 {
		t.Fatalf("%d cases", len(all.Cases))
	}
	for _, c := range all.Cases {
		q, k := array(40503, c.Queries, c.D, c.QueryMean), array(30011, c.Keys, c.D, c.KeyMean)
		name := fmt.Sprintf("%d × %d of %d", c.Queries, c.Keys, c.D)
		moments := func(m Moments) map[string]float64 {
			return map[string]float64{
				"mean":           m.Mean,
				"variance":       m.Variance,
				"se":             m.Error,
				"freedom":        m.Freedom,
				"square":         m.Square,
				"query_variance": m.QueryVariance,
				"key_variance":   m.KeyVariance,
				"cosine":         m.Cosine,
			}
		}
		d := float64(c.D)
		for mask, levels := range c.Softmax {
			for level, scale := range map[string]float64{"none": 1, "root": 1 / math.Sqrt(d), "d_k": 1 / d} {
				o := Options{Scale: scale, Causal: mask == "causal", Workers: 2}
				p := measured(t, q, k, o)
				near(t, name, moments(p.Moments), c.Crossed, 0.1)
				all := Summarise([]Part{p}, 1, o).All
				e := all.Effects[0]
				near(
					t,
					name+" "+mask+" "+level,
					map[string]float64{
						"max_weight_times_keys": float64(e.Evenness),
						"entropy_ratio":         float64(e.Entropy),
						"gradient_survival_q50": float64(
							e.Survival,
						),
						"row_logit_sd": float64(e.LogitSD),
						"max_logit":    float64(all.Largest),
					},
					levels[level],
					0.1,
				)
			}
		}
		least := min(c.Queries, c.Keys)
		q, k = Vectors{least, c.D, q.Data[:least*c.D]}, Vectors{least, c.D, k.Data[:least*c.D]}
		near(t, name+" paired", moments(measured(t, q, k, Options{Scale: 1, Paired: true}).Moments), c.Paired, 0.1)
	}
}

// The exponent is 1/2 of independent components and 1 of vectors that all have one direction.
func TestExponent(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	same := drawn(r, 64, 256, func(*rand.Rand) float64 { return 1 })
	for i := range same.Rows {
		x := math.Exp(r.NormFloat64())
		for c := range same.Row(i) {
			same.Row(i)[c] = x
		}
	}
	for want, v := range map[float64]Vectors{0.5: drawn(r, 64, 256, normal), 1: same} {
		p, se := measured(
			t,
			v,
			drawn(r, 64, 256, func(r *rand.Rand) float64 { return 1 + (1-2*(want-0.5))*(r.NormFloat64()-1) }),
			Options{Scale: 1, Workers: 1},
		).exponent()
		if math.Abs(p-want) > 4*se+1e-3 || se > 0.01 {
			t.Errorf("%v ± %v, not %v", p, se, want)
		}
	}
}

// The answer is the same whatever the number of workers.
func TestWorkers(t *testing.T) {
	q, k := array(40503, 700, 24, 0.1), array(30011, 300, 24, 0)
	one, two := measured(t, q, k, Options{Scale: 0.2, Workers: 1}), measured(t, q, k, Options{Scale: 0.2, Workers: 3})
	if fmt.Sprint(one) != fmt.Sprint(two) {
		t.Errorf("%v and %v", one.Moments, two.Moments)
	}
}

// summary is of independent heads.
func summary(t *testing.T, r *rand.Rand, heads, rows, d int, sd float64) Summary {
	t.Helper()
	var parts []Part
	o := Options{Scale: 1 / math.Sqrt(float64(d)), Workers: 2}
	for range heads {
		k := drawn(r, rows, d, normal)
		for i := range k.Data {
			k.Data[i] *= sd
		}
		parts = append(parts, measured(t, drawn(r, rows, d, normal), k, o))
	}
	return Summarise(parts, heads, o)
}

// A gate of enough rows passes what is right but for α, and passes what lies on an edge with β at
// most, and fails it with α at most; with fewer rows it is undecided, not wrong.
func TestRates(t *testing.T) {
	const alpha, beta, tolerance = 0.05, 0.05, 0.3
	draws := 2000
	if testing.Short() {
		draws = 400
	}
	for _, c := range []struct {
		rows               int
		variance           float64
		pass, fail, passes float64 // at most, at most, at least
	}{
		{64, 1, 1, alpha, 1 - alpha}, {16, 1, 1, alpha, 0},
		{64, 1 + tolerance, beta, alpha, 0}, {64, 1 - tolerance, beta, alpha, 0}, {16, 1 + tolerance, beta, alpha, 0},
		{64, 2, beta, 1, 0},
	} {
		r, count := rand.New(rand.NewPCG(3, 4)), map[result.Verdict]float64{}
		for range draws {
			j := summary(
				t,
				r,
				1,
				c.rows,
				16,
				math.Sqrt(c.variance),
			).Judge(Gate{Tolerance: tolerance, Alpha: alpha, Beta: beta}, nil)
			count[j.Verdict] += 1 / float64(draws)
		}
		room := 3 * math.Sqrt(alpha*(1-alpha)/float64(draws))
		if count[result.Pass] > c.pass+room || count[result.Fail] > c.fail+room || count[result.Pass] < c.passes-room {
			t.Errorf("%+v: %v", c, count)
		}
	}
}

// Of vectors of one length the scale is to blame, and of constant ones neither scale nor initialisation.
func TestLooks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	unit := func(v Vectors) Vectors {
		for i := range v.Rows {
			length := math.Sqrt(SumOfSquares(v.Row(i)))
			for c := range v.Row(i) {
				v.Row(i)[c] /= length
			}
		}
		return v
	}
	same := Vectors{64, 32, slices.Repeat([]float64{0.1}, 64*32)}
	for _, c := range []struct {
		q, k   Vectors
		length float64
		says   string
	}{
		{unit(drawn(r, 64, 32, normal)), unit(drawn(r, 64, 32, normal)), 1, "the scale: queries and keys of length 1 give"},
		{same, same, 0, "constant"},
		{Vectors{64, 32, make([]float64, 64*32)}, drawn(r, 64, 32, normal), 0, "constant"},
	} {
		o := Options{Scale: 10, Length: c.length, Workers: 1}
		if looks := Summarise([]Part{measured(t, c.q, c.k, o)}, 1, o).looks(); !strings.Contains(looks, c.says) {
			t.Errorf("%q does not say %q", looks, c.says)
		}
	}
}

// Keys of a standard deviation of 1.01 fail a gate of 1 % once there are enough of them, and
// right ones pass; with fewer neither is decided, and it is said how many more would do.
func TestOnePercent(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 30 million products")
	}
	r := rand.New(rand.NewPCG(5, 6))
	gate := Gate{Tolerance: 0.01, Alpha: 1e-3, Beta: 1e-3}
	for sd, want := range map[float64]result.Verdict{1: result.Pass, 1.01: result.Fail} {
		few := summary(t, r, 16, 256, 64, sd).Judge(gate, nil)
		if few.Verdict != result.Undecided || !(few.Gates[0].Needed > 1) {
			t.Errorf("few of a standard deviation of %v: %+v", sd, few)
		}
		many := summary(t, r, 128, 512, 64, sd).Judge(gate, nil)
		if many.Verdict != want {
			t.Errorf("a standard deviation of %v: %+v", sd, many)
		}
		if band := summary(t, r, 4, 2048, 64, sd).Judge(Gate{Lo: 0.9, Hi: 1.1, Alpha: 1e-3, Beta: 1e-3}, nil); band.Verdict != result.Pass ||
			len(band.Gates) != 4 {
			t.Errorf("a standard deviation of %v in a band: %+v", sd, band)
		}
	}
}

// walk are rows of which each is like the one before.
func walk(r *rand.Rand, rows, d int) Vectors {
	v := drawn(r, rows, d, normal)
	for i := 1; i < rows; i++ {
		for c := range d {
			v.Row(i)[c] = 0.9*v.Row(i - 1)[c] + math.Sqrt(1-0.9*0.9)*v.Row(i)[c]
		}
	}
	return v
}

// Of rows that depend on each other the error between twelve texts is right, and four texts have
// none, which is said.
func TestTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	o := Options{Scale: 0.25, Workers: 1}
	const draws = 100
	var values []float64
	var between float64
	for range draws {
		var parts []Part
		for range 12 {
			parts = append(parts, measured(t, walk(r, 48, 16), walk(r, 48, 16), o))
		}
		s := Summarise(parts, 1, o)
		values = append(values, float64(s.All.Variance.Value))
		between += float64(s.All.Variance.SE*s.All.Variance.SE) / draws
		few := Summarise(parts[:4], 1, o)
		if few.Blocks != 0 || s.Blocks != 12 || few.All.Variance.SE.Present() || !few.All.Variance.Value.Present() ||
			!strings.Contains(few.Dependence, "errors are not known") || !strings.Contains(s.Dependence, "12 texts") {
			t.Fatalf("%d and %d blocks; %s; %s", few.Blocks, s.Blocks, few.Dependence, s.Dependence)
		}
	}
	if ratio := math.Sqrt(variance(values) / between); math.Abs(ratio-1) > 3/math.Sqrt(2*draws) {
		t.Errorf("estimates scatter %v times what the error between texts says", ratio)
	}
}

// Mistakes are noticed, each with what to type, and sound samples get no warning.
// constant are equal vectors of numbers that are not round.
// Heads of more numbers than are kept are looked at in blocks, with the answer of all rows, and in
// bounded memory, whatever the file announces; what cannot be cut is refused.
// Numbers that float32 does not hold are refused.
func TestRange(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, size := range []float64{1e-20, 1e20} {
		v := drawn(r, 8, 8, normal)
		for i := range v.Data {
			v.Data[i] *= size
		}
		if _, err := Measure(v, drawn(r, 8, 8, normal), Options{Scale: 1}); err == nil || !strings.Contains(err.Error(), "in size") {
			t.Errorf("%v: %v", size, err)
		}
	}
}

// Samples are found by their names, in two files too, and split into heads.
// Names of layers are found, whatever their numbers stand in, and ordered by these.
// Heads of layers are judged each by its own layer, of which one may have others than another.
// Numbers of heads that agree with the axes are accepted, and others split the last axis.
