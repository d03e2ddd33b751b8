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

// Advice is what a model's score scale comes to at initialisation.
type Advice struct {
	*advice.Answer
	Verdict   string        `json:"verdict"` // spread, concentrated or dead; two if an interval holds their border
	Reason    string        `json:"reason"`
	Change    string        `json:"change"` // that makes the standard deviation of the logits 1
	Gate      *advice.Gate  `json:"gate"`   // null where none was asked for
	Notes     []string      `json:"notes"`  // what else a user should know
	Published string        `json:"published_model,omitempty"`
	Evidence  string        `json:"init_evidence,omitempty"` // of the model's initialisation
	Init      string        `json:"init"`
	Model     int           `json:"d_model"`
	Dimension int           `json:"d_k"`
	Heads     int           `json:"heads"`
	KeyHeads  int           `json:"kv_heads"`
	Norm      string        `json:"norm"`    // whether tokens are behind LayerNorm
	QKNorm    string        `json:"qk_norm"` // whether queries and keys are divided by their root mean square
	Keys      int           `json:"keys"`
	Predicted float64       `json:"logit_sd_predicted"`
	Freezing  float64       `json:"freezing_sd"`
	Scale     float64       `json:"scale"`      // what q·k is multiplied by
	UnitScale result.Number `json:"unit_scale"` // what would make the standard deviation one
	UnitGain  result.Number `json:"unit_gain"`  // by which W_Q and W_K would, each

	head     weights.Head
	own      bool // the scale, and the norm of q and k, are the initialisation's own
	rms      bool // the model that is taken has RMSNorm
	released models.Model
}

// NewAdvice joins a question, what theory predicts and what was measured of a head, which
// may be a published model's.
func NewAdvice(q advice.Question, m models.Model, found *advice.Answer) *Advice {
	h := q.Head
	sigma := math.Sqrt(h.LogitVariance())
	a := &Advice{Answer: found, Published: m.Name, Evidence: m.Evidence, rms: m.RMS, released: m, Init: h.Scheme.Name, Model: h.Shape.Model, Dimension: h.Shape.Key, Heads: h.Heads, KeyHeads: h.KeyHeads,
		Norm: yesNo(!h.Raw), QKNorm: yesNo(h.Normalised), Keys: q.Keys, Predicted: sigma, Freezing: theory.FreezingSigma(q.Keys),
		Scale: h.Scale, UnitScale: result.Absent(), UnitGain: result.Absent(),
		head: h, own: h.Normalised == h.Scheme.Normalised && h.Scale == h.Scheme.Scale(h.Shape)}
	if sigma > 0 {
		a.UnitScale = result.Number(h.Scale / sigma)
	}
	if sigma > 0 && !h.Normalised { // a norm undoes every gain
		a.UnitGain = result.Number(1 / math.Sqrt(sigma))
	}
	labels := found.Labels(q.Keys)
	a.Verdict, a.Reason = either(labels), a.reason(labels)
	a.Change = a.change()
	a.Notes = a.notes()
	return a
}

// yesNo formats a boolean as the table of names does.
func yesNo(b bool) string {
	if b {
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
	line("Gradient", a.gradient())
	for _, note := range a.Notes {
		line("Note", strings.TrimSuffix(note, ".")+".")
	}
	if source := a.source(); source != "" {
		line("Source", source+".")
	}
}

// source says where the initialisation is written: of a model that draws its own, in the ledger.
func (a *Advice) source() string {
	if a.Evidence == "" {
		return a.head.Scheme.Source
	}
	return Cited(a.released)
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
	tokens := map[bool]string{true: "tokens after RMSNorm, taken as LayerNorm", false: "tokens after LayerNorm"}[a.rms]
	if a.head.Normalised && !scheme.Normalised {
		text += "; q and k divided by their root mean square"
	}
	if a.head.Raw {
		tokens = "tokens of independent normal components of mean 0 and variance 1, without LayerNorm"
	}
	how := strings.Replace(scaling(a.Scale), "divide q·k", "q·k divided", 1)
	how = strings.Replace(how, "multiply q·k", "q·k multiplied", 1)
	how = strings.Replace(how, "leave q·k as it is", "q·k as it is", 1)
	if a.head.Normalised && !a.own { // the lengths of q and k are √d_k
		how += ", that is cosine × " + about(a.Scale*float64(a.Dimension))
	}
	return fmt.Sprintf("%s; %s; %s; rows of %s keys.", text, how, tokens, digits.Count(int64(a.Keys)))
}

// logits says how large they are.
func (a *Advice) logits() string {
	formula := ""
	if h := a.head; a.own && h.Layer == h.Shape.Layer() && h.Scheme.Formulas.Logit != "" {
		formula = fmt.Sprintf(" (variance %s)", h.Scheme.Formulas.Logit)
	}
	return fmt.Sprintf("standard deviation %s predicted%s, %s measured over %s of the weights%s. That is %s times √(2 ln n) = %s, where one of very many keys begins to keep a share of the weight.",
		about(a.Predicted), formula, digits.PlusMinus(a.LogitSD.Value, a.LogitSD.SE), Counted(a.Draws, "draw"), interval95(a.LogitSD), about(a.Predicted/a.Freezing), about(a.Freezing))
}

// share says how rows share their weight.
func (a *Advice) share() string {
	if a.Predicted == 0 {
		return "all are equal: attention begins exactly uniform."
	}
	n, w := float64(a.Keys), a.Weight
	return fmt.Sprintf("the largest is %s on average, %s times that of uniform weights; the entropy is %s of ln n.", modelled(w),
		modelled(advice.Estimate{Value: n * w.Value, SE: n * w.SE, Lo: n * w.Lo, Hi: n * w.Hi}), modelled(a.Entropy))
}

// gradient says how much reaches the keys.
func (a *Advice) gradient() string {
	if a.Predicted == 0 {
		return "none reaches the keys in the first step, since queries or keys are zero."
	}
	return fmt.Sprintf("at the keys, the norm of the median row is %s times that of uniform weights with logits of standard "+
		"deviation 1. The share of dead rows, which are concentrated and below 1/%.0f of that, is %s.", modelled(a.Gradient), 1/names.DeadBelow, modelled(a.Dead))
}

// finest is the least that is shown of a share of a row: tokens of a real model are not
// independent normal numbers, so that three decimals are all that can be meant.
const finest = 0.0005

// modelled is a share of a row to the digits that its error supports and the model of
// tokens deserves: three decimals, and of small numbers two digits, where the draws know
// more, else with its error or, of a median, its interval.
func modelled(e advice.Estimate) string {
	if half := (e.Hi - e.Lo) / 2; half < finest || half < finest*e.Value {
		if e.Value < 0.01 && e.Value > 0 {
			return digits.Significant(e.Value, 2)
		}
		return digits.Decimals(e.Value, 3)
	}
	if math.IsNaN(e.SE) {
		return digits.Within(e.Value, e.Lo, e.Hi)
	}
	return digits.PlusMinus(e.Value, e.SE)
}

// interval95 is the interval in words; empty where it is a single number.
func interval95(e advice.Estimate) string {
	if e.Lo == e.Hi {
		return ""
	}
	return ", 95 % interval " + digits.Interval(e.Lo, e.Hi)
}

// about is an exact number to four digits, which is enough to act on.
func about(x float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return digits.None
	}
	return digits.Short(rounded)
}
