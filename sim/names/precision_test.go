package names_test

import (
	"testing"

	"mcsim/sim/names"
)

// A format fails by one of its two limits, holds by both, and is not settled where the
// interval of the median lies on both sides of one.
func TestFormatLabel(t *testing.T) {
	for _, c := range []struct {
		overflow, lo, hi float64
		want             string
	}{
		{0, 0.001, 0.002, names.LabelHolds},
		{1e-6, 0.001, 0.01, names.LabelHolds},
		{1.1e-6, 0.001, 0.002, names.LabelFails},
		{0, 0.0101, 0.02, names.LabelFails},
		{0, 0.009, 0.011, names.LabelUnsettled},
		{1e-3, 0.009, 0.011, names.LabelFails},
	} {
		if got := names.FormatLabel(c.overflow, c.lo, c.hi); got != c.want {
			t.Errorf("a tail of %v and a median in %v..%v: %s, want %s", c.overflow, c.lo, c.hi, got, c.want)
		}
	}
}
