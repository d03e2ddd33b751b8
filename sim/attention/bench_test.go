package attention

import (
	"fmt"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// BenchmarkSoftmax measures the time in which a Row is computed in every lane from normal scores.
func BenchmarkSoftmax(b *testing.B) {
	var (
		lanes stream.Lanes
		peaks kernel.Peaks
		sums  kernel.RowSums
		rows  [kernel.Width]Row
	)
	stream.Open(stream.ID{Cell: "bench"}).Block(&lanes, 0)
	for _, keys := range []int{64, 256, 1024} {
		scores := make([][kernel.Width]float32, keys)
		kernel.Vectors(distribution.Normal)(&lanes, scores)
		b.Run(fmt.Sprint(keys), func(b *testing.B) {
			for b.Loop() {
				kernel.FindPeaks(scores, &peaks)
				kernel.SumRows(scores, &peaks, 1, &sums)
				FillRows(&sums, keys, &rows)
			}
		})
	}
}
