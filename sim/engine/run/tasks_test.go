package run

import (
	"testing"

	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
)

// TestTaskLevel: every worker has a few tasks wherever there are as many
// blocks, a task is about a millisecond, and a cell has no more than a few
// thousand tasks, so that neither memory nor the merging grows with N.
func TestTaskLevel(t *testing.T) {
	for _, d := range []int{1, 64, 512, 4096, 65536, experiment.MaxDimension} {
		c := experiment.NewCell(scores.Variance, map[string]experiment.AxisValue{"distribution": {Name: "normal"}, "d_k": {Number: float64(d)}})
		perBlock := c.BlockUnits() * int64(d)
		for blocks := int64(1); blocks < 1<<40; blocks = blocks*3/2 + 1 {
			for _, workers := range []int{1, 2, 7, 64} {
				w := &schedule.Job{Cell: &c, Blocks: blocks, End: blocks}
				level := taskLevel(w, workers)
				tasks := (blocks + 1<<level - 1) >> level
				if least := min(blocks, int64(4*workers)); tasks < least && tasks < maxTasks {
					t.Errorf("d_k=%d, %d blocks, %d workers: %d tasks leave some with nothing to do", d, blocks, workers, tasks)
				}
				if tasks > 2*maxTasks {
					t.Errorf("d_k=%d, %d blocks: %d tasks", d, blocks, tasks)
				}
				if level > 0 && perBlock<<level > 2*taskComponents && tasks <= maxTasks {
					t.Errorf("d_k=%d, %d blocks: a task draws %d components, more than some ten milliseconds'", d, blocks, perBlock<<level)
				}
			}
		}
	}
}
