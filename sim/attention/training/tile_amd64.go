//go:build amd64 && !noasm

package training

import "mcsim/sim/kernel"

// hasVectors is set if products and steps are computed by vector instructions, which package kernel
// decides.
var hasVectors = kernel.Name() != "portable"

// addTile computes tileRows rows and tileCols columns like addProductPortable.
//
//go:noescape
func addTile(dst *Number, cols, terms int, a *Number, aOuter, aInner int, b *Number, bOuter, bInner int)

// addRow computes one row and tileCols columns like addProductPortable.
//
//go:noescape
func addRow(dst *Number, terms int, a *Number, aInner int, b *Number, bOuter, bInner int)

// descendVectors updates n numbers like descendPortable.
//
//go:noescape
func descendVectors(w, gradient *Number, n int, rate float64)

// adamVectors updates n numbers like adamPortable.
//
//go:noescape
func adamVectors(w, gradient, m, v *Number, n int, step *AdamStep)
