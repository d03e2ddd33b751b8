package trust

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
)

// What a control's text says its mistake is invisible to is: over 64 blocks the
// honest gate of that quantity passes on the mistaken draws, at d_k = 64.
func TestControlsAreBlindToWhatTheySay(t *testing.T) {
	const d = 64
	looked := map[string]int{}
	for _, k := range controlTable {
		if k.order < 4 || k.quantity == "component_kurtosis" {
			continue // these keep products or components, not scores
		}
		c := experiment.NewCell(Controls, map[string]experiment.AxisValue{"control": {Name: k.Name}, "d_k": {Number: d}})
		c.Tolerance = 0.01
		m := experimenttest.SampleCell(c, 64).Moments[0]
		s := normalScore(d)
		if strings.Contains(k.Blind, "the mean") {
			looked["mean"]++
			if z := m.Mean / s.MeanSE(m.N); math.Abs(z) > 4.5 {
				t.Errorf("%s shows in the mean, by %.1f standard errors", k.Name, z)
			}
		}
		if strings.HasPrefix(k.Blind, "the variance") {
			looked["variance"]++
			band := honestVariance(c)
			_, se, edges := band.Expected(m.N)
			if v := m.Variance(); v < edges[0]-4.5*se || v > edges[1]+4.5*se {
				t.Errorf("%s shows in the variance: %v", k.Name, v)
			}
		}
	}
	if looked["mean"] < 4 || looked["variance"] < 1 {
		t.Errorf("looked at %v only", looked)
	}
}
