package plan

import (
	"bytes"
	"testing"
)

// TestFullIsTheDefaultAndMore checks that the text of the full plan, after its name, begins with
// the text of the default plan and is longer.
func TestFullIsTheDefaultAndMore(t *testing.T) {
	defaultText, err := Embedded("default")
	must(t, err)
	fullText, err := Embedded("full")
	must(t, err)
	_, defaultBody, _ := bytes.Cut(defaultText, []byte("\nseed:"))
	_, fullBody, _ := bytes.Cut(fullText, []byte("\nseed:"))
	if len(defaultBody) == 0 || !bytes.HasPrefix(fullBody, defaultBody) {
		t.Error("the full plan does not begin with the default plan")
	}
	if len(fullBody) == len(defaultBody) {
		t.Error("the full plan has nothing in addition to the default plan")
	}
}
