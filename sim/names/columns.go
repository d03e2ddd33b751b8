package names

// The columns of the table of estimates, beside those of the parameters.
const (
	ColumnExperiment = "experiment"
	ColumnCell       = "cell"
	ColumnQuantity   = "quantity"
	ColumnEstimator  = "estimator"
	ColumnN          = "n"
	ColumnValue      = "value"
	ColumnSE         = "se"
	ColumnLo         = "lo"
	ColumnHi         = "hi"
	ColumnLevel      = "level"
	ColumnTheory     = "theory"
	ColumnTheoryKind = "theory_kind"
	ColumnResolution = "resolution"
)

// Columns of the counts of an attention layer, as mcsim cost prints them, and of the times in
// run.json.
const (
	ColumnOperations  = "operations"
	ColumnShare       = "share"
	ColumnGrowth      = "growth"
	ColumnWeightBytes = "weight_bytes"
	ColumnMadeBytes   = "made_bytes"
	ColumnCausal      = "causal"
)
