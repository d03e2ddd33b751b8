//go:build !long

package browser

// hostileStep is the step from one tested site with hostile names to the next. Only make test-long
// tests all sites.
const hostileStep = 2
