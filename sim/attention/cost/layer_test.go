package cost_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"testing/quick"

	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// TestDoubling checks that, if the number n of tokens doubles, the operations of projections double
// and those of steps over pairs grow by 4, or by 4 − 2/(n + 1) with a causal mask.
func TestDoubling(t *testing.T) {
	l := gpt2(768)
	for _, p := range l.Parts() {
		want := 4.0
		if p.Weights > 0 {
			want = 2
		}
		if p.Growth != want {
			t.Errorf("without a mask: the growth of %s is %v, want %v", p.Name, p.Growth, want)
		}
	}
	l.Causal = true
	for _, p := range l.Parts() {
		if want := 4 - 2.0/769; p.Weights == 0 && math.Abs(p.Growth-want) > 1e-12 {
			t.Errorf("with a causal mask: the growth of %s is %v, want 4 − 2/(n + 1) = %v", p.Name, p.Growth, want)
		}
	}
}

// TestPropertiesOfLayers checks random layers that Check accepts. Counts must be positive and their
// sum the exact number of operations, the growth must be in 2..4, and Crossing must be the smallest
// number of tokens for which scores and blend have at least as many operations as the projections.
func TestPropertiesOfLayers(t *testing.T) {
	property := func(n, d, k, v, h, g, b uint32, causal bool) bool {
		l := cost.Layer{Context: int64(n%(1<<21)) + 1, Model: int64(d%20000) + 1, Key: int64(k%600) + 1,
			Value: int64(v%600) + 1, KeyHeads: int64(g%40) + 1, Bits: 8*int64(b%8) + 8, Causal: causal}
		l.Heads = l.KeyHeads * (int64(h%8) + 1)
		if err := l.Check(); err != nil {
			return errors.Is(err, cost.ErrSize)
		}
		sum := new(big.Int)
		for _, p := range l.Parts() {
			isValid := p.Operations > 0 && p.Outputs >= 0 && p.Weights >= 0 && p.Growth >= 2 && p.Growth <= 4
			if !isValid {
				return false
			}
			sum.Add(sum, big.NewInt(p.Operations))
		}
		crosses := func(n int64) bool {
			l.Context = n
			return l.Operations(cost.Products...) >= l.Operations(cost.Projections...)
		}
		return sum.Cmp(big.NewInt(l.Operations())) == 0 && crosses(l.Crossing()) && !crosses(l.Crossing()-1)
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

// TestCheckNamesTheWrongSize checks that the error of Check begins with the name of the wrong size.
func TestCheckNamesTheWrongSize(t *testing.T) {
	for name, change := range map[string]func(*cost.Layer){
		names.ParamContext:        func(l *cost.Layer) { l.Context = 0 },
		names.ParamModel:          func(l *cost.Layer) { l.Model = -1 },
		names.ParamDimension:      func(l *cost.Layer) { l.Key = cost.MaxSize + 1 },
		names.ParamValueDimension: func(l *cost.Layer) { l.Value = 0 },
		names.ParamHeads:          func(l *cost.Layer) { l.Heads = 0 },
		names.ParamKeyHeads:       func(l *cost.Layer) { l.KeyHeads = 5 },
		names.ParamNumberBytes:    func(l *cost.Layer) { l.Bits = math.MinInt64 },
	} {
		l := gpt2(8)
		change(&l)
		if err := l.Check(); err == nil || !strings.HasPrefix(err.Error(), name+":") {
			t.Errorf("%+v: the error of Check is %v, want an error that begins with %q", l, err, name+":")
		}
	}
}

// TestCurvesAreCounts checks the form of all curves, and the numbers of the two curves for the
// scores and blend of GPT-2 small together: the operations, which are 4·768·n² for n tokens, and
// the crossing.
func TestCurvesAreCounts(t *testing.T) {
	checked := 0
	for _, c := range cost.Curves() {
		if !cost.IsCostCurve(c) || c.Axis != names.ParamContext {
			t.Errorf("got a curve of the experiment %q over %q, want a cost curve over %q", c.Experiment, c.Axis,
				names.ParamContext)
		}
		if len(c.X) != len(c.Y) {
			t.Errorf("%s: the curve has %d abscissas and %d ordinates", c.Quantity, len(c.X), len(c.Y))
		}
		isProducts := c.Params[names.ParamPublished] == "GPT-2 small" && c.Params[names.ParamPart] == names.PartProducts
		if !isProducts || c.Quantity == "attention_growth" {
			continue
		}
		checked++
		if c.Quantity == names.AttentionCrossing && c.X[0] != 2*768 {
			t.Errorf("the crossing of GPT-2 small is at %v tokens, want 2·768", c.X[0])
		}
		for i, n := range c.X {
			if want := 4 * float64(n) * float64(n) * 768; float64(c.Y[i]) != want {
				t.Errorf("%s for %v tokens is %v, want %v", c.Quantity, n, c.Y[i], want)
			}
		}
	}
	if checked != 2 {
		t.Errorf("GPT-2 small has %d curves of operations or crossings for scores and blend, want 2", checked)
	}
}
