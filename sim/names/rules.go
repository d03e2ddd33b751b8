package names

// The rules that make a logit of a query and a key.
const (
	RulePower         = "power"
	RuleHalfRoot      = "sqrt(d_k/2)"
	RuleTemperature   = "temperature"
	RuleLearned       = "learned"
	RuleLogKeys       = "log-n"
	RuleRoPE          = "rope"
	RuleYaRN          = "yarn"
	RuleCosine        = "cosine"
	RuleKeyNormalised = "key-normalised"
	RuleQKNorm        = "qk-norm"
	RuleSoftCap       = "soft-cap"
	RuleAdditive      = "additive"
)
