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

// Columns of the table of estimates with a line for each parameter.
const (
	ColumnRow        = "row"
	ColumnParam      = "param"
	ColumnParamValue = "param_value"
)

// Columns of gates alone.
const (
	ColumnNormalError     = "normal_error"
	ColumnSingleProduct   = "single_product"
	ColumnDetectableShift = "detectable_shift"

	ColumnGate    = "gate"
	ColumnExpect  = "expect"
	ColumnBandLo  = "band_lo"
	ColumnBandHi  = "band_hi"
	ColumnVerdict = "verdict"
)

// Columns of the counts of an attention layer, as mcsim cost prints them, and of the times in
// run.json.
const (
	ColumnOperations    = "operations"
	ColumnShare         = "share"
	ColumnGrowth        = "growth"
	ColumnWeightBytes   = "weight_bytes"
	ColumnMadeBytes     = "made_bytes"
	ColumnCrossing      = "crossing"
	ColumnScoreBytes    = "score_matrix_bytes"
	ColumnTileBytes     = "score_tile_bytes"
	ColumnKeyBytes      = "kv_bytes"
	ColumnSeconds       = "seconds"
	ColumnOperationRate = "operations_per_second"
	ColumnRounds        = "rounds"
	ColumnCausal        = "causal"
)

// columns are in the order of the table of estimates; behind them are those of gates.
var columns = []Entry{
	{Name: ColumnExperiment, Title: "question that a row belongs to", Definition: "The experiment that the row belongs to: one question, with all that is drawn and measured for it."},
	{Name: ColumnCell, Title: "what was drawn for a row", Definition: "The id of the cell that was drawn, built from its drawn parameters; for a quantity over many cells a pattern, with * or a range in place of what they differ in."},
	{Name: ColumnQuantity, Title: "name of what was measured", Definition: "What was measured."},
	{Name: ColumnEstimator, Title: "how a row was measured", Definition: "How it was measured: direct, gram, both joined by +, or count."},
	{Name: ColumnN, Title: "number of draws", Unit: pure, Range: "≥ 0", Definition: "How many pairs, rows or other units the value rests on."},
	{Name: ColumnValue, Title: "number that was measured", Unit: "that of the quantity", Range: anyNumber, Definition: "The estimate; empty where the draws do not determine it."},
	{Name: ColumnSE, Title: "standard error", Unit: "that of the quantity", Range: notNegative, Definition: "The standard error of the value; empty where it is not known or does not exist."},
	{Name: ColumnLo, Title: "lower limit", Unit: "that of the quantity", Range: anyNumber, Definition: "The lower limit of the confidence interval; empty where no interval would hold its level."},
	{Name: ColumnHi, Title: "upper limit", Unit: "that of the quantity", Range: anyNumber, Definition: "The upper limit of the confidence interval; empty where no interval would hold its level."},
	{Name: ColumnLevel, Title: "confidence level", Unit: pure, Range: fraction, Definition: "The confidence level of the interval, 0.95; empty where there is no interval."},
	{Name: ColumnTheory, Title: "what theory says the value should be", Unit: "that of the quantity", Range: anyNumber, Definition: "What theory says the value should be; empty where none is known."},
	{Name: ColumnTheoryKind, Title: "kind of theory", Definition: "How well the theory is known: exact, quadrature, limit or none."},
	{Name: ColumnResolution, Title: "width of the bin of a quantile", Definition: "Of a quantile, the width of the bin that it was read from, where that is not below a tenth of its standard error: on an atom, where many numbers are equal, and outside of the fine bins. Left out everywhere else; of an atom's value the bin is some 10⁻⁹ wide."},
	{Name: ColumnRow, Title: "number of the row", Unit: pure, Range: "≥ 1", Definition: "In a table with a line for each parameter: which of its estimates the line is of, from 1, in the order of the results; all lines of an estimate have the same."},
	{Name: ColumnParam, Title: "name of a parameter", Definition: "In a table with a line for each parameter: which parameter of the row the line is of; empty for a row without parameters."},
	{Name: ColumnParamValue, Title: "value of that parameter", Definition: "In a table with a line for each parameter: the value of the parameter, a number or a name; an infinite temperature is inf."},
	{Name: ColumnGate, Title: "name of a gate", Definition: "What the gate judges, in words."},
	{Name: ColumnExpect, Title: "where the interval must lie", Definition: "Where the interval of the gate must lie: inside its band, outside of it, or, for a counted share, not below or not above one end."},
	{Name: ColumnBandLo, Title: "lower end of the band", Unit: "that of the quantity", Range: anyNumber, Definition: "The lower end of the gate's band; empty where it has none."},
	{Name: ColumnBandHi, Title: "upper end of the band", Unit: "that of the quantity", Range: anyNumber, Definition: "The upper end of the gate's band; empty where it has none."},
	{Name: ColumnVerdict, Title: "what the gate says", Definition: "pass, fail or undecided."},
	{Name: ColumnNormalError, Title: "error of the normal tail", Unit: pure, Range: notNegative, Definition: "Of a gate: by how much the tail of its estimate differs from the normal one where α/2G is spent, relative to it, before its limits are corrected for skewness; empty for gates whose limits hold for every law."},
	{Name: ColumnSingleProduct, Title: "part of the error rate that single products have", Unit: pure, Range: notNegative, Definition: "Of a gate on a variance: the chance that one product of components alone decides it wrongly, over the rate that is declared for that, α/2G or β, the larger of the two; at most a tenth where the gate may decide. Empty where no such chance is known or needed."},
	{Name: ColumnDetectableShift, Title: "smallest shift that a gate notices", Unit: "that of the quantity", Range: notNegative, Definition: "Of a gate on a mean of bounded numbers: the smallest shift of that mean with which the gate does not pass nine times in ten, to the side that takes the larger one, the estimate being normal about the shifted mean with its own standard error; empty for all other gates, where the quantity has no room for such a shift, and where the gate does not pass one time in ten even without one."},
	{Name: ColumnOperations, Title: "floating-point operations", Unit: "operation", Range: notNegative, Definition: "The floating-point operations of a step of an attention layer, or of all: a multiplication with the addition that follows it is two."},
	{Name: ColumnShare, Title: "part of the whole layer's operations", Unit: pure, Range: fraction, Definition: "The operations of a step over those of the whole layer."},
	{Name: ColumnGrowth, Title: "factor for twice the tokens", Unit: pure, Range: notNegative, Definition: "By what the operations are multiplied where the tokens double. In run.json it is of seconds instead: those of a text over those of one half as long, in the same round."},
	{Name: ColumnWeightBytes, Title: "bytes of the learned matrix of a projection", Unit: "byte", Range: notNegative, Definition: "The bytes of the learned matrix that a step multiplies with; only projections have one. Of the whole layer it is all four together."},
	{Name: ColumnMadeBytes, Title: "bytes of what a step makes", Unit: "byte", Range: notNegative, Definition: "The bytes of what a step makes; scaling and softmax make nothing new, but change the scores in their place. With a causal mask the half of the scores that is empty counts."},
	{Name: ColumnCrossing, Title: "tokens from which on scores and blend cost what the projections do, or more", Unit: "token", Range: notNegative, Definition: "The least number of tokens with which scores and blend take at least as many operations as the projections: D(1 + g/h), and with a causal mask 2D(1 + g/h) − 1, rounded up."},
	{Name: ColumnScoreBytes, Title: "bytes of all scores, also of those that a mask hides", Unit: "byte", Range: notNegative, Definition: "The bytes of the whole score matrix, of all heads. With a causal mask the half that is empty counts."},
	{Name: ColumnTileBytes, Title: "bytes of what takes the place of all scores in tiles", Unit: "byte", Range: notNegative, Definition: "The bytes of one tile of 128 queries by 128 keys for each head, and of the maximum and the sum for each query, which take the place of the score matrix."},
	{Name: ColumnKeyBytes, Title: "bytes of keys and values", Unit: "byte", Range: notNegative, Definition: "The bytes of the keys and values of all tokens."},
	{Name: ColumnSeconds, Title: "how long something took", Unit: "second", Range: notNegative, Definition: "How long something took on the machine of the run: the median, the least and the most of the rounds."},
	{Name: ColumnOperationRate, Title: "speed of counted operations", Unit: "operation per second", Range: notNegative, Definition: "Counted operations over measured seconds."},
	{Name: ColumnRounds, Title: "how often something was timed", Unit: pure, Range: "≥ 1", Definition: "How often something was timed."},
	{Name: ColumnCausal, Title: "a token sees itself and those before it alone", Definition: "Whether a token sees itself and those before it alone. Then only these pairs have operations."},
}
