package names

// Words of texts that code names; names.txt has the others too.
const (
	TermQuery    = "query"
	TermKey      = "key"
	TermValue    = "value vector"
	TermToken    = "token"
	TermScore    = "score"
	TermWeight   = "weight"
	TermSoftmax  = "softmax"
	TermJacobian = "Jacobian"
	TermKurtosis = "excess kurtosis"
	TermGram     = "Gram estimator"
)

// signed are the names that a sign of formulas stands for, as pairs of a group and a name.
type signed [][2]string

// signs are those that pages and commands print. Their case matters: S is a score.
var signs = map[string]signed{
	"R": {{GroupQuantity, GradientSurvival}},
	"σ": {{GroupParameter, ParamSigma}, {GroupQuantity, LogitSD}},
	"ρ": {{GroupParameter, ParamRho}},
	"κ": {{GroupQuantity, ComponentKurtosis}, {GroupTerm, TermKurtosis}},
	"γ": {{GroupTerm, TermKurtosis}},
	"α": {{GroupTerm, TermWeight}},
	"J": {{GroupTerm, TermJacobian}},
	"S": {{GroupTerm, TermScore}},
	"p": {{GroupParameter, ParamExponent}, {GroupQuantity, PValue}},
	"T": {{GroupParameter, ParamTemperature}},
	"n": {{GroupParameter, ParamKeys}, {GroupParameter, ParamContext}},
	"h": {{GroupParameter, ParamHeads}},
	"g": {{GroupParameter, ParamKeyHeads}},
	"D": {{GroupParameter, ParamModel}},
	"q": {{GroupTerm, TermQuery}},
	"k": {{GroupTerm, TermKey}},
	"v": {{GroupTerm, TermValue}},
	"x": {{GroupTerm, TermToken}},
	"z": {{GroupQuantity, ZScore}},
}

// entries are those of the names.
func (s signed) entries() (found []Entry) {
	for _, key := range s {
		found = append(found, Of(key[0], key[1]))
	}
	return found
}
