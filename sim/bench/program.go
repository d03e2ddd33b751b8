package bench

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// program is a peer that prints the seconds of its own work; a round of it
// counts as that many seconds times scale.
type program struct {
	name    string
	command []string
	scale   float64
}

func (s program) run() (float64, error) {
	c := exec.Command(s.command[0], s.command[1:]...)
	// what a peer does in several threads it starts itself
	c.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	_, text, err := seconds(c)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.name, err)
	}
	spent, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return spent * s.scale, err
}

// fastest is the one that was fastest in two trials each.
func fastest(tried []program) (program, error) {
	var best program
	least := 0.0
	for _, s := range tried {
		for range 2 {
			t, err := s.run()
			if err != nil {
				return best, err
			}
			if least == 0 || t < least {
				best, least = s, t
			}
		}
	}
	return best, nil
}

// compared is what a peer and mcsim took, and the peer's time over ours.
type compared struct{ ours, theirs, ratio Times }

// against runs mcsim and each of the peers in turn, mcsim before each.
func against(peers []program, rounds int, ours func() float64) ([]compared, error) {
	type series struct{ ours, theirs, ratios []float64 }
	all := make([]series, len(peers))
	for range rounds {
		for i, p := range peers {
			a := ours()
			b, err := p.run()
			if err != nil {
				return nil, err
			}
			s := &all[i]
			s.ours, s.theirs, s.ratios = append(s.ours, a), append(s.theirs, b), append(s.ratios, b/a)
		}
	}
	out := make([]compared, len(peers))
	for i, s := range all {
		out[i] = compared{summary(s.ours), summary(s.theirs), summary(s.ratios)}
	}
	return out, nil
}
