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

// TestConformanceInitialisations holds each row of the table to what every
// initialisation needs: that it is whole, that the formulas which pages print are
// those that it computes by, and that heads drawn by it have these variances. It says
// in a sentence what a row lacks.
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
			for _, what := range lacks(s) {
				t.Error(what)
			}
		})
	}
}

// lacks says what an initialisation is without and must have, and what is not as its
// formulas say, a sentence each.
func lacks(s *Scheme) (out []string) {
	fault := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("the initialisation %q "+format, append([]any{s.Name}, args...)...))
	}
	want := func(has bool, what string) {
		if !has {
			fault("lacks %s", what)
		}
	}
	_, named := names.Lookup(names.GroupInitialisation, s.Name)
	want(named, "an entry in the table of names")
	want(s.Title != "" && s.Framework != "" && s.Source != "", "its title, framework or source")
	f := s.Formulas
	want(f.Entry != "" && f.Query != "" && f.Key != "" && f.Scale != "" && f.Logit != "", "one of its formulas")
	want(s.Scale != nil, "a scale")
	want(s.Orthogonal() || s.Variances != nil, "the variances of its entries")
	want(!s.Orthogonal() || s.Variances == nil, "a distribution, though it has variances")
	want(!s.Orthogonal() || s.Bias == nil, "a distribution, though it has a bias")
	want(s.Orthogonal() || s.Distribution.HasIndependentComponents() && !math.IsInf(s.Distribution.Kurtosis(), 1),
		"a distribution of independent components with a kurtosis")
	if len(out) > 0 {
		return out
	}
	draw := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		key, heads := 1+draw.IntN(300), 1+draw.IntN(100)
		formulasFit(fault, s, Shape{key * heads, key})
		if len(out) > 0 {
			return out
		}
	}
	drawsFit(fault, s)
	return out
}

// textDigits is what a text's own digits let it be off: 0.773741 has six.
const textDigits = 1e-6

// formulasFit holds every equal side of the formulas against what the scheme computes
// by at a shape.
func formulasFit(fault func(string, ...any), s *Scheme, shape Shape) {
	says := func(what, text string, want float64) {
		for _, side := range strings.Split(text, " = ") {
			got, err := evaluate(side, shape)
			if err != nil {
				fault("has a formula of %s that cannot be read: %v", what, err)
			} else if math.Abs(got-want) > textDigits*want {
				fault("says that %s is %s, which is %v at %+v; it computes by %v", what, side, got, shape, want)
			}
		}
	}
	h, f := s.At(shape), s.Formulas
	says("the variance of a query", f.Query, h.QueryVariance())
	says("the variance of a key", f.Key, h.KeyVariance())
	says("the scale", f.Scale, h.Scale)
	says("the variance of a logit", f.Logit, h.LogitVariance())
	if f.Entry == "any" {
		if !s.Normalised {
			fault("says that its entries may be any, and is not normalised")
		}
		return
	}
	query, key, apart := strings.Cut(f.Entry, " of W_Q, ")
	key = strings.TrimSuffix(key, " of W_K")
	if !apart {
		var biased bool
		query, biased = strings.CutSuffix(f.Entry, ", and of the bias")
		key = query
		if biased {
			says("the variance of the bias", query, h.Query.Bias)
		}
		if biased != (s.Bias != nil) {
			fault("has a formula and a function that disagree on a bias")
		}
	}
	says("the variance of an entry of W_Q", query, h.Query.Variance)
	says("the variance of an entry of W_K", key, h.Key.Variance)
}

// conformingDraws are the heads that are drawn, of a shape that is fast.
const conformingDraws = 64

var conformingShape = Shape{96, 16}

// drawsFit holds the variances against drawn heads, within 5 standard errors. Where the
// draws do not scatter, as where a query is zero or normalised, they are what it says.
func drawsFit(fault func(string, ...any), s *Scheme) {
	h := s.At(conformingShape)
	drawn := sampled(h, conformingDraws)
	near := func(what string, m moments.Moments, factor, want float64) {
		got, se := m.Mean*factor, math.Sqrt(m.Variance()/float64(m.N))*factor
		if !(math.Abs(got-want) <= 5*se+1e-6*want) {
			fault("has drawn heads whose %s is %v ± %v, and computes by %v", what, got, se, want)
		}
	}
	near("query variance", drawn.query, 1, h.QueryVariance())
	near("key variance", drawn.key, 1, h.KeyVariance())
	near("logit variance", drawn.score, h.Scale*h.Scale, h.LogitVariance())
}
