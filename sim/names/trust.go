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

// Quantities of a document as a whole.
const (
	IntervalShare  = "interval_share"
	Clusters       = "clusters"
	ZScore         = "z_score"
	ZLimit         = "z_limit"
	ZLargest       = "z_largest"
	ZDistance      = "z_distance"
	ZSquares       = "z_squares"
	PValue         = "p_value"
	RejectionLevel = "rejection_level"
)

const (
	trustPlace     = "mcsim, sim/experiment/trust"
	agreementPlace = "mcsim, sim/agreement"
)

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

// agreements are of a document as a whole.
var agreements = []Entry{
	{Name: IntervalShare, Title: "share of intervals that hold their theory", Unit: pure, Range: fraction, Formula: "Σh/Σm", Source: agreementPlace,
		Definition: "The share of 95 % intervals that hold the theory of their row, over all rows that have an interval of some width and a theory that is no limit; of repeats over the repeats of one quantity. Its limits take account of the dependence of rows on the same draws: cells that a row joins make one cluster, and the error comes from clusters."},
	{Name: Clusters, Title: "clusters of rows", Unit: "cluster", Range: notNegative, Source: agreementPlace,
		Definition: "How many sets of rows with intervals rest on draws of their own. Rows of one cell are in one set, and so are those of cells that a row joins, such as a slope."},
	{Name: ZScore, Title: "distance from theory in standard errors", Unit: "standard error", Range: anyNumber, Formula: "z = (value − theory)/se", Source: agreementPlace,
		Definition: "The distance from theory, in standard errors, of the one row of a cell that was chosen before anything was drawn. Where theory and error are right it is a normal number, and those of different cells are independent."},
	{Name: ZLimit, Title: "limit of z-scores", Unit: "standard error", Range: notNegative, Formula: "Φ⁻¹(1 − 0.05/2n)", Source: agreementPlace,
		Definition: "The size beyond which any of so many normal numbers lies with a chance of 5 % at most: 1.96 for one, more for several (Bonferroni)."},
	{Name: ZLargest, Title: "largest z-score in size", Unit: "standard error", Range: notNegative, Formula: "max |z|", Source: agreementPlace,
		Definition: "The largest of the z-scores of the document in size."},
	{Name: ZDistance, Title: "distance of the z-scores from the normal distribution", Unit: pure, Range: fraction, Formula: "sup |F(z) − Φ(z)|", Source: agreementPlace,
		Definition: "The largest distance between the distribution function of the z-scores of the document and that of a normal number of mean 0 and standard deviation 1."},
	{Name: ZSquares, Title: "sum of squares of the z-scores", Unit: pure, Range: notNegative, Formula: "Σz²", Source: agreementPlace,
		Definition: "The sum of squares of the z-scores of the document; if they are normal numbers it is their number on average."},
	{Name: PValue, Title: "chance of so great a disagreement", Unit: pure, Range: fraction, Formula: "p", Source: agreementPlace,
		Definition: "The chance that z-scores disagree as much as these or more by the test that the row names, if theory and errors are right."},
	{Name: RejectionLevel, Title: "level of a test", Unit: pure, Range: fraction, Source: agreementPlace,
		Definition: "The chance below which the test says that the document disagrees with theory, declared beforehand; each test has its part of that of all together."},
}
