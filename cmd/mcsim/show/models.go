package show

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/attention/models"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// ModelExplained describes the released model of a name; ok is false if there is none.
func ModelExplained(name string) (x Explained, ok bool) {
	m, err := models.Lookup(name)
	if err != nil {
		return Explained{}, false
	}
	definition := fmt.Sprintf("The released model %s (%d)%s. "+
		"`mcsim models %s` has what is known of it, and its source.", m.Name, m.Year, shapeOf(m), m.TypedName())
	return Explained{Entry: names.Entry{
		Group:      "model",
		Name:       m.TypedName(),
		Title:      m.Name + ", a released model",
		Definition: definition,
	}}, true
}

// shapeOf describes the heads of a model; empty if they are not known.
func shapeOf(m models.Model) string {
	if m.Model == 0 || m.Key == 0 {
		return ""
	}
	keys := ""
	if m.KeyHeads != m.Heads {
		keys = fmt.Sprintf(", which share %d of keys", m.KeyHeads)
	}
	return fmt.Sprintf(": tokens of %d components, %d heads of d_k %d in a layer%s", m.Model, m.Heads, m.Key, keys)
}

// Released is a row of the ledger of models, with what follows from it.
type Released struct {
	Fields  map[string]string `json:"ledger"`                   // by column; what is unknown is left out
	LogitSD result.Number     `json:"logit_sd_at_init"`         // null where it is not known
	Label   string            `json:"label_at_own_context"`     // empty where that is not known
	Default bool              `json:"rests_on_library_default"` // the initialisation does
	Warning string            `json:"warning,omitempty"`

	model models.Model
}

// NewReleased returns a model of the ledger with what follows from it.
func NewReleased(m models.Model) Released {
	r := Released{Fields: map[string]string{}, LogitSD: result.Absent(), Label: m.Label(), model: m}
	if m.Evidence == names.EvidenceLibrary {
		r.Default, r.Warning = true, libraryNote
	}
	for _, c := range models.Columns() {
		if text := m.Field(c); text != "" {
			r.Fields[c] = text
		}
	}
	if sd := m.LogitSD(); !math.IsNaN(sd) {
		r.LogitSD = result.Number(sd)
	}
	return r
}

// libraryNote warns of an initialisation that is a library's.
const libraryNote = "the initialisation is the default of a library, not known to be the lab's recipe"

// Cited returns the source of the ledger's row of a model: repository, path, line.
func Cited(m models.Model) string {
	fields := names.Map([]string{"repository", "path", "line"}, m.Field)
	return strings.Join(slices.DeleteFunc(fields, func(text string) bool { return text == "" }), "; ")
}

// Models prints a line for each model, and below what its columns mean.
func Models(w io.Writer, all []Released) {
	rows := NewRows("model", "year", "d_k", "scale", "qk-norm", "cap", "context", "logit σ", "rows",
		"initialisation from")
	for _, r := range all {
		m := r.model
		rows.Add(m.TypedName(), m.Year, knownInteger(m.Key), knownNumber(m.Factor()), yesNo(m.IsNormalised()),
			knownNumber(m.Cap), knownInteger(m.Context), knownNumber(float64(r.LogitSD)),
			cmp.Or(r.Label, digits.None), m.Evidence)
	}
	rows.Print(w)
	fmt.Fprintln(w)
	Paragraph(w, "logit σ:", 17, "standard deviation of a logit of two tokens at initialisation, by theory.")
	Paragraph(w, "rows:", 17, "labels of such logits in rows of the model's own context: "+
		"concentrated above √(2 ln n), else spread.")
	Paragraph(w, names.EvidenceLibrary+":", 17,
		"what a library's class does, not known to be the lab's recipe. `mcsim models NAME` has sources.")
}

// knownInteger formats an integer of the ledger, an unknown one as a dash.
func knownInteger(n int) string {
	if n == 0 {
		return digits.None
	}
	return strconv.Itoa(n)
}

// knownNumber formats a number to four digits, an unknown one as a dash.
func knownNumber(x float64) string {
	if x == 0 || math.IsNaN(x) {
		return digits.None
	}
	return formatExact(x)
}

// Model prints how a model makes logits from q·k, and all that the ledger knows of it.
func Model(w io.Writer, r Released) {
	if r.model.Scale > 0 {
		Paragraph(w, "Scores", 18, r.model.Scores().String())
	}
	for _, c := range models.Columns() {
		if text := r.Fields[c]; text != "" {
			Paragraph(w, c, 18, text)
		}
	}
	Paragraph(w, "logit σ", 18, knownNumber(float64(r.LogitSD))+" at initialisation, by theory")
	if r.Label != "" {
		Paragraph(w, "rows", 18, fmt.Sprintf("%s, with %d keys; "+
			"concentrated above a standard deviation of √(2 ln n) = %s", r.Label, r.model.Context,
			formatExact(theory.FreezingSigma(r.model.Context))))
	}
	if r.Warning != "" {
		Paragraph(w, "Note", 18, r.Warning+".")
	}
}

// ModelsCSV prints the ledger as CSV, with columns for what follows from it.
func ModelsCSV(w io.Writer, all []Released) error {
	columns := models.Columns()
	rows := NewRows(append(slices.Clone(columns), "logit_sd_at_init", "label_at_own_context")...)
	for _, r := range all {
		var cells []any
		for _, column := range columns {
			cells = append(cells, r.Fields[column])
		}
		sd := ""
		if r.LogitSD.Present() {
			sd = strconv.FormatFloat(float64(r.LogitSD), 'g', 6, 64)
		}
		rows.Add(append(cells, sd, r.Label)...)
	}
	return rows.CSV(w)
}
