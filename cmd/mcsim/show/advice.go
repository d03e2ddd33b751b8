package show

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/attention/models"
	"mcsim/sim/attention/weights"
	"mcsim/sim/model/advice"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Advice says whether a score scale suits a model at initialisation.
type Advice struct {
	*advice.Answer
	Verdict   string        `json:"verdict"` // spread, concentrated or dead, or two of them joined by "or"
	Reason    string        `json:"reason"`
	Change    string        `json:"change"` // how to make the standard deviation of the logits 1
	Gate      *advice.Gate  `json:"gate"`   // null if not requested
	Notes     []string      `json:"notes"`
	Published string        `json:"published_model,omitempty"`
	Evidence  string        `json:"init_evidence,omitempty"` // evidence for the model's initialisation
	Init      string        `json:"init"`
	Model     int           `json:"d_model"`
	Dimension int           `json:"d_k"`
	Heads     int           `json:"heads"`
	KeyHeads  int           `json:"kv_heads"`
	Norm      string        `json:"norm"`    // yes if LayerNorm normalises the tokens, else no
	QKNorm    string        `json:"qk_norm"` // yes if queries and keys are divided by their root mean square, else no
	Keys      int           `json:"keys"`
	Predicted float64       `json:"logit_sd_predicted"`
	Freezing  float64       `json:"freezing_sd"`
	Scale     float64       `json:"scale"`      // factor of q·k
	UnitScale result.Number `json:"unit_scale"` // for a standard deviation of 1
	UnitGain  result.Number `json:"unit_gain"`  // of W_Q and of W_K for a standard deviation of 1

	head           weights.Head
	hasSchemeScale bool // the initialisation chose the scale, and whether q and k are normalised
	usesRMSNorm    bool // the model has RMSNorm in place of LayerNorm
	released       models.Model
}

// NewAdvice combines a question with its measured answer and with theory. m is the released model
// that has the head of the question; it is the zero Model if the head is not from a released model.
func NewAdvice(q advice.Question, m models.Model, answer *advice.Answer) *Advice {
	h := q.Head
	sigma := math.Sqrt(h.LogitVariance()) // standard deviation of the logits in theory
	a := &Advice{
		Answer:         answer,
		Published:      m.Name,
		Evidence:       m.Evidence,
		Init:           h.Scheme.Name,
		Model:          h.Shape.Model,
		Dimension:      h.Shape.Key,
		Heads:          h.Heads,
		KeyHeads:       h.KeyHeads,
		Norm:           yesNo(!h.Raw),
		QKNorm:         yesNo(h.Normalised),
		Keys:           q.Keys,
		Predicted:      sigma,
		Freezing:       theory.FreezingSigma(q.Keys),
		Scale:          h.Scale,
		UnitScale:      result.Absent(),
		UnitGain:       result.Absent(),
		head:           h,
		hasSchemeScale: h.Normalised == h.Scheme.Normalised && h.Scale == h.Scheme.Scale(h.Shape),
		usesRMSNorm:    m.RMS,
		released:       m,
	}
	if sigma > 0 {
		a.UnitScale = result.Number(h.Scale / sigma)
	}
	if sigma > 0 && !h.Normalised { // normalised queries and keys do not depend on a gain
		a.UnitGain = result.Number(1 / math.Sqrt(sigma))
	}
	labels := answer.Labels(q.Keys)
	a.Verdict, a.Reason = strings.Join(labels, " or "), a.describeReason(labels)
	a.Change = a.describeChange()
	a.Notes = a.collectNotes()
	return a
}

// yesNo formats a boolean as "yes" or "no".
func yesNo(b bool) string {
	if b {
		return names.Yes
	}
	return names.No
}

// Print prints the verdict, its reason and the change that would remedy it, and then the
// measurements.
func (a *Advice) Print(w io.Writer) {
	word := strings.ToUpper(a.Verdict)
	lines := breakLines(word+":", len(word)+2, a.Reason+".", WidthOf(w))
	// The colour codes would count as width, so that the verdict is coloured after the line breaks.
	fmt.Fprintln(w, ColourVerdict(w, word)+strings.TrimPrefix(strings.Join(lines, "\n"), word))
	Paragraph(w, "Change:", 8, a.Change+".")
	if g := a.Gate; g != nil {
		Paragraph(w, "Check:", 8, fmt.Sprintf("%s; the standard deviation of the logits is in %s, a %s interval, "+
			"and the band is %s..%s.", g.Verdict, digits.Interval(g.Lo, g.Hi), digits.Percent(g.Level),
			digits.Short(g.Band[0]), digits.Short(g.Band[1])))
	}
	fmt.Fprintln(w)
	Paragraph(w, "Model", 10, a.describeModel())
	Paragraph(w, "Logits", 10, a.describeLogits())
	Paragraph(w, "Weights", 10, a.describeWeights())
	Paragraph(w, "Gradient", 10, a.describeGradient())
	for _, note := range a.Notes {
		Paragraph(w, "Note", 10, strings.TrimSuffix(note, ".")+".")
	}
	source := a.head.Scheme.Source
	if a.Evidence != "" { // the ledger of models states where the model's initialisation comes from
		source = CiteModel(a.released)
	}
	if source != "" {
		Paragraph(w, "Source", 10, source+".")
	}
}

// describeReason gives the reason for the verdict in one sentence.
func (a *Advice) describeReason(labels []string) string {
	if a.Predicted == 0 {
		return "all logits are equal, so that every key has the same weight, " +
			"and at the first step no gradient reaches the keys"
	}
	context := ""
	if a.released.Context == a.Keys {
		context = ", the full context,"
	}
	c := a.Collision
	effective := advice.Estimate{
		Value: 1 / c.Value,
		SE:    c.SE / (c.Value * c.Value), // delta method
		Lo:    1 / c.Hi,
		Hi:    1 / c.Lo,
	}
	count := formatModelled(effective)
	if effective.SE < maxModelError*effective.Value {
		count = digits.Significant(effective.Value, 4)
	}
	text := fmt.Sprintf("a row of %s keys%s has %s effective keys, the inverse of the mean of Σα²; "+
		"below %s, few keys have most of the weight",
		digits.Count(int64(a.Keys)), context, count, digits.Significant(1/theory.ConcentrationLimit(a.Keys), 3))
	switch {
	case len(labels) > 1:
		return text + fmt.Sprintf(", and the draws do not decide between the two labels; --draws %d may", 4*a.Draws)
	case labels[0] == names.LabelDead:
		return text + ", and more than half of the rows pass hardly any gradient to their keys"
	}
	return text
}

// describeChange says how to make the standard deviation of the logits 1, and whether the verdict
// requires this change.
func (a *Advice) describeChange() string {
	remedy := a.describeRemedy()
	switch {
	case a.Predicted == 0:
		return "none if that is meant, as muP recommends it: W_Q gets a gradient at the first step. " +
			"No scale or gain changes it"
	case remedy == "":
		return "none; the standard deviation of the logits is 1"
	case a.Verdict == names.LabelSpread:
		return "none that the label requires. For a standard deviation of 1, " + remedy
	}
	return "the label changes at a standard deviation of about " + formatExact(a.Freezing) +
		". Whether the model then trains better is not known. For 1, " + remedy
}

// describeRemedy says which scale or gain makes the standard deviation of the logits 1. The text is
// empty if no scale does, or if the standard deviation is 1 already.
func (a *Advice) describeRemedy() string {
	const roundingError = 1e-9 // more than the rounding error of a prediction
	if !a.UnitScale.Present() || math.Abs(a.Predicted-1) < roundingError {
		return ""
	}
	text := describeScale(float64(a.UnitScale))
	if a.Scale < 1 {
		text += " instead of dividing it by " + formatExact(1/a.Scale)
	}
	if a.UnitGain.Present() {
		biases := ""
		if a.head.Query.BiasVariance > 0 {
			biases = " with their biases"
		}
		text += fmt.Sprintf(", or multiply W_Q and W_K%s by %s each", biases, formatExact(float64(a.UnitGain)))
	}
	return text
}

// describeScale says in the imperative how to scale q·k.
func describeScale(scale float64) string {
	switch {
	case scale == 1:
		return "leave q·k as it is"
	case scale > 1:
		return "multiply q·k by " + formatExact(scale)
	}
	return "divide q·k by " + formatExact(1/scale)
}

// describeModel describes the sampled head.
func (a *Advice) describeModel() string {
	scheme := a.head.Scheme
	text := ""
	if a.Published != "" {
		text = a.Published + ": "
	}
	text += fmt.Sprintf("d_model %d, %s of d_k %d", a.Model, FormatCount(a.Heads, "head"), a.Dimension)
	if a.KeyHeads != a.Heads {
		text += fmt.Sprintf(" that share %d of keys", a.KeyHeads)
	}
	text += fmt.Sprintf("; %s, which is %s", a.Init, scheme.Title)
	if scheme.Framework != "" && !strings.HasPrefix(scheme.Framework, "generic") {
		text += " (" + scheme.Framework + ")"
	}
	if a.head.Normalised && !scheme.Normalised {
		text += "; q and k divided by their root mean square"
	}
	tokens := "tokens after LayerNorm"
	switch {
	case a.head.Raw:
		tokens = "tokens of independent normal components of mean 0 and variance 1, without LayerNorm"
	case a.usesRMSNorm:
		tokens = "tokens after RMSNorm, taken as LayerNorm"
	}
	scale := strings.NewReplacer("divide q·k", "q·k divided", "multiply q·k", "q·k multiplied",
		"leave q·k as it is", "q·k as it is").Replace(describeScale(a.Scale))
	if a.head.Normalised && !a.hasSchemeScale { // q and k have length √d_k, so q·k is d_k times their cosine
		scale += ", that is cosine × " + formatExact(a.Scale*float64(a.Dimension))
	}
	return fmt.Sprintf("%s; %s; %s; rows of %s keys.", text, scale, tokens, digits.Count(int64(a.Keys)))
}

// describeLogits gives the predicted and the measured standard deviation of the logits.
func (a *Advice) describeLogits() string {
	formula, interval := "", ""
	h := a.head
	hasSchemeShape := h.Layer == h.Shape.Layer() // the shape for which the scheme states its formula
	if a.hasSchemeScale && hasSchemeShape && h.Scheme.Formulas.Logit != "" {
		formula = fmt.Sprintf(" (variance %s)", h.Scheme.Formulas.Logit)
	}
	sd := a.LogitSD
	if sd.Lo != sd.Hi {
		interval = ", 95 % interval " + digits.Interval(sd.Lo, sd.Hi)
	}
	return fmt.Sprintf("standard deviation %s predicted%s, %s measured over %s of the weights%s. That is %s times "+
		"√(2 ln n) = %s, above which one of very many keys keeps a part of the weight.",
		formatExact(a.Predicted), formula, digits.PlusMinus(sd.Value, sd.SE), FormatCount(a.Draws, "draw"), interval,
		formatExact(a.Predicted/a.Freezing), formatExact(a.Freezing))
}

// describeWeights describes how rows distribute their weight over the keys.
func (a *Advice) describeWeights() string {
	if a.Predicted == 0 {
		return "all are equal: attention begins exactly uniform."
	}
	n, w := float64(a.Keys), a.MaxWeight
	ratio := advice.Estimate{Value: n * w.Value, SE: n * w.SE, Lo: n * w.Lo, Hi: n * w.Hi}
	return fmt.Sprintf("the largest is %s on average, %s times that of uniform weights; the entropy is %s times ln n.",
		formatPercentage(w), formatModelled(ratio), formatModelled(a.EntropyRatio))
}

// describeGradient says how much of the gradient reaches the keys.
func (a *Advice) describeGradient() string {
	if a.Predicted == 0 {
		return "none reaches the keys in the first step, since queries or keys are zero."
	}
	return fmt.Sprintf("at the keys, the norm of the median row is %s times that of uniform weights with logits of "+
		"standard deviation 1. The proportion of dead rows, which are concentrated and below 1/%.0f of that, is %s.",
		formatModelled(a.RelativeGradient), 1/names.DeadThreshold, formatPercentage(a.DeadProportion))
}

// collectNotes returns assumptions and caveats.
func (a *Advice) collectNotes() []string {
	notes := []string{}
	if a.Evidence == names.EvidenceLibrary {
		notes = append(notes, libraryNote)
	}
	if note := a.describeShape(); note != "" {
		notes = append(notes, note)
	}
	if a.usesRMSNorm && !a.head.Raw {
		notes = append(notes, fmt.Sprintf("LayerNorm is assumed in place of RMSNorm; it also removes "+
			"the mean of a token, one of its %d dimensions", a.Model))
	}
	if a.Keys == advice.MaxKeys && a.released.Context > a.Keys {
		notes = append(notes, fmt.Sprintf("rows have %d keys, the maximum, in place of the model's %d",
			a.Keys, a.released.Context))
	}
	// Normalised queries and keys do not depend on the variances of the initialisation.
	isWithoutEffect := a.head.Normalised && !a.head.Scheme.Normalised
	isAboutLlama := a.Init == names.InitNormal002
	isIrrelevant := isAboutLlama && !strings.HasPrefix(a.Published, "Llama")
	if note := a.head.Scheme.Note; note != "" && !isWithoutEffect && !isIrrelevant {
		notes = append(notes, strings.TrimSuffix(note, "."))
	}
	return notes
}

// describeShape says how the head's shape differs from the shape that the source of the
// initialisation assumes. The source assumes d_model/d_k heads of queries and as many of keys when
// it counts the outputs of a matrix. The text is empty if the difference has no effect.
func (a *Advice) describeShape() string {
	h := a.head
	hasSourceShape := h.Layer == h.Shape.Layer()
	if hasSourceShape || h.Normalised { // normalised queries and keys do not depend on variances
		return ""
	}
	if h.Scheme.Name == names.InitTorchMHA {
		return fmt.Sprintf("nn.MultiheadAttention cannot have this shape: its heads times d_k are d_model, and it "+
			"shares no keys; here its one matrix has the %d outputs of these heads (fan_out), not the 3D of the source",
			(h.Heads+2*h.KeyHeads)*h.Shape.Key)
	}
	source := h.Scheme.Head(h.Shape)
	if h.Query.Variance == source.Query.Variance && h.Key.Variance == source.Key.Variance {
		return "" // the initialisation counts no outputs
	}
	return fmt.Sprintf("the source counts the outputs of as many heads as make up d_model; here W_Q has %s and W_K %s",
		FormatCount(h.Heads, "head"), FormatCount(h.KeyHeads, "head"))
}

// maxModelError is the largest error of an estimate over rows that is not printed. A smaller error
// has no meaning, since the tokens of a real model are not independent normal numbers. The limit is
// an absolute error for values up to 1, and a relative error for larger ones.
const maxModelError = 0.0005

// formatModelled formats an estimate over rows. An estimate with an error below maxModelError has
// three decimals, or two digits if it is below 0.01. Any other estimate is followed by its standard
// error, or by its interval if it is a median, which has no standard error.
func formatModelled(e advice.Estimate) string {
	halfWidth := (e.Hi - e.Lo) / 2
	isUncertain := halfWidth >= maxModelError*max(1, e.Value)
	isMedian := math.IsNaN(e.SE)
	switch {
	case isUncertain && isMedian:
		return digits.WithInterval(e.Value, e.Lo, e.Hi)
	case isUncertain:
		return digits.PlusMinus(e.Value, e.SE)
	case e.Value < 0.01 && e.Value > 0:
		return digits.Significant(e.Value, 2)
	}
	return digits.Decimals(e.Value, 3)
}

// formatPercentage formats an estimate of a proportion like formatModelled, as a percentage.
func formatPercentage(e advice.Estimate) string {
	text := digits.Decimals(100*e.Value, 1)
	switch {
	case (e.Hi-e.Lo)/2 >= maxModelError:
		text = digits.PlusMinus(100*e.Value, 100*e.SE)
	case e.Value == 0:
		text = "0"
	case e.Value < 0.01:
		text = digits.Significant(100*e.Value, 2)
	}
	return text + " %"
}

// formatExact formats a number that has no sampling error to four digits.
func formatExact(x float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return digits.None
	}
	return digits.Short(rounded)
}
