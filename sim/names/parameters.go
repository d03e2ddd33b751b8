package names

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The parameters: axes of plans, and what else tells rows of a document apart.
const (
	ParamLaw              = "law"
	ParamDimension        = "d_k"
	ParamEstimator        = "estimator"
	ParamExponent         = "exponent"
	ParamRule             = "rule"
	ParamTemperature      = "temperature"
	ParamKeys             = "keys"
	ParamSharedKeys       = "shared_keys"
	ParamRank             = "rank"
	ParamRow              = "row"
	ParamKey              = "key"
	ParamComponents       = "components"
	ParamFormat           = "format"
	ParamPlacement        = "placement"
	ParamArithmetic       = "arithmetic"
	ParamSigma            = "sigma"
	ParamLimit            = "limit"
	ParamQuerySD          = "q_sd"
	ParamKeySD            = "k_sd"
	ParamQueryMean        = "q_mean"
	ParamKeyMean          = "k_mean"
	ParamQueryCorrelation = "q_correlation"
	ParamKeyCorrelation   = "k_correlation"
	ParamRho              = "rho"
	ParamPer              = "per"
	ParamTokens           = "tokens"
	ParamWidth            = "width"
	ParamLayers           = "layers"
	ParamLayer            = "layer"
	ParamScale            = "scale"
	ParamResidual         = "residual"
	ParamNorm             = "norm"
	ParamInit             = "init"
	ParamModel            = "d_model"
	ParamControl          = "control"
	ParamPairs            = "pairs"
	ParamInterval         = "interval"
	ParamGate             = "gate"
	ParamRate             = "rate"
	ParamEdge             = "edge"
	ParamRepeat           = "repeat"
	ParamOfExperiment     = "of_experiment"
	ParamOfQuantity       = "of_quantity"
	ParamTest             = "test"
	ParamTests            = "tests"
	ParamPublished        = "published_model"
	ParamContext          = "context"
	ParamHeads            = "heads"
	ParamKeyHeads         = "kv_heads"
	ParamValueDimension   = "d_v"
	ParamNumberBytes      = "bytes_per_number"
	ParamPart             = "part"
)

// parameters are in the order of the experiments that have them first.
var parameters = []Entry{
	param(ParamLaw, "distribution of a component of q and k", "", "any of the laws", "Every component has the mean 0 and the variance 1 unless the experiment says otherwise."),
	param(ParamDimension, "dimension of q and k", pure, "1..1048576", "A score is a sum of as many products. In init it is at most 1024, in training 16 to 4096."),
	omitted(param(ParamEstimator, "how Var(q·k) is estimated", "", "direct, gram", ""), EstimatorDirect, ExperimentVariance),
	param(ParamExponent, "p in q·k/d_k^p", pure, "-4..4", "0 leaves the score as it is, 1/2 is the usual scale. All exponents are evaluated on the same draws."),
	param(ParamRule, "what turns q and k into a logit", "", "any of the rules", "All rules are evaluated on the same draws."),
	param(ParamTemperature, "T in softmax(q·k/T)", pure, "0, 1e-30..1e30 or infinite", "At 0 the key of the greatest score has all the weight, at infinite all have the same. All temperatures are evaluated on the same draws."),
	param(ParamKeys, "keys of a row", "key", "2..4096", "It is the n over which softmax shares the weight of one query. In ranks and precision it is at most 64."),
	omitted(param(ParamSharedKeys, "whether queries share their keys, as in self-attention", "", "no, yes", "Then the rows of one matrix are not independent of each other."), No, ExperimentSoftmax),
	param(ParamRank, "rank of a key by its score, from 1", pure, "1..64", "The key of rank 1 has the greatest score of its row."),
	inLines(param(ParamRow, "which row of a cell, from 0", pure, "≥ 0", "It stands at lines through what was drawn: rows are counted in the order of blocks, of groups of sixteen and of the lanes of a group.")),
	inLines(param(ParamKey, "which key of a row, from 1", pure, "1..64", "It stands at lines through what was drawn: keys are counted in the order in which they are drawn.")),
	inLines(param(ParamComponents, "how many components of q and k are added so far", pure, "1..1048576", "With all of them the partial sum is the score.")),
	param(ParamFormat, "what numbers are stored in", "", "any of the formats", "All formats round to the nearest of their numbers, of two that are equally near to the one with an even last digit. All of them are evaluated on the same draws."),
	param(ParamPlacement, "where scores are scaled: after the product, before it, or on query and key", "", "after-product, before-product, on-each", "In exact arithmetic all three are the same. All of them are evaluated on the same draws."),
	param(ParamArithmetic, "what is computed in the format", "", "practice, worst-case", "In practice it is what is stored: queries, keys, scaled vectors and scores. In the worst case it is each product and each sum, too, and the scale itself is rounded to the format. The softmax is computed in float32 in both. Both are evaluated on the same draws."),
	param(ParamSigma, "standard deviation of a logit", pure, "0..1000000", "All standard deviations are evaluated on the same draws."),
	inLines(param(ParamLimit, "which expansion a line of theory is", "", "narrow, wide", "It stands at lines of theory of the experiment freezing.")),
	omitted(param(ParamQuerySD, "standard deviation of a component of q", pure, "0.001..1000", ""), "1", ExperimentMismatch),
	omitted(param(ParamKeySD, "standard deviation of a component of k", pure, "0.001..1000", ""), "1", ExperimentMismatch),
	omitted(param(ParamQueryMean, "mean of a component of q", pure, "-1000..1000", ""), "0", ExperimentMismatch),
	omitted(param(ParamKeyMean, "mean of a component of k", pure, "-1000..1000", ""), "0", ExperimentMismatch),
	omitted(param(ParamQueryCorrelation, "correlation of any two components of q", pure, "0..1", ""), "0", ExperimentMismatch),
	omitted(param(ParamKeyCorrelation, "correlation of any two components of k", pure, "0..1", ""), "0", ExperimentMismatch),
	param(ParamRho, "correlation ρ of a component of the aligned key with that of the query", pure, "-1..1", "The key is k = ρq + √(1−ρ²)z, with z independent of q and of the same law."),
	param(ParamPer, "what operations are counted for", "", "pair, vector", "What is done for a vector is done once for all its pairs."),
	param(ParamTokens, "tokens of a stack", "token", "2..256", "Every token is a query, and a key for all of them."),
	param(ParamWidth, "components of a token, d_k of the single head", pure, "2..512", "It is also the number of rows and columns of all weights."),
	param(ParamLayers, "attention layers of a stack", "layer", "1..64", "Each has weights of its own."),
	param(ParamLayer, "which layer of a stack, from 1", pure, "1..64", "What the row measures is seen by this layer, before it acts."),
	param(ParamScale, "what q·k is divided by: √d_k or nothing", "", "sqrt(d_k), unscaled", "Standard attention divides by √d_k."),
	omitted(param(ParamResidual, "whether a layer's output is added to its input", "", "no, yes", "Else it takes its place."), No, ExperimentDepth),
	omitted(param(ParamNorm, "whether LayerNorm without gain stands before each layer", "", "no, yes", "It gives every token the mean 0 and the mean square 1."), No, ExperimentDepth),
	param(ParamInit, "how W_Q and W_K are drawn, and the score scale", "", "any of the initialisations", "It is what a framework does, or what a paper proposes."),
	param(ParamModel, "components of a token", pure, "2..32768", "It is a whole number of heads of d_k."),
	param(ParamControl, "what is wrong with the draws", "", "any of the controls", "Each mistake has a gate that must notice it."),
	param(ParamPairs, "pairs of one small run", "pair", "64..1048576", "It is a multiple of 16."),
	param(ParamInterval, "which kind of interval is counted", "", "any of the intervals", "The kind says what the interval is of, and where its error comes from."),
	param(ParamGate, "which gate is counted", "", "any of the gates on variance and exponents", "The gate is judged on each small run by itself."),
	param(ParamRate, "declared rate of wrong verdicts", pure, "0..1", "It is the chance of a wrong verdict that the gate's limits are made for."),
	param(ParamEdge, "on which edge of its band the truth lies", "", "lower, upper", "Rows of gates whose truth lies in the middle of the band do not have it."),
	param(ParamRepeat, "which repeat, from 1", pure, "1..10000", "Every repeat has random bits of its own."),
	param(ParamOfExperiment, "whose row a z-score is of", "", "any of the experiments", "The row is of the same cell."),
	param(ParamOfQuantity, "of which quantity it is", "", "any of the quantities", "It is chosen for each experiment before anything is drawn."),
	param(ParamTest, "which test of the document as a whole", "", "largest, distribution, squares, joint", "None of them is a gate."),
	param(ParamTests, "how many numbers one limit is for", pure, "≥ 1", "None of so many normal numbers lies beyond the limit with the chance 0.95 at least. In training it is how many declared contrasts have verdicts that err, together, no more often than one interval of 95 % may, by Holm's steps."),
	inLines(param(ParamPublished, "published model whose layer is counted", "", "any of the counted models", "The counts are those of one of its attention layers.")),
	inLines(param(ParamContext, "tokens of the text that attention is over, n", "token", "1..16777216", "Each is a query, and a key for all of them, or with a causal mask for itself and those after it.")),
	inLines(param(ParamHeads, "heads of queries in a layer, h", "head", "1..16777216", "Each has queries of d_k components of its own.")),
	inLines(param(ParamKeyHeads, "heads of keys and values in a layer, g", "head", "1..16777216", "As many neighbouring heads of queries share each. With fewer of them than heads of queries, attention is grouped-query attention, with one of them multi-query attention.")),
	inLines(param(ParamValueDimension, "components of a value", pure, "1..16777216", "In most models they are as many as those of a key.")),
	inLines(param(ParamNumberBytes, "bytes that one number is stored in", "byte", "0.125..16777216", "Half precision has 2, single 4, double 8, and numbers of four bits 0.5.")),
	inLines(param(ParamPart, "which part of an attention layer is counted", "", "any of the parts", "The parts are the steps of a layer, some of them together, and what it stores.")),
}

// param is an entry that begins with its title.
func param(name, title, unit, values, more string) Entry {
	return Entry{Name: name, Title: title, Unit: unit, Range: values, Definition: sentence(title) + " " + more}
}

// inLines says of an entry that it stands in lines of a document alone.
func inLines(e Entry) Entry {
	e.Lines = true
	return e
}

// omitted is the entry of a parameter of which the ids of cells, and the params of rows,
// of an experiment leave a value out.
func omitted(e Entry, value, by string) Entry {
	e.Omitted, e.omittedBy = value, by
	e.Definition = strings.TrimSpace(e.Definition) + " Where it is not said it is " + value + "."
	return e
}

// Omitted lists the parameters of which rows of an experiment leave a value out, each
// with that value: so that a table can tell one that is left out from one that the
// experiment has not.
func Omitted(experiment string) []Entry { return omissions()[experiment] }

// omissions are the parameters that rows leave out, by experiment.
var omissions = sync.OnceValue(func() map[string][]Entry {
	by := map[string][]Entry{}
	for _, e := range slices.Concat(parameters, trainingParameters) {
		if e.omittedBy != "" {
			by[e.omittedBy] = append(by[e.omittedBy], e)
		}
	}
	return by
})

// sentence makes a sentence of a title.
func sentence(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	if next, _ := utf8.DecodeRuneInString(title[size:]); unicode.IsLower(next) {
		first = unicode.ToUpper(first)
	}
	return string(first) + title[size:] + "."
}
