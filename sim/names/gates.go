package names

import "strings"

// Gates that code names, as a document does.
const (
	// The deliberate mistakes that gates must notice: values of the parameter control.
	turned, byQuadrature = "control: ", " by quadrature" // of names that are composed
)

// TurnedGate is the name of a gate that must notice a deliberate mistake.
func TurnedGate(gate string) string { return turned + gate }

// ByQuadrature is the name of the gate that holds a mean over rows against quadrature.
func ByQuadrature(quantity string) string {
	return strings.ReplaceAll(quantity, "_", " ") + byQuadrature
}

// composedGate is the entry of a gate that a control turns around, composed from the gate's, and
// of one on a mean over rows, from that of the mean.
func composedGate(name string) (e Entry, ok bool) {
	if gate, is := strings.CutPrefix(name, turned); is && !strings.HasPrefix(gate, turned) {
		e, ok = Lookup(GroupGate, gate)
		e.Title += ", drawn with a mistake"
		e.Definition = "Draws with a deliberate mistake must lie outside the band of this gate, " +
			"which is turned around: " + e.Definition
	} else if quantity, is := strings.CutSuffix(name, byQuadrature); is {
		e, ok = Lookup(GroupQuantity, strings.ReplaceAll(quantity, " ", "_"))
		e = Entry{Title: e.Title + ", against theory",
			Definition: "Under every scaling whose theory is a numerical integral, this must be what that says, " +
				"within the tolerance times its distance from the value of uniform weights: " + e.Title + "."}
	}
	e.Group, e.Name = GroupGate, name
	return e, ok
}
