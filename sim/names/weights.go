package names

// Quantities of a row of softmax: the weights α that a query gives to its keys,
// and their Jacobian J = diag(α) − ααᵀ.
const (
	MaxWeight         = "max_weight"
	Entropy           = "entropy"
	EntropyRatio      = "entropy_ratio"
	Collision         = "collision"
	EffectiveKeys     = "effective_keys"
	GradientSurvival  = "gradient_survival"
	JacobianNorm      = "jacobian_norm"
	OffPeakTrace      = "off_peak_trace"
	KeyGradient       = "key_gradient"
	QueryGradient     = "query_gradient"
	AlignedWeight     = "aligned_weight"
	AlignedFirstShare = "aligned_first_share"
	FreezingSigma     = "freezing_sigma"
)

// Shares of rows and counts of keys that are reported.
const (
	HealthyShare            = LabelHealthy + shareEnd
	FadingShare             = LabelFading + shareEnd
	DyingShare              = LabelDying + shareEnd
	DeadShare               = LabelDead + shareEnd
	MaxWeightAbove90Percent = MaxWeight + aboveMiddle + "90" + percentEnd
	MaxWeightAbove99Percent = MaxWeight + aboveMiddle + "99" + percentEnd
	KeysAbove1Percent       = keysStart + aboveMiddle + "1" + percentEnd
	KeysAbove5Percent       = keysStart + aboveMiddle + "5" + percentEnd
)
