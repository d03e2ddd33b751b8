package experiment

import (
	"testing"

	"mcsim/sim/base/moments"
)

// TestNewRefusesIncompleteExperiments checks that New panics if a required part is missing, and if
// an experiment has both a sampler and another experiment whose cells it reads, or neither.
func TestNewRefusesIncompleteExperiments(t *testing.T) {
	complete := func() Experiment {
		return Experiment{
			Name: "complete",
			Axes: []Axis{DimensionAxis},
			Unit: "unit",
			Sampler: &Sampler{
				BlockUnits: func(Cell) int64 { return 1 },
				Cost:       func(Cell) float64 { return 1 },
				Columns:    func(Cell) []Column { return nil },
				Open:       func(Cell) BlockFunc { return nil },
				Headline:   "quantity",
			},
			Reader: Reader{Estimates: func(Cell, moments.Node) CellEstimates { return CellEstimates{} }},
		}
	}
	New(complete()) // does not panic
	for name, change := range map[string]func(*Experiment){
		"no name":        func(e *Experiment) { e.Name = "" },
		"no axes":        func(e *Experiment) { e.Axes = nil },
		"no unit":        func(e *Experiment) { e.Unit = "" },
		"no estimates":   func(e *Experiment) { e.Reader.Estimates = nil },
		"no sampler":     func(e *Experiment) { e.Sampler = nil },
		"two sources":    func(e *Experiment) { e.ReadsFrom = "another" },
		"no block units": func(e *Experiment) { e.Sampler.BlockUnits = nil },
		"no cost":        func(e *Experiment) { e.Sampler.Cost = nil },
		"no columns":     func(e *Experiment) { e.Sampler.Columns = nil },
		"no block":       func(e *Experiment) { e.Sampler.Open = nil },
		"no headline":    func(e *Experiment) { e.Sampler.Headline = "" },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("New does not panic")
				}
			}()
			e := complete()
			change(&e)
			New(e)
		})
	}
}
