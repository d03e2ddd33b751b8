//go:build !long

package site

// hostileStep: every second hostile name is tried, and all of them in make test-long.
const hostileStep = 2

// essayPlans are the plans that are held to have the rows of the essay.
var essayPlans = []string{"default", "quick"}
