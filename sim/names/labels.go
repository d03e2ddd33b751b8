package names

// The labels of rows, or of a setting by its median row, by the gradient survival R.
const (
	LabelHealthy = "healthy"
	LabelFading  = "fading"
	LabelDying   = "dying"
	LabelDead    = "dead"
)

// The labels of rows, or of a setting by the mean of Σα² over its rows. Rows are concentrated if
// that mean is larger than of normal logits with a standard deviation of √(2 ln n)
// (theory.ConcentrationLimit), and spread if it is not. Concentrated rows of which more than half
// are dead have the label dead.
const (
	LabelSpread       = "spread"
	LabelConcentrated = "concentrated"
)

// DeadBelow is the relative gradient at the keys below which a concentrated row is dead: the
// gradient ‖∂α/∂K‖_F over its value for uniform weights and logits of standard deviation 1,
// √(n−1)/n. It is the precision of bfloat16, which has eight significant bits: in a sum with the
// gradient of one live row, the gradient of a dead row is rounded away.
const DeadBelow = 1.0 / (1 << 8)

// The two ways in which a setting departs from healthy: its rows are saturated, which is
// fading, dying or dead, or they are too soft.
const (
	LabelSaturated = "saturated"
	LabelTooSoft   = "too soft"
)

// TooSoftBelow is how many times the weight 1/n of uniform weights the greatest weight of n
// keys is, on average, where rows begin to be too soft: within a quarter.
const TooSoftBelow = 1 + 1.0/4

// Band is between which standard deviations of independent normal logits rows of so many keys
// are healthy.
type Band struct {
	Keys     int
	From, To float64
}

// Bands are those that tables and figures show, to three digits: of few keys and of as many as a
// short context has. At the first end the greatest weight is TooSoftBelow times that of uniform
// weights on average, at the other R is one half on average (sim/models, HealthyBand).
var Bands = []Band{{8, 0.163, 2.91}, {1024, 0.0693, 6.28}}

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
