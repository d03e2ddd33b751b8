// Package peers compares the speed of mcsim with other programs that do the same work, its peers:
// NumPy, PyTorch, gonum, and a C program that is close to the limit of the processor. It omits
// peers that this machine does not have. The comparison takes some ten minutes:
//
//	go test -run - -bench Peers -timeout 0 ./sim/engine/peers -rounds 3
//
// In each round, mcsim and the peer run one after the other, and the ratio of their times is taken,
// so that a change of the machine's speed affects both. The table has medians and ranges of the
// rounds. docs/performance.md explains the numbers.
package peers

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

var (
	rounds = flag.Int("rounds", 5, "number of rounds of a comparison; each runs both programs once")
	python = flag.String("python", "python3", "the Python that has NumPy and PyTorch")
)

// BenchmarkPeers prints the table of all comparisons.
func BenchmarkPeers(b *testing.B) {
	// The libraries of the peers must not start threads in addition to the peers' own.
	for _, threads := range []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"} {
		b.Setenv(threads, "1")
	}
	b.Setenv("CGO_ENABLED", "0") // as in released programs
	s := suite{folder: b.TempDir(), python: *python}
	for _, build := range s.builds() {
		if output, err := exec.Command(build[0], build[1:]...).CombinedOutput(); err != nil {
			b.Logf("%s: %v\n%s", strings.Join(build, " "), err, output)
		}
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\n%s/%s, %d cores; median of %d rounds [range]\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		*rounds)
	fmt.Fprint(t, "what\tunit\tpeer\tmcsim\tpeer\tratio\n")
	for _, c := range s.comparisons() {
		row, err := c.measureRow(*rounds)
		if err != nil {
			row = "not compared: " + err.Error()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.name, c.unit, row)
	}
	t.Flush()
}

// task is a program that does a known amount of work.
type task struct {
	name    string
	command []string
	units   float64 // number of units of work; times are measured per unit
}

// comparison compares mcsim with the fastest of several candidates, variants of a peer.
type comparison struct {
	name       string
	unit       string // unit of the times per unit of work, such as ns a component
	mcsim      task
	candidates []task
}

// measureRow runs mcsim and the peer alternately. It returns the columns of a row of the table from
// the name of the peer on.
func (c comparison) measureRow(rounds int) (string, error) {
	peer, err := fastest(c.candidates)
	if err != nil {
		return "", err
	}
	var mcsimTimes, peerTimes []float64
	for range rounds {
		mcsimTime, err := c.mcsim.measure()
		if err != nil {
			return "", err
		}
		peerTime, err := peer.measure()
		if err != nil {
			return "", err
		}
		mcsimTimes, peerTimes = append(mcsimTimes, mcsimTime), append(peerTimes, peerTime)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s×", peer.name, summarise(mcsimTimes), summarise(peerTimes),
		summariseRatios(peerTimes, mcsimTimes)), nil
}

// fastest runs each candidate twice and returns the one with the shortest time, or the last error
// if all fail. A single candidate is not run.
func fastest(candidates []task) (best task, err error) {
	if len(candidates) == 1 {
		return candidates[0], nil
	}
	shortest := 0.0 // 0 before the first success
	for _, t := range append(candidates, candidates...) {
		seconds, measureErr := t.measure()
		if measureErr != nil {
			err = measureErr
		} else if shortest == 0 || seconds < shortest {
			best, shortest = t, seconds
		}
	}
	if shortest > 0 {
		err = nil
	}
	return best, err
}

// iterationTime matches the time per iteration that a Go benchmark prints.
var iterationTime = regexp.MustCompile(`([\d.]+) ns/op`)

// measure runs the program and returns the seconds per unit of work. The time is the one that a Go
// benchmark or a peer prints, or the time of the whole process if the program prints none.
func (t task) measure() (float64, error) {
	c := exec.Command(t.command[0], t.command[1:]...)
	var stderr strings.Builder
	c.Stderr = &stderr
	start := time.Now()
	output, err := c.Output()
	processSeconds := time.Since(start).Seconds()
	if err != nil {
		message := strings.TrimSpace(stderr.String())
		lastLine := message[strings.LastIndex(message, "\n")+1:]
		return 0, fmt.Errorf("%s: %w: %s", t.name, err, lastLine)
	}
	if m := iterationTime.FindSubmatch(output); m != nil {
		nanoseconds, err := strconv.ParseFloat(string(m[1]), 64)
		return nanoseconds * 1e-9 / t.units, err
	}
	if seconds, err := strconv.ParseFloat(strings.TrimSpace(string(output)), 64); err == nil {
		return seconds / t.units, nil
	}
	return processSeconds / t.units, nil
}

// summary has the median and the range of the times, or of the ratios, of several rounds.
type summary struct{ Median, Min, Max float64 }

func (s summary) String() string { return fmt.Sprintf("%.3g [%.3g, %.3g]", s.Median, s.Min, s.Max) }

func summarise(rounds []float64) summary {
	sorted := slices.Sorted(slices.Values(rounds))
	n := len(sorted)
	return summary{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Min: sorted[0], Max: sorted[n-1]}
}

// summariseRatios summarises the ratios a[i]/b[i] of all rounds i.
func summariseRatios(a, b []float64) summary {
	quotients := make([]float64, len(a))
	for i := range a {
		quotients[i] = a[i] / b[i]
	}
	return summarise(quotients)
}
