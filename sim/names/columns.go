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

// Fields of advice on a model.
const (
	ColumnReason     = "reason"
	ColumnChange     = "change"
	ColumnQKNorm     = "qk_norm"
	ColumnWeightDraw = "weight_draws"
	ColumnPredicted  = "logit_sd_predicted"
	ColumnFreezing   = "freezing_sd"
	ColumnEvenness   = "evenness"
	ColumnLabel      = "label"
	ColumnUnitScale  = "unit_scale"
	ColumnUnitGain   = "unit_gain"
)

// Columns of what a plan asks for, as mcsim plan prints it.
const (
	ColumnCells      = "cells"
	ColumnVariants   = "variants"
	ColumnSamples    = "samples"
	ColumnUnit       = "unit"
	ColumnComponents = "components"
	ColumnWorkers    = "workers"
	ColumnGates      = "gates"
	ColumnShort      = "short"
	ColumnReads      = "reads"
	ColumnOnly       = "only"
	ColumnSetBy      = "set_by"
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
	{Name: ColumnLo, Title: "lower limit", Unit: "that of the quantity", Range: anyNumber, Definition: "The lower limit of the confidence interval; empty where no interval would hold its level."},
	{Name: ColumnHi, Title: "upper limit", Unit: "that of the quantity", Range: anyNumber, Definition: "The upper limit of the confidence interval; empty where no interval would hold its level."},
	{Name: ColumnLevel, Title: "confidence level", Unit: pure, Range: fraction, Definition: "The confidence level of the interval, 0.95; empty where there is no interval."},
	{Name: ColumnTheory, Title: "theory", Unit: "that of the quantity", Range: anyNumber, Definition: "What theory says the value should be; empty where none is known."},
	{Name: ColumnTheoryKind, Title: "kind of theory", Definition: "How well the theory is known: exact, quadrature, limit or none."},
	{Name: ColumnResolution, Title: "resolution", Definition: "Of a quantile, the width of the bin that it was read from, where that is not below a tenth of its standard error: on an atom, where many numbers are equal, and outside of the fine bins. Left out everywhere else; of an atom's value the bin is some 10⁻⁹ wide."},
	{Name: ColumnRow, Title: "number of the row", Unit: pure, Range: "≥ 1", Definition: "In a table with a line for each parameter: which of its estimates the line is of, from 1, in the order of the results; all lines of an estimate have the same."},
	{Name: ColumnParam, Title: "name of a parameter", Definition: "In a table with a line for each parameter: which parameter of the row the line is of; empty for a row without parameters."},
	{Name: ColumnParamValue, Title: "value of that parameter", Definition: "In a table with a line for each parameter: the value of the parameter, a number or a name; an infinite temperature is inf."},
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
	{Name: ColumnSeconds, Title: "seconds", Unit: "second", Range: notNegative, Definition: "How long something took on the machine of the run: the median, the least and the most of the rounds."},
	{Name: ColumnOperationRate, Title: "operations per second", Unit: "operation per second", Range: notNegative, Definition: "Counted operations over measured seconds."},
	{Name: ColumnRounds, Title: "rounds", Unit: pure, Range: "≥ 1", Definition: "How often something was timed."},
	{Name: ColumnCausal, Title: "a token sees itself and those before it alone", Definition: "Whether a token sees itself and those before it alone. Then only these pairs have operations."},
	{Name: ColumnReason, Title: "why the verdict is what it is", Definition: "In one sentence, why an initialisation is safe, too soft or freezes."},
	{Name: ColumnChange, Title: "what mends the verdict", Definition: "The scale, or the gain of W_Q and W_K, that makes the standard deviation of the logits 1 where it is not safe."},
	{Name: ColumnQKNorm, Title: "whether queries and keys are divided by their root mean square", Range: "no, yes", Definition: "Whether every query and every key is divided by its root mean square, head by head. The standard deviation of the logits then does not depend on that of the weights."},
	{Name: ColumnWeightDraw, Title: "draws of the weights", Unit: pure, Range: "≥ 16", Definition: "How often W_Q and W_K were drawn."},
	{Name: ColumnPredicted, Title: "standard deviation of the logits by theory", Unit: pure, Range: notNegative, Formula: "s√(d_k Var q Var k)", Source: "mcsim, sim/weights/head.go", Definition: "The standard deviation of the logits that theory predicts of the initialisation, under the scale s by which q·k is multiplied."},
	{Name: ColumnFreezing, Title: "standard deviation at which softmax begins to freeze", Unit: pure, Range: notNegative, Formula: "√(2 ln n)", Source: "mcsim, sim/theory", Definition: "The standard deviation of the logits at which, in the limit of many keys, the greatest weight of n keys stops vanishing."},
	{Name: ColumnEvenness, Title: "label of the greatest weight", Definition: "What rows are called by their greatest weight: too soft, soft, uneven or sharp; two of these where the interval holds their border."},
	{Name: ColumnLabel, Title: "label of rows", Definition: "What a row, or the median row, is called by what softmax leaves of its gradient, or too soft where no key stands out; two labels where the interval holds their border."},
	{Name: ColumnUnitScale, Title: "scale that makes logits of standard deviation 1", Unit: pure, Range: notNegative, Definition: "What q·k would have to be multiplied by so that the logits have a standard deviation of 1."},
	{Name: ColumnUnitGain, Title: "gain that makes logits of standard deviation 1", Unit: pure, Range: notNegative, Definition: "What W_Q and W_K would each have to be multiplied by so that the logits have a standard deviation of 1, the scale being left as it is."},
	{Name: ColumnCells, Title: "cells", Unit: pure, Range: notNegative, Definition: "Of a plan: how many cells it draws. An experiment that reads the cells of another draws none."},
	{Name: ColumnVariants, Title: "variants", Unit: pure, Range: notNegative, Definition: "Of a plan: how many cells there are if each is counted under every exponent, rule, temperature or other scaling that its draws are evaluated at. That is what --max-cells bounds."},
	{Name: ColumnSamples, Title: "samples", Unit: pure, Range: notNegative, Definition: "Of a plan: how many pairs, rows or other units are drawn, in whole blocks."},
	{Name: ColumnUnit, Title: "unit", Definition: "Of a plan: what its samples are, such as pairs or rows."},
	{Name: ColumnComponents, Title: "components", Unit: pure, Range: notNegative, Definition: "Of a plan: what drawing costs, in components of q and k drawn and multiplied; other work is counted as so many of these."},
	{Name: ColumnWorkers, Title: "workers", Unit: pure, Range: "≥ 1", Definition: "How many cores draw, or are taken to draw in an estimate of the time."},
	{Name: ColumnGates, Title: "gates", Unit: pure, Range: notNegative, Definition: "How many gates judge the rows."},
	{Name: ColumnShort, Title: "short gates", Unit: pure, Range: notNegative, Definition: "How many gates have fewer samples than their error rates ask for, so that they may well stay undecided."},
	{Name: ColumnReads, Title: "reads", Definition: "Of a plan: the experiment whose cells an experiment reads that draws none of its own."},
	{Name: ColumnOnly, Title: "part of a plan", Definition: "The experiments of a plan that are drawn, where they are not all; gates and samples are those of the whole plan. Left out where all are drawn."},
	{Name: ColumnSetBy, Title: "set by", Definition: "What decides how many samples a cell draws: the gate that asks for the most, the plan, or the floor of the experiment."},
}
