//go:build long

package figure

// hostileStep: every hostile name is tried.
const hostileStep = 1
