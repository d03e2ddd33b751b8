package schedule

import (
	"mcsim/sim/experiment"
)

// Outline lists what a plan samples: in total, by experiment and by cell.
type Outline struct {
	Plan        string           `json:"plan"`
	Seed        uint64           `json:"seed"`
	Attempt     int              `json:"attempt"`
	Selection   []string         `json:"only,omitempty"`
	Cells       int              `json:"cells"`
	Variants    int              `json:"variants"`
	Components  float64          `json:"components"`
	Workers     int              `json:"workers"`
	Seconds     float64          `json:"seconds"`
	Gates       int              `json:"gates"`
	Short       int              `json:"short"`
	Needed      int64            `json:"needed,omitempty"` // units that a cell of the short gates needs
	Alpha       float64          `json:"alpha"`
	Beta        float64          `json:"beta"`
	Experiments []ExperimentLine `json:"experiments"`
	Rows        []CellLine       `json:"rows,omitempty"`
}

// ExperimentLine is the part of one experiment. An experiment that reads the cells of another
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

// CellLine has the numbers of one cell.
type CellLine struct {
	Cell       string  `json:"cell"`
	Variants   int     `json:"variants"`
	Samples    int64   `json:"samples"`
	Unit       string  `json:"unit"`
	Components float64 `json:"components"`
	Seconds    float64 `json:"seconds"`
	SetBy      string  `json:"set_by"`
}

// Outline returns the outline of the plan, with the times that the given number of busy workers
// need.
func (s *Schedule) Outline(workers int) *Outline {
	o := &Outline{Plan: s.Plan.Name, Seed: s.Plan.Seed, Attempt: s.Plan.Attempt, Selection: s.Plan.Selection,
		Cells: len(s.Jobs), Workers: workers, Gates: s.CheckCount()}
	o.Short, o.Needed = s.Short()
	o.Alpha, o.Beta = s.Budget()
	workers = Cores(workers)
	speeds, jobs := measureSpeeds(s.Jobs, workers), s.Jobs
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
		for _, job := range jobs[:len(g.Cells)] {
			seconds := job.seconds(speeds, job.End-job.First, true) / float64(workers)
			o.Rows = append(o.Rows,
				CellLine{Cell: job.Cell.ID, Variants: g.Entry.Scalings(), Samples: job.Units(), Unit: line.Unit,
					Components: job.Components(), Seconds: seconds, SetBy: job.Reason})
			line.Cells++
			line.Samples += job.Units()
			line.Components += job.Components()
			line.Seconds += seconds
		}
		jobs = jobs[len(g.Cells):]
	}
	for _, line := range o.Experiments {
		o.Variants += line.Variants
		o.Components += line.Components
		o.Seconds += line.Seconds
	}
	return o
}
