package axis

import "testing"

// A label of an axis has its power of ten as the notation writes it.
func TestShortLabels(t *testing.T) {
	for x, want := range map[float64]string{0.5: "0.5", -2e-12: "−2·$10^{-12}$", 1e-7: "$10^{-7}$", 3e15: "3·$10^{15}$"} {
		if got := Short(x); got != want {
			t.Errorf("%v is labelled %s, want %s", x, got, want)
		}
	}
}
