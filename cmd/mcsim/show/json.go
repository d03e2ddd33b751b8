package show

import (
	"encoding/json"
	"io"

	"mcsim/report/essay"
	"mcsim/sim/engine/verify"
	"mcsim/sim/result"
)

// JSON prints a value as indented JSON, and nothing else.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Printed prints a value as JSON where that is asked for, else in words. What cannot be written
// the output remembers.
func Printed(out io.Writer, asJSON bool, value any, words func()) error {
	if asJSON {
		return JSON(out, value)
	}
	words()
	return nil
}

// Verified is a judgement with its verdict.
type Verified struct {
	Verdict result.Verdict `json:"verdict"`
	*verify.Judgement
	Findings *BorneOut `json:"findings,omitempty"` // nil where the document does not hold what the essay reads
}

// BorneOut is how many findings of the essay there are, and which a document does not bear out.
type BorneOut struct {
	Of    int           `json:"of"`
	Unmet []essay.Unmet `json:"unmet"`
}
