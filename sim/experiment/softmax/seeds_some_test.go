//go:build !long

package softmax

// errorSeeds: so many seeds see an error that is off by a tenth; make test-long takes more.
const errorSeeds = 160
