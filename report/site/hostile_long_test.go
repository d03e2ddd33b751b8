//go:build long

package site

// hostileStep: every hostile name is tried.
const hostileStep = 1

// essayPlans are the plans that are held to have the rows of the essay.
var essayPlans = []string{"default", "quick", "full"}
