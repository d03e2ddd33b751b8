//go:build !long

package site

// hostileStep is the step from one tested hostile string to the next. Only make test-long tests all
// strings.
const hostileStep = 2

// essayPlans are the plans whose results must have all estimates of the essay.
var essayPlans = []string{"default", "quick"}
