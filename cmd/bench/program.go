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

// program is a peer that prints the seconds of its own work; a round of it
// counts as that many seconds times scale.
type program struct {
	name    string
	command []string
	scale   float64
}

// run returns the seconds of a round.
func (s program) run(ctx context.Context) (float64, error) {
	c := command(ctx, s.command...)
	// what a peer does in several threads it starts itself
	c.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	_, text, err := seconds(c)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.name, err)
	}
	spent, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return spent * s.scale, err
}

// fastest is the one that was fastest in two trials each. One that fails is left
// out; if all do, the error is the first one's.
func fastest(ctx context.Context, tried []program) (program, error) {
	var best program
	var failed error
	least := 0.0
	for _, s := range tried {
		for range 2 {
			t, err := s.run(ctx)
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

// lacks says why comparisons of something are missing.
func (doc *Document) lacks(of string, reasons []string) {
	for _, why := range reasons {
		doc.Missing = append(doc.Missing, of+": "+why)
	}
}

// round is a round of mcsim: its work, and what the start of its process took then.
type round struct{ work, start float64 }

// compared is what a peer and mcsim took, and the peer's time over ours, without
// the start of mcsim and with it.
type compared struct {
	name                       string
	ours, theirs, ratio, whole bench.Times
}

// inTurn runs mcsim and each of the peers in turn, mcsim before each. A peer that
// fails has no more turns, and missing says why.
func inTurn(ctx context.Context, peers []program, rounds int, ours func() (round, error)) (all []compared, missing []string, err error) {
	type series struct {
		ours, whole, theirs []float64
		failed              error
	}
	played := make([]series, len(peers))
	for range rounds {
		for i, p := range peers {
			s := &played[i]
			if s.failed != nil {
				continue
			}
			a, err := ours()
			if err != nil {
				return nil, nil, err
			}
			b, err := p.run(ctx)
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			s.failed = err
			s.ours, s.whole, s.theirs = append(s.ours, a.work), append(s.whole, a.work+a.start), append(s.theirs, b)
		}
	}
	for i, s := range played {
		if s.failed != nil {
			missing = append(missing, s.failed.Error())
			continue
		}
		all = append(all, compared{peers[i].name, bench.Summary(s.ours), bench.Summary(s.theirs), bench.Ratios(s.theirs, s.ours), bench.Ratios(s.theirs, s.whole)})
	}
	return all, missing, nil
}
