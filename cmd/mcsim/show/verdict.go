package show

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/advice"
	"mcsim/sim/names"
)

// either joins labels that an interval leaves open.
func either(labels []string) string { return strings.Join(labels, " or ") }

// reason says in one sentence why the verdict is what it is, with three numbers at most.
func (a *Advice) reason(labels []string) string {
	if a.Predicted == 0 {
		return "all logits are equal, so that every key has the same weight, and at the first step no gradient reaches the keys"
	}
	own := map[bool]string{true: ", its own context, "}[a.released.Context == a.Keys]
	rows := fmt.Sprintf("in rows of %s keys%s ", digits.Count(int64(a.Keys)), own)
	n, w := float64(a.Keys), a.Weight
	median := fmt.Sprintf("the median row keeps %s of the gradient of uniform weights", modelled(a.Median))
	greatest := fmt.Sprintf("the greatest weight is on average %s times that of uniform weights", modelled(advice.Estimate{Value: n * w.Value, SE: n * w.SE, Lo: n * w.Lo, Hi: n * w.Hi}))
	open := len(labels) > 1
	switch {
	case open && slices.Contains(labels, names.LabelSaturated):
		return rows + median + ", and the draws do not tell on which side of a half that is: " + more(a.Draws)
	case open:
		return fmt.Sprintf("%s%s, and the draws do not tell on which side of %v that is: %s", rows, greatest, names.TooSoftBelow, more(a.Draws))
	case labels[0] == names.LabelSaturated:
		return rows + median + ", less than half"
	case labels[0] == names.LabelTooSoft:
		return fmt.Sprintf("%s%s, and below %v softmax hardly tells one key from another", rows, greatest, names.TooSoftBelow)
	}
	return rows + median + ", and " + greatest
}

// more says how many draws may tell what so many do not.
func more(draws int) string { return fmt.Sprintf("--draws %d may", 4*draws) }

// change is what mends what is not healthy.
func (a *Advice) change() string {
	cure := a.cure()
	switch {
	case a.Verdict == names.LabelHealthy:
		return "none is needed"
	case cure == "":
		return "none if that is meant, as muP recommends it: W_Q gets a gradient at the first step. " +
			"No scale or gain changes it"
	case a.Init == names.InitMuP && a.own && strings.Contains(a.Verdict, names.LabelTooSoft):
		return "none if that is meant, as muP means it; else " + cure
	}
	return cure + ", which makes the standard deviation of the logits 1"
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
