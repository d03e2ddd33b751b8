//go:build long

package browser

// hostileStep: every hostile name is tried.
const hostileStep = 1
