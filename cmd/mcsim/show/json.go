package show

import (
	"encoding/json"
	"io"

	"mcsim/sim/result"
	"mcsim/sim/schedule"
	"mcsim/sim/verify"
)

// JSON prints a value as indented JSON.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// VerificationJSON prints a verification as JSON, lists never null.
func VerificationJSON(w io.Writer, v *verify.Judgement) error {
	return JSON(w, struct {
		Verdict    result.Verdict `json:"verdict"`
		Basis      verify.Basis   `json:"basis"`
		Without    string         `json:"without,omitempty"`
		Rows       int            `json:"rows"`
		Unjudged   int            `json:"unjudged"`
		Budget     result.Budget  `json:"budget"`
		Gates      []result.Gate  `json:"gates"`
		Mismatches []string       `json:"mismatches"`
		Controls   []jsonControl  `json:"controls"`
	}{v.Verdict(), v.Basis, v.Without, v.Rows, v.Unjudged, v.Budget, append([]result.Gate{}, v.Gates...), append([]string{}, v.Mismatches...), jsonControls(v.Controls)})
}

// jsonControl is a control as `verify --json` prints it; from_d_k is null where
// no d_k that was looked at makes the gate fail.
type jsonControl struct {
	Name     string `json:"name"`
	Mutation string `json:"mutation"`
	Gate     string `json:"gate"`
	From     *int   `json:"from_d_k"`
	Blind    string `json:"invisible_to"`
}

// jsonControls are controls as JSON has them, never null.
func jsonControls(controls []schedule.ControlLine) []jsonControl {
	out := []jsonControl{}
	for _, c := range controls {
		k := jsonControl{Name: c.Name, Mutation: c.Mutation, Gate: c.Gate, Blind: c.Blind}
		if c.Smallest > 0 {
			k.From = &c.Smallest
		}
		out = append(out, k)
	}
	return out
}
