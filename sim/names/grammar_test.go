package names

import "testing"

func TestQuantileRoundTrip(t *testing.T) {
	for percent := 1; percent <= 99; percent++ {
		name := Quantile(MaxWeight, float64(percent)/100)
		quantity, p, ok := ParseQuantile(name)
		if !ok || quantity != MaxWeight || p != float64(percent)/100 {
			t.Errorf("ParseQuantile(%q) is %s, %v, %v; want %s, %v, true", name, quantity, p, ok, MaxWeight,
				float64(percent)/100)
		}
	}
	if name := Quantile(RelativeTrace, 0.05); name != "relative_trace_q05" {
		t.Errorf("the name of the 5 %% quantile is %s, want relative_trace_q05", name)
	}
	for _, name := range []string{
		"", "q05", "_q05", "x_q00", "x_q5", "x_q100", "x_q-1", "x_qab", MaxWeight, QKCorrelation,
	} {
		if quantity, p, ok := ParseQuantile(name); ok {
			t.Errorf("ParseQuantile(%q) is %q, %v, true; want false", name, quantity, p)
		}
	}
}
