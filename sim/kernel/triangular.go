package kernel

// triangular samples the triangular distribution on [−√6, √6] as the sum of two uniform variates.
func triangular(float64) laneSampler { return newGroupSampler(2, 1, triangularDraws) }

// triangularDraws makes a draw from two words.
func triangularDraws(words []uint32, draws []float32) {
	for i := range draws {
		draws[i] = (oddFloat(words[2*i]) + oddFloat(words[2*i+1])) * triangularUnit
	}
}
