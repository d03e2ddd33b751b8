package inspect

import (
	"fmt"
	"math"
	"strings"

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

// Judged is one thing that was held against its band.
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

// Judge holds a summary against a gate. A quantity passes if the interval that leaves β on either
// side lies in the band, and fails if the one that leaves α/2 on either side, or β if that is less,
// lies outside; of several heads, and their mean, each has its share of α. If what is estimated lies
// in the middle of the band and the error is small enough, it passes with chance 1 − α.
func (s Summary) Judge(g Gate, applied *Applied) Judgement {
	out := Judgement{Alpha: g.Alpha, Beta: g.Beta, Verdict: result.Pass, Applied: applied}
	if g.Tolerance > 0 {
		alpha := g.Alpha / float64(len(s.checked()))
		for _, h := range s.checked() {
			of := judged(h.Title(), names.ScaledVariance, h.Scaled, 1-g.Tolerance, 1+g.Tolerance, alpha, g.Beta)
			switch {
			case of.Verdict != result.Fail:
			case h.Head < 0 || len(s.Heads) == 1:
				of.Looks = s.looks()
			default:
				of.Looks = s.hotHead()
			}
			out.Gates = append(out.Gates, of)
		}
	}
	if g.Hi > 0 {
		for _, h := range s.Heads {
			alpha := g.Alpha / float64(len(s.Heads))
			out.Gates = append(out.Gates, judged(h.Title(), names.LogitSD, h.LogitSD, g.Lo, g.Hi, alpha, g.Beta))
		}
	}
	for i, of := range out.Gates {
		out.Gates[i].More = s.more()
		out.Verdict = worse(out.Verdict, of.Verdict)
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

// more is what a larger file has more of.
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

// worse is fail before undecided before pass.
func worse(a, b result.Verdict) result.Verdict {
	for _, v := range []result.Verdict{result.Fail, result.Undecided} {
		if a == v || b == v {
			return v
		}
	}
	return result.Pass
}

// Title says which head it is.
func (h Head) Title() string {
	switch {
	case h.Head < 0:
		return MeanOfHeads
	case h.Layer == "":
		return fmt.Sprintf("head %d", h.Head)
	}
	return fmt.Sprintf("layer %s, head %d", h.Layer, h.Head)
}

// tiny stands in the place of 0 where something is divided by it.
const tiny = 1e-300

// Outside is how far what is estimated lies from the middle of the band, in standard errors
// beyond its nearer edge; below 0 inside.
func (j Judged) Outside() float64 {
	value, se := float64(j.Estimate.Value), float64(j.Estimate.SE)
	if !j.Estimate.SE.Present() {
		se = 1
	}
	return max(j.Band[0]-value, value-j.Band[1]) / max(se, tiny)
}

// judged holds an estimate against a band.
func judged(name, quantity string, e Estimate, lo, hi, alpha, beta float64) Judged {
	out := Judged{Name: name, Quantity: quantity, Estimate: e, Band: [2]float64{lo, hi},
		Verdict: result.Undecided, Needed: result.Absent()}
	if !e.SE.Present() {
		out.Looks = unknownError
		return out
	}
	from, to := e.limits(beta)
	least, most := e.limits(min(alpha/2, beta))
	switch {
	case from >= lo && to <= hi:
		out.Verdict = result.Pass
	case most < lo || least > hi:
		out.Verdict = result.Fail
	default:
		if times := needed(e, lo, hi, alpha, beta); times > 1 && e.freedom >= minBatches-1 {
			out.Needed = times
		}
	}
	return out
}

// unknownError is why an estimate without an error decides nothing.
const unknownError = "rows, or texts, are too alike for its error to be known: save longer texts, or several, " +
	"one after the other on the first axis"

// needed is how many times as much would decide if the truth is half the band's width, on the
// scale of logarithms, from an edge; absent if the error is not known.
func needed(e Estimate, lo, hi, alpha, beta float64) result.Number {
	half := elementary.Log(hi/max(lo, hi/1e6)) / 2
	least, most := 1e-9, 1e12
	const minFreedom = 3 // below which an error is hardly known
	if !(e.relative < half*most) || e.freedom < minFreedom {
		return result.Absent()
	}
	for most > 1.001*least {
		times := math.Sqrt(least * most)
		freedom := max(1, float64((e.freedom+1)*times)-1)
		sure := theory.StudentQuantile(alpha/2, freedom) + theory.StudentQuantile(beta, freedom)
		if sure*e.relative > float64(half*math.Sqrt(times)) {
			least = times
		} else {
			most = times
		}
	}
	return result.Number(most)
}

// looks says what a scaled variance that fails looks like.
func (s Summary) looks() string {
	if hot := s.hotHead(); hot != "" {
		return hot
	}
	vq, vk, d := float64(s.All.QueryVariance), float64(s.All.KeyVariance), float64(s.Dimension)
	independent := float64(s.All.Ratio.Value) / float64(vq*vk) // 1 of independent components
	const near, rounding = 0.25, 1e-24
	switch scaled := float64(s.Scale*s.Scale) * d; {
	case s.All.Variance.Value <= rounding*s.All.Mean*s.All.Mean || vq == 0 || vk == 0:
		return "queries or keys that are constant: all the same vector, or 0"
	case math.Abs(independent-1) > near && math.Abs(float64(s.All.Ratio.Value/s.All.ofMeans)-1) < near:
		return "queries and keys have a mean other than 0, such as a bias gives"
	case math.Abs(independent-1) > near:
		directions := "avoid each other's directions"
		if independent > 1 {
			directions = "share directions"
		}
		return fmt.Sprintf("components are not independent: Var(q·k) is %.3g times what their variances give, so queries "+
			"and keys %s", independent, directions)
	case math.Abs(float64(scaled)-1) > 0.01 && math.Abs(float64(vq*vk)-1) < 0.1:
		return fmt.Sprintf("the scale: components have variance 1, and the scale is %.4g times 1/√d_k", math.Sqrt(scaled))
	case s.length > 0: // whatever the initialisation
		return fmt.Sprintf("the scale: queries and keys of length %.4g give q·k a variance of %.3g, of which a scale of %.4g, "+
			"not %.4g, makes 1", s.length, s.All.Variance.Value, s.All.Unit.Value, s.Scale)
	case math.Abs(float64(vq*vk*d)-1) < 0.25:
		return "queries or keys are divided by √d_k already: say --scale none, if the model does not divide again"
	}
	return fmt.Sprintf("the initialisation: components of queries have variance %.3g and those of keys %.3g, and their "+
		"product should be 1%s", vq, vk, initialised(vq, vk))
}

// initialised names an initialisation that gives components such variances.
func initialised(vq, vk float64) string {
	for _, i := range []struct {
		variance float64
		says     string
	}{
		{2, "He's initialisation, which is meant for layers before ReLU, gives 2"},
		{1.0 / 3, "PyTorch's nn.Linear without a bias gives 1/3"},
		{2.0 / 3, "PyTorch's nn.Linear with a bias gives 2/3"},
		{0.5, "Xavier's of queries, keys and values in one matrix gives 1/2"},
	} {
		if math.Abs(vq/i.variance-1) < 0.12 && math.Abs(vk/i.variance-1) < 0.12 {
			return "; " + i.says
		}
	}
	if math.Abs(vq/vk-1) < 0.12 {
		return "; or tokens are not normalised before W_Q and W_K"
	}
	return ""
}

// hotHead says which head has far larger, or smaller, logits than most; empty if none does.
func (s Summary) hotHead() string {
	if len(s.Heads) < 3 {
		return ""
	}
	var sds []float64
	for _, h := range s.Heads {
		sds = append(sds, float64(h.LogitSD.Value))
	}
	usual := median(sds)
	var apart []string
	for i, sd := range sds {
		const far = 2
		if math.Max(sd/usual, usual/max(sd, tiny)) > far {
			apart = append(apart, fmt.Sprintf("%s, whose logits have a standard deviation of %.3g", s.Heads[i].Title(), sd))
		}
	}
	if len(apart) == 0 || len(apart) > 2 || len(apart) > len(sds)/3 {
		return ""
	}
	return fmt.Sprintf("%s; the median head has %.3g", strings.Join(apart, " and "), usual)
}
