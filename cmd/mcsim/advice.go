package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/experiment"
	"mcsim/sim/result"
	"mcsim/sim/theory"
	"mcsim/sim/weights"
)

// advice is what a model's score scale comes to at initialisation.
type advice struct {
	Init      string        `json:"init"`
	Model     int           `json:"d_model"`
	Dimension int           `json:"d_k"`
	Heads     int           `json:"heads"`
	Keys      int           `json:"keys"`
	Draws     int64         `json:"weight_draws"`
	Predicted result.Number `json:"logit_sd_predicted"`
	Measured  result.Number `json:"logit_sd"`
	SE        result.Number `json:"logit_sd_se"`
	Lo        result.Number `json:"logit_sd_lo"`
	Hi        result.Number `json:"logit_sd_hi"`
	Freezing  result.Number `json:"freezing_sd"`
	MaxWeight result.Number `json:"max_weight"`    // of normal logits, by quadrature
	Entropy   result.Number `json:"entropy_ratio"` // likewise
	Survival  result.Number `json:"gradient_survival"`
	Median    result.Number `json:"gradient_survival_q50"` // of rows of normal logits
	MedianSE  result.Number `json:"gradient_survival_q50_se"`
	Label     string        `json:"label"`
	Scale     result.Number `json:"scale"`      // what q·k is multiplied by
	UnitScale result.Number `json:"unit_scale"` // what would make the standard deviation one
	UnitGain  result.Number `json:"unit_gain"`  // by which W_Q and W_K would, each

	head weights.Head
}

func newAdvice(h weights.Head, keys int, doc *result.Document) *advice {
	sigma := math.Sqrt(h.LogitVariance())
	s := theory.SoftmaxOf(keys, sigma)
	a := &advice{Init: h.Scheme.Name, Model: h.Shape.Model, Dimension: h.Shape.Key, Heads: h.Shape.Heads(), Keys: keys,
		Predicted: result.Number(sigma), Freezing: result.Number(theory.FreezingSigma(keys)),
		MaxWeight: result.Number(s.MaxWeight), Entropy: result.Number(s.EntropyRatio()), Survival: result.Number(s.GradientSurvival()),
		Scale: result.Number(h.Scale), UnitScale: result.Absent(), UnitGain: result.Absent(), head: h}
	for _, r := range doc.Estimates {
		switch r.Quantity {
		case "logit_variance":
			a.measured(r)
		case "gradient_survival_q50":
			a.Median, a.MedianSE, a.Label = r.Value, r.SE, experiment.Label(float64(r.Value))
		}
	}
	if sigma > 0 {
		a.UnitScale = result.Number(h.Scale / sigma)
	}
	if sigma > 0 && !h.Scheme.Normalised { // a norm undoes every gain
		a.UnitGain = result.Number(1 / math.Sqrt(sigma))
	}
	return a
}

// measured takes the root of a variance and of its interval.
func (a *advice) measured(r result.Estimate) {
	a.Draws, a.SE, a.Lo, a.Hi = r.N, result.Absent(), result.Absent(), result.Absent()
	a.Measured = result.Number(math.Sqrt(float64(r.Value)))
	if a.Measured > 0 && r.SE.Present() {
		a.SE = r.SE / (2 * a.Measured)
	}
	if r.Lo.Present() && r.Lo >= 0 {
		a.Lo, a.Hi = result.Number(math.Sqrt(float64(r.Lo))), result.Number(math.Sqrt(float64(r.Hi)))
	}
}

// print says it in words.
func (a *advice) print(w io.Writer) {
	scheme := a.head.Scheme
	fmt.Fprintf(w, "%s: %s (%s), d_model %d, %s of d_k %d; rows of %s keys.\n\n", a.Init, scheme.Title, scheme.Framework,
		a.Model, counted(a.Heads, "head"), a.Dimension, digits.Count(int64(a.Keys)))
	fmt.Fprintf(w, "Logit standard deviation: %s predicted (variance %s), %s measured over %s%s.\n",
		about(a.Predicted), scheme.Formulas.Logit, digits.PlusMinus(float64(a.Measured), float64(a.SE)), counted(int(a.Draws), "draw")+" of the weights", a.interval())
	fmt.Fprintf(w, "%s\n", a.standing())
	fmt.Fprintf(w, "Gradient survival: the median row keeps R = %s of what uniform weights let through, %s; the mean is %s. The greatest weight is %s on average, the entropy %s of ln n.\n",
		digits.PlusMinus(float64(a.Median), float64(a.MedianSE)), a.Label, about(a.Survival), about(a.MaxWeight), about(a.Entropy))
	fmt.Fprintf(w, "%s\n", a.remedy())
	if scheme.Note != "" {
		fmt.Fprintf(w, "Note: %s.\n", strings.TrimSuffix(scheme.Note, "."))
	}
	fmt.Fprintf(w, "Source: %s.\n", scheme.Source)
}

func (a *advice) interval() string {
	if !a.Lo.Present() {
		return ""
	}
	return ", 95 % interval " + digits.Interval(float64(a.Lo), float64(a.Hi))
}

// standing is where the standard deviation stands against freezing.
func (a *advice) standing() string {
	share := float64(a.Predicted / a.Freezing)
	text := fmt.Sprintf("Against √(2 ln n) = %s, where softmax over many keys freezes, it is %s:", about(a.Freezing), about(result.Number(share)))
	switch {
	case a.Predicted == 0:
		return text + " all logits are equal, and attention is exactly uniform."
	case share < 0.1:
		return text + " attention begins almost uniform, and hardly depends on the keys."
	case share < 0.5:
		return text + " attention begins soft, and prefers some keys."
	case share < 1:
		return text + " attention begins uneven, and some keys have many times the weight of others."
	}
	return text + " attention begins frozen: a few keys hold most of the weight, whatever the number of keys."
}

// remedy is the scale, and the gain, that would make it one.
func (a *advice) remedy() string {
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
