package names

import "strings"

// The gates, by the names that a document has for them.
const (
	GateZeroMean          = "zero mean"
	GateUnitVariance      = "unit variance"
	GateNotUnitVariance   = "not unit variance"
	GateStandardError     = "standard error"
	GateSlope             = "slope"
	GateMeanOfScore       = "mean of a score"
	GateVarianceOfScore   = "variance of a score"
	GateSoftmax           = "softmax by quadrature"
	GateSlopeOfRule       = "slope of a rule"
	GateLogitVariance     = "logit variance"
	GateComponentMean     = "component mean"
	GateComponentVariance = "component variance"
	GateComponentKurtosis = "component kurtosis"
	GateNeighbours        = "neighbours uncorrelated"
	GateQueryKey          = "query and key uncorrelated"
	GateLanes             = "lanes uncorrelated"
	GateCoverage          = "coverage"
	GateFalseFails        = "false fails"
	GateFalsePasses       = "false passes"
	// The deliberate mistakes that gates must notice: values of the parameter control.
	ControlScale         = "q-sd-1.01"
	ControlCorrelated    = "correlated-0.02"
	ControlCut           = "truncated-3"
	ControlRescaled      = "truncated-3-rescaled"
	ControlStuck         = "lane-stuck"
	ControlTwins         = "lanes-equal"
	ControlExponent      = "exponent-0.49"
	turned, byQuadrature = "control: ", " by quadrature" // of names that are composed
)

// TurnedGate is the name of a gate that must notice a deliberate mistake.
func TurnedGate(gate string) string { return turned + gate }

// ByQuadrature is the name of the gate that holds a mean over rows against quadrature.
func ByQuadrature(quantity string) string {
	return strings.ReplaceAll(quantity, "_", " ") + byQuadrature
}

// gates are in the order of their constants.
var gates = []Entry{
	{Name: GateZeroMean, Title: "mean of the score", Definition: "The mean of the score must lie within the tolerance times its standard deviation of 0."},
	{Name: GateUnitVariance, Title: "variance of the score", Definition: "The variance of the score over d_k must lie within the tolerance of 1."},
	{Name: GateNotUnitVariance, Title: "other exponents than 1/2", Definition: "The variance of the score under another exponent than 1/2 must lie outside the tolerance of 1."},
	{Name: GateStandardError, Title: "standard error by the sample", Definition: "The standard error of the variance by the sample's own kurtosis must lie within a quarter of the exact one."},
	{Name: GateSlope, Title: "growth of the variance with d_k", Definition: "The slope of the logarithm of the score's variance on that of d_k, of one law, must lie within the tolerance of 1."},
	{Name: GateMeanOfScore, Title: "mean of the score where it need not be 0", Definition: "The mean of the score of components with other means, or of an aligned key, must be what its closed form says, within the tolerance times the standard deviation of the score."},
	{Name: GateVarianceOfScore, Title: "variance of the score where it need not be d_k", Definition: "The variance of the score of components with other moments, or of an aligned key, must be what its closed form says, within the tolerance relatively."},
	{Name: GateSoftmax, Title: "weights of rows with an aligned key", Definition: "What softmax makes of rows with an aligned key must lie within the tolerance of a numerical integral."},
	{Name: GateSlopeOfRule, Title: "growth of a rule's variance with d_k", Definition: "The slope of the logarithm of the variance of a rule's logits on that of d_k must lie within the tolerance of its closed form."},
	{Name: GateLogitVariance, Title: "variance of logits at initialisation", Definition: "The variance of the logits at an initialisation, over weights and tokens, must be what its closed form says, within the tolerance relatively."},
	{Name: GateComponentMean, Title: "mean of what is drawn", Definition: "The mean of the components must lie within the tolerance of 0."},
	{Name: GateComponentVariance, Title: "variance of what is drawn", Definition: "The variance of the components must lie within the tolerance of 1."},
	{Name: GateComponentKurtosis, Title: "tails of what is drawn", Definition: "The kurtosis of the components must be that of their law, within the tolerance relatively. Laws whose tails fall like a power have no such gate."},
	{Name: GateNeighbours, Title: "components drawn one after the other", Definition: "The correlation of components that are neighbours in a lane must lie within the tolerance of 0."},
	{Name: GateQueryKey, Title: "components of a query and its key", Definition: "The correlation of q_i and k_i must lie within the tolerance of 0."},
	{Name: GateLanes, Title: "components drawn side by side", Definition: "The correlation of components that the lanes draw side by side must lie within the tolerance of 0, and within 1/240, half of what two equal lanes of sixteen make of it."},
	{Name: GateCoverage, Title: "coverage of intervals", Definition: "The share of intervals that hold the truth must be no less than what is declared."},
	{Name: GateFalseFails, Title: "rate of wrong failures", Definition: "The share of runs whose gate fails though all is as theory says must be no more than what is declared."},
	{Name: GateFalsePasses, Title: "rate of wrong passes", Definition: "The share of runs whose gate passes though the truth lies on an edge of its band must be no more than what is declared."},
}

// controls are in the order of their constants; their titles are what is wrong, exactly.
var controls = []Entry{
	mistake(ControlScale, "every q_i is multiplied by 1.01", GateUnitVariance),
	mistake(ControlCorrelated, "k_i = 0.02 q_i + √(1 − 0.02²) z_i in place of an independent k_i", GateZeroMean),
	mistake(ControlCut, "components beyond ±3 are drawn again, without rescaling", GateUnitVariance),
	mistake(ControlRescaled, "components beyond ±3 are drawn again, then all are rescaled to variance 1", GateComponentKurtosis),
	mistake(ControlStuck, "lane 5 repeats its first q_i and k_i for all d_k components of a pair", GateUnitVariance),
	mistake(ControlTwins, "lane 7 is lane 3", GateLanes),
	mistake(ControlExponent, "the score is divided by d_k^0.49 in place of d_k^0.5", GateUnitVariance),
}

func mistake(name, what, gate string) Entry {
	return Entry{Name: name, Title: what, Definition: "A deliberate mistake, with which normal components are drawn and judged: " + what + ". The gate “" + gate + "” must notice it.", Source: "mcsim, sim/experiment/trust"}
}

// composedGate is the entry of a gate that a control turns around, composed from the gate's, and
// of one on a mean over rows, from that of the mean.
func composedGate(name string) (e Entry, ok bool) {
	if gate, is := strings.CutPrefix(name, turned); is && !strings.HasPrefix(gate, turned) {
		e, ok = Lookup(GroupGate, gate)
		e.Title += ", drawn with a mistake"
		e.Definition = "Draws with a deliberate mistake must lie outside the band of this gate, which is turned around: " + e.Definition
	} else if quantity, is := strings.CutSuffix(name, byQuadrature); is {
		e, ok = Lookup(GroupQuantity, strings.ReplaceAll(quantity, " ", "_"))
		e = Entry{Title: e.Title + ", against theory", Definition: "Under every scaling whose theory is a numerical integral, this must lie within the tolerance of it: " + e.Title + "."}
	}
	e.Group, e.Name = GroupGate, name
	return e, ok
}
