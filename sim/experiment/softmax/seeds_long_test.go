//go:build long

package softmax

// errorSeeds: so many seeds are enough to see an error that is off by some per cent.
const errorSeeds = 640
