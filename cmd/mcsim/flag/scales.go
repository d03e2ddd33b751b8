package flag

import (
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/rule"
)

// Scales lists the ways to write a scale, for help.
func Scales() string {
	var b strings.Builder
	show.Paragraph(&b, "Scales:", 8, rule.Scaling()+".")
	return strings.TrimSuffix(b.String(), "\n")
}
