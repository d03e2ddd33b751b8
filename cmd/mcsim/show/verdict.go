package show

import (
	"fmt"
	"io"
	"math"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/model/advice"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// either joins labels that an interval leaves open.
func either(labels []string) string { return strings.Join(labels, " or ") }

// reason says in one sentence why the verdict is what it is, with three numbers at most.
func (a *Advice) reason(labels []string) string {
	if a.Predicted == 0 {
		return "all logits are equal, so that every key has the same weight, and at the first step no gradient reaches the keys"
	}
	context := ""
	if a.released.Context == a.Keys {
		context = ", its own context,"
	}
	limit := theory.ConcentrationLimit(a.Keys)
	text := fmt.Sprintf("a row of %s keys%s has %s effective keys, the inverse of the mean of Σα²; below %s, few keys have most of the weight",
		digits.Count(int64(a.Keys)), context, effective(a.Collision), digits.Significant(1/limit, 3))
	switch {
	case len(labels) > 1:
		return text + ", and the draws do not tell which of the two: " + more(a.Draws)
	case labels[0] == names.LabelDead:
		return text + ", and more than half of the rows pass hardly any gradient to their keys"
	}
	return text
}

// effective is the effective number of keys that a mean of Σα² stands for.
func effective(collision advice.Estimate) string {
	keys := advice.Estimate{Value: 1 / collision.Value, SE: collision.SE / (collision.Value * collision.Value), Lo: 1 / collision.Hi, Hi: 1 / collision.Lo}
	if keys.SE < finest*keys.Value {
		return digits.Significant(keys.Value, 4)
	}
	return modelled(keys)
}

// more says how many draws may tell what so many do not.
func more(draws int) string { return fmt.Sprintf("--draws %d may", 4*draws) }

// change says what makes the standard deviation of the logits one, and whether the label asks for it.
func (a *Advice) change() string {
	cure := a.cure()
	switch {
	case a.Predicted == 0:
		return "none if that is meant, as muP recommends it: W_Q gets a gradient at the first step. " +
			"No scale or gain changes it"
	case cure == "":
		return "none; the standard deviation of the logits is 1"
	case a.Verdict == names.LabelSpread:
		return "none that the label asks for. For a standard deviation of 1, " + cure
	}
	return "the label changes at a standard deviation of about " + about(a.Freezing) + ", and whether that trains better is not said. For 1, " + cure
}

// cure is the scale, and the gain, that would make the standard deviation one; empty where
// none does, or it is.
func (a *Advice) cure() string {
	if !a.UnitScale.Present() || math.Abs(a.Predicted-1) < 1e-9 {
		return ""
	}
	text := scaling(float64(a.UnitScale))
	if a.Scale < 1 {
		text += " instead of dividing it by " + about(1/a.Scale)
	}
	if a.UnitGain.Present() {
		biases := ""
		if a.head.Query.Bias > 0 {
			biases = " with their biases"
		}
		text += fmt.Sprintf(", or multiply W_Q and W_K%s by %s each", biases, about(float64(a.UnitGain)))
	}
	return text
}

// scaling says what a scale does to q·k.
func scaling(scale float64) string {
	switch {
	case scale == 1:
		return "leave q·k as it is"
	case scale > 1:
		return "multiply q·k by " + about(scale)
	}
	return "divide q·k by " + about(1/scale)
}

// begin prints the verdict, why, and what mends it.
func (a *Advice) begin(w io.Writer) {
	var first strings.Builder
	word := strings.ToUpper(a.Verdict)
	Paragraph(&first, word+":", len(word)+2, a.Reason+".")
	io.WriteString(w, verdict(w, word)+strings.TrimPrefix(first.String(), word))
	Paragraph(w, "Change:", 8, a.Change+".")
	if g := a.Gate; g != nil {
		Paragraph(w, "Check:", 8, fmt.Sprintf("%s; the standard deviation of the logits is in %s, a %s interval, and the band is %s..%s.", g.Verdict,
			digits.Interval(g.Lo, g.Hi), digits.Percent(g.Level), digits.Short(g.Band[0]), digits.Short(g.Band[1])))
	}
	fmt.Fprintln(w)
}
