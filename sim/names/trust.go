package names

// Quantities of the simulator itself: components as they are drawn, and how often
// intervals and gates are right.
const (
	ComponentMean     = "component_mean"
	ComponentVariance = "component_variance"
	ComponentKurtosis = "component_kurtosis"
	LagCorrelation    = "lag_correlation"
	QKCorrelation     = "qk_correlation"
	LaneCorrelation   = "lane_correlation"
	Coverage          = "coverage"
	FalseFail         = "false_fail"
	FalsePass         = "false_pass"
)

const trustPlace = "mcsim, sim/experiment/trust"

// components are the quantities of components as they are drawn.
var components = []Entry{
	{Name: ComponentMean, Title: "mean of a component", Unit: pure, Range: anyNumber, Formula: "E x", Source: trustPlace,
		Definition: "The mean of the drawn components of queries and keys; 0 for every law."},
	{Name: ComponentVariance, Title: "variance of a component", Unit: pure, Range: notNegative, Formula: "Var x", Source: trustPlace,
		Definition: "The variance of the drawn components of queries and keys; 1 for every law."},
	{Name: ComponentKurtosis, Title: "kurtosis κ of a component", Unit: pure, Range: "≥ 1", Formula: "κ = E(x − E x)⁴/(Var x)²", Source: "mcsim, sim/law",
		Definition: "The fourth central moment of the drawn components over the square of their variance: 3 for the normal law, more for laws of heavier tails."},
	{Name: LagCorrelation, Title: "correlation of neighbouring components", Unit: pure, Range: "−1..1", Formula: "E x_i x_(i+1)/Var x", Source: trustPlace,
		Definition: "The mean product of neighbouring components of one vector, over their variance; 0 if they are independent."},
	{Name: QKCorrelation, Title: "correlation of a query's component with the key's", Unit: pure, Range: "−1..1", Formula: "E q_i k_i/Var x", Source: trustPlace,
		Definition: "The mean product of the component of a query and that of its key at the same place, over their variance; 0 if they are independent."},
	{Name: LaneCorrelation, Title: "correlation of the generator's lanes", Unit: pure, Range: "−1..1", Formula: "E x_a x_b/Var x", Source: trustPlace,
		Definition: "The mean product of components that two lanes of the random generator draw at the same step, the lanes being matched at random, over their variance; 0 if lanes are independent."},
}

// verdicts are how often intervals and gates are right.
var verdicts = []Entry{
	{Name: Coverage, Title: "share of intervals that hold the truth", Unit: pure, Range: fraction, Formula: "P(lo ≤ truth ≤ hi)", Source: trustPlace,
		Definition: "The share of small runs whose 95 % interval, of the kind that the row names, holds the exact value."},
	{Name: FalseFail, Title: "share of gates that wrongly do not pass", Unit: pure, Range: fraction, Source: trustPlace,
		Definition: "The share of small runs in which the gate that the row names does not pass although what it judges is as theory says, or for a gate that wants it outside of its band, although it lies far enough outside."},
	{Name: FalsePass, Title: "share of gates that wrongly pass", Unit: pure, Range: fraction, Source: trustPlace,
		Definition: "The share of small runs in which the gate that the row names passes although what it judges lies on the edge of its band."},
}
