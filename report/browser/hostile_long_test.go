//go:build long

package browser

// hostileStep selects every hostileStep-th of the sites with hostile names: all of them.
const hostileStep = 1
