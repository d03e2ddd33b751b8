//go:build !long

package site

// With a hostileStep of 2, the tests use every second hostile name. The command make test-long
// uses all.
const hostileStep = 2

// essayPlans are the plans whose results must have all estimates of the essay.
var essayPlans = []string{"default", "quick"}
