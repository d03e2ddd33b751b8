package weights

import (
	"math"
	"testing"

	"mcsim/sim/base/distribution"
)

// TestSchemesAgainstPyTorch checks that PyTorch 1.13 samples what the schemes named after its
// functions declare: variance and kurtosis of entries, queries, keys and scores, within 4.5 of
// their standard errors. Its MultiheadAttention has biases of 0.
func TestSchemesAgainstPyTorch(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range readTable(t, "torch.csv", 2*12*6) {
		s, ok := Lookup(r["scheme"])
		if !ok {
			t.Fatalf("there is no scheme %s", r["scheme"])
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
			want = 3 / (h.d() * (h.d() + 2)) // fourth moment of a component of a unit vector
		}
		if r["quantity"] == "entry_greatest" {
			checkLargest(t, h, value)
		} else if math.Abs(value-want) > 4.5*se+1e-6*want {
			t.Errorf("%s at %+v: PyTorch's %s is %v ± %v, %.1f errors from %v", s.Name, h.Shape, r["quantity"], value,
				se,
				(value-want)/se, want)
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d schemes", len(seen))
	}
}

// checkLargest compares the largest of all entries with the end of a uniform distribution, or with
// the range expected for that number of normal entries, which are not truncated.
func checkLargest(t *testing.T, h Head, value float64) {
	t.Helper()
	standardized := value / math.Sqrt(h.Query.Variance)
	switch h.Scheme.Distribution {
	case distribution.Uniform:
		if standardized > math.Sqrt(3)*(1+1e-6) || standardized < math.Sqrt(3)*0.999 {
			t.Errorf("%s: the greatest entry is %v standard deviations", h.Scheme.Name, standardized)
		}
	case distribution.Normal:
		if standardized < 4.5 || standardized > 7 {
			t.Errorf("%s: the greatest entry is %v standard deviations", h.Scheme.Name, standardized)
		}
	}
}

// TestSharedKeysAgainstPyTorch checks shared heads of keys. Then W_K or the packed matrix has fewer
// outputs, which PyTorch's Xavier initialisation counts: the entries and scores that it samples
// agree within 4.5 standard errors.
func TestSharedKeysAgainstPyTorch(t *testing.T) {
	for _, r := range readTable(t, "shared.csv", 18) {
		s, ok := Lookup(r["scheme"])
		if !ok {
			t.Fatalf("there is no scheme %s", r["scheme"])
		}
		column := func(column string) int { return int(mustParse(t, r[column])) }
		h := s.HeadInLayer(Layer{Shape{column("d_model"), column("d_k")}, column("heads"), column("kv_heads")})
		want, ok := map[string]float64{"query_entry_square": h.Query.Variance, "key_entry_square": h.Key.Variance,
			"scaled_variance": h.ScaledVariance()}[r["quantity"]]
		if value, se := mustParse(t, r["value"]), mustParse(t, r["se"]); !ok || !(math.Abs(value-want) <= 4.5*se) {
			t.Errorf("%s in %+v: PyTorch's %s is %v ± %v, by the scheme %v", s.Name, h.Layer, r["quantity"], value,
				se, want)
		}
	}
}
