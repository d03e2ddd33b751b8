package inspect

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSinkWeight compares the mean weights of the first key and of a sink with sums over all rows,
// for rows with and without a causal mask.
func TestSinkWeight(t *testing.T) {
	const sink, scale = 1.5, 0.3
	r := rand.New(rand.NewPCG(95, 96))
	q, k := sampleVectors(r, 40, 16, normal), sampleVectors(r, 40, 16, normal)
	for _, causal := range []bool{false, true} {
		sinkLogit := float64(sink)
		o := Options{Scale: scale, Causal: causal, Workers: 1, Sink: &sinkLogit}
		first, onSink, rows := 0.0, 0.0, 0.0
		for i := range q.Rows {
			visible := k.Rows
			if causal {
				visible = i + 1
			}
			if visible < 2 {
				continue // inspect omits rows of one key
			}
			sum := 0.0
			for j := range visible {
				sum += math.Exp(scale * dot(q.Row(i), k.Row(j)))
			}
			first += math.Exp(scale*dot(q.Row(i), k.Row(0))) / (math.Exp(sink) + sum)
			onSink += math.Exp(sink) / (math.Exp(sink) + sum)
			rows++
		}
		e := Summarise([]HeadText{measure(t, q, k, o)}, 1, o).Overall.ByScale[0]
		checkNumbers(t, "sink", map[string]float64{
			"first key": float64(e.FirstKeyWeight.Value),
			"sink":      float64(e.SinkWeight.Value),
		}, map[string]float64{"first key": first / rows, "sink": onSink / rows}, 0.1)
		if !e.FirstKeyWeight.SE.Present() || !e.SinkWeight.SE.Present() {
			t.Errorf("causal %v: the weights of the first key and of the sink have no errors", causal)
		}
	}
}

func dot(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
