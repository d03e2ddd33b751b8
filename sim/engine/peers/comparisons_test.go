package peers

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"mcsim/sim/base/distribution"
	"mcsim/sim/kernel"
	"mcsim/sim/statistics/theory"
)

// suite has the folder of the compiled programs, and the command that runs the peers in Python.
type suite struct{ folder, python string }

// programPath returns the path of a compiled program.
func (s suite) programPath(name string) string { return filepath.Join(s.folder, name) }

// builds returns the commands that compile the programs.
func (s suite) builds() [][]string {
	return [][]string{
		{"go", "build", "-o", s.programPath("mcsim"), "mcsim/cmd/mcsim"},
		{"go", "test", "-c", "-o", s.programPath("kernel"), "mcsim/sim/kernel"},
		{"go", "test", "-c", "-o", s.programPath("attention"), "mcsim/sim/attention"},
		{"go", "test", "-c", "-o", s.programPath("peers"), "mcsim/sim/engine/peers"},
		{"gcc", "-O3", "-march=native", "-o", s.programPath("limit"), "testdata/limit.c"},
	}
}

const (
	dimension         = 512     // d_k of comparisons whose title does not name it
	processComponents = 2e8     // components that a whole process samples
	trialComponents   = 2e7     // components that a peer samples, in about a tenth of a second
	billionth         = 1e-9    // units of work of an operation if times per unit are in nanoseconds
	targetSE          = 1e-3    // relative standard error of Var(q·k) that is to be reached
	softmaxScores     = 1 << 24 // scores that a peer processes, in about a tenth of a second
)

// comparisons returns all comparisons. mcsim uses its fastest kernel unless the title names
// another.
func (s suite) comparisons() (list []comparison) {
	add := func(name, unit string, mcsim task, candidates ...task) {
		list = append(list, comparison{name, unit, mcsim, candidates})
	}
	for _, peer := range []struct {
		workers    int
		candidates []task
	}{
		{2, []task{s.numpy(processComponents, "normal", dimension, "1", "float64")}},
		{2, []task{s.numpy(processComponents, "normal", dimension, "2", "float64")}},
		{2, []task{s.numpy(processComponents, "normal", dimension, "2", "float32")}},
		{2, s.torch(dimension, 1, 2)},
		{2, []task{s.benchmark("gonum, 2 goroutines", "peers", "Gonum", gonumWorkers*gonumPairs*dimension)}},
		{1, []task{sampler("C with AVX-512 and FMA", s.programPath("limit"), "normal", format(dimension),
			format(processComponents))}},
	} {
		add(fmt.Sprintf("workers: %d", peer.workers), "ns a component", s.probe("", peer.workers), peer.candidates...)
	}
	for _, k := range kernel.Names() {
		add("workers: 1, "+k, "ns a component", s.probe(k, 1),
			s.numpy(processComponents, "normal", dimension, "1", "float64"))
	}
	for _, l := range distribution.Defaults() {
		const benchmarkDimension = 64
		mcsim := s.benchmark("mcsim", "kernel", fmt.Sprintf("Kernels/pairs/%s/%s", l, kernel.Names()[0]),
			benchmarkDimension*kernel.Width)
		add(l.String(), "ns a component", mcsim, s.numpy(trialComponents, l.Name(), dimension, "1", "float64"))
	}
	for _, keys := range []int{64, 256, 1024} {
		for _, module := range []string{"numpy", "torch"} {
			for _, kind := range []string{"weights", "sums"} {
				mcsim := s.benchmark("mcsim", "attention", fmt.Sprintf("Softmax/%d", keys), keys*kernel.Width)
				add(fmt.Sprintf("softmax of %d keys", keys), "ns a score", mcsim, s.softmax(module, keys, kind)...)
			}
		}
	}
	const side, d, repeats = 384, 256, 400 // matrices of side·side products of d components
	add("products", "ns a multiply-add",
		s.benchmark("mcsim", "kernel", "Kernels/gram/"+kernel.Names()[0], side*side*d),
		s.task("NumPy float32", side*side*d*repeats*billionth, "products_numpy.py", side, d, repeats))
	for _, d := range []int{64, 512, 4096} {
		name := fmt.Sprintf("Var(q·k) to 0.1 %%, d_k = %d", d)
		mcsim := task{"mcsim", []string{s.programPath("mcsim"), "probe", "--estimator", "gram", "--d-k", format(d),
			"--rel-se", format(targetSE), "--workers", "2"}, 1}
		for _, candidates := range [][]task{{s.numpy(trialComponents, "normal", d, "1", "float64")}, s.torch(d, 1)} {
			for i := range candidates {
				// (2 + 6/d)/targetSE² pairs reach the target. A trial samples a part of them.
				candidates[i].units = trialComponents / (float64(d) * (2 + 6/float64(d)) / (targetSE * targetSE))
			}
			add(name, "s", mcsim, candidates...)
		}
		add(name, "s", mcsim, s.grams("numpy", d, "threads")...)
		add(name, "s", mcsim, s.grams("torch", d, "threads", "inside")...)
	}
	return list
}

// format formats a number for a command line.
func format[N int | float64](x N) string { return strconv.FormatFloat(float64(x), 'f', -1, 64) }

// sampler returns the task of a program that samples processComponents.
func sampler(name string, command ...string) task {
	return task{name, command, processComponents * billionth}
}

// probe returns the task of a process of mcsim with the given kernel, or with its default if kernel
// is empty.
func (s suite) probe(kernel string, workers int) task {
	command := []string{s.programPath("mcsim"), "probe", "--d-k", format(dimension), "--samples",
		format(processComponents / dimension), "--workers", format(workers)}
	if kernel != "" {
		command = append([]string{"env", "MCSIM_KERNEL=" + kernel}, command...)
	}
	return sampler("mcsim", command...)
}

// benchmark returns the task of a benchmark of the named test program. One iteration of the
// benchmark does the given number of operations.
func (s suite) benchmark(title, program, name string, operations int) task {
	// Each part of the name is anchored, since normal is also a part of truncated-normal.
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta("Benchmark"+name), "/", "$/^") + "$"
	return task{title, []string{s.programPath(program), "-test.run", "-", "-test.bench", pattern, "-test.benchtime",
		"0.1s"}, float64(operations) * billionth}
}

// task returns the task of a Python file in testdata.
func (s suite) task(name string, units float64, file string, args ...any) task {
	command := []string{s.python, "testdata/" + file}
	for _, a := range args {
		command = append(command, fmt.Sprint(a))
	}
	return task{name, command, units}
}

// numpy returns the task of NumPy that samples independent pairs of a distribution, multiplies them
// and computes the variance of the products. kind is float64 or float32.
func (s suite) numpy(count float64, distribution string, d int, processes, kind string) task {
	return s.task(fmt.Sprintf("NumPy %s, processes: %s", kind, processes), count*billionth, "direct_numpy.py",
		distribution, d, format(count), processes, kind)
}

// torch returns tasks of PyTorch that do the same work as numpy for the normal distribution, one
// for each of several chunk sizes and of the numbers of threads.
func (s suite) torch(d int, threads ...int) (candidates []task) {
	for _, n := range threads {
		for _, chunk := range []int{1 << 14, 1 << 15, 1 << 16, 1 << 17} {
			name := fmt.Sprintf("PyTorch float32, chunks of %d, threads: %d", chunk, n)
			candidates = append(candidates,
				s.task(name, trialComponents*billionth, "direct_torch.py", "normal", d, format(trialComponents), n,
					chunk))
		}
	}
	return candidates
}

// softmax returns tasks of NumPy or PyTorch that compute statistics of softmax, one for each of
// several chunk sizes. The kind weights computes the weights first, as users write it. The kind
// sums computes only the sums that mcsim needs, without allocating arrays.
func (s suite) softmax(module string, keys int, kind string) (candidates []task) {
	for _, chunk := range []int{1 << 15, 1 << 17, 1 << 19} {
		name := fmt.Sprintf("%s float32, %s, chunks of %d", module, kind, chunk)
		candidates = append(candidates,
			s.task(name, softmaxScores*billionth, "softmax_"+module+".py", keys, softmaxScores, chunk, kind))
	}
	return candidates
}

// grams returns tasks of NumPy or PyTorch that compute Var(q·k) from Gram matrices: one for each of
// several sizes, since the best one depends on the cost of sampling, and for each kind of threads.
func (s suite) grams(module string, d int, kinds ...string) (candidates []task) {
	for _, n := range []float64{4, 8, 16, 32, 64} {
		side := max(16, int(math.Round(n*math.Sqrt(float64(d)/64)))*8)
		g := theory.NewGram(distribution.Normal, d, side, side)
		neededMatrices := g.RelativeVariance() / (targetSE * targetSE) / float64(side*side)
		// A trial takes about a tenth of a second. A multiply-add takes a 20th of the time of a
		// draw.
		timeOfMatrix := float64(2*side*d + side*side*d/20) // in draws
		matrices := 2 * max(2, int(1e7/timeOfMatrix))      // at least two for each of two threads
		for _, kind := range kinds {
			name := fmt.Sprintf("%s Gram, float32, n = %d, two threads (%s)", module, side, kind)
			candidates = append(candidates,
				s.task(name, float64(matrices)/neededMatrices, "gram_"+module+".py", d, side, matrices, kind))
		}
	}
	return candidates
}
