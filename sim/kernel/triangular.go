package kernel

// triangular on [−√6, √6] is the sum of two uniform variates.
func triangular(float64) lane { return grouped(2, 1, triangularDraws) }

// triangularDraws makes a draw of two words.
func triangularDraws(words []uint32, to []float32) {
	for i := range to {
		to[i] = (odd(words[2*i]) + odd(words[2*i+1])) * triangularUnit
	}
}
