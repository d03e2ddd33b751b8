package names

// The experiments.
const (
	ExperimentVariance    = "variance"
	ExperimentExponents   = "exponents"
	ExperimentSoftmax     = "softmax"
	ExperimentFreezing    = "freezing"
	ExperimentRanks       = "ranks"
	ExperimentSinks       = "sinks"
	ExperimentPrecision   = "precision"
	ExperimentMismatch    = "mismatch"
	ExperimentAlignment   = "alignment"
	ExperimentRules       = "rules"
	ExperimentDepth       = "depth"
	ExperimentInit        = "init"
	ExperimentModels      = "models"
	ExperimentTraining    = "training"
	ExperimentHealth      = "health"
	ExperimentControls    = "controls"
	ExperimentCalibration = "calibration"
)

// ExperimentAgreement stands in the rows that judge a document as a whole. No plan names
// it: it reads what all others found.
const ExperimentAgreement = "agreement"

// ExperimentCost stands in the lines that count what attention costs. No plan names it
// either: it draws nothing, and counts the same in every document.
const ExperimentCost = "cost"
