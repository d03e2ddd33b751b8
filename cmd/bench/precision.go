package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"

	"mcsim/sim/bench"
	"mcsim/sim/law"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// Measure takes Var(q·k) of the normal law by the Gram estimator, to about the
// given relative standard error, and returns the seconds that took, and the
// relative standard error that came out.
type Measure func(d, workers int, to float64) (seconds, relative float64, err error)

// target is the relative standard error that all is brought to.
const target = 1e-3

// toTarget is the seconds to the target. A run to another error counts as often
// as the square of the ratio says.
func (measure Measure) toTarget(d int) (float64, error) {
	spent, relative, err := measure(d, peerWorkers, target)
	return spent * (relative / target) * (relative / target), err
}

// PrecisionRatio compares the Gram estimator of mcsim with a peer, each in
// seconds to 0.1 % without the start of either.
type PrecisionRatio struct {
	Peer      string      `json:"peer"`
	Dimension int         `json:"d_k"`
	Workers   int         `json:"workers"`
	Ours      bench.Times `json:"ours_seconds"`
	Theirs    bench.Times `json:"peer_seconds"`
	Ratio     bench.Times `json:"ratio"`
	// Whole is the same, with the start of mcsim in each round but not the peer's.
	Whole bench.Times `json:"ratio_with_start"`
}

// peerWorkers is how many threads mcsim has beside peers by Gram matrices, which have
// as many.
const peerWorkers = 2

// comparePrecision times the Gram estimator of the given program, its start, and in
// turn with it NumPy and PyTorch, direct and by Gram matrices of the size that suits
// them best.
func (doc *Document) comparePrecision(ctx context.Context, s Setting) error {
	for _, d := range []int{64, 512, 4096} {
		peers, failed := precisionPeers(ctx, s.Folder, d)
		all, later, err := inTurn(ctx, peers, s.Rounds, func() (round, error) {
			work, err := s.Measure.toTarget(d)
			if err != nil {
				return round{}, err
			}
			start, err := startSeconds(ctx, s.Program)
			return round{work, start}, err
		})
		if err != nil {
			return err
		}
		doc.lacks(fmt.Sprintf("0.1 %% at d_k = %d", d), append(failed, later...))
		for _, c := range all {
			doc.Precision = append(doc.Precision, PrecisionRatio{c.name, d, peerWorkers, c.ours, c.theirs, c.ratio, c.whole})
		}
	}
	return ctx.Err()
}

// precisionPeers are those that can run here, each with its best setting, and why
// others cannot.
func precisionPeers(ctx context.Context, folder string, d int) (peers []program, missing []string) {
	add := func(tried []program) {
		best, err := fastest(ctx, tried)
		if err != nil {
			missing = append(missing, err.Error())
			return
		}
		peers = append(peers, best)
	}
	// Direct: (2 + 6/d)/target² pairs, as many as trialComponents has scaled up.
	scale := (2 + 6/float64(d)) / (target * target) * float64(d) / trialComponents
	count := strconv.FormatFloat(trialComponents, 'f', 0, 64)
	if python, ok := pythonWith(ctx, "numpy"); ok {
		peers = append(peers, program{"NumPy direct, float64, one process",
			[]string{python, filepath.Join(folder, "direct_numpy.py"), names.LawNormal, strconv.Itoa(d), count, "1", "float64"}, scale})
		add(grams("NumPy", python, filepath.Join(folder, "gram_numpy.py"), []string{"threads"}, d))
	}
	if python, ok := pythonWith(ctx, "torch"); ok {
		var tried []program
		for _, chunk := range chunks {
			tried = append(tried, program{fmt.Sprintf("PyTorch direct, float32, one thread, chunks of %d", chunk),
				[]string{python, filepath.Join(folder, "direct_torch.py"), names.LawNormal, strconv.Itoa(d), count, "1", strconv.Itoa(chunk)}, scale})
		}
		add(tried)
		add(grams("PyTorch", python, filepath.Join(folder, "gram_torch.py"), []string{"threads", "inside"}, d))
	}
	return peers, missing
}

// grams are the sizes and kinds of threads of which one reaches the target first.
func grams(name, python, file string, kinds []string, d int) (tried []program) {
	// around the optimum of mcsim itself, drawing being dearer for peers
	for _, n := range []float64{4, 8, 16, 32, 64} {
		side := max(16, int(math.Round(n*math.Sqrt(float64(d)/64)))*8)
		g := theory.NewGram(law.Normal, d, side, side)
		needed := g.RelativeVariance() / (target * target) / float64(side*side)
		// enough for a tenth of a second or so, even for each of two threads
		matrices := 2 * max(2, int(1e7/float64(2*side*d+side*side*d/20)))
		for _, kind := range kinds {
			tried = append(tried, program{fmt.Sprintf("%s Gram, float32, n = %d, two threads (%s)", name, side, kind),
				[]string{python, file, strconv.Itoa(d), strconv.Itoa(side), strconv.Itoa(matrices), kind}, needed / float64(matrices)})
		}
	}
	return tried
}
