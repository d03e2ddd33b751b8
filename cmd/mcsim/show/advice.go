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
	"mcsim/sim/names"
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
	Evenness  string        `json:"evenness"`              // label of that weight; two where its interval holds their border
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
		MaxWeight: measuredOf(found.Weight), Evenness: evenness(found.Weight, q.Keys), Entropy: measuredOf(found.Entropy),
		Survival: measuredOf(found.Survival), Median: measuredOf(found.Median), Label: rows.Label(found.Median.Value),
		Scale: result.Number(h.Scale), UnitScale: result.Absent(), UnitGain: result.Absent(), head: h}
	if sigma > 0 {
		a.UnitScale = result.Number(h.Scale / sigma)
	}
	if sigma > 0 && !h.Normalised { // a norm undoes every gain
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
	fmt.Fprintf(w, "Against √(2 ln n) = %s, near which softmax over many keys freezes, it is %s.\n", about(a.Freezing), about(a.Predicted/a.Freezing))
	fmt.Fprintf(w, "%s\n", a.start())
	fmt.Fprintf(w, "Gradient survival: the median row keeps R = %s of what uniform weights let through, %s; the mean is %s. The entropy is %s of ln n on average.\n",
		modelled(a.Median.Value), a.Label, modelled(a.Survival.Value), modelled(a.Entropy.Value))
	fmt.Fprintf(w, "%s\n", a.remedy())
	if scheme.Note != "" {
		fmt.Fprintf(w, "Note: %s.\n", strings.TrimSuffix(scheme.Note, "."))
	}
	fmt.Fprintf(w, "Source: %s.\n", scheme.Source)
}

func (m measured) String() string { return digits.PlusMinus(float64(m.Value), float64(m.SE)) }

// modelled is a number to the digits that the model of tokens deserves, whatever the
// error of the draws: tokens of a real model are not independent normal numbers, so that
// three decimals, and of small numbers two digits, are all that can be meant.
func modelled(x result.Number) string { return digits.Decimals(float64(x), 3) }

// interval is the 95 % interval in words; empty where it is a single number.
func (m measured) interval() string {
	if m.Lo == m.Hi {
		return ""
	}
	return ", 95 % interval " + digits.Interval(float64(m.Lo), float64(m.Hi))
}

// evenness labels the greatest weight: by two labels where its interval holds their
// border.
func evenness(weight advice.Estimate, keys int) string {
	low, high := advice.Evenness(weight.Lo, keys), advice.Evenness(weight.Hi, keys)
	if low != high {
		return low + " or " + high
	}
	return low
}

// starts say what rows of a label are like.
var starts = map[string]string{
	names.LabelTooSoft: "too soft. Little is lost to saturation, but what reaches queries and keys is as small as the logits are",
	names.LabelSoft:    "soft, and some keys have several times the weight of others",
	names.LabelUneven:  "uneven, and some keys have many times the weight of others",
	names.LabelSharp:   "sharp, and the draw of the weights decides which key has most of the weight",
}

// start says how attention begins, by the label of the greatest weight.
func (a *Advice) start() string {
	if a.Predicted == 0 {
		return "All logits are equal: attention begins exactly uniform, and no gradient reaches the keys."
	}
	how, one := starts[a.Evenness]
	if !one {
		how = a.Evenness + ", on the border of the two"
	}
	return fmt.Sprintf("The greatest weight is %s on average, %s times the mean of the others: attention begins %s.",
		modelled(a.MaxWeight.Value), digits.Rough(advice.Odds(float64(a.MaxWeight.Value), a.Keys)), how)
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
