package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"mcsim/sim/bench"
)

// command runs until the context ends, and is then asked to end; what does not is killed.
func command(ctx context.Context, words ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = time.Second
	return c
}

// seconds is the wall time of a whole process, with what it wrote.
func seconds(c *exec.Cmd) (float64, string, error) {
	var complaint bytes.Buffer
	c.Stderr = &complaint
	begun := time.Now()
	out, err := c.Output()
	if err != nil {
		return 0, "", fmt.Errorf("%s: %w: %s", c.Path, err, oneLine(complaint.String()))
	}
	return time.Since(begun).Seconds(), string(out), nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// program is a peer that prints the seconds of its own work.
type program struct {
	name    string
	command []string
	count   float64 // of components, which stands in the command where it says N
	scale   float64 // a round counts as so many of the seconds that it prints
	process bool    // a round counts as the whole process instead
	workers int     // that mcsim has beside a whole process
	kernel  string  // likewise
}

// countMark stands for the number of components in a command.
const countMark = "N"

// run returns what a round counts, and what its own seconds count, without its start.
func (p program) run(ctx context.Context) (spent, own float64, err error) {
	words := append([]string{}, p.command...)
	for i, w := range words {
		if w == countMark {
			words[i] = strconv.FormatFloat(p.count, 'f', 0, 64)
		}
	}
	c := command(ctx, words...)
	// what a peer does in several threads it starts itself
	c.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	whole, text, err := seconds(c)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", p.name, err)
	}
	own, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
	if p.process {
		return whole, own, err
	}
	return own * p.scale, own * p.scale, err
}

// fastest is the one that was fastest in two trials each. One that fails is left
// out; if all do, the error is the first one's.
func fastest(ctx context.Context, tried []program) (program, error) {
	var best program
	var failed error
	least := 0.0
	for _, s := range tried {
		for range 2 {
			_, t, err := s.run(ctx)
			if err != nil {
				failed = cmp.Or(failed, err)
				break
			}
			if least == 0 || t < least {
				best, least = s, t
			}
		}
	}
	if least > 0 {
		failed = nil
	}
	return best, failed
}

// round is a round of mcsim: its work, and what the start of its process took then.
type round struct{ work, start float64 }

// row is what mcsim and a peer took, and the peer's time over ours; second is that of the
// peer's own time, with the start of mcsim.
type row struct {
	peer, at                    string
	ours, theirs, ratio, second bench.Times
}

// inTurn runs mcsim and each of the peers in turn, mcsim before each. A peer that
// fails has no more turns, and missing says why.
func inTurn(ctx context.Context, peers []program, rounds int, ours func(program) (round, error)) (all []row, missing []string, err error) {
	type series struct {
		ours, whole, theirs, own []float64
		failed                   error
	}
	played := make([]series, len(peers))
	for range rounds {
		for i, p := range peers {
			s := &played[i]
			if s.failed != nil {
				continue
			}
			a, err := ours(p)
			if err != nil {
				return nil, nil, err
			}
			spent, own, err := p.run(ctx)
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			s.failed = err
			s.ours, s.whole = append(s.ours, a.work), append(s.whole, a.work+a.start)
			s.theirs, s.own = append(s.theirs, spent), append(s.own, own)
		}
	}
	for i, s := range played {
		if s.failed != nil {
			missing = append(missing, s.failed.Error())
			continue
		}
		all = append(all, row{peer: peers[i].name, ours: bench.Summary(s.ours), theirs: bench.Summary(s.theirs),
			ratio: bench.Ratios(s.theirs, s.ours), second: bench.Ratios(s.own, s.whole)})
	}
	return all, missing, nil
}
