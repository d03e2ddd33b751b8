package all

import (
	"slices"
	"testing"

	"mcsim/sim/names"
)

// The table of names knows which values rows leave out: those that the axes do, of the
// experiments that have these.
func TestOmittedValues(t *testing.T) {
	for _, e := range Table {
		omitted := names.Omitted(e.Name)
		for _, a := range e.Axes {
			i := slices.IndexFunc(omitted, func(n names.Entry) bool { return n.Name == a.Name })
			switch {
			case i < 0 && a.Omit != "":
				t.Errorf("rows of %s leave out %s of %s, and the table of names does not say so", e.Name, a.Omit, a.Name)
			case i >= 0 && omitted[i].Omitted != a.Omit:
				t.Errorf("rows of %s leave out %q of %s, and the table of names says %q", e.Name, a.Omit, a.Name, omitted[i].Omitted)
			}
		}
		for _, n := range omitted {
			if e.Axis(n.Name) == nil {
				t.Errorf("the table of names says that rows of %s leave out values of %s, which it has not", e.Name, n.Name)
			}
		}
	}
}
