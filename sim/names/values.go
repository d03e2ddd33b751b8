package names

// Answers to a parameter that is a question.
const (
	Yes = "yes"
	No  = "no"
)

// Values of the parameter estimator, and what stands in that column for counts
// and for points of theory.
const (
	EstimatorDirect = "direct"
	EstimatorGram   = "gram"
	EstimatorBoth   = "direct+gram"
	EstimatorCount  = "count"
	EstimatorTheory = "theory"
)

// Values of the parameters temperature, scale, limit, per and edge.
const (
	TemperatureInfinite = "infinite"
	TemperatureNumber   = "inf"
	ScaleRoot           = "sqrt(d_k)"
	ScaleUnscaled       = "unscaled"
	LimitNarrow         = "narrow"
	LimitWide           = "wide"
	PerPair             = "pair"
	PerVector           = "vector"
	EdgeLower           = "lower"
	EdgeUpper           = "upper"
)

// How a theory is known: values of the column theory_kind.
const (
	TheoryExact      = "exact"
	TheoryQuadrature = "quadrature"
	TheoryLimit      = "limit"
	TheoryNone       = "none"
)

// CurveDrawn is the kind of a line that is no theory; a line of theory has the kind of that.
const CurveDrawn = "drawn"

// What a gate expects of its estimate.
const (
	ExpectInside  = "inside"
	ExpectOutside = "outside"
	ExpectAtLeast = "at least"
	ExpectAtMost  = "at most"
)

// What a gate says.
const (
	VerdictPass      = "pass"
	VerdictFail      = "fail"
	VerdictUndecided = "undecided"
)

// What a comparison says of a row or of all: values of the field verdict of compare.
const (
	ComparedEqual    = "equal"
	ComparedWithin   = "~"
	ComparedDiffers  = "differs"
	ComparedUnjudged = "not judged"
)

// What the draws of two rows have to do with each other: values of the field draws.
const (
	DrawsSame    = "same"
	DrawsNested  = "nested"
	DrawsApart   = "apart"
	DrawsTangled = "tangled"
)

// What a judgement rests on: values of the field basis.
const (
	BasisRows  = "rows"
	BasisNodes = "nodes"
	BasisDraws = "draws"
)

// What the column n counts.
const (
	UnitPair       = "pair"
	UnitRow        = "row"
	UnitStack      = "stack"
	UnitWeightDraw = "weight draw"
	UnitComponent  = "component"
	UnitRun        = "run"
	UnitCell       = "cell"
)

// The tests of agreement: values of the parameter test.
const (
	TestLargest      = "largest"
	TestDistribution = "distribution"
	TestSquares      = "squares"
	TestJoint        = "joint"
)

// The kinds of interval whose coverage is counted: values of the parameter interval.
const (
	CoveredMean           = "mean, exact error"
	CoveredVariance       = "variance, exact error"
	CoveredVarianceOwn    = "variance, own error"
	CoveredVarianceBlocks = "variance, error from blocks"
	CoveredOwnError       = "own error of the variance"
	CoveredBlocksError    = "error from blocks"
	CoveredSkewness       = "skewness"
	CoveredKurtosis       = "excess kurtosis"
	CoveredUnitExponent   = "unit exponent"
	CoveredSlope          = "slope"
)

// The parts of an attention layer: values of the parameter part. First its steps, then
// steps that are told together, then what is stored.
const (
	PartQueries     = "query projection"
	PartKeys        = "key projection"
	PartValues      = "value projection"
	PartScores      = "scores"
	PartScale       = "scaling"
	PartSoftmax     = "softmax"
	PartBlend       = "blend"
	PartOutput      = "output projection"
	PartProjections = "projections"
	PartProducts    = "scores and blend"
	PartWhole       = "whole layer"
	PartScoreMatrix = "score matrix"
	PartScoreTiles  = "score tiles"
	PartCache       = "keys and values"
	PartWeights     = "weights"
)

// values are in the order of their constants, but for units, which come last.
var values = []Entry{
	{Name: Yes, Title: "what is asked holds", Definition: "The question that the parameter asks is answered with yes."},
	{Name: No, Title: "what is asked does not hold", Definition: "The question that the parameter asks is answered with no; rows and ids of cells leave it out."},
	{Name: EstimatorDirect, Title: "independent pairs", Definition: "As the value of the parameter: every score is of a query and a key of its own, so that scores are independent; parameters and ids of cells leave it out. The column estimator has it in all rows that are neither gram nor count."},
	{Name: EstimatorGram, Title: "every query with every key of a matrix", Definition: "Scores are those of every query with every key of a matrix, which are cheaper than independent pairs but depend on each other; the error takes account of it."},
	{Name: EstimatorBoth, Title: "independent pairs and matrices together", Definition: "The row joins cells of which some were drawn as independent pairs and others as matrices of every query with every key, as a slope does through cells of both."},
	{Name: EstimatorCount, Title: "counted events", Definition: "The row is a share of independent runs that were counted, with the exact limits of a binomial count."},
	{Name: EstimatorTheory, Title: "point of a line of theory", Definition: "The row was not measured: a table beside a figure has it for a point of a line that the figure shows."},
	{Name: TemperatureInfinite, Title: "no difference between scores", Definition: "The limit in which all scores are divided by infinity, so that all keys have the same weight."},
	{Name: TemperatureNumber, Title: "infinite temperature, among numbers", Definition: "How estimates.csv writes the infinite temperature, so that programs take the column for numbers."},
	{Name: ScaleRoot, Title: "division by √d_k", Definition: "The score is divided by √d_k, as in standard attention."},
	{Name: ScaleUnscaled, Title: "no division", Definition: "The score is taken as it is."},
	{Name: LimitNarrow, Title: "small σ", Definition: "The line of theory is the expansion for a small standard deviation of the logits; it is given up to σ = 1/2."},
	{Name: LimitWide, Title: "large σ", Definition: "The line of theory is the expansion for a large standard deviation of the logits; it is given from twice √(2 ln n)."},
	{Name: PerPair, Title: "a query with a key", Definition: "As the value of per: what is done for every pair of a query and a key. As a unit: one pair, with one score."},
	{Name: PerVector, Title: "a query or a key", Definition: "What is done once for a query or a key, however many pairs it is in."},
	{Name: EdgeLower, Title: "lower edge", Definition: "The truth lies on the lower edge of the gate's band."},
	{Name: EdgeUpper, Title: "upper edge", Definition: "The truth lies on the upper edge of the gate's band."},
	{Name: TheoryExact, Title: "closed form", Definition: "The theory is a closed form, exact but for rounding."},
	{Name: TheoryQuadrature, Title: "numerical integral", Definition: "The theory is a numerical integral, good to the digits that are shown."},
	{Name: TheoryLimit, Title: "holds in a limit", Definition: "The theory holds in a limit, such as that of many components or of many pairs, and the estimate may differ from it."},
	{Name: TheoryNone, Title: "no theory", Definition: "No theory is known."},
	{Name: CurveDrawn, Title: "what was drawn", Definition: "A line that is no theory: it goes through what was drawn, such as the weights of one row."},
	{Name: ExpectInside, Title: "inside the band", Definition: "The gate passes if the interval lies inside its band, fails if it lies outside, and is else undecided."},
	{Name: ExpectOutside, Title: "outside the band", Definition: "The gate passes if the interval lies outside its band, fails if it lies inside, and is else undecided."},
	{Name: ExpectAtLeast, Title: "no less than declared", Definition: "The gate wants a counted share to be no less than what is declared."},
	{Name: ExpectAtMost, Title: "no more than declared", Definition: "The gate wants a counted share to be no more than what is declared."},
	{Name: VerdictPass, Title: "passed", Definition: "The interval lies where the gate expects it."},
	{Name: VerdictFail, Title: "failed", Definition: "The interval lies where the gate does not allow it."},
	{Name: VerdictUndecided, Title: "neither passed nor failed", Definition: "The interval lies on both sides of an edge of the band: more samples would decide."},
	{Name: ComparedEqual, Title: "the same number", Definition: "Two results have the same number, to the last digit."},
	{Name: ComparedWithin, Title: "no significant difference", Definition: "Two results have other numbers, but their difference is within what chance explains when all rows are looked at together."},
	{Name: ComparedDiffers, Title: "a significant difference", Definition: "Two results differ by more than chance explains when all rows are looked at together."},
	{Name: ComparedUnjudged, Title: "not held against each other", Definition: "Two results have other numbers, and no honest error to hold their difference against; the field why says why."},
	{Name: DrawsSame, Title: "the same draws", Definition: "Two rows rest on the same draws, so that the same number is due."},
	{Name: DrawsNested, Title: "the draws of one among those of the other", Definition: "One run has all draws of the other, and more: only the further ones make a difference."},
	{Name: DrawsApart, Title: "independent draws", Definition: "Two rows rest on draws that are independent of each other."},
	{Name: DrawsTangled, Title: "some draws in common, or not known", Definition: "Two rows have some draws in common, or it cannot be known; the error of their difference is then at most the sum of theirs."},
	{Name: BasisRows, Title: "the document's own rows", Definition: "A judgement rests on the rows of the document alone: gates and slopes are judged again, and rows that no gate judges are held against nothing but their bounds."},
	{Name: BasisNodes, Title: "the sums that the run stored", Definition: "A judgement rests on nodes.bin: the whole document is made again from it and compared."},
	{Name: BasisDraws, Title: "draws that were made again", Definition: "A judgement rests on new draws of the same random bits, from which the whole document is made again and compared."},
	{Name: UnitRow, Title: "a query with its keys", Definition: "One query with all its keys, over which softmax shares the weight."},
	{Name: UnitStack, Title: "a stack of layers", Definition: "One stack of attention layers with its own weights and tokens."},
	{Name: UnitWeightDraw, Title: "a draw of the weights", Definition: "One draw of W_Q and W_K, with fresh tokens."},
	{Name: UnitComponent, Title: "a component", Definition: "One component of a query or a key."},
	{Name: UnitRun, Title: "a small run", Definition: "One small run of variance and exponents, judged by itself."},
	{Name: UnitCell, Title: "a cell", Definition: "One thing that is drawn, with random bits of its own."},
	{Name: TestLargest, Title: "largest z-score", Definition: "The test of the largest of n independent normal numbers in size, m: so large a one has the chance 1 − (2Φ(m) − 1)ⁿ."},
	{Name: TestDistribution, Title: "distribution of the z-scores", Definition: "Kolmogorov's test that the z-scores are normal numbers of mean 0 and standard deviation 1, with the exact law of its distance."},
	{Name: TestSquares, Title: "sum of squares of the z-scores", Definition: "The test of the sum of squares of n normal numbers, which is χ² with n degrees of freedom, to both sides."},
	{Name: TestJoint, Title: "all tests together", Definition: "The smallest chance of the tests, times their number, and at most 1 (Bonferroni)."},
	{Name: CoveredMean, Title: "interval of the mean score by theory", Definition: "The interval of the mean of the score, with the standard error that theory gives."},
	{Name: CoveredVariance, Title: "interval of the score's variance by theory", Definition: "The interval of the variance of the score, with the standard error that theory gives."},
	{Name: CoveredVarianceOwn, Title: "interval of the score's variance by the sample", Definition: "The interval of the variance of the score, with the standard error that the kurtosis of the same sample gives. No row prints it: it is counted to show why."},
	{Name: CoveredVarianceBlocks, Title: "interval of the score's variance by blocks", Definition: "The interval of the variance of the score, with the standard error that the spread from block to block gives. No row prints it: it is counted to show why."},
	{Name: CoveredOwnError, Title: "interval of the sample's standard error", Definition: "The interval of the standard error of the variance that the kurtosis of the sample gives."},
	{Name: CoveredBlocksError, Title: "interval of the blocks' standard error", Definition: "The interval of the standard error of the variance that the spread from block to block gives."},
	{Name: CoveredSkewness, Title: "interval of the score's skewness", Definition: "The interval of the skewness of the score."},
	{Name: CoveredKurtosis, Title: "interval of the score's excess kurtosis", Definition: "The interval of the excess kurtosis of the score."},
	{Name: CoveredUnitExponent, Title: "interval of the exponent that makes the variance 1", Definition: "The interval of the exponent of d_k that leaves the score a variance of 1."},
	{Name: CoveredSlope, Title: "interval of the slope on d_k", Definition: "The interval of the slope of the logarithm of the variance on that of d_k."},
	{Name: PartQueries, Title: "tokens times W_Q", Definition: "Makes the queries of all heads: n tokens of D components times a matrix of D by h·d_k."},
	{Name: PartKeys, Title: "tokens times W_K", Definition: "Makes the keys of all their heads: n tokens of D components times a matrix of D by g·d_k."},
	{Name: PartValues, Title: "tokens times W_V", Definition: "Makes the values of all their heads: n tokens of D components times a matrix of D by g·d_v."},
	{Name: PartScores, Title: "every query with every key", Definition: "The product of every query with every key that it sees, in each head."},
	{Name: PartScale, Title: "every score times the scale", Definition: "One multiplication for each score."},
	{Name: PartSoftmax, Title: "scores to weights", Definition: "Five operations for each score: a comparison for the maximum of its row, a subtraction of that, an exponential, an addition to the sum, and a division by it."},
	{Name: PartBlend, Title: "weights times values", Definition: "The sum of the values, each times its weight, for every query of each head."},
	{Name: PartOutput, Title: "blends times W_O", Definition: "Makes the output of the layer: the blends of all heads, side by side, times a matrix of h·d_v by D."},
	{Name: PartProjections, Title: "four products with matrices of weights", Definition: "What makes queries, keys and values of tokens, and the output of the blends. It grows as the number of tokens does."},
	{Name: PartProducts, Title: "two products of all pairs", Definition: "Scores and blend, which grow as the square of the number of tokens does."},
	{Name: PartWhole, Title: "all steps of the layer", Definition: "Projections, scores, scaling, softmax and blend together."},
	{Name: PartScoreMatrix, Title: "a number for each pair, in each head", Definition: "What is stored where all scores stand in memory at once: a number for each query and each key, in each head."},
	{Name: PartScoreTiles, Title: "a tile for each head, and two numbers for each query", Definition: "What is stored where the scores are computed tile by tile: a tile of 128 queries by 128 keys for each head, and for each query of each head the maximum and the sum so far."},
	{Name: PartCache, Title: "what a model keeps of the tokens before", Definition: "The keys and values of all tokens, in each of their heads, which a model that writes token by token keeps. It is called the KV cache."},
	{Name: PartWeights, Title: "four matrices", Definition: "The entries of W_Q, W_K, W_V and W_O."},
}
