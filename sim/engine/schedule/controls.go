package schedule

import (
	"math"

	"mcsim/sim/experiment/trust"
	"mcsim/sim/names"
	"mcsim/sim/statistics/gate"
)

// ControlLine describes a control: its deliberate mistake, and the gate that must detect the
// mistake.
type ControlLine struct {
	Name     string `json:"name"`
	Mutation string `json:"mutation"`
	Gate     string `json:"gate"`
	// the smallest d_k from which on the gate must fail; nil if it is above maxSearchedDimension
	Smallest *int   `json:"from_d_k"`
	Blind    string `json:"invisible_to"` // what cannot detect the mistake
}

// maxSearchedDimension bounds the search for the smallest d_k.
const maxSearchedDimension = 4096

// Controls lists the controls of the plan. The gate on correct samples determines the number of
// samples. With that number, the gate on a mistake must fail at d_k if its whole interval is
// outside the band, except with probability β.
func (s *Schedule) Controls() []ControlLine {
	var lines []ControlLine
	seen := map[string]bool{}
	for _, g := range s.Entries {
		if g.Entry.Experiment != trust.Controls {
			continue
		}
		for _, v := range g.Entry.Values[names.ParamControl] {
			if seen[v.Name] {
				continue
			}
			seen[v.Name] = true
			k := trust.LookupControl(v.Name)
			lines = append(lines, ControlLine{k.Name, k.Mutation(), k.Gate, smallestDimension(k, g), k.Blind})
		}
	}
	return lines
}

// smallestDimension returns the smallest d_k at which the control must fail, nil if there is none
// up to maxSearchedDimension.
func smallestDimension(k *trust.Control, entry PlannedEntry) *int {
	for d := 1; d <= maxSearchedDimension; d++ {
		correct, mistaken := k.Gates(d, entry.Entry.Tolerance)
		n, err := gate.Samples(correct, entry.Rates)
		if err != nil {
			continue
		}
		expected, se, band := mistaken.Expected(int64(float64(n) * correct.NumbersPerUnit))
		distance := max(band[0]-expected, expected-band[1]) // of the expected value from the band
		if distance >= 2*entry.Rates.ZBeta()*se && !math.IsNaN(distance) {
			return &d
		}
	}
	return nil
}
