package weights

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/names"
)

// TestConformanceInitialisations checks that each scheme of the table is complete, that its printed
// formulas agree with its functions, and that sampled heads have the variances that it computes.
func TestConformanceInitialisations(t *testing.T) {
	seen := map[string]bool{}
	for i := range table {
		s := &table[i]
		if seen[s.Name] {
			t.Errorf("the table of initialisations has %s twice", s.Name)
		}
		seen[s.Name] = true
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			for _, fault := range findFaults(s) {
				t.Error(fault)
			}
		})
	}
}

// findFaults returns a sentence for each required part that an initialisation lacks, and for each
// disagreement between its formulas, its functions and sampled heads.
func findFaults(s *Scheme) (faults []string) {
	addFault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("the initialisation %q "+format, append([]any{s.Name}, args...)...))
	}
	require := func(ok bool, what string) {
		if !ok {
			addFault("lacks %s", what)
		}
	}
	_, named := names.Lookup(names.GroupInitialisation, s.Name)
	require(named, "an entry in the table of names")
	require(s.Title != "" && s.Framework != "" && s.Source != "", "its title, framework or source")
	f := s.Formulas
	require(f.Entry != "" && f.Query != "" && f.Key != "" && f.Scale != "" && f.Logit != "", "one of its formulas")
	require(s.Scale != nil, "a scale")
	require(s.IsOrthogonal() || s.Variances != nil, "the variances of its entries")
	require(!s.IsOrthogonal() || s.Variances == nil, "a distribution, which its variances need")
	require(!s.IsOrthogonal() || s.Bias == nil, "a distribution, which its bias needs")
	if !s.IsOrthogonal() {
		require(s.Distribution.HasIndependentComponents(), "a distribution of independent components")
		require(!math.IsInf(s.Distribution.Kurtosis(), 1), "a distribution with a finite kurtosis")
	}
	if len(faults) > 0 {
		return faults
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		key, heads := 1+rnd.IntN(300), 1+rnd.IntN(100)
		checkFormulas(addFault, s, Shape{key * heads, key})
		if len(faults) > 0 {
			return faults
		}
	}
	checkSamples(addFault, s)
	return faults
}

// textTolerance is the relative tolerance for the rounded numbers in a formula, such as 0.773741.
const textTolerance = 1e-6

// checkFormulas compares every side of the equations of the formulas with what the scheme computes
// for a shape.
func checkFormulas(addFault func(string, ...any), s *Scheme, shape Shape) {
	compare := func(what, text string, want float64) {
		for _, side := range strings.Split(text, " = ") {
			got, err := evaluate(side, shape)
			if err != nil {
				addFault("has a formula of %s that cannot be read: %v", what, err)
			} else if math.Abs(got-want) > textTolerance*want {
				addFault("says that %s is %s, which is %v at %+v; want the computed %v", what, side, got, shape, want)
			}
		}
	}
	h, f := s.Head(shape), s.Formulas
	compare("the variance of a query", f.Query, h.QueryVariance())
	compare("the variance of a key", f.Key, h.KeyVariance())
	compare("the scale", f.Scale, h.Scale)
	compare("the variance of a logit", f.Logit, h.LogitVariance())
	if f.Entry == "any" {
		if !s.Normalised {
			addFault("says that any variance of entries gives the same results, but does not normalise")
		}
		return
	}
	query, key, areDifferent := strings.Cut(f.Entry, " of W_Q, ")
	key = strings.TrimSuffix(key, " of W_K")
	if !areDifferent {
		var hasBias bool
		query, hasBias = strings.CutSuffix(f.Entry, ", and of the bias")
		key = query
		if hasBias {
			compare("the variance of the bias", query, h.Query.BiasVariance)
		}
		if hasBias != (s.Bias != nil) {
			addFault("has a bias by its formula: %v, by its function: %v", hasBias, s.Bias != nil)
		}
	}
	compare("the variance of an entry of W_Q", query, h.Query.Variance)
	compare("the variance of an entry of W_K", key, h.Key.Variance)
}

// testSamples heads of the shape testShape are sampled for each scheme. The shape is small, so that
// this is fast.
const testSamples = 64

var testShape = Shape{Model: 96, Key: 16}

// checkSamples checks that the variances which the scheme computes and the mean squares of sampled
// heads agree within 5 standard errors. If samples do not vary, because queries are 0 or
// normalised, the standard error is 0 and only rounding errors are allowed.
func checkSamples(addFault func(string, ...any), s *Scheme) {
	h := s.Head(testShape)
	sampled := sampleHeads(h, testSamples)
	compare := func(what string, m moments.Moments, factor, want float64) {
		got, se := m.Mean*factor, math.Sqrt(m.Variance()/float64(m.N))*factor
		if !(math.Abs(got-want) <= 5*se+1e-6*want) {
			addFault("has sampled heads whose %s is %v ± %v; want the computed %v", what, got, se, want)
		}
	}
	compare("query variance", sampled.query, 1, h.QueryVariance())
	compare("key variance", sampled.key, 1, h.KeyVariance())
	compare("logit variance", sampled.score, h.Scale*h.Scale, h.LogitVariance())
}
