package names

// The initialisations of W_Q and W_K.
const (
	InitGlorotUniform     = "glorot-uniform"
	InitGlorotNormal      = "glorot-normal"
	InitGlorotFused       = "glorot-fused"
	InitTorchMHA          = "torch-mha"
	InitHeNormal          = "he-normal"
	InitHeUniform         = "he-uniform"
	InitHeFanOut          = "he-fan-out"
	InitLeCunNormal       = "lecun-normal"
	InitTorchLinear       = "torch-linear"
	InitNormal002         = "normal-0.02"
	InitTFTruncated002    = "tf-truncated-0.02"
	InitTorchTruncated002 = "torch-truncated-0.02"
	InitT5                = "t5"
	InitOrthogonal        = "orthogonal"
	InitMuP               = "mup"
	InitMuP8              = "mup-8"
	InitMuPZeroQuery      = "mup-zero-query"
	InitKeras             = "keras"
	InitKerasBefore2026   = "keras-before-2026"
	InitFlax              = "flax"
	InitHaiku             = "haiku"
	InitNeoXSmall         = "neox-small"
	InitQKNorm            = "qk-norm"
	InitGemma2            = "gemma2-27b"
)
