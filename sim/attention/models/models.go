// Package models is the ledger of released models: what each divides its scores by, whether it
// norms or caps them, how its W_Q and W_K are drawn, and the file and line that say so. From a
// row follows the head that the model has at initialisation, as weights.Head, and whether rows
// of its own context begin safe.
//
// Most labs publish no initialisation. What a row knows of one rests on the training code, on a
// released config, on a paper, or on the default of a library, which is what the library's class
// would do and no recipe of the lab's: Evidence tells them apart, and whatever is printed of a
// row says it. Years are those of the release, from memory. The ledger is ledger.csv, read as it
// is, a column a name of Columns; an empty field is unknown, and nothing in it is a guess.
package models

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/attention/weights"
	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
)

// Model is a row of the ledger. A number that is unknown is 0, and so is one that a model does
// not have.
type Model struct {
	Name, Alias   string
	Year          int
	weights.Layer     // d_model, d_k and heads; of latent attention d_k is Nope and Rope together
	Nope, Rope    int // components without and with rotation, only in latent attention (MLA)
	QueryLatent   int // width of the latent vector that makes queries, likewise
	KeyLatent     int // that of keys
	Context       int // tokens of a text, at most
	Scale         float64
	YaRN          float64                   // factor of logits by a scaled position encoding
	QKNorm        string                    // one of the norms below
	Cap           float64                   // of a soft-cap by tanh
	RMS           bool                      // tokens are after RMSNorm, which does not subtract their mean
	Scheme        string                    // of sim/attention/weights, where that has the initialisation
	Distribution  distribution.Distribution // of an entry, with the standard deviations below
	QuerySD       float64
	KeySD         float64
	Evidence      string // one of names.Evidences, for the initialisation

	queryVariance, keyVariance float64 // of an entry as it is drawn

	fields []string // the row as it stands, in the order of Columns
}

// The norms of queries and keys: none; by root mean square, head by head or all heads together;
// by LayerNorm, which also subtracts the mean, likewise; and to length 1.
const (
	NoNorm     = "none"
	RMSHead    = "rms"
	RMSAll     = "rms-all"
	LayerHead  = "layernorm"
	LayerAll   = "layernorm-all"
	UnitLength = "l2"
)

// All lists the models in the order of the ledger, by year.
func All() []Model { return ledger() }

// Columns returns the names of the ledger's columns.
func Columns() []string { return slices.Clone(columnNames()) }

// Field returns what the ledger says of the model in a column, as it stands; empty if that is
// unknown.
func (m Model) Field(column string) string { return m.fields[slices.Index(columnNames(), column)] }

// TypedName returns the model's name as one types it: gpt-2-small.
func (m Model) TypedName() string {
	return strings.Trim(strings.Join(strings.FieldsFunc(strings.ToLower(m.Name), func(r rune) bool {
		return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-"), "-")
}

// Names lists the models as one types them.
func Names() []string { return names.Map(All(), Model.TypedName) }

// aliases returns the other names of the model.
func (m Model) aliases() []string {
	return strings.FieldsFunc(m.Alias, func(r rune) bool { return r == ';' })
}

// WithShape returns the models whose heads have the shape.
func WithShape(s weights.Shape) []Model {
	return slices.DeleteFunc(slices.Clone(All()), func(m Model) bool { return m.Shape != s })
}

// Scores returns how the model makes logits from q·k, as the ledger has it. The model's d_k must be
// known if its scale depends on it.
func (m Model) Scores() modelconfig.Scores {
	s := modelconfig.Scores{Cap: m.Cap, Sink: m.Field("sink"), Position: m.Field("temperature"),
		Source: "the ledger of models"}
	if m.IsNormalised() {
		s.Norm = m.Field("qk_norm_place")
	}
	switch formula := m.Field("scale_formula"); {
	case m.Key > 0 && math.Abs(float64(m.Scale*math.Sqrt(float64(m.Key)))-1) < 1e-5:
		s.Terms = append(s.Terms, modelconfig.Term{Value: m.Scale, Text: fmt.Sprintf("%d^(-1/2)", m.Key)})
	case m.Scale == 0:
		s.Open = append(s.Open, "the factor is "+formula)
	case m.Scale != 1:
		s.Terms = append(s.Terms, modelconfig.Term{Value: m.Scale, Text: fmt.Sprintf("%g (%s)", m.Scale, formula)})
	}
	if m.YaRN > 0 {
		s.Terms = append(s.Terms, modelconfig.Term{Value: m.YaRN, Text: fmt.Sprintf("%g (YaRN)", m.YaRN)})
	}
	return s
}

// Factor returns what the model multiplies q·k by, its YaRN included; 0 if that is not known.
func (m Model) Factor() float64 {
	if m.Scale == 0 {
		return 0
	}
	return m.Scores().Factor()
}

// IsLatent reports whether queries and keys are made of latent vectors.
func (m Model) IsLatent() bool { return m.KeyLatent > 0 }
