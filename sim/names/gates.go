package names

import "strings"

// Parts of composed names of gates.
const (
	controlPrefix    = "control: "
	quadratureSuffix = " by quadrature"
)

// ControlGateName returns the name of the gate of a negative control. Such a gate must detect a
// deliberate mistake: it passes if the estimate is outside of the band of the given gate.
func ControlGateName(gate string) string { return controlPrefix + gate }

// QuadratureGateName returns the name of the gate that compares a mean over rows with quadrature.
func QuadratureGateName(quantity string) string {
	return strings.ReplaceAll(quantity, "_", " ") + quadratureSuffix
}

// composeGateEntry composes the entry of the gate of a control from the entry of the gate whose
// band it uses, and the entry of a quadrature gate from the entry of the quantity.
func composeGateEntry(name string) (e Entry, ok bool) {
	gate, isControl := strings.CutPrefix(name, controlPrefix)
	quantity, isQuadrature := strings.CutSuffix(name, quadratureSuffix)
	switch {
	case isControl && !strings.HasPrefix(gate, controlPrefix):
		e, ok = Lookup(GroupGate, gate)
		e.Title += ", drawn with a mistake"
		e.Definition = "Draws with a deliberate mistake must lie outside the band of this gate, " +
			"which is turned around: " + e.Definition
	case isQuadrature:
		e, ok = Lookup(GroupQuantity, strings.ReplaceAll(quantity, " ", "_"))
		e = Entry{Title: e.Title + ", against theory",
			Definition: "Under every scaling whose theory is a numerical integral, this must be what that says, " +
				"within the tolerance times its distance from the value of uniform weights: " + e.Title + "."}
	}
	e.Group, e.Name = GroupGate, name
	return e, ok
}
