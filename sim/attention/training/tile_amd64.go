//go:build amd64 && !noasm

package training

import "mcsim/sim/kernel"

// hasVectors is set if products and steps are computed by vector instructions. This is so if
// package kernel uses vector instructions.
var hasVectors = kernel.Name() != "portable"

// addTile does the work of addProductPortable for tileRows rows and tileCols columns.
//
//go:noescape
func addTile(dst *Number, cols, terms int, a *Number, aOuter, aInner int, b *Number, bOuter, bInner int)

// addRow does the work of addProductPortable for one row and tileCols columns.
//
//go:noescape
func addRow(dst *Number, terms int, a *Number, aInner int, b *Number, bOuter, bInner int)

// descendVectors does the work of descendPortable for n numbers.
//
//go:noescape
func descendVectors(w, gradient *Number, n int, rate float64)

// adamVectors does the work of adamPortable for n numbers.
//
//go:noescape
func adamVectors(w, gradient, m, v *Number, n int, step *AdamStep)
