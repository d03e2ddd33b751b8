package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mcsim/report/axis"
	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Gates declares strips, one for each experiment: in them stand the intervals of its
// gates, each on the scale of its own band, of which the middle is 0 and the ends are −1
// and 1.
type Gates struct {
	Expects []string // what the gates expect
	// Away: only how far from the middle of the band an interval stays matters, to
	// whichever side it lies, on a logarithmic axis.
	Away bool
	Band string // what the legend calls the band
}

// Strip is what gates of one experiment show.
type Strip struct {
	Experiment string
	Marks      []GateMark // from below to above
}

// GateMark is the interval of a gate on the scale of its band.
type GateMark struct {
	Lo, Hi float64
	Gate   result.Gate
}

// Passed reports whether the gate passes.
func (m GateMark) Passed() bool { return m.Gate.Verdict == result.Pass }

// The ends of the axis of strips: beyond those of the band there is room for what fails.
// Whatever lies farther out stands at the end.
const (
	beyondBand   = 1.5
	nearestAway  = 0.5
	farthestAway = 1e4
)

// selectGates takes the gates of each experiment.
func (p *Data) selectGates(spec Gates, doc *result.Document) {
	for _, g := range doc.Gates {
		m, ok := markOf(g, spec.Away)
		if !ok || !slices.Contains(spec.Expects, g.Expect) {
			continue
		}
		i := slices.IndexFunc(p.Strips, func(s Strip) bool { return s.Experiment == g.Experiment })
		if i < 0 {
			i = len(p.Strips)
			p.Strips = append(p.Strips, Strip{Experiment: g.Experiment})
		}
		p.Strips[i].Marks = append(p.Strips[i].Marks, m)
		p.Shown = append(p.Shown, rows.OfGate(doc, g))
	}
	p.RowNames = nil
	for _, s := range p.Strips {
		p.RowNames = append(p.RowNames, fmt.Sprintf("%s, %s", s.Experiment, digits.Count(int64(len(s.Marks)))))
		slices.SortStableFunc(s.Marks, func(a, b GateMark) int { return cmp.Compare(a.Lo+a.Hi, b.Lo+b.Hi) })
	}
}

// markOf puts the interval of a gate on the scale of its band; ok is false where gate or
// band have no ends.
func markOf(g result.Gate, away bool) (m GateMark, ok bool) {
	from, to := float64(g.Band[0]), float64(g.Band[1])
	// What is declared of a share has one end; the other is that of all shares.
	switch g.Expect {
	case names.ExpectAtLeast:
		to = 1
	case names.ExpectAtMost:
		from = 0
	}
	middle, half := from+(to-from)/2, (to-from)/2
	m = GateMark{(float64(g.Lo) - middle) / half, (float64(g.Hi) - middle) / half, g}
	if away {
		near, far := min(math.Abs(m.Lo), math.Abs(m.Hi)), max(math.Abs(m.Lo), math.Abs(m.Hi))
		if m.Lo <= 0 && m.Hi >= 0 {
			near = 0
		}
		m.Lo, m.Hi = near, far
	}
	return m, half > 0 && !math.IsInf(half, 0) && !math.IsNaN(m.Lo+m.Hi)
}

// fitStrips sets the axes: along that of the band, and a row for each strip.
func (p *Data) fitStrips() bool {
	p.ScaleX = axis.Scale{Lo: -beyondBand, Hi: beyondBand}
	if p.Gates.Away {
		farthest := 1.0
		for _, s := range p.Strips {
			for _, m := range s.Marks {
				farthest = max(farthest, m.Hi)
			}
		}
		p.ScaleX = axis.Scale{Log: true, Lo: nearestAway, Hi: min(2*farthest, farthestAway)}
	}
	p.ScaleY = axis.Scale{Lo: -0.5, Hi: float64(len(p.Strips)) - 0.5}
	return true
}
