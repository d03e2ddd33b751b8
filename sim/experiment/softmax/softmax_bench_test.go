package softmax

import (
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/stream"
)

// BenchmarkSoftmax draws blocks of rows of 8 keys under six scalings.
func BenchmarkSoftmax(b *testing.B) {
	c := experiment.NewCell(Experiment, map[string]experiment.Value{"law": {Name: "normal"}, "d_k": {Number: 64}, "keys": {Number: 8}, "shared_keys": {Name: names.No}})
	c.Shared = map[string][]experiment.Value{"exponent": {{Number: 0}, {Number: 0.25}, {Number: 0.375}, {Number: 0.5}, {Number: 0.75}, {Number: 1}}}
	block := Experiment.Open(c)
	cell := stream.Open(stream.Key{Cell: c.ID})
	var d experiment.Draw
	for i := int64(0); b.Loop(); i++ {
		d.Begin(cell, i)
		block(&d)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(softmaxUnits(c)*6), "ns/row")
}
