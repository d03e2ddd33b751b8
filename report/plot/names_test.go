package plot

import (
	"testing"

	"mcsim/report/label"
	"mcsim/sim/names"
)

// What has a writing of its own is in the table of names, and the writing can be set.
func TestWritingsAreOfNames(t *testing.T) {
	for param, symbol := range label.Parameters {
		if e, ok := names.Lookup(names.GroupParameter, param); !ok || e.Unit == "" {
			t.Errorf("%q is no parameter that is a number", param)
		}
		if err := label.Validate("$" + symbol + "$"); err != nil {
			t.Error(err)
		}
	}
	for name, writing := range RuleNames {
		_, rule := names.Lookup(names.GroupRule, name)
		if _, value := names.Lookup(names.GroupValue, name); !rule && !value {
			t.Errorf("%q is no rule, and no value of a parameter", name)
		}
		if err := label.Validate(writing); err != nil {
			t.Error(err)
		}
	}
}
