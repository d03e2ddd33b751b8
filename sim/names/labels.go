package names

// The labels of rows, or of a setting by its median row, by the gradient survival R.
const (
	LabelHealthy = "healthy"
	LabelFading  = "fading"
	LabelDying   = "dying"
	LabelDead    = "dead"
)

// The two ways in which a setting departs from healthy: its rows are saturated, which is
// fading, dying or dead, or they are too soft.
const (
	LabelSaturated = "saturated"
	LabelTooSoft   = "too soft"
)

// TooSoftBelow is how many times the weight 1/n of equal weights the greatest weight of n
// keys is, on average, where rows begin to be too soft: within a quarter.
const TooSoftBelow = 1 + 1.0/4

// The labels of an initialisation, beside too soft: by its rows, or in tables by the
// standard deviation σ of its logits.
const (
	LabelSafe    = "safe"
	LabelFreezes = "freezes"
)

// SafeFrom and FreezesFrom are the standard deviations of independent normal logits
// between which a row of SafeKeys keys is neither too soft nor saturated, to three digits:
// at about the first the largest weight is 1.25 times that of equal weights on average, at
// about the second the median row keeps half of the gradient that equal weights let through
// (sim/theory, bounds_test). What names.txt says of labels has these numbers, too.
const (
	SafeKeys    = 8
	SafeFrom    = 0.163
	FreezesFrom = 3.26
)

// Evidences are what the ledger of models knows an initialisation by.
var Evidences = []string{EvidenceCode, EvidenceConfig, EvidenceLibrary, EvidencePaper, EvidenceUnknown}

// The kinds of evidence. A library's default says what its class would do, and nothing of the
// lab's recipe.
const (
	EvidenceCode    = "training code"
	EvidenceConfig  = "released config"
	EvidenceLibrary = "library default"
	EvidencePaper   = "paper"
	EvidenceUnknown = "unknown"
)
