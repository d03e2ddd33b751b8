//go:build long

package site

// hostileStep is the step from one tested hostile string to the next. With 1, all are tested.
const hostileStep = 1

// essayPlans are the plans whose results must have all estimates of the essay.
var essayPlans = []string{"default", "quick", "full"}
