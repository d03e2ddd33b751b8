package run

import (
	"testing"

	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
)

// TestTaskLevel checks that there are four tasks for each worker if there are enough blocks, that a
// task has at most 2·taskComponents components, and that a cell has at most 2·maxTasks tasks, so
// that neither memory nor merging grows with the number of blocks. Tasks may be longer if the cell
// has more than maxTasks of them.
func TestTaskLevel(t *testing.T) {
	for _, d := range []int{1, 64, 512, 4096, 65536, experiment.MaxDimension} {
		c := experiment.NewCell(scores.Variance,
			map[string]experiment.AxisValue{"distribution": {Name: "normal"}, "d_k": {Number: float64(d)}})
		perBlock := c.BlockUnits() * int64(d)
		for blocks := int64(1); blocks < 1<<40; blocks = blocks*3/2 + 1 {
			for _, workers := range []int{1, 2, 7, 64} {
				job := &schedule.Job{Cell: &c, Blocks: blocks, End: blocks}
				level := taskLevel(job, workers)
				tasks := (blocks + 1<<level - 1) >> level
				if want := min(blocks, int64(4*workers)); tasks < want && tasks < maxTasks {
					t.Errorf("d_k=%d, %d blocks, %d workers: got %d tasks, want at least %d", d, blocks, workers, tasks,
						want)
				}
				if tasks > 2*maxTasks {
					t.Errorf("d_k=%d, %d blocks: got %d tasks, want at most %d", d, blocks, tasks, 2*maxTasks)
				}
				isLong := level > 0 && perBlock<<level > 2*taskComponents
				if isLong && tasks <= maxTasks {
					t.Errorf("d_k=%d, %d blocks: a task has %d components, want at most %d", d, blocks,
						perBlock<<level, 2*taskComponents)
				}
			}
		}
	}
}
