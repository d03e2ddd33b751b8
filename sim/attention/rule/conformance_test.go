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

// TestConformanceRules holds each row of the table to what every rule needs, and its
// declared variance and slope against drawn pairs. It says in a sentence what a row
// lacks.
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

// findFaults says what a rule is without and must have, and what is not as it declares, a
// sentence each.
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

// testParameters are where a rule is looked at: its usual parameter, half and twice it.
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

// Pairs that are drawn for a distribution and a dimension, beside which a mean keeps to
// withinErrors of its standard errors.
const (
	testPairs = 1 << 14
	maxErrors = 5
	testKeys  = 8
)

// testDimensions are those at which logits are drawn.
var testDimensions = []int{1, 2, 8, 64}

// sampleSquares returns the mean of the square of a logit over drawn pairs, its error, and how
// far squares are from each other.
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

// pairCache are the pairs of each distribution and dimension.
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

// checkPairs holds a variance that is known exactly, or by quadrature, against drawn
// pairs, and a slope that is known exactly against the declared variances, where they
// are exact, and against the drawn ones.
func checkPairs(addFault func(string, ...any), r Rule, l distribution.Distribution) {
	slope := r.Slope(l)
	var previous struct{ d, want, mean, relative float64 }
	for _, d := range testDimensions {
		setting := Setting{l, d, testKeys}
		want := r.Variance(setting)
		mean, se, width := sampleSquares(r, l, d)
		isNear := math.Abs(mean-want.Value) <= maxErrors*se+1e-6*want.Value // components are float32
		if want.Kind != names.TheoryLimit && !isNear {
			addFault("(%v) leaves a variance of %v ± %v of the distribution %v at d_k = %d, and declares %v", r, mean, se,
				l, d, want.Value)
		}
		if isConstant := width <= 1e-5*mean; r.kind.factor == nil && isConstant != r.HasConstantSquare(setting) {
			addFault("(%v) says that squares of the distribution %v at d_k = %d do not vary: %v; they are %v apart", r, l,
				d, r.HasConstantSquare(setting), width)
		}
		if relative := se / mean; slope.Kind == names.TheoryExact {
			if steps := math.Log(float64(d) / previous.d); previous.d > 0 {
				if declared := math.Log(want.Value/previous.want) / steps; want.Kind == names.TheoryExact &&
					math.Abs(declared-slope.Value) > 1e-9 {
					addFault("(%v) declares the exact slope %v, and variances whose slope is %v from d_k = %v to %d for "+
						"the distribution %v", r, slope.Value, declared, previous.d, d, l)
				}
				sampled, limit := math.Log(mean/previous.mean)/steps, maxErrors*math.Hypot(relative, previous.relative)/steps+1e-6
				if math.Abs(sampled-slope.Value) > limit+limit*limit {
					addFault("(%v) declares the exact slope %v, and its drawn logits have %v ± %v from d_k = %v to %d "+
						"for the distribution %v", r, slope.Value, sampled, limit/maxErrors, previous.d, d, l)
				}
			}
			previous.d, previous.want, previous.mean, previous.relative = float64(d), want.Value, mean, relative
		}
	}
}

// manyComponents is where a limit of many components is to be reached but for κ²/d_k.
const manyComponents = 512

// checkLimit holds a variance that is known in the limit against pairs of many
// components, and the slope against the declared variances.
func checkLimit(addFault func(string, ...any), r Rule) {
	for _, l := range []distribution.Distribution{distribution.Normal, distribution.Uniform} {
		want := r.Variance(Setting{l, manyComponents, testKeys})
		mean, se, _ := sampleSquares(r, l, manyComponents)
		tolerance := l.Kurtosis() * l.Kurtosis() / manyComponents * want.Value
		if !(math.Abs(mean-want.Value) <= maxErrors*se+tolerance) {
			addFault("(%v) leaves a variance of %v ± %v of the distribution %v at d_k = %d, and declares %v", r, mean, se,
				l, manyComponents, want.Value)
		}
		checkSlope(addFault, r, l)
	}
}

// checkSlope is that of the declared variances where components are many.
func checkSlope(addFault func(string, ...any), r Rule, l distribution.Distribution) {
	low, high := r.Variance(Setting{l, 1 << 16, testKeys}), r.Variance(Setting{l, 1 << 20, testKeys})
	if got, want := math.Log(high.Value/low.Value)/math.Log(16), r.Slope(l).Value; !(math.Abs(got-want) <= 1e-3) {
		addFault("(%v) declares the slope %v, and variances whose slope is %v where components are many", r, want, got)
	}
}

// checkAdditive draws the weights of an additive rule anew, apart from the experiment.
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
