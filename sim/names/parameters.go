package names

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The parameters: axes of plans, and what else tells rows of a document apart.
const (
	ParamDistribution     = "distribution"
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
	ParamQuerySD          = "q_sd"
	ParamKeySD            = "k_sd"
	ParamQueryMean        = "q_mean"
	ParamKeyMean          = "k_mean"
	ParamQueryCorrelation = "q_correlation"
	ParamKeyCorrelation   = "k_correlation"
	ParamSink             = "sink"
	ParamRho              = "rho"
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
	ParamOfExperiment     = "of_experiment"
	ParamOfQuantity       = "of_quantity"
	ParamTest             = "test"
	ParamTests            = "tests"
	ParamHeadOf           = "head_of"
	ParamYear             = "year"
	ParamEvidence         = "evidence"
	ParamPublished        = "published_model"
	ParamContext          = "context"
	ParamHeads            = "heads"
	ParamKeyHeads         = "kv_heads"
	ParamValueDimension   = "d_v"
	ParamNumberBytes      = "bytes_per_number"
	ParamPart             = "part"
)

// Parameters of training.
const (
	ParamVariant   = "variant"
	ParamGain      = "gain"
	ParamOptimiser = "optimiser"
	ParamTrained   = "trained"
	ParamSteps     = "steps"
	ParamOctave    = "octave"
	ParamStep      = "step"
	ParamChosen    = "chosen"
)

// Omitted lists the parameters of which rows of an experiment leave a value out, each
// with that value: so that a table can tell one that is left out from one that the
// experiment has not.
func Omitted(experiment string) []Entry { return omissions()[experiment] }

// omissions are the parameters that rows leave out, by experiment.
var omissions = sync.OnceValue(func() map[string][]Entry {
	by := map[string][]Entry{}
	for _, e := range table {
		if e.omittedBy != "" {
			by[e.omittedBy] = append(by[e.omittedBy], e)
		}
	}
	return by
})

// sentence makes a sentence of a title.
func sentence(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	word, _, _ := strings.Cut(title, " ")
	if next, _ := utf8.DecodeRuneInString(title[size:]); unicode.IsLower(next) && !strings.ContainsAny(word, "._(") {
		first = unicode.ToUpper(first)
	}
	return string(first) + title[size:] + "."
}
