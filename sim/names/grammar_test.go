package names

import "testing"

func TestQuantileRoundTrip(t *testing.T) {
	for percent := 1; percent <= 99; percent++ {
		name := Quantile(MaxWeight, float64(percent)/100)
		quantity, p, ok := ParseQuantile(name)
		if !ok || quantity != MaxWeight || p != float64(percent)/100 {
			t.Errorf("%s is read as %s at %v, %v", name, quantity, p, ok)
		}
	}
	if name := Quantile(RelativeTrace, 0.05); name != "relative_trace_q05" {
		t.Errorf("the quantile at 5 %% is %s", name)
	}
	for _, name := range []string{
		"", "q05", "_q05", "x_q00", "x_q5", "x_q100", "x_q-1", "x_qab", MaxWeight, QKCorrelation,
	} {
		if quantity, p, ok := ParseQuantile(name); ok {
			t.Errorf("%q is read as the quantile of %q at %v", name, quantity, p)
		}
	}
}
