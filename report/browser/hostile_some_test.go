//go:build !long

package browser

// hostileStep is the distance of the tested sites of hostile names. Only make test-long tests all.
const hostileStep = 2
