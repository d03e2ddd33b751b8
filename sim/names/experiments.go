package names

// The experiments.
const (
	ExperimentVariance    = "variance"
	ExperimentExponents   = "exponents"
	ExperimentSoftmax     = "softmax"
	ExperimentFreezing    = "freezing"
	ExperimentMismatch    = "mismatch"
	ExperimentAlignment   = "alignment"
	ExperimentRules       = "rules"
	ExperimentDepth       = "depth"
	ExperimentInit        = "init"
	ExperimentHealth      = "health"
	ExperimentControls    = "controls"
	ExperimentCalibration = "calibration"
)
