package names

// The columns of the table of estimates, beside those of the parameters.
const (
	ColumnExperiment = "experiment"
	ColumnCell       = "cell"
	ColumnQuantity   = "quantity"
	ColumnEstimator  = "estimator"
	ColumnN          = "n"
	ColumnValue      = "value"
	ColumnSE         = "se"
	ColumnLo         = "lo"
	ColumnHi         = "hi"
	ColumnLevel      = "level"
	ColumnTheory     = "theory"
	ColumnTheoryKind = "theory_kind"
	ColumnResolution = "resolution"
)

// Columns of gates alone.
const (
	ColumnNormalError     = "normal_error"
	ColumnSingleProduct   = "single_product"
	ColumnDetectableShift = "detectable_shift"
)

// columns are in the order of the table of estimates; behind them are those of gates.
var columns = []Entry{
	{Name: ColumnExperiment, Title: "experiment", Definition: "The experiment that the row belongs to."},
	{Name: ColumnCell, Title: "cell", Definition: "The id of the cell that was drawn, built from its drawn parameters; for a quantity over many cells a pattern, with * or a range in place of what they differ in."},
	{Name: ColumnQuantity, Title: "quantity", Definition: "What was measured."},
	{Name: ColumnEstimator, Title: "estimator", Definition: "How it was measured: direct, gram, both joined by +, or count."},
	{Name: ColumnN, Title: "number of draws", Unit: pure, Range: "≥ 0", Definition: "How many pairs, rows or other units the value rests on."},
	{Name: ColumnValue, Title: "value", Unit: "that of the quantity", Range: anyNumber, Definition: "The estimate; empty where the draws do not determine it."},
	{Name: ColumnSE, Title: "standard error", Unit: "that of the quantity", Range: notNegative, Definition: "The standard error of the value; empty where it is not known or does not exist."},
	{Name: ColumnLo, Title: "lower limit", Unit: "that of the quantity", Range: anyNumber, Definition: "The lower limit of the confidence interval; empty where an interval would not be honest."},
	{Name: ColumnHi, Title: "upper limit", Unit: "that of the quantity", Range: anyNumber, Definition: "The upper limit of the confidence interval; empty where an interval would not be honest."},
	{Name: ColumnLevel, Title: "confidence level", Unit: pure, Range: fraction, Definition: "The confidence level of the interval, 0.95; empty where there is no interval."},
	{Name: ColumnTheory, Title: "theory", Unit: "that of the quantity", Range: anyNumber, Definition: "What theory says the value should be; empty where none is known."},
	{Name: ColumnTheoryKind, Title: "kind of theory", Definition: "How well the theory is known: exact, quadrature, limit or none."},
	{Name: ColumnResolution, Title: "resolution", Definition: "Of a quantile, the width of the bin that it was read from, where that is not below a tenth of its standard error: on an atom, where many numbers are equal, and outside of the fine bins. Left out everywhere else; of an atom's value the bin is some 10⁻⁹ wide."},
	{Name: ColumnNormalError, Title: "error of the normal tail", Unit: pure, Range: notNegative, Definition: "Of a gate: by how much the tail of its estimate differs from the normal one where α/2G is spent, relative to it, before its limits are corrected for skewness; empty for gates whose limits hold for every law."},
	{Name: ColumnSingleProduct, Title: "part of the error rate that single products have", Unit: pure, Range: notNegative, Definition: "Of a gate on a variance: the chance that one product of components alone decides it wrongly, over the rate that is declared for that, α/2G or β, the larger of the two; at most a tenth where the gate may decide. Empty where no such chance is known or needed."},
	{Name: ColumnDetectableShift, Title: "smallest shift that a gate notices", Unit: "that of the quantity", Range: notNegative, Definition: "Of a gate on a mean of bounded numbers: the smallest shift of that mean with which the gate does not pass nine times in ten, to the side that takes the larger one, the estimate being normal about the shifted mean with its own standard error; empty for all other gates, where the quantity has no room for such a shift, and where the gate does not pass one time in ten even without one."},
}
