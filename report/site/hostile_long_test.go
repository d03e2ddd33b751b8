//go:build long

package site

// With a hostileStep of 1, the tests use all hostile names.
const hostileStep = 1

// essayPlans are the plans whose results must have all estimates of the essay.
var essayPlans = []string{"default", "quick", "full"}
