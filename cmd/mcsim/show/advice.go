package show

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/advice"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/result"
	"mcsim/sim/theory"
	"mcsim/sim/weights"
)

// Advice is what a model's score scale comes to at initialisation.
type Advice struct {
	Init      string        `json:"init"`
	Model     int           `json:"d_model"`
	Dimension int           `json:"d_k"`
	Keys      int           `json:"keys"`
	Draws     int           `json:"weight_draws"`
	Predicted result.Number `json:"logit_sd_predicted"`
	Measured  measured      `json:"logit_sd"`
	Freezing  result.Number `json:"freezing_sd"`
	MaxWeight measured      `json:"max_weight"`            // mean over rows
	Entropy   measured      `json:"entropy_ratio"`         // likewise
	Survival  measured      `json:"gradient_survival"`     // likewise
	Median    measured      `json:"gradient_survival_q50"` // over rows
	Label     string        `json:"label"`
	Scale     result.Number `json:"scale"`      // what q·k is multiplied by
	UnitScale result.Number `json:"unit_scale"` // what would make the standard deviation one
	UnitGain  result.Number `json:"unit_gain"`  // by which W_Q and W_K would, each

	head weights.Head
}

// measured is a number with its standard error, null for a median, and 95 % interval.
type measured struct {
	Value result.Number `json:"value"`
	SE    result.Number `json:"se"`
	Lo    result.Number `json:"lo"`
	Hi    result.Number `json:"hi"`
}

// measuredOf is an estimate as JSON has it.
func measuredOf(e advice.Estimate) measured {
	return measured{result.Number(e.Value), result.Number(e.SE), result.Number(e.Lo), result.Number(e.Hi)}
}

// NewAdvice joins a question, what theory predicts and what was measured.
func NewAdvice(q advice.Question, found *advice.Answer) *Advice {
	h := q.Head
	sigma := math.Sqrt(h.LogitVariance())
	a := &Advice{Init: h.Scheme.Name, Model: h.Shape.Model, Dimension: h.Shape.Key, Keys: q.Keys, Draws: found.Draws,
		Predicted: result.Number(sigma), Measured: measuredOf(found.LogitSD), Freezing: result.Number(theory.FreezingSigma(q.Keys)),
		MaxWeight: measuredOf(found.Weight), Entropy: measuredOf(found.Entropy),
		Survival: measuredOf(found.Survival), Median: measuredOf(found.Median), Label: rows.Label(found.Median.Value),
		Scale: result.Number(h.Scale), UnitScale: result.Absent(), UnitGain: result.Absent(), head: h}
	if sigma > 0 {
		a.UnitScale = result.Number(h.Scale / sigma)
	}
	if sigma > 0 && !h.Scheme.Normalised { // a norm undoes every gain
		a.UnitGain = result.Number(1 / math.Sqrt(sigma))
	}
	return a
}

// Print says it in words.
func (a *Advice) Print(w io.Writer) {
	scheme := a.head.Scheme
	fmt.Fprintf(w, "%s: %s (%s), d_model %d, heads of d_k %d; rows of %s keys.\n\n", a.Init, scheme.Title, scheme.Framework,
		a.Model, a.Dimension, digits.Count(int64(a.Keys)))
	fmt.Fprintf(w, "Logit standard deviation: %s predicted (variance %s), %s measured over %s of the weights%s.\n",
		about(a.Predicted), scheme.Formulas.Logit, a.Measured, Counted(a.Draws, "draw"), a.Measured.interval())
	fmt.Fprintf(w, "%s\n", a.freezing())
	fmt.Fprintf(w, "Gradient survival: the median row keeps R = %s of what uniform weights let through%s, %s; the mean is %s. The greatest weight is %s on average, the entropy %s of ln n.\n",
		a.Median.rounded(), a.Median.interval(), a.Label, a.Survival, a.MaxWeight, a.Entropy)
	fmt.Fprintf(w, "%s\n", a.remedy())
	if scheme.Note != "" {
		fmt.Fprintf(w, "Note: %s.\n", strings.TrimSuffix(scheme.Note, "."))
	}
	fmt.Fprintf(w, "Source: %s.\n", scheme.Source)
}

func (m measured) String() string { return digits.PlusMinus(float64(m.Value), float64(m.SE)) }

// rounded is the value to the digits that half its interval supports.
func (m measured) rounded() string { return digits.Alone(float64(m.Value), float64(m.Hi-m.Lo)/2) }

// interval is the 95 % interval in words; empty where it is a single number.
func (m measured) interval() string {
	if m.Lo == m.Hi {
		return ""
	}
	return ", 95 % interval " + digits.Interval(float64(m.Lo), float64(m.Hi))
}

// freezing compares the standard deviation with the one near which softmax freezes.
func (a *Advice) freezing() string {
	share := float64(a.Predicted / a.Freezing)
	text := fmt.Sprintf("Against √(2 ln n) = %s, near which softmax over many keys freezes, it is %s:", about(a.Freezing), about(result.Number(share)))
	switch {
	case a.Predicted == 0:
		return text + " all logits are equal, attention is exactly uniform, and no gradient reaches the keys."
	case share < 0.1:
		return text + " attention begins almost uniform. Little is lost to saturation, but what reaches queries and keys is as small as the logits are."
	case share < 0.5:
		return text + " attention begins soft, and prefers some keys."
	case share < 1:
		return text + " attention begins uneven, and some keys have many times the weight of others."
	}
	return text + " attention begins frozen, and the draw of the weights decides which few keys have most of the weight."
}

// remedy is the scale, and the gain, that would make it one.
func (a *Advice) remedy() string {
	switch {
	case !a.UnitScale.Present():
		return "No scale or gain makes it one: queries are zero."
	case math.Abs(float64(a.Predicted)-1) < 1e-9:
		return "It is one as it is: keep the scale."
	}
	text := fmt.Sprintf("To make it one, divide q·k by %s instead of %s", about(1/a.UnitScale), about(1/a.Scale))
	if a.UnitGain.Present() {
		text += fmt.Sprintf(", or multiply W_Q and W_K (with their biases) by %s each", about(a.UnitGain))
	}
	return text + "."
}

// about is an exact number to four digits, which is enough to act on.
func about(x result.Number) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', 4, 64), 64)
	if err != nil {
		return digits.None
	}
	return digits.Short(rounded)
}
