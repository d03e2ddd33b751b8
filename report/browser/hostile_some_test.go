//go:build !long

package browser

// hostileStep selects every hostileStep-th of the sites with hostile names. Only make test-long
// tests all of them.
const hostileStep = 2
