package show

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/advice"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
	"mcsim/sim/weights"
)

// Advice is what a model's score scale comes to at initialisation.
type Advice struct {
	Verdict   string        `json:"verdict"` // safe, too soft or freezes; two where an interval holds their border
	Reason    string        `json:"reason"`
	Change    string        `json:"change"` // that mends it
	Gate      *judged       `json:"gate"`   // null where none was asked for
	Notes     []string      `json:"notes"`  // what else a user should know
	Published string        `json:"published_model,omitempty"`
	Init      string        `json:"init"`
	Model     int           `json:"d_model"`
	Dimension int           `json:"d_k"`
	Heads     int           `json:"heads"`
	KeyHeads  int           `json:"kv_heads"`
	Norm      string        `json:"norm"`    // whether tokens are behind LayerNorm
	QKNorm    string        `json:"qk_norm"` // whether queries and keys are divided by their root mean square
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
	Label     string        `json:"label"`                 // of the rows
	Scale     result.Number `json:"scale"`                 // what q·k is multiplied by
	UnitScale result.Number `json:"unit_scale"`            // what would make the standard deviation one
	UnitGain  result.Number `json:"unit_gain"`             // by which W_Q and W_K would, each

	head     weights.Head
	own      bool   // the scale is the initialisation's own
	survives string // label of the median row's R
	rms      bool   // the model that is taken has RMSNorm
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

// NewAdvice joins a question, what theory predicts and what was measured of a head, which
// may be a published model's.
func NewAdvice(q advice.Question, m weights.Model, found *advice.Answer) *Advice {
	h := q.Head
	sigma := math.Sqrt(h.LogitVariance())
	a := &Advice{Published: m.Name, rms: m.RMS, Init: h.Scheme.Name, Model: h.Shape.Model, Dimension: h.Shape.Key, Heads: h.Heads, KeyHeads: h.KeyHeads, Norm: said(!h.Raw), QKNorm: said(h.Normalised),
		Keys: q.Keys, Draws: found.Draws,
		Predicted: result.Number(sigma), Measured: measuredOf(found.LogitSD), Freezing: result.Number(theory.FreezingSigma(q.Keys)),
		MaxWeight: measuredOf(found.Weight), Evenness: either(found.Evenness(q.Keys)), Entropy: measuredOf(found.Entropy),
		Survival: measuredOf(found.Survival), Median: measuredOf(found.Median), Label: either(found.Labels(q.Keys)),
		Scale: result.Number(h.Scale), UnitScale: result.Absent(), UnitGain: result.Absent(),
		head: h, own: h.Scale == h.Scheme.Scale(h.Shape), survives: either(found.Survives())}
	if sigma > 0 {
		a.UnitScale = result.Number(h.Scale / sigma)
	}
	if sigma > 0 && !h.Normalised { // a norm undoes every gain
		a.UnitGain = result.Number(1 / math.Sqrt(sigma))
	}
	labels := found.Verdict(q.Keys)
	a.Verdict, a.Reason = either(labels), a.reason(labels)
	a.Change = a.change()
	a.Notes = a.notes()
	return a
}

// said is a truth as the table of names has it.
func said(holds bool) string {
	if holds {
		return names.Yes
	}
	return names.No
}

// Print says it in words.
func (a *Advice) Print(w io.Writer) {
	a.begin(w)
	line := func(heading, text string) { Paragraph(w, heading, 10, text) }
	line("Model", a.model())
	line("Logits", a.logits())
	line("Weights", a.share())
	line("Gradient", fmt.Sprintf("the median row lets through R = %s of what equal weights would: %s (%s). The mean of R is %s.",
		a.Median.modelled(), a.survives, defined(a.survives), a.Survival.modelled()))
	for _, note := range a.Notes {
		line("Note", strings.TrimSuffix(note, ".")+".")
	}
	if source := a.head.Scheme.Source; source != "" {
		line("Source", source+".")
	}
}

// model says what was drawn.
func (a *Advice) model() string {
	scheme := a.head.Scheme
	text := ""
	if a.Published != "" {
		text = a.Published + ": "
	}
	text += fmt.Sprintf("d_model %d, %s of d_k %d", a.Model, Counted(a.Heads, "head"), a.Dimension)
	if a.KeyHeads != a.Heads {
		text += fmt.Sprintf(" that share %d of keys", a.KeyHeads)
	}
	text += fmt.Sprintf("; %s, which is %s", a.Init, scheme.Title)
	if scheme.Framework != "" && !strings.HasPrefix(scheme.Framework, "generic") {
		text += " (" + scheme.Framework + ")"
	}
	tokens := "tokens behind LayerNorm"
	if a.head.Raw {
		tokens = "tokens of independent normal components of mean 0 and variance 1, without LayerNorm"
	}
	how := strings.Replace(scaling(float64(a.Scale)), "divide q·k", "q·k divided", 1)
	how = strings.Replace(how, "multiply q·k", "q·k multiplied", 1)
	how = strings.Replace(how, "leave q·k as it is", "q·k as it is", 1)
	return fmt.Sprintf("%s; %s; %s; rows of %s keys.", text, how, tokens, digits.Count(int64(a.Keys)))
}

// logits says how large they are.
func (a *Advice) logits() string {
	formula := ""
	if h := a.head; a.own && h.Layer == h.Shape.Layer() && h.Scheme.Formulas.Logit != "" {
		formula = fmt.Sprintf(" (variance %s)", h.Scheme.Formulas.Logit)
	}
	return fmt.Sprintf("standard deviation %s predicted%s, %s measured over %s of the weights%s. That is %s of √(2 ln n) = %s, at which the greatest of very many weights stops vanishing.",
		about(a.Predicted), formula, a.Measured, Counted(a.Draws, "draw"), a.Measured.interval(), about(a.Predicted/a.Freezing), about(a.Freezing))
}

// share says how rows share their weight.
func (a *Advice) share() string {
	if a.Predicted == 0 {
		return "all are equal: attention begins exactly uniform."
	}
	return fmt.Sprintf("the greatest is %s on average, and the entropy %s of ln n.", a.MaxWeight.modelled(), a.Entropy.modelled())
}

// defined are the ranges of labels by R, as the table of names has them.
func defined(labels string) string {
	var all []string
	for _, label := range strings.Split(labels, " or ") {
		all = append(all, names.Of(names.GroupLabel, label).Range)
	}
	return strings.Join(all, " or ")
}

func (m measured) String() string { return digits.PlusMinus(float64(m.Value), float64(m.SE)) }

// finest is the least that is shown of a share of a row: tokens of a real model are not
// independent normal numbers, so that three decimals are all that can be meant.
const finest = 0.0005

// modelled is a share of a row to the digits that its error supports and the model of
// tokens deserves: three decimals, and of small numbers two digits, where the draws know
// more, else with its error or, of a median, its interval.
func (m measured) modelled() string {
	if half := float64(m.Hi-m.Lo) / 2; half < finest || half < finest*float64(m.Value) {
		return digits.Decimals(float64(m.Value), 3)
	}
	if m.SE.Present() {
		return m.String()
	}
	return digits.Within(float64(m.Value), float64(m.Lo), float64(m.Hi))
}

// interval is the 95 % interval in words; empty where it is a single number.
func (m measured) interval() string {
	if m.Lo == m.Hi {
		return ""
	}
	return ", 95 % interval " + digits.Interval(float64(m.Lo), float64(m.Hi))
}

// about is an exact number to four digits, which is enough to act on.
func about(x result.Number) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', 4, 64), 64)
	if err != nil {
		return digits.None
	}
	return digits.Short(rounded)
}
