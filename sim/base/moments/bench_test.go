package moments

import "testing"

// BenchmarkNew measures the time per number of New for the scores of a block.
func BenchmarkNew(b *testing.B) {
	xs := make([]float64, 1024)
	for i := range xs {
		xs[i] = float64(i*7919%1024) - 511.5
	}
	for b.Loop() {
		New(xs, MaxOrder)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(xs)), "ns/number")
}
