// Package peers compares mcsim with other programs that do the same work: NumPy, PyTorch,
// gonum, and C at the limit of the processor. It uses those that it finds, and takes some
// ten minutes:
//
//	go test -run - -bench Peers -timeout 0 ./sim/engine/peers -rounds 3
//
// The two programs of a comparison run in turn, round by round, so that a change of the
// machine's speed affects both alike, and a ratio is taken within each round. The table has
// medians and ranges of the rounds, never a single time. docs/performance.md explains the
// numbers.
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
	rounds = flag.Int("rounds", 5, "rounds, each of both programs of a comparison")
	python = flag.String("python", "python3", "the Python that has NumPy and PyTorch")
)

// BenchmarkPeers prints the table of all comparisons.
func BenchmarkPeers(b *testing.B) {
	// Peers use only the threads that they start themselves.
	for _, threads := range []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"} {
		b.Setenv(threads, "1")
	}
	b.Setenv("CGO_ENABLED", "0") // as programs are released
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

// task is a program that does some work.
type task struct {
	name    string
	command []string
	units   float64 // units of work; the measured time is per unit
}

// comparison compares mcsim with the fastest candidate of a peer.
type comparison struct {
	name, unit string
	ours       task
	candidates []task
}

// measureRow runs mcsim and the peer alternately and returns a row of the table.
func (c comparison) measureRow(rounds int) (string, error) {
	peer, err := fastest(c.candidates)
	if err != nil {
		return "", err
	}
	var ours, theirs []float64
	for range rounds {
		a, err := c.ours.measure()
		if err != nil {
			return "", err
		}
		b, err := peer.measure()
		if err != nil {
			return "", err
		}
		ours, theirs = append(ours, a), append(theirs, b)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s×", peer.name, spread(summarise(ours)), spread(summarise(theirs)),
		spread(ratios(theirs, ours))), nil
}

// fastest returns the task with the shortest time in two trials each, or the last error if all
// fail.
func fastest(candidates []task) (best task, err error) {
	if len(candidates) == 1 {
		return candidates[0], nil
	}
	shortest := 0.0
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

// perIteration matches the time that a Go benchmark prints.
var perIteration = regexp.MustCompile(`([\d.]+) ns/op`)

// measure returns the seconds per unit of work: the time that a benchmark or a peer prints, or else
// the time of the whole process.
func (t task) measure() (float64, error) {
	c := exec.Command(t.command[0], t.command[1:]...)
	var complaint strings.Builder
	c.Stderr = &complaint
	begun := time.Now()
	output, err := c.Output()
	spent := time.Since(begun).Seconds()
	if err != nil {
		message := strings.TrimSpace(complaint.String())
		return 0, fmt.Errorf("%s: %w: %s", t.name, err, message[strings.LastIndex(message, "\n")+1:])
	}
	if m := perIteration.FindSubmatch(output); m != nil {
		nanoseconds, err := strconv.ParseFloat(string(m[1]), 64)
		return nanoseconds * 1e-9 / t.units, err
	}
	if seconds, err := strconv.ParseFloat(strings.TrimSpace(string(output)), 64); err == nil {
		spent = seconds
	}
	return spent / t.units, nil
}

// spread formats a median with its range.
func spread(x times) string {
	return fmt.Sprintf("%.3g [%.3g, %.3g]", x.Median, x.Min, x.Max)
}

// times has the median and the range of several rounds.
type times struct{ Median, Min, Max float64 }

func summarise(rounds []float64) times {
	sorted := slices.Sorted(slices.Values(rounds))
	n := len(sorted)
	return times{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Min: sorted[0], Max: sorted[n-1]}
}

// ratios summarises a/b within each round, so that a change of the machine's speed affects both.
func ratios(a, b []float64) times {
	quotients := make([]float64, len(a))
	for i := range a {
		quotients[i] = a[i] / b[i]
	}
	return summarise(quotients)
}
