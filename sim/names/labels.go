package names

// The labels of rows by their gradient survival R.
const (
	LabelHealthy = "healthy"
	LabelFading  = "fading"
	LabelDying   = "dying"
	LabelDead    = "dead"
)
