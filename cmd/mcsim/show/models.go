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
	"mcsim/sim/attention/reach"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// ReleasedModel is a line of the ledger of models, with quantities that are computed from it.
type ReleasedModel struct {
	Fields  map[string]string `json:"ledger"`                   // column of the ledger → its text, if known
	LogitSD result.Number     `json:"logit_sd_at_init"`         // null if unknown
	Label   string            `json:"label_at_own_context"`     // empty if unknown
	Reach   result.Number     `json:"reach"`                    // null if unknown, or without a norm of each head
	Default bool              `json:"rests_on_library_default"` // the initialisation is a library's default
	Warning string            `json:"warning,omitempty"`

	model models.Model
}

// NewReleasedModel computes the quantities of a model in the ledger.
func NewReleasedModel(m models.Model) ReleasedModel {
	r := ReleasedModel{Fields: map[string]string{}, LogitSD: result.Absent(), Label: m.Label(), model: m,
		Reach: result.Absent()}
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
	if x := reach.OfModel(m); !math.IsNaN(x) {
		r.Reach = result.Number(x)
	}
	return r
}

// reachMeaning explains the column reach.
const reachMeaning = "mean weight of a key in the direction of the query, among as many keys as the context, the " +
	"others in independent directions. A norm of each head bounds its logit. Gains are assumed to be 1, without " +
	"sinks, caps and temperatures by position"

// libraryNote warns that an initialisation is a library's default.
const libraryNote = "the initialisation is the default of a library, not known to be the lab's recipe"

// CiteModel returns the source of a model's data: the repository, the path and the line, as far as
// the ledger has them.
func CiteModel(m models.Model) string {
	fields := names.Map([]string{"repository", "path", "line"}, m.Field)
	return strings.Join(slices.DeleteFunc(fields, func(text string) bool { return text == "" }), "; ")
}

// Models prints a line for each model, and then explains the columns.
func Models(w io.Writer, released []ReleasedModel) {
	const indent = 17
	rows := NewTable("model", "year", "d_k", "scale", "qk-norm", "cap", "context", "reach", "logit σ", "rows",
		"initialisation from")
	for _, r := range released {
		m := r.model
		rows.Add(m.TypedName(), m.Year, formatKnownInteger(m.Key), formatKnownNumber(m.Factor()),
			yesNo(m.IsNormalised()), formatKnownNumber(m.Cap), formatKnownInteger(m.Context),
			formatKnownNumber(float64(r.Reach)), formatKnownNumber(float64(r.LogitSD)), cmp.Or(r.Label, digits.None),
			m.Evidence)
	}
	rows.Print(w)
	fmt.Fprintln(w)
	Paragraph(w, "reach:", indent, reachMeaning+".")
	Paragraph(w, "logit σ:", indent, "standard deviation of a logit of two tokens at initialisation, by theory.")
	Paragraph(w, "rows:", indent, "labels of such logits in rows of the model's own context: "+
		"concentrated above √(2 ln n), else spread.")
	Paragraph(w, names.EvidenceLibrary+":", indent,
		"the default of a library's class, not known to be the lab's recipe. `mcsim models NAME` has sources.")
}

// formatKnownInteger formats an integer of the ledger. 0 means that it is unknown and gives a dash.
func formatKnownInteger(n int) string {
	if n == 0 {
		return digits.None
	}
	return strconv.Itoa(n)
}

// formatKnownNumber formats a number to four digits. 0 and NaN mean that it is unknown and give a
// dash.
func formatKnownNumber(x float64) string {
	if x == 0 || math.IsNaN(x) {
		return digits.None
	}
	return formatExact(x)
}

// Model prints how a model turns q·k into logits, and its fields in the ledger.
func Model(w io.Writer, r ReleasedModel) {
	const indent = 18
	if r.model.Scale > 0 {
		Paragraph(w, "Scores", indent, r.model.Scores().String())
	}
	for _, c := range models.Columns() {
		if text := r.Fields[c]; text != "" {
			Paragraph(w, c, indent, text)
		}
	}
	Paragraph(w, "logit σ", indent, formatKnownNumber(float64(r.LogitSD))+" at initialisation, by theory")
	if r.Label != "" {
		Paragraph(w, "rows", indent, fmt.Sprintf("%s, with %d keys; "+
			"concentrated above a standard deviation of √(2 ln n) = %s", r.Label, r.model.Context,
			formatExact(theory.FreezingSigma(r.model.Context))))
	}
	if r.Reach.Present() {
		Paragraph(w, "reach", indent, formatExact(float64(r.Reach))+": "+reachMeaning+".")
	}
	if r.Warning != "" {
		Paragraph(w, "Note", indent, r.Warning+".")
	}
}

// ModelsCSV prints the ledger as CSV, with additional columns for the computed quantities.
func ModelsCSV(w io.Writer, released []ReleasedModel) error {
	columns := models.Columns()
	rows := NewTable(append(slices.Clone(columns), "logit_sd_at_init", "label_at_own_context", "reach")...)
	for _, r := range released {
		var cells []any
		for _, column := range columns {
			cells = append(cells, r.Fields[column])
		}
		// formatNumber formats a number to six digits, and an unknown one as an empty cell.
		formatNumber := func(x result.Number) string {
			if !x.Present() {
				return ""
			}
			return strconv.FormatFloat(float64(x), 'g', 6, 64)
		}
		rows.Add(append(cells, formatNumber(r.LogitSD), r.Label, formatNumber(r.Reach))...)
	}
	return rows.CSV(w)
}
