package plot

import (
	"testing"

	"mcsim/report/label"
	"mcsim/sim/names"
)

// TestLabelsAreOfNames checks that the table of names contains every name with a special label or
// symbol. It also checks that these labels and symbols are valid notation.
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
		_, isRule := names.Lookup(names.GroupRule, name)
		_, isValue := names.Lookup(names.GroupValue, name)
		if !isRule && !isValue {
			t.Errorf("%q is neither a rule nor a value of a parameter", name)
		}
		if err := label.Validate(ruleLabel); err != nil {
			t.Error(err)
		}
	}
}
