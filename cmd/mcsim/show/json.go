package show

import (
	"encoding/json"
	"io"

	"mcsim/sim/result"
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

// Verified is a judgement with its verdict.
type Verified struct {
	Verdict result.Verdict `json:"verdict"`
	*verify.Judgement
}
