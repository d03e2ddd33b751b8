//go:build long

package browser

// hostileStep is the step from one tested site with hostile names to the next. With 1, all are
// tested.
const hostileStep = 1
