package run

import (
	"testing"

	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
)

// TestTaskLevel checks that every worker gets a few tasks if there are enough blocks, that a task
// takes some ten milliseconds, and that a cell has at most a few thousand tasks, so that neither
// memory nor merging grows with the number of blocks.
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
				if wanted := min(blocks, int64(4*workers)); tasks < wanted && tasks < maxTasks {
					t.Errorf("d_k=%d, %d blocks, %d workers: %d tasks leave some with nothing to do", d, blocks,
						workers, tasks)
				}
				if tasks > 2*maxTasks {
					t.Errorf("d_k=%d, %d blocks: %d tasks", d, blocks, tasks)
				}
				if level > 0 && perBlock<<level > 2*taskComponents && tasks <= maxTasks {
					t.Errorf("d_k=%d, %d blocks: a task samples %d components, more than some ten milliseconds'", d,
						blocks, perBlock<<level)
				}
			}
		}
	}
}
