//go:build long

package site

// hostileStep selects every hostileStep-th of the hostile strings: all of them.
const hostileStep = 1

// essayPlans are the plans whose results must have all estimates of the essay.
var essayPlans = []string{"default", "quick", "full"}
