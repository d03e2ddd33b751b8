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
	// What a peer does in several threads it starts itself.
	for _, threads := range []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"} {
		b.Setenv(threads, "1")
	}
	b.Setenv("CGO_ENABLED", "0") // as programs are released
	s := suite{folder: b.TempDir(), python: *python}
	for _, build := range s.builds() {
		if said, err := exec.Command(build[0], build[1:]...).CombinedOutput(); err != nil {
			b.Logf("%s: %v\n%s", strings.Join(build, " "), err, said)
		}
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\n%s/%s, %d cores; median of %d rounds [range]\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), *rounds)
	fmt.Fprint(t, "what\tunit\tpeer\tmcsim\tpeer\tratio\n")
	for _, c := range s.comparisons() {
		row, err := c.inTurn(*rounds)
		if err != nil {
			row = "not compared: " + err.Error()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.what, c.unit, row)
	}
	t.Flush()
}

// task is a program that does some work.
type task struct {
	name    string
	command []string
	units   float64 // of work that it does: its time is that of one
}

// comparison is mcsim beside the fastest of what was tried of a peer.
type comparison struct {
	what, unit string
	ours       task
	tried      []task
}

// inTurn is a row of the table: mcsim and the peer in turn.
func (c comparison) inTurn(rounds int) (string, error) {
	peer, err := fastest(c.tried)
	if err != nil {
		return "", err
	}
	var ours, theirs []float64
	for range rounds {
		a, err := c.ours.time()
		if err != nil {
			return "", err
		}
		b, err := peer.time()
		if err != nil {
			return "", err
		}
		ours, theirs = append(ours, a), append(theirs, b)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s×", peer.name, spread(summary(ours)), spread(summary(theirs)), spread(ratios(theirs, ours))), nil
}

// fastest is the one that was fastest in two trials each; the error is the last one's if
// all fail.
func fastest(tried []task) (best task, err error) {
	if len(tried) == 1 {
		return tried[0], nil
	}
	least := 0.0
	for _, t := range append(tried, tried...) {
		spent, failed := t.time()
		if failed != nil {
			err = failed
		} else if least == 0 || spent < least {
			best, least = t, spent
		}
	}
	if least > 0 {
		err = nil
	}
	return best, err
}

// perTurn is what a benchmark of Go prints.
var perTurn = regexp.MustCompile(`([\d.]+) ns/op`)

// time is what a unit of work takes: by what a benchmark or a peer says of its own work, or
// else of the whole process.
func (t task) time() (float64, error) {
	c := exec.Command(t.command[0], t.command[1:]...)
	var complaint strings.Builder
	c.Stderr = &complaint
	begun := time.Now()
	out, err := c.Output()
	spent := time.Since(begun).Seconds()
	if err != nil {
		said := strings.TrimSpace(complaint.String())
		return 0, fmt.Errorf("%s: %w: %s", t.name, err, said[strings.LastIndex(said, "\n")+1:])
	}
	if m := perTurn.FindSubmatch(out); m != nil {
		nanoseconds, err := strconv.ParseFloat(string(m[1]), 64)
		return nanoseconds * 1e-9 / t.units, err
	}
	if own, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64); err == nil {
		spent = own
	}
	return spent / t.units, nil
}

// spread is a median with its range.
func spread(x times) string {
	return fmt.Sprintf("%.3g [%.3g, %.3g]", x.Median, x.Min, x.Max)
}

// times are what several rounds took: medians and ranges, never a single time.
type times struct{ Median, Min, Max float64 }

// summary is that of the rounds.
func summary(rounds []float64) times {
	sorted := slices.Sorted(slices.Values(rounds))
	n := len(sorted)
	return times{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Min: sorted[0], Max: sorted[n-1]}
}

// ratios are a over b, round by round, so that a change of the machine's speed meets both alike.
func ratios(a, b []float64) times {
	each := make([]float64, len(a))
	for i := range a {
		each[i] = a[i] / b[i]
	}
	return summary(each)
}
