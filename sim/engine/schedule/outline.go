package schedule

import (
	"mcsim/sim/experiment"
)

// Outline is what a plan samples: in total, by experiment and by cell.
type Outline struct {
	Plan        string           `json:"plan"`
	Seed        uint64           `json:"seed"`
	Attempt     int              `json:"attempt"`
	Only        []string         `json:"only,omitempty"`
	Cells       int              `json:"cells"`
	Variants    int              `json:"variants"`
	Components  float64          `json:"components"`
	Workers     int              `json:"workers"`
	Seconds     float64          `json:"seconds"`
	Gates       int              `json:"gates"`
	Short       int              `json:"short"`
	Alpha       float64          `json:"alpha"`
	Beta        float64          `json:"beta"`
	Experiments []ExperimentLine `json:"experiments"`
	Rows        []CellLine       `json:"rows,omitempty"`
}

// ExperimentLine is the part of one experiment. An experiment that reads the cells of another
// samples none, but has gates.
type ExperimentLine struct {
	Experiment string  `json:"experiment"`
	Reads      string  `json:"reads,omitempty"`
	Cells      int     `json:"cells"`
	Variants   int     `json:"variants"`
	Samples    int64   `json:"samples"`
	Unit       string  `json:"unit"`
	Components float64 `json:"components"`
	Seconds    float64 `json:"seconds"`
	Gates      int     `json:"gates"`
}

// CellLine is the part of one cell.
type CellLine struct {
	Cell       string  `json:"cell"`
	Variants   int     `json:"variants"`
	Samples    int64   `json:"samples"`
	Unit       string  `json:"unit"`
	Components float64 `json:"components"`
	Seconds    float64 `json:"seconds"`
	SetBy      string  `json:"set_by"`
}

// Outline lists what the plan samples, in total, by experiment and by cell, with times for the
// given number of workers, all of them busy.
func (s *Schedule) Outline(workers int) *Outline {
	o := &Outline{Plan: s.Plan.Name, Seed: s.Plan.Seed, Attempt: s.Plan.Attempt, Only: s.Plan.Selection,
		Cells: len(s.Jobs), Workers: workers, Gates: s.CheckCount(), Short: s.Short()}
	o.Alpha, o.Beta = s.Budget()
	workers = Cores(workers)
	by, works := measureSpeeds(s.Jobs, workers), s.Jobs
	var last *experiment.Experiment
	for _, g := range s.Entries {
		if x := g.Entry.Experiment; x != last {
			o.Experiments, last = append(o.Experiments,
				ExperimentLine{Experiment: x.Name, Reads: x.ReadsFrom, Unit: x.Unit}), x
		}
		line := &o.Experiments[len(o.Experiments)-1]
		line.Gates += len(g.Checks)
		line.Variants += len(g.Cells) * g.Entry.Scalings()
		if g.Entry.Experiment.Sampler == nil {
			continue
		}
		for _, w := range works[:len(g.Cells)] {
			seconds := w.seconds(by, w.End-w.First, true) / float64(workers)
			o.Rows = append(o.Rows,
				CellLine{Cell: w.Cell.ID, Variants: g.Entry.Scalings(), Samples: w.Units(), Unit: line.Unit,
					Components: w.Components(), Seconds: seconds, SetBy: w.Reason})
			line.Cells++
			line.Samples += w.Units()
			line.Components += w.Components()
			line.Seconds += seconds
		}
		works = works[len(g.Cells):]
	}
	for _, line := range o.Experiments {
		o.Variants += line.Variants
		o.Components += line.Components
		o.Seconds += line.Seconds
	}
	return o
}
