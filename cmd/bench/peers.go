package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"

	"mcsim/sim/bench"
	"mcsim/sim/law"
	"mcsim/sim/names"
)

// peer is another program that does the same work: independent pairs of one
// law at d_k = 512, drawn, multiplied and reduced to a variance.
type peer struct {
	Name    string
	Law     string
	Workers int // workers that mcsim has in the comparison
	Kernel  string
	command []string // of the peer; the number of components goes where it says N
}

// countMark stands for the number of components in a command.
const countMark = "N"

// Ratio is how often faster mcsim was than a peer, whole processes timed in
// turn: the peer's time over ours, round by round. Alone is the same with
// what the peer says that its drawing took, without the start of its
// interpreter and the loading of its modules.
type Ratio struct {
	Peer       string      `json:"peer"`
	Law        string      `json:"law"`
	Kernel     string      `json:"kernel"`
	Workers    int         `json:"workers"`
	Components float64     `json:"components"`
	Ours       bench.Times `json:"ours_seconds"`
	Theirs     bench.Times `json:"peer_seconds"`
	Ratio      bench.Times `json:"ratio"`
	Alone      bench.Times `json:"ratio_alone"`
}

// chunks are those that PyTorch is tried with, on one thread and on two, in
// components.
var chunks = []int{1 << 14, 1 << 15, 1 << 16, 1 << 17}

// findPeers lists the peers in a folder that can run here, and says why others
// cannot. It compiles the gonum peer into temp.
func findPeers(ctx context.Context, folder, temp string, kernels []string) (peers []peer, missing []string) {
	fastest := kernels[0]
	if python, ok := pythonWith(ctx, "numpy"); ok {
		script := filepath.Join(folder, "direct_numpy.py")
		numpy := func(name string, workers int, kernel, processes, kind string) {
			peers = append(peers, peer{name, names.LawNormal, workers, kernel,
				[]string{python, script, names.LawNormal, strconv.Itoa(Dimension), countMark, processes, kind}})
		}
		numpy("NumPy float64, 1 process", 2, fastest, "1", "float64")
		numpy("NumPy float64, 2 processes", 2, fastest, "2", "float64")
		numpy("NumPy float32, 2 processes", 2, fastest, "2", "float32")
		for _, k := range kernels {
			numpy("NumPy float64, 1 process", 1, k, "1", "float64")
		}
	} else {
		missing = append(missing, "NumPy: no python3 that imports numpy")
	}
	if python, ok := pythonWith(ctx, "torch"); ok {
		peers = append(peers, bestTorch(ctx, python, filepath.Join(folder, "direct_torch.py"), fastest))
	} else {
		missing = append(missing, "PyTorch: no python3 that imports torch")
	}
	if limit, err := buildLimit(ctx, folder, temp); err == nil {
		peers = append(peers, peer{"C with AVX-512 and FMA, 1 thread", names.LawNormal, 1, fastest,
			[]string{limit, names.LawNormal, strconv.Itoa(Dimension), countMark}})
	} else {
		missing = append(missing, "C: "+err.Error())
	}
	binary := filepath.Join(temp, "gonum")
	build := command(ctx, "go", "build", "-o", binary, ".")
	build.Dir = filepath.Join(folder, "gonum")
	if out, err := build.CombinedOutput(); err == nil {
		peers = append(peers, peer{"gonum distuv, 2 goroutines", names.LawNormal, 2, fastest,
			[]string{binary, names.LawNormal, strconv.Itoa(Dimension), countMark, "2"}})
	} else {
		missing = append(missing, "gonum: go build: "+oneLine(string(out)+" "+err.Error()))
	}
	return peers, missing
}

// bestTorch is PyTorch with the chunk and number of threads that were fastest
// in a short trial; if all of them fail, one that will fail again and say why.
func bestTorch(ctx context.Context, python, script, fastest string) peer {
	var best peer
	least := math.Inf(1)
	for _, threads := range []int{1, 2} {
		for _, chunk := range chunks {
			p := peer{fmt.Sprintf("PyTorch float32, chunks of %d, threads: %d", chunk, threads), names.LawNormal, 2, fastest,
				[]string{python, script, names.LawNormal, strconv.Itoa(Dimension), countMark, strconv.Itoa(threads), strconv.Itoa(chunk)}}
			if best.Name == "" {
				best = p
			}
			for range 2 {
				if _, alone, err := p.runTheirs(ctx, trialComponents); err == nil && alone < least {
					best, least = p, alone
				}
			}
		}
	}
	return best
}

// trialComponents is what a trial of a peer draws, a tenth of a second or so.
const trialComponents = 2e7

// buildLimit compiles the C program that shows what the processor could do.
func buildLimit(ctx context.Context, folder, temp string) (string, error) {
	if !cpu.X86.HasAVX512F {
		return "", errors.New("the processor has no AVX-512")
	}
	binary := filepath.Join(temp, "limit")
	out, err := command(ctx, "gcc", "-O3", "-march=native", "-o", binary, filepath.Join(folder, "limit.c")).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("gcc: %s", oneLine(string(out)+" "+err.Error()))
	}
	return binary, nil
}

// pythonWith finds a python3 that imports the module.
func pythonWith(ctx context.Context, module string) (string, bool) {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if command(ctx, python, "-c", "import "+module).Run() == nil {
			return python, true
		}
	}
	return "", false
}

// compare times mcsim and the peer in turn, round by round.
func (p peer) compare(ctx context.Context, mcsim string, components float64, rounds int) (Ratio, error) {
	r := Ratio{Peer: p.Name, Law: p.Law, Kernel: p.Kernel, Workers: p.Workers, Components: components}
	var ours, theirs, alone []float64
	for range rounds {
		a, err := p.runOurs(ctx, mcsim, components)
		if err != nil {
			return r, err
		}
		b, own, err := p.runTheirs(ctx, components)
		if err != nil {
			return r, fmt.Errorf("%s: %w", p.Name, err)
		}
		ours, theirs, alone = append(ours, a), append(theirs, b), append(alone, own)
	}
	r.Ours, r.Theirs, r.Ratio, r.Alone = bench.Summary(ours), bench.Summary(theirs), bench.Ratios(theirs, ours), bench.Ratios(alone, ours)
	return r, nil
}

// runOurs returns the wall time of mcsim on the same work.
func (p peer) runOurs(ctx context.Context, mcsim string, components float64) (float64, error) {
	c := command(ctx, mcsim, "probe", "--law", p.Law, "--d-k", strconv.Itoa(Dimension),
		"--samples", strconv.FormatFloat(components/Dimension, 'f', 0, 64), "--workers", strconv.Itoa(p.Workers))
	c.Env = append(os.Environ(), "MCSIM_KERNEL="+p.Kernel)
	spent, _, err := seconds(c)
	return spent, err
}

// runTheirs returns the wall time of the process and what it prints, the time
// of its drawing.
func (p peer) runTheirs(ctx context.Context, components float64) (whole, alone float64, err error) {
	args := make([]string, len(p.command))
	for i, a := range p.command {
		args[i] = a
		if a == countMark {
			args[i] = strconv.FormatFloat(components, 'f', 0, 64)
		}
	}
	whole, text, err := seconds(command(ctx, args...))
	if err != nil {
		return 0, 0, err
	}
	alone, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
	return whole, alone, err
}

// startSeconds is what a probe of the fewest samples takes, from the start of its
// process to its end.
func startSeconds(ctx context.Context, mcsim string) (float64, error) {
	spent, _, err := seconds(command(ctx, mcsim, "probe", "--d-k", "1", "--samples", "16"))
	return spent, err
}

// LawRatio compares one worker's kernel with NumPy's draws of the same law,
// each in nanoseconds per component, without the start of either program.
type LawRatio struct {
	Law    string      `json:"law"`
	Kernel string      `json:"kernel"`
	Ours   bench.Times `json:"ours_ns"`
	NumPy  bench.Times `json:"numpy_ns"`
	Ratio  bench.Times `json:"ratio"`
	Count  float64     `json:"components"`
}

// compareLaws times NumPy, which may lack some, and the fastest kernel in turn on
// every law.
func (doc *Document) compareLaws(ctx context.Context, s Setting) error {
	python, ok := pythonWith(ctx, "numpy")
	if !ok {
		return ctx.Err()
	}
	components := s.Components / 20
	for _, l := range law.Usual() {
		run := lawRun(l, s.kernel, s.round)
		numpy := program{fmt.Sprintf("NumPy on %v", l), []string{python, filepath.Join(s.Folder, "direct_numpy.py"), l.Name(), strconv.Itoa(Dimension),
			strconv.FormatFloat(components, 'f', 0, 64), "1", "float64"}, 1e9 / components}
		all, failed, err := inTurn(ctx, []program{numpy}, s.Rounds, func() (round, error) { return round{work: run()}, nil })
		if err != nil {
			return err
		}
		doc.Missing = append(doc.Missing, failed...)
		for _, c := range all {
			doc.Laws = append(doc.Laws, LawRatio{l.String(), s.kernel, c.ours, c.theirs, c.ratio, components})
		}
	}
	return nil
}
