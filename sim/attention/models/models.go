// Package models has the ledger of released models: the scale of their scores, their norms and
// caps, the initialisation of their W_Q and W_K, and the file and line of each source. From an
// entry it computes the head that the model has at initialisation, as weights.Head. It also tells
// whether the weights of rows with the model's context are spread or concentrated at
// initialisation.
//
// Most labs do not publish their initialisation. The source is then the training code, a released
// config, a paper, or the default of a library, which may differ from what the lab used. The field
// Evidence distinguishes these sources, and every output shows it. Years are the years of release,
// from memory. The ledger is ledger.csv, and Columns returns the names of its columns. A field is
// empty if the number or text is not known; no field is a guess.
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

// Model is an entry of the ledger. A number is 0 if it is unknown or the model does not have it.
type Model struct {
	Name, Alias   string
	Year          int
	weights.Layer     // d_model, d_k and heads; in latent attention d_k is Nope + Rope
	Nope, Rope    int // unrotated and rotated components of a key, only in latent attention (MLA)
	QueryLatent   int // width of the latent vector of queries, only in latent attention
	KeyLatent     int // width of the latent vector of keys, only in latent attention
	Context       int // maximum number of tokens of a text
	Scale         float64
	YaRN          float64                   // factor of logits by a scaled position encoding
	QKNorm        string                    // one of the norms below
	Cap           float64                   // soft cap; 0 means none
	RMS           bool                      // tokens are after RMSNorm, which does not subtract their mean
	Scheme        string                    // name in sim/attention/weights; empty if it is not there
	Distribution  distribution.Distribution // of the entries of W_Q and W_K
	QuerySD       float64                   // standard deviation of an entry of W_Q before truncation
	KeySD         float64                   // standard deviation of an entry of W_K before truncation
	Evidence      string                    // one of names.Evidences: the source of the initialisation

	queryVariance, keyVariance float64 // variances of an entry of W_Q and of W_K after truncation

	fields []string // the fields of the ledger in the order of Columns
}

// The norms of queries and keys.
const (
	NoNorm     = "none"
	RMSHead    = "rms"           // RMSNorm of each head
	RMSAll     = "rms-all"       // RMSNorm of all heads together
	LayerHead  = "layernorm"     // LayerNorm of each head, which also subtracts the mean
	LayerAll   = "layernorm-all" // LayerNorm of all heads together
	UnitLength = "l2"            // division of each head by its length
)

// All returns the models in the order of the ledger, which is the order of their years.
func All() []Model { return ledger() }

// Columns returns the names of the ledger's columns.
func Columns() []string { return slices.Clone(columnNames()) }

// Field returns the text of a column of the ledger for the model. It is empty if it is not known.
func (m Model) Field(column string) string { return m.fields[slices.Index(columnNames(), column)] }

// TypedName returns the model's name as users type it, such as gpt-2-small.
func (m Model) TypedName() string {
	return strings.Trim(strings.Join(strings.FieldsFunc(strings.ToLower(m.Name), func(r rune) bool {
		return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-"), "-")
}

// Names returns the names of all models as users type them.
func Names() []string { return names.Map(All(), Model.TypedName) }

// WithShape returns the models whose heads have the given shape.
func WithShape(s weights.Shape) []Model {
	return slices.DeleteFunc(slices.Clone(All()), func(m Model) bool { return m.Shape != s })
}

// Scores returns how the model computes logits from q·k according to the ledger.
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
		s.Unresolved = append(s.Unresolved, "the factor is "+formula)
	case m.Scale != 1:
		s.Terms = append(s.Terms, modelconfig.Term{Value: m.Scale, Text: fmt.Sprintf("%g (%s)", m.Scale, formula)})
	}
	if m.YaRN > 0 {
		s.Terms = append(s.Terms, modelconfig.Term{Value: m.YaRN, Text: fmt.Sprintf("%g (YaRN)", m.YaRN)})
	}
	return s
}

// Factor returns the factor of q·k, including YaRN, or 0 if it is not known.
func (m Model) Factor() float64 {
	if m.Scale == 0 {
		return 0
	}
	return m.Scores().Factor()
}

// IsLatent reports whether queries and keys are computed from latent vectors.
func (m Model) IsLatent() bool { return m.KeyLatent > 0 }
