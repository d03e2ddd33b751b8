package page

import (
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// sized is the sample with the logits of he-normal at another standard deviation, whose
// theory follows.
func sized(sd, half result.Number) frameworksView {
	doc := sample.Document()
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Quantity == names.LogitSD && e.Params[names.ParamInit] == names.InitHeNormal {
			e.Value, e.SE, e.Lo, e.Hi, e.Theory = sd, half/2, sd-half, sd+half, sd
		}
	}
	return frameworks(view.NewSource(doc, view.Run{}, nil))
}

// The verdict on an initialisation follows the interval of its logits, and the cure makes
// their standard deviation one.
func TestFrameworks(t *testing.T) {
	for _, c := range []struct {
		sd, half      result.Number
		verdict, cure string
		off           bool
	}{
		{2, 0.001, "safe", "none", false},
		{0.04, 0.001, "too soft", "multiply the scores by 25 (or W_Q and W_K each by 5)", true},
		{25, 0.001, "freezes", "multiply the scores by 0.04 (or W_Q and W_K each by 0.2)", true},
		{0.163, 0.01, "too soft or safe", "multiply the scores by 6.1 (or W_Q and W_K each by 2.5)", false},
		{2, result.Absent(), "", "–", false},
	} {
		v := sized(c.sd, c.half)
		row := v.Table.Rows[len(v.Table.Rows)-1]
		if !strings.Contains(row[0], ": he-normal") || row[2] != c.verdict || row[3] != c.cure || v.Off != c.off {
			t.Errorf("σ = %g: %q, and off: %v", c.sd, row, v.Off)
		}
	}
	if v := sized(2, 0.001); len(v.Table.Rows) != 5 || v.Model != "768" || v.Key != "64" || v.Small {
		t.Errorf("%+v", v)
	}
	if v := frameworks(view.NewSource(&result.Document{}, view.Run{}, nil)); len(v.Table.Rows) != 0 {
		t.Errorf("without rows: %+v", v)
	}
}
