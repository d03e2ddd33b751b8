package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"mcsim/sim/attention"
	"mcsim/sim/bench"
	"mcsim/sim/kernel"
)

// softmaxKeys are the lengths of the rows.
var softmaxKeys = []int{64, 256, 1024}

// softmaxRun returns a run of about the given time on normal scores, which gives
// the nanoseconds that a score took for the greatest weight, the entropy, Σα² and
// ‖J‖_F of its row.
func softmaxRun(name string, keys int, each time.Duration) func() float64 {
	scores := make([][kernel.Width]float32, keys)
	bench.NormalRows(scores)
	by := kernel.RowsBy(name)
	var sums kernel.RowSums
	var rows [kernel.Width]attention.Row
	return func() float64 {
		return perUnit(each, float64(keys*kernel.Width), func() {
			by(scores, 1, &sums)
			attention.Rows(&sums, keys, &rows)
		})
	}
}

// SoftmaxRatio compares the fastest kernel on one core with a peer on one,
// each in nanoseconds per score, without the start of either.
type SoftmaxRatio struct {
	Peer   string      `json:"peer"`
	Keys   int         `json:"keys"`
	Kernel string      `json:"kernel"`
	Ours   bench.Times `json:"ours_ns"`
	Theirs bench.Times `json:"peer_ns"`
	Ratio  bench.Times `json:"ratio"`
}

// softmaxChunks are the scores that a peer is tried with at a time.
var softmaxChunks = []int{1 << 15, 1 << 17, 1 << 19}

// softmaxScores is how many scores a peer takes in a round, a tenth of a second.
const softmaxScores = 1 << 24

// softmaxPeers compute the weights and what is made of them, as their users
// write it, or only the sums that mcsim takes too, without a new array.
var softmaxPeers = []struct{ name, kind, module, file string }{
	{"NumPy float32", "weights", "numpy", "softmax_numpy.py"},
	{"NumPy float32", "sums", "numpy", "softmax_numpy.py"},
	{"PyTorch float32", "weights", "torch", "softmax_torch.py"},
	{"PyTorch float32", "sums", "torch", "softmax_torch.py"},
}

// compareSoftmax times NumPy, PyTorch and the kernel in turn.
func (doc *Document) compareSoftmax(ctx context.Context, s Setting) error {
	for _, keys := range softmaxKeys {
		var peers []program
		var failed []string
		for _, p := range softmaxPeers {
			python, ok := pythonWith(ctx, p.module)
			if !ok {
				continue
			}
			var tried []program
			for _, chunk := range softmaxChunks {
				tried = append(tried, program{fmt.Sprintf("%s, %s, chunks of %d", p.name, p.kind, chunk),
					[]string{python, filepath.Join(s.Folder, p.file), strconv.Itoa(keys), strconv.Itoa(softmaxScores), strconv.Itoa(chunk), p.kind}, 1e9 / softmaxScores})
			}
			best, err := fastest(ctx, tried)
			if err != nil {
				failed = append(failed, err.Error())
				continue
			}
			peers = append(peers, best)
		}
		run := softmaxRun(s.kernel, keys, 4*s.round)
		all, later, err := inTurn(ctx, peers, s.Rounds, func() (round, error) { return round{work: run()}, nil })
		if err != nil {
			return err
		}
		doc.lacks(fmt.Sprintf("softmax of %d keys", keys), append(failed, later...))
		for _, c := range all {
			doc.Softmax = append(doc.Softmax, SoftmaxRatio{c.name, keys, s.kernel, c.ours, c.theirs, c.ratio})
		}
	}
	return ctx.Err()
}
