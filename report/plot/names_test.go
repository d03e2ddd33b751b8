package plot

import (
	"testing"

	"mcsim/report/label"
	"mcsim/sim/names"
)

// TestLabelsAreOfNames checks that all names with a special label or symbol are in the table of
// names, and the notation allows the labels.
func TestLabelsAreOfNames(t *testing.T) {
	for param, symbol := range label.Parameters {
		if e, ok := names.Lookup(names.GroupParameter, param); !ok || e.Unit == "" {
			t.Errorf("%q is not a numeric parameter", param)
		}
		if err := label.Validate("$" + symbol + "$"); err != nil {
			t.Error(err)
		}
	}
	for name, ruleLabel := range RuleLabels {
		_, rule := names.Lookup(names.GroupRule, name)
		if _, value := names.Lookup(names.GroupValue, name); !rule && !value {
			t.Errorf("%q is neither a rule nor a value of a parameter", name)
		}
		if err := label.Validate(ruleLabel); err != nil {
			t.Error(err)
		}
	}
}
