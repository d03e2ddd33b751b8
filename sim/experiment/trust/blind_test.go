package trust

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
)

// TestControlsAreBlindToWhatTheySay checks the text of each control that says which gates cannot
// see the mistake: over 64 blocks at d_k = 64, the gate on the mean or on the variance passes on
// samples with the mistake.
func TestControlsAreBlindToWhatTheySay(t *testing.T) {
	const d = 64
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
			if z := m.Mean / s.MeanSE(m.N); math.Abs(z) > 4.5 {
				t.Errorf("%s shows in the mean, by %.1f standard errors", k.Name, z)
			}
		}
		if strings.HasPrefix(k.Blind, "the variance") {
			checked["variance"]++
			band := newHonestVarianceCheck(c)
			_, se, edges := band.Expected(m.N)
			if v := m.Variance(); v < edges[0]-4.5*se || v > edges[1]+4.5*se {
				t.Errorf("%s shows in the variance: %v", k.Name, v)
			}
		}
	}
	if checked["mean"] < 4 || checked["variance"] < 1 {
		t.Errorf("only %v were checked", checked)
	}
}
