package names

// The complete protocol of the comparison of rules by training (docs/training.md). A comparison
// with fewer learning rates, another number of steps or another d_k is only exploratory.
const (
	ContrastDimension = 256 // d_k
	ContrastSteps     = 200 // training steps
	CoreOctaves       = 4   // octaves of learning rates on either side of the reference rate
	FurtherOctaves    = 4   // octaves beyond an end of these, used if the best rate is at that end
)
