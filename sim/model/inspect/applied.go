package inspect

import "mcsim/sim/result"

// Applied is the factor that a model multiplies q·k by, as its logits, or weights, show.
type Applied struct {
	Factor      result.Number  `json:"factor"`
	SE          result.Number  `json:"factor_se"`   // of rounding, and of what else the logits have; absent if it varies
	Scale       result.Number  `json:"scale"`       // what it should be
	Correlation result.Number  `json:"correlation"` // of logits with q·k within rows
	Verdict     result.Verdict `json:"verdict"`
	Looks       string         `json:"looks_like,omitempty"` // which mistake, or why nothing is decided
	From        string         `json:"from"`                 // logits or weights
	Masked      int            `json:"masked_pairs"`         // that are left out, or of weight 0
	Pairs       int            `json:"pairs"`                // of all
}
