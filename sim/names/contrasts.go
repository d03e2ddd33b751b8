package names

// The bounds of the ratio of steps of a contrast: above the greater the story that training
// suffers under another scale than 1/√d_k is supported, between both it is refuted. What it
// takes was declared before anything was trained (docs/training.md).
const (
	ContrastLow  = 0.8
	ContrastHigh = 1.25
)

// The whole protocol: at fewer rates, in other steps or at another d_k a contrast is
// exploratory.
const (
	ContrastDimension = 256
	ContrastSteps     = 200
	CoreOctaves       = 4 // on either side of the reference
	FurtherOctaves    = 4 // beyond an end of these, which count where the best of them is that end
	Contrasts         = 4
)
