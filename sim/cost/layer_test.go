package cost_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"testing/quick"

	"mcsim/sim/cost"
	"mcsim/sim/names"
)

// Where the tokens double, the projections double and all that has pairs is four times as
// much; the whole is 8/3 of it at n = D, if its products alone are counted.
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
	products := func(l cost.Layer) float64 {
		return float64(l.Operations(cost.Projections...) + l.Operations(cost.Products...))
	}
	if got := products(l.Doubled()) / products(l); math.Abs(got-8.0/3) > 1e-15 {
		t.Errorf("at n = D the products grow by %v", got)
	}
	l.Causal = true
	for _, p := range l.Parts() {
		if want := 4 - 2.0/769; p.Weights == 0 && math.Abs(p.Growth-want) > 1e-12 {
			t.Errorf("causal, %s grows by %v, not 4 − 2/(n + 1) = %v", p.Name, p.Growth, want)
		}
	}
	if short, long := gpt2(1).Growth(), gpt2(1<<24).Growth(); !(short > 2 && short < 2.01 && long > 3.99 && long < 4) {
		t.Errorf("the whole grows by %v and %v", short, long)
	}
}

// Any layer that passes its check has parts that add up without leaving 64 bits, grows by
// 2 to 4, and crosses where it says.
func TestPropertiesOfLayers(t *testing.T) {
	property := func(n, d, k, v, h, g, b uint32, causal bool) bool {
		l := cost.Layer{Context: int64(n%(1<<21)) + 1, Model: int64(d%20000) + 1, Key: int64(k%600) + 1, Value: int64(v%600) + 1, KeyHeads: int64(g%40) + 1, Bits: 8*int64(b%8) + 8, Causal: causal}
		l.Heads = l.KeyHeads * (int64(h%8) + 1)
		if err := l.Check(); err != nil {
			return errors.Is(err, cost.ErrSize)
		}
		sum := new(big.Int)
		for _, p := range l.Parts() {
			if p.Operations <= 0 || p.Made < 0 || p.Weights < 0 || p.Growth < 2 || p.Growth > 4 {
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

// A layer at the limit is counted as exact arithmetic does, and one beyond it refused.
func TestLargeLayers(t *testing.T) {
	l := cost.Layer{Context: 1 << 20, Model: 16384, Key: 128, Value: 128, Heads: 128, KeyHeads: 8, Bits: 16}
	if err := l.Check(); err != nil {
		t.Fatal(err)
	}
	product := func(xs ...int64) *big.Int {
		p := big.NewInt(1)
		for _, x := range xs {
			p.Mul(p, big.NewInt(x))
		}
		return p
	}
	want := product(2, 1<<20, 16384, 136, 256)          // 2nD(h + g)(d_k + d_v)
	want.Add(want, product(128, 1<<20, 1<<20, 2*256+6)) // hn²(2d_k + 2d_v + 6)
	if got := big.NewInt(l.Operations()); got.Cmp(want) != 0 {
		t.Errorf("%v operations, exactly %v", got, want)
	}
	// Twice this text would take more than 2^62, and is not counted but for its growth.
	l = cost.Layer{Context: cost.Most, Model: 768, Key: 64, Value: 64, Heads: 21, KeyHeads: 3, Bits: 16}
	want = product(2, cost.Most, 768, 24, 128)
	want.Add(want, product(21, cost.Most, cost.Most, 2*128+6))
	if got := big.NewInt(l.Operations()); l.Check() != nil || got.Cmp(want) != 0 {
		t.Errorf("%v operations, exactly %v; %v", got, want, l.Check())
	}
	if got := l.Growth(); !(got > 3.99 && got < 4) {
		t.Errorf("it grows by %v", got)
	}
	l.Heads, l.KeyHeads = 128, 8
	if err := l.Check(); !errors.Is(err, cost.ErrSize) {
		t.Errorf("a layer of 16 million tokens: %v", err)
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	for name, change := range map[string]func(*cost.Layer){
		names.ParamContext: func(l *cost.Layer) { l.Context = 0 }, names.ParamModel: func(l *cost.Layer) { l.Model = -1 },
		names.ParamDimension: func(l *cost.Layer) { l.Key = cost.Most + 1 }, names.ParamValueDimension: func(l *cost.Layer) { l.Value = 0 },
		names.ParamHeads: func(l *cost.Layer) { l.Heads = 0 }, names.ParamKeyHeads: func(l *cost.Layer) { l.KeyHeads = 5 },
		names.ParamNumberBytes: func(l *cost.Layer) { l.Bits = math.MinInt64 },
	} {
		l := gpt2(8)
		if change(&l); l.Check() == nil || !strings.HasPrefix(l.Check().Error(), name+":") {
			t.Errorf("%s: %v", name, l.Check())
		}
	}
}

// Curves are the counts of layers, and cross where they say.
func TestCurvesAreCounts(t *testing.T) {
	found := 0
	for _, c := range cost.Curves() {
		if !cost.Counts(c) || len(c.X) != len(c.Y) || c.Axis != names.ParamContext {
			t.Errorf("%+v", c)
		}
		if model, part := c.Params[names.ParamPublished], c.Params[names.ParamPart]; c.Quantity == names.AttentionGrowth || model != "GPT-2 small" || part != names.PartProducts {
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
