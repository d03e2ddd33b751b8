package attention

import (
	"fmt"
	"testing"

	"mcsim/sim/kernel"
)

// BenchmarkSoftmax is what softmax takes of a score: the greatest weight, the
// entropy, Σα² and ‖J‖_F of its row, from scores that lie in memory.
func BenchmarkSoftmax(b *testing.B) {
	for _, keys := range []int{64, 256, 1024} {
		scores := make([][kernel.Width]float32, keys)
		for j := range scores {
			for lane := range scores[j] {
				scores[j][lane] = score("scattered", j+lane, keys)
			}
		}
		for _, name := range kernel.Names() {
			b.Run(fmt.Sprintf("%s/%d", name, keys), func(b *testing.B) {
				by := kernel.RowsBy(name)
				var sums kernel.RowSums
				var rows [kernel.Width]Row
				for b.Loop() {
					by(scores, 1, &sums)
					Rows(&sums, keys, &rows)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*keys*kernel.Width), "ns/score")
			})
		}
	}
}

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
