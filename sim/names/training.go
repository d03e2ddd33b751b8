package names

// The complete protocol of training (docs/training.md). With fewer learning rates, other numbers of
// steps or another d_k a comparison of rules is exploratory.
const (
	ContrastDimension = 256
	ContrastSteps     = 200
	CoreOctaves       = 4 // octaves of learning rates on either side of the reference
	FurtherOctaves    = 4 // octaves beyond an end of these; they count if the best rate is at that end
)
