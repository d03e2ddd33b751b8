//go:build amd64 && !noasm

package training

import "mcsim/sim/kernel"

// hasVectors says that products and steps are computed by vector instructions: wherever the
// kernel of the draws is.
var hasVectors = kernel.Name() != "portable"

// addTile is addPlain for tileRows rows and tileCols columns.
//
//go:noescape
func addTile(dst *Number, cols, terms int, a *Number, aOuter, aInner int, b *Number, bOuter, bInner int)

// addRow is addPlain for one row and tileCols columns.
//
//go:noescape
func addRow(dst *Number, terms int, a *Number, aInner int, b *Number, bOuter, bInner int)

// descendVectors is descendPlain of n numbers.
//
//go:noescape
func descendVectors(w, gradient *Number, n int, rate float64)

// adamVectors is adamPlain of n numbers.
//
//go:noescape
func adamVectors(w, gradient, m, v *Number, n int, step *AdamStep)
