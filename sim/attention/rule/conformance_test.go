package rule

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// TestConformanceRules checks each entry of the table for what every rule needs, and compares its
// declared variance and slope with sampled pairs. Each fault is a sentence.
func TestConformanceRules(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range table {
		if seen[k.Name] {
			t.Errorf("the table of rules has %s twice", k.Name)
		}
		seen[k.Name] = true
		t.Run(k.Name, func(t *testing.T) {
			for _, fault := range findFaults(k) {
				t.Error(fault)
			}
		})
	}
}

// findFaults returns a sentence for each required part that a rule lacks, and for each declaration
// that sampled pairs contradict.
func findFaults(k *kind) (faults []string) {
	addFault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("the rule %q "+format, append([]any{k.Name}, args...)...))
	}
	e, named := names.Lookup(names.GroupRule, k.Name)
	if !named || k.Formula == "" || k.Source == "" || e.Formula != k.Formula {
		addFault("lacks an entry in the table of names, with formula and source")
	}
	if (e.Range != "") != (k.param.name != "") {
		addFault("lacks its parameter, or a range in the table of names")
	}
	if p := k.param; p.name != "" && !(p.lo < p.hi && (p.isImplicit || p.lo <= p.byDefault && p.byDefault <= p.hi)) {
		addFault("lacks a usual parameter within its bounds")
	}
	if (k.factor != nil) == (k.logit != nil) && k != additive {
		addFault("lacks a factor or a logit, or has both; the additive rule alone has neither")
	}
	if k.variance == nil || k.slope == nil {
		addFault("lacks its variance or its slope")
	}
	if len(faults) > 0 {
		return faults
	}
	for _, x := range testParameters(k) {
		r := Rule{k, x}
		if again, err := Parse(r.String(), number); err != nil || again != r {
			addFault("is written %v, which is read as %v: %v", r, again, err)
		}
		if r.IsAdditive() {
			checkAdditive(addFault, r)
			continue
		}
		for _, l := range distribution.Defaults() {
			checkPairs(addFault, r, l)
		}
		checkLimit(addFault, r)
	}
	return faults
}

// testParameters returns the parameters at which a rule is tested: its default, half of it and
// twice it.
func testParameters(k *kind) []float64 {
	p := k.param
	switch {
	case p.name == "":
		return []float64{0}
	case p.isImplicit:
		return []float64{p.byDefault, 16}
	}
	return []float64{p.byDefault, max(p.lo, p.byDefault/2), min(p.hi, 2*p.byDefault)}
}

// Numbers of pairs and of keys that are sampled for a distribution and a dimension, and the largest
// accepted deviation of a mean in standard errors.
const (
	testPairs = 1 << 14
	maxErrors = 5
	testKeys  = 8
)

// testDimensions are the dimensions at which logits are sampled.
var testDimensions = []int{1, 2, 8, 64}

// sampleSquares returns the mean of the squared logit over sampled pairs, its standard error, and
// the range of the squares.
func sampleSquares(r Rule, l distribution.Distribution, d int) (mean, se, width float64) {
	sum, sumFourth, smallest, largest := 0.0, 0.0, math.Inf(1), 0.0
	for _, p := range samplePairs(l, d) {
		x := r.Logit(&p)
		sum += x * x
		sumFourth += x * x * x * x
		smallest, largest = min(smallest, x*x), max(largest, x*x)
	}
	mean = sum / testPairs
	return mean, math.Sqrt(max(0, sumFourth/testPairs-mean*mean) / testPairs), largest - smallest
}

// pairCache has the pairs of each distribution and dimension.
var pairCache = map[string][]Pair{}

func samplePairs(l distribution.Distribution, d int) []Pair {
	cell := fmt.Sprint(l, "/", d)
	if pairCache[cell] != nil {
		return pairCache[cell]
	}
	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 5, Cell: "conformance/" + cell}).Block(&lanes, 0)
	vectors, q, k, rotated := kernel.Vectors(l), make([][kernel.Width]float32, d), make([][kernel.Width]float32, d),
		make([][kernel.Width]float32, d)
	var pairs []Pair
	for len(pairs) < testPairs {
		vectors(&lanes, q)
		vectors(&lanes, k)
		NewRotation(d).Rotate(k, rotated, 0)
		for lane := range kernel.Width {
			p := Pair{D: d, Keys: testKeys}
			for i := range q {
				x, y := float64(q[i][lane]), float64(k[i][lane])
				p.Score += x * y
				p.RotatedScore += x * float64(rotated[i][lane])
				p.QuerySquare += x * x
				p.KeySquare += y * y
			}
			pairs = append(pairs, p)
		}
	}
	pairCache[cell] = pairs
	return pairs
}

// checkPairs compares a variance that is exact or by quadrature with sampled pairs. It compares an
// exact slope with the declared variances, if these are exact, and with sampled ones.
func checkPairs(addFault func(string, ...any), r Rule, l distribution.Distribution) {
	slope := r.Slope(l)
	var previous sampledVariance
	for _, d := range testDimensions {
		setting := Setting{l, d, testKeys}
		declared := r.Variance(setting)
		mean, se, width := sampleSquares(r, l, d)
		// The 1e-6 is for float32 components.
		isNear := math.Abs(mean-declared.Value) <= maxErrors*se+1e-6*declared.Value
		if declared.Kind != names.TheoryLimit && !isNear {
			addFault("(%v) leaves a variance of %v ± %v of the distribution %v at d_k = %d, and declares %v", r, mean,
				se,
				l, d, declared.Value)
		}
		isConstant := width <= 1e-5*mean
		if r.kind.factor == nil && isConstant != r.HasConstantSquare(setting) {
			addFault("(%v) says that squares of the distribution %v at d_k = %d do not vary: %v; they are %v apart",
				r, l, d, r.HasConstantSquare(setting), width)
		}
		current := sampledVariance{float64(d), declared, mean, se / mean}
		if slope.Kind == names.TheoryExact && previous.d > 0 {
			checkExactSlope(addFault, r, l, previous, current)
		}
		previous = current
	}
}

// sampledVariance is a variance at dimension d: the declared one, and the sampled mean square with
// its relative standard error.
type sampledVariance struct {
	d          float64
	declared   Theory
	mean       float64
	relativeSE float64
}

// checkExactSlope compares the exact slope with the slopes between two dimensions.
func checkExactSlope(addFault func(string, ...any), r Rule, l distribution.Distribution, a, b sampledVariance) {
	slope, steps := r.Slope(l).Value, math.Log(b.d/a.d)
	declared := math.Log(b.declared.Value/a.declared.Value) / steps
	if b.declared.Kind == names.TheoryExact && math.Abs(declared-slope) > 1e-9 {
		addFault("(%v) declares the exact slope %v, and variances whose slope is %v from d_k = %v to %v for the "+
			"distribution %v", r, slope, declared, a.d, b.d, l)
	}
	sampled := math.Log(b.mean/a.mean) / steps
	limit := maxErrors*math.Hypot(a.relativeSE, b.relativeSE)/steps + 1e-6
	if math.Abs(sampled-slope) > limit+limit*limit {
		addFault("(%v) declares the exact slope %v, and its sampled logits have %v ± %v from d_k = %v to %v for the "+
			"distribution %v", r, slope, sampled, limit/maxErrors, a.d, b.d, l)
	}
}

// manyComponents is a dimension at which a limit of many components is reached up to κ²/d_k.
const manyComponents = 512

// checkLimit compares a variance that is known in the limit with pairs of many components, and the
// slope with the declared variances.
func checkLimit(addFault func(string, ...any), r Rule) {
	for _, l := range []distribution.Distribution{distribution.Normal, distribution.Uniform} {
		want := r.Variance(Setting{l, manyComponents, testKeys})
		mean, se, _ := sampleSquares(r, l, manyComponents)
		tolerance := l.Kurtosis() * l.Kurtosis() / manyComponents * want.Value
		if !(math.Abs(mean-want.Value) <= maxErrors*se+tolerance) {
			addFault("(%v) leaves a variance of %v ± %v of the distribution %v at d_k = %d, and declares %v", r, mean,
				se,
				l, manyComponents, want.Value)
		}
		checkSlope(addFault, r, l)
	}
}

// checkSlope compares the slope with the declared variances for many components.
func checkSlope(addFault func(string, ...any), r Rule, l distribution.Distribution) {
	low, high := r.Variance(Setting{l, 1 << 16, testKeys}), r.Variance(Setting{l, 1 << 20, testKeys})
	if got, want := math.Log(high.Value/low.Value)/math.Log(16), r.Slope(l).Value; !(math.Abs(got-want) <= 1e-3) {
		addFault("(%v) declares the slope %v, and variances whose slope is %v where components are many", r, want, got)
	}
}

// checkAdditive samples the weights of an additive rule again, without code of the experiment.
func checkAdditive(addFault func(string, ...any), r Rule) {
	const d, networks = 64, 1024
	setting, rnd, a := Setting{distribution.Normal, d, testKeys}, rand.New(rand.NewPCG(1, 2)), r.HiddenUnits(d)
	glorot := func(fans int) float64 { return (2*rnd.Float64() - 1) * math.Sqrt(6/float64(fans)) }
	pairs := testPairs / networks
	x := make([]float64, 2*d*pairs) // q and k of each pair
	var sum, sumSquares float64
	for range networks {
		for i := range x {
			x[i] = rnd.NormFloat64()
		}
		logits := make([]float64, pairs)
		row := make([]float64, 2*d) // W_q and W_k
		for range a {
			for i := range row {
				row[i] = glorot(d + a)
			}
			w := glorot(a + 1)
			for p := range pairs {
				inner := 0.0
				for i, weight := range row {
					inner += weight * x[2*d*p+i]
				}
				logits[p] += w * math.Tanh(inner)
			}
		}
		mean := 0.0
		for _, y := range logits {
			mean += y * y / float64(pairs)
		}
		sum += mean
		sumSquares += mean * mean
	}
	mean, want := sum/networks, r.Variance(setting)
	se := math.Sqrt((sumSquares/networks - mean*mean) / networks)
	if tolerance := 9.0 / d * want.Value; !(math.Abs(mean-want.Value) <= maxErrors*se+tolerance) {
		addFault("(%v) leaves a variance of %v ± %v at d_k = %d, and declares %v", r, mean, se, d, want.Value)
	}
	checkSlope(addFault, r, distribution.Normal)
}
