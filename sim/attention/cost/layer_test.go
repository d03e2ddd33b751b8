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

// TestDoubling checks that for twice the tokens the projections double and all steps over pairs are
// four times as large, or a little less with a causal mask.
func TestDoubling(t *testing.T) {
	l := gpt2(768)
	for _, p := range l.Parts() {
		want := 4.0
		if p.Weights > 0 {
			want = 2
		}
		if p.Growth != want {
			t.Errorf("%s grows by %v, not %v", p.Name, p.Growth, want)
		}
	}
	l.Causal = true
	for _, p := range l.Parts() {
		if want := 4 - 2.0/769; p.Weights == 0 && math.Abs(p.Growth-want) > 1e-12 {
			t.Errorf("causal, %s grows by %v, not 4 − 2/(n + 1) = %v", p.Name, p.Growth, want)
		}
	}
}

// TestPropertiesOfLayers checks that any valid layer has parts whose sum fits in 64 bits, grows by
// a factor of 2 to 4, and has the crossing that it says.
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
			if p.Operations <= 0 || p.Outputs < 0 || p.Weights < 0 || p.Growth < 2 || p.Growth > 4 {
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

func TestCheckNamesWhatIsWrong(t *testing.T) {
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
		if change(&l); l.Check() == nil || !strings.HasPrefix(l.Check().Error(), name+":") {
			t.Errorf("%s: %v", name, l.Check())
		}
	}
}

// TestCurvesAreCounts checks that curves have the counts of layers and the right crossing.
func TestCurvesAreCounts(t *testing.T) {
	found := 0
	for _, c := range cost.Curves() {
		if !cost.IsCostCurve(c) || len(c.X) != len(c.Y) || c.Axis != names.ParamContext {
			t.Errorf("%+v", c)
		}
		if model, part := c.Params[names.ParamPublished], c.Params[names.ParamPart]; c.Quantity == "attention_growth" ||
			model != "GPT-2 small" || part != names.PartProducts {
			continue
		}
		found++
		if c.Quantity == names.AttentionCrossing && (c.X[0] != 2*768 || c.Y[0] != 4*1536*1536*768) {
			t.Errorf("it crosses at %v, %v", c.X, c.Y)
		}
		for i, n := range c.X {
			if want := 4 * float64(n) * float64(n) * 768; float64(c.Y[i]) != want {
				t.Errorf("%s at n = %v is %v, not %v", c.Quantity, n, c.Y[i], want)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d lines of GPT-2 small have scores and blend", found)
	}
}
