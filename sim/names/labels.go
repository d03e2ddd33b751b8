package names

// The labels of rows, or of a setting by the mean of Σα² over its rows. Rows are concentrated if
// that mean is larger than of normal logits with a standard deviation of √(2 ln n)
// (theory.ConcentrationLimit), and spread if it is not. Concentrated rows of which more than half
// are dead have the label dead.
const (
	LabelSpread       = "spread"
	LabelConcentrated = "concentrated"
	LabelDead         = "dead"
)

// DeadBelow is the relative gradient at the keys below which a concentrated row is dead: the
// gradient ‖∂α/∂K‖_F over its value for uniform weights and logits of standard deviation 1,
// √(n−1)/n. The limit is a convention: added in bfloat16, which has eight significant bits, to a
// number of the reference size, such a number is rounded away.
const DeadBelow = 1.0 / (1 << 8)

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
