package weights

import (
	"math"
	"testing"

	"mcsim/sim/base/distribution"
)

// TestSchemesAgainstPyTorch compares mean squares and fourth moments of the weights, queries, keys
// and scores that PyTorch 1.13 samples (torch.csv) with the closed forms. They must agree within
// 4.5 standard errors. PyTorch's MultiheadAttention has biases of 0.
func TestSchemesAgainstPyTorch(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range readTable(t, "torch.csv", 2*12*6) {
		s, ok := Lookup(r["scheme"])
		if !ok {
			t.Fatalf("got the scheme %q, which is not in the table", r["scheme"])
		}
		seen[s.Name] = true
		h := s.Head(Shape{int(mustParse(t, r["d_model"])), int(mustParse(t, r["d_k"]))})
		value, se := mustParse(t, r["value"]), mustParse(t, r["se"])
		v := h.Query.Variance
		want := map[string]float64{
			"entry_square": v, "query_variance": h.QueryVariance(), "key_variance": h.KeyVariance(),
			"scaled_variance": h.ScaledVariance(), "entry_fourth": h.Query.Kurtosis * v * v,
		}[r["quantity"]]
		if s.IsOrthogonal() && r["quantity"] == "entry_fourth" {
			want = 3 / (h.modelWidth() * (h.modelWidth() + 2)) // fourth moment of a component of a unit vector
		}
		if r["quantity"] == "entry_greatest" {
			checkLargest(t, h, value)
		} else if math.Abs(value-want) > 4.5*se+1e-6*want {
			t.Errorf("%s at %+v: PyTorch's %s is %v ± %v, by the closed form it is %v, %.1f standard errors away",
				s.Name, h.Shape, r["quantity"], value, se, want, (value-want)/se)
		}
	}
	if len(seen) != 12 {
		t.Errorf("torch.csv has %d schemes, want 12", len(seen))
	}
}

// checkLargest checks the largest entry that PyTorch sampled. For a uniform distribution it must be
// near the upper end, √3 standard deviations. For a normal distribution without truncation it must
// be in 4.5..7 standard deviations, the range expected for the number of entries.
func checkLargest(t *testing.T, h Head, value float64) {
	t.Helper()
	var minWant, maxWant float64
	switch h.Scheme.Distribution {
	case distribution.Uniform:
		minWant, maxWant = math.Sqrt(3)*0.999, math.Sqrt(3)*(1+1e-6)
	case distribution.Normal:
		minWant, maxWant = 4.5, 7
	default:
		return
	}
	standardised := value / math.Sqrt(h.Query.Variance)
	if standardised < minWant || standardised > maxWant {
		t.Errorf("%s: PyTorch's largest entry is %v standard deviations, want a number from %v to %v", h.Scheme.Name,
			standardised, minWant, maxWant)
	}
}

// TestSharedKeysAgainstPyTorch is TestSchemesAgainstPyTorch for layers in which query heads share
// key heads (shared.csv). Then W_K or the packed matrix has fewer columns, on which the variance of
// PyTorch's Xavier initialisation depends.
func TestSharedKeysAgainstPyTorch(t *testing.T) {
	for _, r := range readTable(t, "shared.csv", 18) {
		s, ok := Lookup(r["scheme"])
		if !ok {
			t.Fatalf("got the scheme %q, which is not in the table", r["scheme"])
		}
		column := func(column string) int { return int(mustParse(t, r[column])) }
		h := s.HeadInLayer(Layer{Shape{column("d_model"), column("d_k")}, column("heads"), column("kv_heads")})
		want, isKnown := map[string]float64{"query_entry_square": h.Query.Variance, "key_entry_square": h.Key.Variance,
			"scaled_variance": h.ScaledVariance()}[r["quantity"]]
		if !isKnown {
			t.Fatalf("shared.csv has the quantity %q, which the test does not know", r["quantity"])
		}
		if value, se := mustParse(t, r["value"]), mustParse(t, r["se"]); !(math.Abs(value-want) <= 4.5*se) {
			t.Errorf("%s in %+v: PyTorch's %s is %v ± %v, by the closed form it is %v", s.Name, h.Layer, r["quantity"],
				value, se, want)
		}
	}
}
