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
			for _, what := range lacks(k) {
				t.Error(what)
			}
		})
	}
}

// lacks says what a rule is without and must have, and what is not as it declares, a
// sentence each.
func lacks(k *kind) (out []string) {
	fault := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("the rule %q "+format, append([]any{k.Name}, args...)...))
	}
	e, named := names.Lookup(names.GroupRule, k.Name)
	if !named || k.Formula == "" || k.Source == "" || e.Formula != k.Formula {
		fault("lacks an entry in the table of names, with formula and source")
	}
	if (e.Range != "") != (k.param.name != "") {
		fault("lacks its parameter, or a range in the table of names")
	}
	if p := k.param; p.name != "" && !(p.lo < p.hi && (p.silent || p.lo <= p.usual && p.usual <= p.hi)) {
		fault("lacks a usual parameter within its bounds")
	}
	if (k.factor != nil) == (k.logit != nil) && k != additive {
		fault("lacks a factor or a logit, or has both; the additive rule alone has neither")
	}
	if k.variance == nil || k.slope == nil {
		fault("lacks its variance or its slope")
	}
	if len(out) > 0 {
		return out
	}
	for _, x := range parameters(k) {
		r := Rule{k, x}
		if again, err := Parse(r.String(), number); err != nil || again != r {
			fault("is written %v, which is read as %v: %v", r, again, err)
		}
		if r.Additive() {
			additiveFits(fault, r)
			continue
		}
		for _, l := range distribution.Defaults() {
			pairsFit(fault, r, l)
		}
		limitFits(fault, r)
	}
	return out
}

// parameters are where a rule is looked at: its usual parameter, half and twice it.
func parameters(k *kind) []float64 {
	p := k.param
	switch {
	case p.name == "":
		return []float64{0}
	case p.silent:
		return []float64{p.usual, 16}
	}
	return []float64{p.usual, max(p.lo, p.usual/2), min(p.hi, 2*p.usual)}
}

// Pairs that are drawn for a distribution and a dimension, beside which a mean keeps to
// withinErrors of its standard errors.
const (
	conformingPairs = 1 << 14
	withinErrors    = 5
	conformingKeys  = 8
)

// dimensions are those at which logits are drawn.
var dimensions = []int{1, 2, 8, 64}

// squares returns the mean of the square of a logit over drawn pairs, its error, and how
// far squares are from each other.
func squares(r Rule, l distribution.Distribution, d int) (mean, se, width float64) {
	sum, sqr, least, most := 0.0, 0.0, math.Inf(1), 0.0
	for _, p := range pairsOf(l, d) {
		x := r.Logit(&p)
		sum += x * x
		sqr += x * x * x * x
		least, most = min(least, x*x), max(most, x*x)
	}
	mean = sum / conformingPairs
	return mean, math.Sqrt(max(0, sqr/conformingPairs-mean*mean) / conformingPairs), most - least
}

// drawn are the pairs of each distribution and dimension.
var drawn = map[string][]Pair{}

func pairsOf(l distribution.Distribution, d int) []Pair {
	cell := fmt.Sprint(l, "/", d)
	if drawn[cell] != nil {
		return drawn[cell]
	}
	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 5, Cell: "conformance/" + cell}).Block(&lanes, 0)
	vectors, q, k, turned := kernel.Vectors(l), make([][kernel.Width]float32, d), make([][kernel.Width]float32, d),
		make([][kernel.Width]float32, d)
	var all []Pair
	for len(all) < conformingPairs {
		vectors(&lanes, q)
		vectors(&lanes, k)
		NewRotation(d).Turn(k, turned, 0)
		for lane := range kernel.Width {
			p := Pair{D: d, Keys: conformingKeys}
			for i := range q {
				x, y := float64(q[i][lane]), float64(k[i][lane])
				p.Score += x * y
				p.Turned += x * float64(turned[i][lane])
				p.QuerySquare += x * x
				p.KeySquare += y * y
			}
			all = append(all, p)
		}
	}
	drawn[cell] = all
	return all
}

// pairsFit holds a variance that is known exactly, or by quadrature, against drawn
// pairs, and a slope that is known exactly against the declared variances, where they
// are exact, and against the drawn ones.
func pairsFit(fault func(string, ...any), r Rule, l distribution.Distribution) {
	slope := r.Slope(l)
	var last struct{ d, want, mean, relative float64 }
	for _, d := range dimensions {
		of := Setting{l, d, conformingKeys}
		want := r.Variance(of)
		mean, se, width := squares(r, l, d)
		near := math.Abs(mean-want.Value) <= withinErrors*se+1e-6*want.Value // components are float32
		if want.Kind != names.TheoryLimit && !near {
			fault("(%v) leaves a variance of %v ± %v of the distribution %v at d_k = %d, and declares %v", r, mean, se,
				l, d, want.Value)
		}
		if same := width <= 1e-5*mean; r.kind.factor == nil && same != r.Constant(of) {
			fault("(%v) says that squares of the distribution %v at d_k = %d do not vary: %v; they are %v apart", r, l,
				d, r.Constant(of), width)
		}
		if relative := se / mean; slope.Kind == names.TheoryExact {
			if steps := math.Log(float64(d) / last.d); last.d > 0 {
				if by := math.Log(want.Value/last.want) / steps; want.Kind == names.TheoryExact &&
					math.Abs(by-slope.Value) > 1e-9 {
					fault("(%v) declares the exact slope %v, and variances whose slope is %v from d_k = %v to %d for "+
						"the distribution %v", r, slope.Value, by, last.d, d, l)
				}
				by, limit := math.Log(mean/last.mean)/steps, withinErrors*math.Hypot(relative, last.relative)/steps+1e-6
				if math.Abs(by-slope.Value) > limit+limit*limit {
					fault("(%v) declares the exact slope %v, and its drawn logits have %v ± %v from d_k = %v to %d "+
						"for the distribution %v", r, slope.Value, by, limit/withinErrors, last.d, d, l)
				}
			}
			last.d, last.want, last.mean, last.relative = float64(d), want.Value, mean, relative
		}
	}
}

// many is where a limit of many components is to be reached but for κ²/d_k.
const many = 512

// limitFits holds a variance that is known in the limit against pairs of many
// components, and the slope against the declared variances.
func limitFits(fault func(string, ...any), r Rule) {
	for _, l := range []distribution.Distribution{distribution.Normal, distribution.Uniform} {
		want := r.Variance(Setting{l, many, conformingKeys})
		mean, se, _ := squares(r, l, many)
		allowed := l.Kurtosis() * l.Kurtosis() / many * want.Value
		if !(math.Abs(mean-want.Value) <= withinErrors*se+allowed) {
			fault("(%v) leaves a variance of %v ± %v of the distribution %v at d_k = %d, and declares %v", r, mean, se,
				l, many, want.Value)
		}
		slopeOfDeclared(fault, r, l)
	}
}

// slopeOfDeclared is that of the declared variances where components are many.
func slopeOfDeclared(fault func(string, ...any), r Rule, l distribution.Distribution) {
	low, high := r.Variance(Setting{l, 1 << 16, conformingKeys}), r.Variance(Setting{l, 1 << 20, conformingKeys})
	if by, want := math.Log(high.Value/low.Value)/math.Log(16), r.Slope(l).Value; !(math.Abs(by-want) <= 1e-3) {
		fault("(%v) declares the slope %v, and variances whose slope is %v where components are many", r, want, by)
	}
}

// additiveFits draws the weights of an additive rule anew, apart from the experiment.
func additiveFits(fault func(string, ...any), r Rule) {
	const d, sets = 64, 1024
	of, draw, a := Setting{distribution.Normal, d, conformingKeys}, rand.New(rand.NewPCG(1, 2)), r.Hidden(d)
	glorot := func(fans int) float64 { return (2*draw.Float64() - 1) * math.Sqrt(6/float64(fans)) }
	pairs := conformingPairs / sets
	x := make([]float64, 2*d*pairs) // q and k of each pair
	var sum, sqr float64
	for range sets {
		for i := range x {
			x[i] = draw.NormFloat64()
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
		sqr += mean * mean
	}
	mean, want := sum/sets, r.Variance(of)
	se := math.Sqrt((sqr/sets - mean*mean) / sets)
	if allowed := 9.0 / d * want.Value; !(math.Abs(mean-want.Value) <= withinErrors*se+allowed) {
		fault("(%v) leaves a variance of %v ± %v at d_k = %d, and declares %v", r, mean, se, d, want.Value)
	}
	slopeOfDeclared(fault, r, distribution.Normal)
}
