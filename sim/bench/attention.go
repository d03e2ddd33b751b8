package bench

import (
	"math"
	"time"

	"mcsim/sim/attention"
	"mcsim/sim/cost"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/names"
	"mcsim/sim/stream"
)

// AttentionTime is what one head of package attention took for a text, over rounds.
type AttentionTime struct {
	Context    int64  `json:"context"`
	Key        int64  `json:"d_k"`
	Rounds     int    `json:"rounds"`
	Operations int64  `json:"operations"`
	Seconds    Times  `json:"seconds"`
	Rate       Times  `json:"operations_per_second"`
	Growth     *Times `json:"growth,omitempty"` // over the seconds of half as many tokens, in the same round
}

// The texts that Attention is timed for, each twice as long as the one before, their
// rounds, and d_k: some fifteen hundredths of a second in all.
const (
	firstContext, lastContext = 128, 512
	attentionRounds           = 3
	attentionKey              = 64
)

// Attention times scores, scaling, softmax and blend of package attention, in one
// goroutine. All texts are timed in turn, round by round.
func Attention() ([]AttentionTime, error) {
	var inputs []attention.Input
	for n := firstContext; n <= lastContext; n *= 2 {
		inputs = append(inputs, normalInput(n))
	}
	seconds := make([][]float64, len(inputs))
	for range attentionRounds {
		for i, in := range inputs {
			begun := time.Now()
			if _, err := attention.Forward(in); err != nil {
				return nil, err
			}
			seconds[i] = append(seconds[i], max(time.Since(begun), time.Nanosecond).Seconds())
		}
	}
	out := make([]AttentionTime, len(inputs))
	for i, in := range inputs {
		n := int64(in.Q.Rows)
		layer := cost.Layer{Context: n, Model: 1, Key: attentionKey, Value: attentionKey, Heads: 1, KeyHeads: 1, Bits: 64}
		operations := layer.Operations(names.PartScores, names.PartScale, names.PartSoftmax, names.PartBlend)
		out[i] = AttentionTime{Context: n, Key: attentionKey, Rounds: attentionRounds, Operations: operations,
			Seconds: Summary(seconds[i]), Rate: Summary(seconds[i]).Inverse().times(float64(operations))}
		if i > 0 {
			growth := Ratios(seconds[i], seconds[i-1])
			out[i].Growth = &growth
		}
	}
	return out, nil
}

// times are c of each.
func (t Times) times(c float64) Times { return Times{c * t.Median, c * t.Min, c * t.Max} }

// normalInput has n queries, keys and values of normal variates.
func normalInput(n int) attention.Input {
	rows := make([][kernel.Width]float32, (3*n*attentionKey+kernel.Width-1)/kernel.Width)
	var lanes stream.Lanes
	stream.Open(stream.Key{Cell: "bench"}).Block(&lanes, 0)
	kernel.Vectors(law.Normal)(&lanes, rows)
	data := make([]float64, 0, len(rows)*kernel.Width)
	for _, row := range rows {
		for _, x := range row {
			data = append(data, float64(x))
		}
	}
	part := func(i int) attention.Tensor {
		return attention.Of(data[i*n*attentionKey:(i+1)*n*attentionKey], 1, 1, n, attentionKey)
	}
	return attention.Input{Q: part(0), K: part(1), V: part(2), Scale: 1 / math.Sqrt(attentionKey)}
}
