package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/cpu"

	"mcsim/sim/law"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// chunks are those that PyTorch is tried with, in components.
var chunks = []int{1 << 14, 1 << 15, 1 << 16, 1 << 17}

// trialComponents is what a trial of a peer draws, a tenth of a second or so.
const trialComponents = 2e7

// pythonWith finds a python3 that imports the module.
func pythonWith(ctx context.Context, module string) (string, bool) {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if command(ctx, python, "-c", "import "+module).Run() == nil {
			return python, true
		}
	}
	return "", false
}

// numpyDirect draws independent pairs of a law in NumPy, multiplies them and reduces them
// to a variance.
func (s Setting) numpyDirect(name, python, law string, d int, processes, kind string) program {
	return program{name: name, count: trialComponents,
		command: []string{python, filepath.Join(s.Folder, "direct_numpy.py"), law, strconv.Itoa(d), countMark, processes, kind}}
}

// torchDirect are the chunks and numbers of threads of PyTorch on the same, of which the
// fastest in a short trial is the peer.
func (s Setting) torchDirect(python string, d int, threads ...int) (tried []program) {
	for _, n := range threads {
		for _, chunk := range chunks {
			tried = append(tried, program{name: fmt.Sprintf("PyTorch direct, float32, chunks of %d, threads: %d", chunk, n), count: trialComponents,
				command: []string{python, filepath.Join(s.Folder, "direct_torch.py"), names.LawNormal, strconv.Itoa(d), countMark, strconv.Itoa(n), strconv.Itoa(chunk)}})
		}
	}
	return tried
}

// wholePeers lists the peers that can run here as whole processes, and says why others
// cannot. It compiles those in C and Go into temp.
func (s Setting) wholePeers(ctx context.Context, temp string, kernels []string) (peers []program, missing []string) {
	add := func(workers int, kernel string, p program) {
		p.process, p.workers, p.kernel, p.count = true, workers, kernel, s.Components
		peers = append(peers, p)
	}
	lacks := func(err error) { missing = append(missing, err.Error()) }
	d := strconv.Itoa(Dimension)
	if python, ok := pythonWith(ctx, "numpy"); ok {
		numpy := func(processes, kind string) program {
			return s.numpyDirect("NumPy "+kind+", processes: "+processes, python, names.LawNormal, Dimension, processes, kind)
		}
		add(2, kernels[0], numpy("1", "float64"))
		add(2, kernels[0], numpy("2", "float64"))
		add(2, kernels[0], numpy("2", "float32"))
		for _, k := range kernels {
			add(1, k, numpy("1", "float64"))
		}
	} else {
		lacks(errors.New("NumPy: no python3 that imports numpy"))
	}
	if python, ok := pythonWith(ctx, "torch"); !ok {
		lacks(errors.New("no python3 imports torch, for PyTorch"))
	} else if best, err := fastest(ctx, s.torchDirect(python, Dimension, 1, 2)); err != nil {
		lacks(err)
	} else {
		add(2, kernels[0], best)
	}
	if limit, err := s.buildLimit(ctx, temp); err != nil {
		lacks(fmt.Errorf("the limit in C: %w", err))
	} else {
		add(1, kernels[0], program{name: "C with AVX-512 and FMA, 1 thread", command: []string{limit, names.LawNormal, d, countMark}})
	}
	binary := filepath.Join(temp, "gonum")
	build := command(ctx, "go", "build", "-o", binary, ".")
	build.Dir = filepath.Join(s.Folder, "gonum")
	if out, err := build.CombinedOutput(); err != nil {
		lacks(fmt.Errorf("gonum: go build: %s %w", oneLine(string(out)), err))
	} else {
		add(2, kernels[0], program{name: "gonum distuv, 2 goroutines", command: []string{binary, names.LawNormal, d, countMark, "2"}})
	}
	return peers, missing
}

// buildLimit compiles the C program that shows what the processor could do.
func (s Setting) buildLimit(ctx context.Context, temp string) (string, error) {
	if !cpu.X86.HasAVX512F {
		return "", errors.New("the processor has no AVX-512")
	}
	binary := filepath.Join(temp, "limit")
	out, err := command(ctx, "gcc", "-O3", "-march=native", "-o", binary, filepath.Join(s.Folder, "limit.c")).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("gcc: %s", oneLine(string(out)+" "+err.Error()))
	}
	return binary, nil
}

// Softmax: the lengths of rows, the scores that a peer is tried with at a time, and how many
// it takes in a round, a tenth of a second.
var softmaxKeys, softmaxChunks = []int{64, 256, 1024}, []int{1 << 15, 1 << 17, 1 << 19}

const softmaxScores = 1 << 24

// softmaxPeers compute the weights and what is made of them, as their users write it, or
// only the sums that mcsim takes too, without a new array. Each has its best chunk.
func (s Setting) softmaxPeers(ctx context.Context, keys int) (peers []program, missing []string) {
	for _, of := range []struct{ name, module string }{{"NumPy", "numpy"}, {"PyTorch", "torch"}} {
		python, ok := pythonWith(ctx, of.module)
		if !ok {
			continue
		}
		for _, kind := range []string{"weights", "sums"} {
			var tried []program
			for _, chunk := range softmaxChunks {
				tried = append(tried, program{name: fmt.Sprintf("%s float32, %s, chunks of %d", of.name, kind, chunk), scale: 1e9 / softmaxScores,
					command: []string{python, filepath.Join(s.Folder, "softmax_"+of.module+".py"), strconv.Itoa(keys), strconv.Itoa(softmaxScores), strconv.Itoa(chunk), kind}})
			}
			peers, missing = best(ctx, tried, peers, missing)
		}
	}
	return peers, missing
}

// best adds the fastest of some programs, or why there is none.
func best(ctx context.Context, tried, peers []program, missing []string) ([]program, []string) {
	p, err := fastest(ctx, tried)
	if err != nil {
		return peers, append(missing, err.Error())
	}
	return append(peers, p), missing
}

// precisionPeers bring Var(q·k) to the target, direct and by Gram matrices of the size that
// suits them best.
func (s Setting) precisionPeers(ctx context.Context, d int) (peers []program, missing []string) {
	// Direct: (2 + 6/d)/target² pairs, as many as trialComponents has scaled up.
	scale := (2 + 6/float64(d)) / (target * target) * float64(d) / trialComponents
	if python, ok := pythonWith(ctx, "numpy"); ok {
		p := s.numpyDirect("NumPy direct, float64, one process", python, names.LawNormal, d, "1", "float64")
		p.scale = scale
		peers = append(peers, p)
		peers, missing = best(ctx, s.grams("NumPy", python, "gram_numpy.py", d, "threads"), peers, missing)
	}
	if python, ok := pythonWith(ctx, "torch"); ok {
		tried := s.torchDirect(python, d, 1)
		for i := range tried {
			tried[i].scale = scale
		}
		peers, missing = best(ctx, tried, peers, missing)
		peers, missing = best(ctx, s.grams("PyTorch", python, "gram_torch.py", d, "threads", "inside"), peers, missing)
	}
	return peers, missing
}

// grams are the sizes and kinds of threads of which one reaches the target first.
func (s Setting) grams(name, python, file string, d int, kinds ...string) (tried []program) {
	// around the optimum of mcsim itself, drawing being dearer for peers
	for _, n := range []float64{4, 8, 16, 32, 64} {
		side := max(16, int(math.Round(n*math.Sqrt(float64(d)/64)))*8)
		g := theory.NewGram(law.Normal, d, side, side)
		needed := g.RelativeVariance() / (target * target) / float64(side*side)
		// enough for a tenth of a second or so, even for each of two threads
		matrices := 2 * max(2, int(1e7/float64(2*side*d+side*side*d/20)))
		for _, kind := range kinds {
			tried = append(tried, program{name: fmt.Sprintf("%s Gram, float32, n = %d, two threads (%s)", name, side, kind), scale: needed / float64(matrices),
				command: []string{python, filepath.Join(s.Folder, file), strconv.Itoa(d), strconv.Itoa(side), strconv.Itoa(matrices), kind}})
		}
	}
	return tried
}
