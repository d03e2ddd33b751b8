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

// TestConformanceRules checks that every rule of the table is complete and has the declared
// variance and slope, which are compared with sampled pairs.
func TestConformanceRules(t *testing.T) {
	seen := map[string]bool{}
	for _, def := range table {
		if seen[def.Name] {
			t.Errorf("the table of rules has %s twice", def.Name)
		}
		seen[def.Name] = true
		t.Run(def.Name, func(t *testing.T) {
			for _, fault := range findFaults(def) {
				t.Error(fault)
			}
		})
	}
}

// findFaults returns a sentence for each required part that a rule lacks, and for each declaration
// that sampled pairs contradict.
func findFaults(def *definition) (faults []string) {
	addFault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("the rule %q "+format, append([]any{def.Name}, args...)...))
	}
	e, hasEntry := names.Lookup(names.GroupRule, def.Name)
	if !hasEntry || def.Formula == "" || def.Source == "" || e.Formula != def.Formula {
		addFault("lacks an entry in the table of names, with formula and source")
	}
	if (e.Range != "") != (def.param.name != "") {
		addFault("has a parameter but no range in the table of names, or a range but no parameter")
	}
	if p := def.param; p.name != "" {
		if p.lo >= p.hi {
			addFault("has the bounds %v..%v, which are not in ascending order", p.lo, p.hi)
		}
		if !p.isImplicit && (p.defaultValue < p.lo || p.defaultValue > p.hi) {
			addFault("has the default %v outside the bounds %v..%v", p.defaultValue, p.lo, p.hi)
		}
	}
	if (def.factor != nil) == (def.logit != nil) && def != additive {
		addFault("must have either a factor or a logit, but has both or neither")
	}
	if def.variance == nil || def.slope == nil {
		addFault("lacks its variance or its slope")
	}
	if len(faults) > 0 {
		return faults
	}
	for _, x := range testParameters(def) {
		r := Rule{def, x}
		if again, err := Parse(r.String(), number); err != nil || again != r {
			addFault("is written %v, which Parse reads as %v with the error %v", r, again, err)
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

// testParameters returns the values of the parameter for which a rule is tested: the default, half
// of the default and twice the default.
func testParameters(def *definition) []float64 {
	p := def.param
	switch {
	case p.name == "":
		return []float64{0}
	case p.isImplicit:
		return []float64{p.defaultValue, 16}
	}
	return []float64{p.defaultValue, max(p.lo, p.defaultValue/2), min(p.hi, 2*p.defaultValue)}
}

// testPairs pairs are sampled for a distribution and a dimension, for testKeys keys. A mean may
// deviate by maxStandardErrors from its expected value.
const (
	testPairs         = 1 << 14
	maxStandardErrors = 5
	testKeys          = 8
)

// testDimensions are the dimensions at which logits are sampled.
var testDimensions = []int{1, 2, 8, 64}

// sampleSquares returns the mean of the squared logits of sampled pairs, the standard error of the
// mean, and the difference of the largest and the smallest square.
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

// pairCache has the sampled pairs by distribution and dimension.
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

// checkPairs compares the declared variances with the mean squares of sampled logits, unless they
// are limits. It compares an exact slope with the slopes of the declared and of the sampled
// variances.
func checkPairs(addFault func(string, ...any), r Rule, l distribution.Distribution) {
	slope := r.Slope(l)
	var previous sampledVariance
	for _, d := range testDimensions {
		setting := Setting{l, d, testKeys}
		declared := r.Variance(setting)
		mean, se, width := sampleSquares(r, l, d)
		// The tolerance 1e-6 is for the rounding of float32 components.
		agrees := math.Abs(mean-declared.Value) <= maxStandardErrors*se+1e-6*declared.Value
		if declared.Kind != names.TheoryLimit && !agrees {
			addFault("(%v) has logits of variance %v ± %v for the distribution %v and d_k = %d; it declares %v", r,
				mean,
				se, l, d, declared.Value)
		}
		isConstant := width <= 1e-5*mean
		if r.definition.factor == nil && isConstant != r.HasConstantSquare(setting) {
			addFault("(%v) declares HasConstantSquare = %v for the distribution %v and d_k = %d, but the squares of "+
				"sampled logits differ by up to %v", r, r.HasConstantSquare(setting), l, d, width)
		}
		current := sampledVariance{float64(d), declared, mean, se / mean}
		if slope.Kind == names.TheoryExact && previous.d > 0 {
			checkExactSlope(addFault, r, l, previous, current)
		}
		previous = current
	}
}

// sampledVariance has the declared variance for the dimension d, and the mean square of sampled
// logits with its relative standard error.
type sampledVariance struct {
	d          float64
	declared   Theory
	mean       float64
	relativeSE float64
}

// checkExactSlope compares an exact slope with the slopes of declared and of sampled variances
// between the dimensions of a and b.
func checkExactSlope(addFault func(string, ...any), r Rule, l distribution.Distribution, a, b sampledVariance) {
	slope, logRatio := r.Slope(l).Value, math.Log(b.d/a.d)
	declared := math.Log(b.declared.Value/a.declared.Value) / logRatio
	if b.declared.Kind == names.TheoryExact && math.Abs(declared-slope) > 1e-9 {
		addFault("(%v) declares the exact slope %v, but variances whose slope is %v from d_k = %v to %v for the "+
			"distribution %v", r, slope, declared, a.d, b.d, l)
	}
	sampled := math.Log(b.mean/a.mean) / logRatio
	limit := maxStandardErrors*math.Hypot(a.relativeSE, b.relativeSE)/logRatio + 1e-6
	if math.Abs(sampled-slope) > limit+limit*limit { // the square is for the second order of the logarithm
		addFault("(%v) declares the exact slope %v, but its sampled logits have %v ± %v from d_k = %v to %v for the "+
			"distribution %v", r, slope, sampled, limit/maxStandardErrors, a.d, b.d, l)
	}
}

// manyComponents is a dimension for which a variance differs from its limit for many components by
// at most κ²/d_k of it, with the kurtosis κ of a component.
const manyComponents = 512

// checkLimit compares the declared variance with sampled pairs of many components, and the slope
// with the declared variances.
func checkLimit(addFault func(string, ...any), r Rule) {
	for _, l := range []distribution.Distribution{distribution.Normal, distribution.Uniform} {
		want := r.Variance(Setting{l, manyComponents, testKeys})
		mean, se, _ := sampleSquares(r, l, manyComponents)
		tolerance := l.Kurtosis() * l.Kurtosis() / manyComponents * want.Value
		if !(math.Abs(mean-want.Value) <= maxStandardErrors*se+tolerance) {
			addFault("(%v) has logits of variance %v ± %v for the distribution %v and d_k = %d; it declares %v", r,
				mean,
				se, l, manyComponents, want.Value)
		}
		checkSlope(addFault, r, l)
	}
}

// checkSlope compares the slope with the slope of the declared variances for many components.
func checkSlope(addFault func(string, ...any), r Rule, l distribution.Distribution) {
	low, high := r.Variance(Setting{l, 1 << 16, testKeys}), r.Variance(Setting{l, 1 << 20, testKeys})
	if got, want := math.Log(high.Value/low.Value)/math.Log(16), r.Slope(l).Value; !(math.Abs(got-want) <= 1e-3) {
		addFault("(%v) declares the slope %v, but variances whose slope is %v for many components", r, want, got)
	}
}

// checkAdditive compares the variance and the slope of an additive rule with sampled networks. It
// does not use code of the experiment.
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
	if tolerance := 9.0 / d * want.Value; !(math.Abs(mean-want.Value) <= maxStandardErrors*se+tolerance) {
		addFault("(%v) has logits of variance %v ± %v for d_k = %d; it declares %v", r, mean, se, d, want.Value)
	}
	checkSlope(addFault, r, distribution.Normal)
}
