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
)
