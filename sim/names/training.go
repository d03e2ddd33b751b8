package names

// The whole protocol of training (docs/training.md): at fewer rates, in other steps or at another d_k a
// comparison of rules is exploratory.
const (
	ContrastDimension = 256
	ContrastSteps     = 200
	CoreOctaves       = 4 // on either side of the reference
	FurtherOctaves    = 4 // beyond an end of these, which count where the best of them is that end
)
