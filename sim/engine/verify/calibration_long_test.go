//go:build long

package verify

import (
	"testing"

	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// TestLongCalibration checks that all gates of calibration pass with 250,000 runs of each cell.
// This number of runs detects a coverage that is too low by a sixth of a percentage point.
func TestLongCalibration(t *testing.T) {
	doc := simtest.BuildDocument(t, simtest.NewSchedule(t, `
seed: 11
experiments:
  - {experiment: calibration, distribution: [normal, uniform, laplace], d_k: [8, 64], pairs: 4096, samples: 250000}
  - {experiment: calibration, distribution: [normal, triangular, truncated-normal], d_k: [1, 2], pairs: 8192, samples: 250000}
`))
	for _, g := range doc.Gates {
		if g.Verdict != result.Pass {
			t.Errorf("gate %s of %s %v is %s: the value is %v in [%v, %v], and the band %v", g.Name, g.Cell, g.Params,
				g.Verdict, g.Value, g.Lo, g.Hi, g.Band)
		}
	}
}
