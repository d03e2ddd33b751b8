package attention

import (
	"testing"

	"mcsim/sim/kernel"
)

func BenchmarkQuantities(b *testing.B) {
	const keys = 256
	scores := make([][kernel.Width]float32, keys)
	for j := range scores {
		for lane := range scores[j] {
			scores[j][lane] = score("scattered", j+lane, keys)
		}
	}
	var p kernel.Peaks
	var sums kernel.RowSums
	kernel.FindPeaks(scores, &p)
	kernel.Rows(scores, &p, 0.5, &sums)
	var rows [kernel.Width]Row
	for b.Loop() {
		Rows(&sums, keys, &rows)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*kernel.Width), "ns/row")
}
