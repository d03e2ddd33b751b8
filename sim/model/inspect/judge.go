package inspect

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Gate is what must hold: the scaled variance near 1, of every head and of their mean, the standard
// deviation of every head's logits in a band, or both; and at which rates a decision may be wrong.
type Gate struct {
	Tolerance float64 // of the scaled variance; 0 for none
	Lo, Hi    float64 // of the standard deviation; 0 for none
	Alpha     float64 // the chance, about, that what is right fails
	Beta      float64 // the chance, about, that what lies on or beyond an edge passes
}

// Judged is one estimate that was compared with its band.
type Judged struct {
	Name     string         `json:"name"`
	Quantity string         `json:"quantity"`
	Estimate Estimate       `json:"estimate"`
	Band     [2]float64     `json:"band"`
	Verdict  result.Verdict `json:"verdict"`
	// Needed is how many times as many texts, or as long a text, would decide if the truth is in the
	// middle of the band, or as far outside an edge; absent if there are enough, and it lies near one.
	Needed result.Number `json:"times_as_many,omitzero"`
	More   string        `json:"of"`                   // what more is needed of: texts, or rows
	Looks  string        `json:"looks_like,omitempty"` // which mistake, where it fails
}

// Judgement is what comes of a gate.
type Judgement struct {
	Alpha   float64        `json:"alpha"`
	Beta    float64        `json:"beta"`
	Verdict result.Verdict `json:"verdict"` // fail if one fails, else undecided if one is
	Gates   []Judged       `json:"gates"`
	Applied *Applied       `json:"logits,omitempty"` // the factor of the model, where it is known
}

// Applied is the factor that a model multiplies q·k by, as its logits, or weights, show.
type Applied struct {
	Factor result.Number `json:"factor"`
	// of rounding, and of what else the logits have; absent if it varies
	SE          result.Number  `json:"factor_se"`
	Scale       result.Number  `json:"scale"`       // what it should be
	Correlation result.Number  `json:"correlation"` // of logits with q·k within rows
	Verdict     result.Verdict `json:"verdict"`
	Looks       string         `json:"looks_like,omitempty"` // which mistake, or why nothing is decided
	From        string         `json:"from"`                 // logits or weights
	Masked      int            `json:"masked_pairs"`         // that are left out, or of weight 0
	Pairs       int            `json:"pairs"`                // of all
}

// Judge compares a summary with a gate. A quantity passes if the interval that leaves β on either
// side lies in the band, and fails if the one that leaves α/2 on either side, or β if that is less,
// lies outside; of several heads, and their mean, each has its share of α. If what is estimated lies
// in the middle of the band and the error is small enough, it passes with chance 1 − α.
func (s Summary) Judge(g Gate, applied *Applied) Judgement {
	out := Judgement{Alpha: g.Alpha, Beta: g.Beta, Verdict: result.Pass, Applied: applied}
	if g.Tolerance > 0 {
		alpha := g.Alpha / float64(len(s.checked()))
		for _, h := range s.checked() {
			gate := judged(h.Title(), names.ScaledVariance, h.Scaled, 1-g.Tolerance, 1+g.Tolerance, alpha, g.Beta)
			switch {
			case gate.Verdict != result.Fail:
			case h.Head < 0 || len(s.Heads) == 1:
				gate.Looks = s.looks()
			default:
				gate.Looks = s.hotHead()
			}
			out.Gates = append(out.Gates, gate)
		}
	}
	if g.Hi > 0 {
		for _, h := range s.Heads {
			alpha := g.Alpha / float64(len(s.Heads))
			out.Gates = append(out.Gates, judged(h.Title(), names.LogitSD, h.LogitSD, g.Lo, g.Hi, alpha, g.Beta))
		}
	}
	for i, gate := range out.Gates {
		out.Gates[i].More = s.more()
		out.Verdict = worse(out.Verdict, gate.Verdict)
	}
	if applied != nil {
		out.Verdict = worse(out.Verdict, applied.Verdict)
	}
	return out
}

// MeanOfHeads is the name of what is judged of all heads together.
const MeanOfHeads = "the mean over heads"

// checked returns what --check judges: the mean over heads, with a number below 0, and every head;
// of one head that alone.
func (s Summary) checked() []Head {
	if len(s.Heads) == 1 {
		return s.Heads
	}
	return append([]Head{{Head: -1, Numbers: s.All}}, s.Heads...)
}

// more names what a larger file has more of.
func (s Summary) more() string {
	if s.Texts > 1 {
		return "texts"
	}
	return "rows"
}

// Planned is how many times as many texts, or as long a text, a check of a tolerance needs.
type Planned struct {
	Tolerance float64       `json:"tolerance"`
	Alpha     float64       `json:"alpha"`
	Beta      float64       `json:"beta"`
	Heads     result.Number `json:"times_as_many"`      // every head and their mean; absent if errors are not known
	Mean      result.Number `json:"times_as_many_mean"` // the mean over heads alone
	More      string        `json:"of"`                 // texts, or rows
}

// Plan says how much a check needs that passes with chance 1 − α if all scaled variances are 1, by
// the errors of this pilot, of heads by their root mean square. The rule is that the intervals that
// leave α/2 and β on either side together fill half the band, on the scale of logarithms; errors
// fall like the root of the number of texts, or of rows, and Student's quantiles with it.
func (s Summary) Plan(g Gate) Planned {
	alpha, square := g.Alpha/float64(len(s.checked())), 0.0
	times := func(e Estimate) result.Number { return needed(e, 1-g.Tolerance, 1+g.Tolerance, alpha, g.Beta) }
	for _, h := range s.Heads {
		square += float64(h.Scaled.relative*h.Scaled.relative) / float64(len(s.Heads))
	}
	head := s.Heads[0].Scaled
	head.relative = math.Sqrt(square)
	out := Planned{g.Tolerance, g.Alpha, g.Beta, times(head), times(s.All.Scaled), s.more()}
	out.Heads = max(out.Heads, out.Mean)
	return out
}

// worse returns the worse verdict: fail, then undecided, then pass.
func worse(a, b result.Verdict) result.Verdict {
	for _, v := range []result.Verdict{result.Fail, result.Undecided} {
		if a == v || b == v {
			return v
		}
	}
	return result.Pass
}

// tiny takes the place of 0 in a division.
const tiny = 1e-300

// Outside returns how far what is estimated lies from the middle of the band, in standard errors
// beyond its nearer edge; below 0 inside.
func (j Judged) Outside() float64 {
	value, se := float64(j.Estimate.Value), float64(j.Estimate.SE)
	if !j.Estimate.SE.Present() {
		se = 1
	}
	return max(j.Band[0]-value, value-j.Band[1]) / max(se, tiny)
}

// judged compares an estimate with a band.
func judged(name, quantity string, e Estimate, lo, hi, alpha, beta float64) Judged {
	out := Judged{Name: name, Quantity: quantity, Estimate: e, Band: [2]float64{lo, hi},
		Verdict: result.Undecided, Needed: result.Absent()}
	if !e.SE.Present() {
		out.Looks = unknownError
		return out
	}
	passLo, passHi := e.limits(beta)
	failLo, failHi := e.limits(min(alpha/2, beta))
	switch {
	case passLo >= lo && passHi <= hi:
		out.Verdict = result.Pass
	case failHi < lo || failLo > hi:
		out.Verdict = result.Fail
	default:
		if times := needed(e, lo, hi, alpha, beta); times > 1 && e.dof >= minBatches-1 {
			out.Needed = times
		}
	}
	return out
}

// unknownError is why an estimate without an error decides nothing.
const unknownError = "rows, or texts, are too alike for its error to be known: save longer texts, or several, " +
	"one after the other on the first axis"

// needed returns how many times as much data would decide if the truth is half the band's width, on the
// scale of logarithms, from an edge; absent if the error is not known.
func needed(e Estimate, lo, hi, alpha, beta float64) result.Number {
	half := elementary.Log(hi/max(lo, hi/1e6)) / 2
	low, high := 1e-9, 1e12
	const minDoF = 3 // below which an error is hardly known
	if !(e.relative < half*high) || e.dof < minDoF {
		return result.Absent()
	}
	for high > 1.001*low {
		times := math.Sqrt(low * high)
		dof := max(1, float64((e.dof+1)*times)-1)
		sure := theory.StudentQuantile(alpha/2, dof) + theory.StudentQuantile(beta, dof)
		if sure*e.relative > float64(half*math.Sqrt(times)) {
			low = times
		} else {
			high = times
		}
	}
	return result.Number(high)
}
