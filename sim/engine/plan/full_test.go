package plan

import (
	"bytes"
	"testing"
)

// TestFullIsTheDefaultAndMore checks that the full plan, from its seed on, begins with the text of
// the default plan.
func TestFullIsTheDefaultAndMore(t *testing.T) {
	usual, err := Embedded("default")
	must(t, err)
	full, err := Embedded("full")
	must(t, err)
	_, body, _ := bytes.Cut(usual, []byte("\nseed:"))
	if _, rest, _ := bytes.Cut(full, []byte("\nseed:")); len(body) == 0 || !bytes.HasPrefix(rest, body) ||
		len(rest) == len(body) {
		t.Error("the full plan is not the default one and more")
	}
}
