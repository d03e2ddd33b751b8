package trust

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
)

// TestBlindGates checks the field Blind of the controls, which names the gates that cannot notice
// the mistake. If it names the mean or the variance, 64 blocks with the mistake at d_k = 64 must
// have a mean near 0, or a variance that is not clearly outside the band of the gate.
func TestBlindGates(t *testing.T) {
	const d, maxZ = 64, 4.5
	checked := map[string]int{}
	for _, k := range controlTable {
		if k.order < 4 || k.quantity == "component_kurtosis" {
			continue // their columns have products or components, not scores
		}
		c := experiment.NewCell(Controls,
			map[string]experiment.AxisValue{"control": {Name: k.Name}, "d_k": {Number: d}})
		c.Tolerance = 0.01
		m := experimenttest.SampleCell(c, 64).Moments[0]
		s := normalScore(d)
		if strings.Contains(k.Blind, "the mean") {
			checked["mean"]++
			if z := m.Mean / s.MeanSE(m.N); math.Abs(z) > maxZ {
				t.Errorf("%s: the mean is %.1f standard errors from 0, want at most %v", k.Name, z, maxZ)
			}
		}
		if strings.HasPrefix(k.Blind, "the variance") {
			checked["variance"]++
			_, se, band := newHonestVarianceCheck(c).Expected(m.N)
			if v := m.Variance(); v < band[0]-maxZ*se || v > band[1]+maxZ*se {
				t.Errorf("%s: the variance is %v, want it in %v, widened by %v standard errors", k.Name, v, band, maxZ)
			}
		}
	}
	if got := checked["mean"]; got < 4 {
		t.Errorf("the mean was checked for %d controls, want at least 4", got)
	}
	if got := checked["variance"]; got < 1 {
		t.Errorf("the variance was checked for %d controls, want at least 1", got)
	}
}
