package show

import (
	"encoding/json"
	"io"

	"mcsim/sim/result"
	"mcsim/sim/schedule"
	"mcsim/sim/verify"
)

// JSON prints a value as indented JSON, and nothing else.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// GivenVersion is what a program says of itself.
type GivenVersion struct {
	Version       string `json:"version"`
	Revision      string `json:"revision,omitempty"` // empty: the builder did not stamp it
	KernelVersion int    `json:"kernel_version"`
	Kernel        string `json:"kernel"`
	Schema        string `json:"schema"`
	Go            string `json:"go"`
	System        string `json:"system"`
}

// GivenVerification is a judgement as JSON.
type GivenVerification struct {
	Verdict    result.Verdict         `json:"verdict"`
	Basis      verify.Basis           `json:"basis"`
	Rows       int                    `json:"rows"`
	Unjudged   int                    `json:"unjudged"`
	Budget     result.Budget          `json:"budget"`
	Gates      []result.Gate          `json:"gates"`
	Mismatches []string               `json:"mismatches"`
	Controls   []schedule.ControlLine `json:"controls"`
}

// VerificationJSON prints a verification as JSON, lists never null.
func VerificationJSON(w io.Writer, v *verify.Judgement) error {
	return JSON(w, GivenVerification{v.Verdict(), v.Basis, v.Rows, v.Unjudged, v.Budget,
		append([]result.Gate{}, v.Gates...), append([]string{}, v.Mismatches...), append([]schedule.ControlLine{}, v.Controls...)})
}
