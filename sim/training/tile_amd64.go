//go:build amd64 && !noasm

package training

import "mcsim/sim/kernel"

// vectors says that products and steps are computed by vector instructions: wherever the
// kernel of the draws is.
var vectors = kernel.Name() != "portable"

//go:noescape
func addTileAVX2(dst *Number, cols, terms int, a *Number, aOuter, aInner int, b *Number, bOuter, bInner int)

//go:noescape
func addRowAVX2(dst *Number, terms int, a *Number, aInner int, b *Number, bOuter, bInner int)

//go:noescape
func descendAVX2(w, slope *Number, n int, rate float64)

//go:noescape
func adamAVX2(w, slope, m, v *Number, n int, by *AdamStep)

// addTile is addPlain for tileRows rows and tileCols columns.
func addTile(dst *Number, cols, terms int, a *Number, aOuter, aInner int, b *Number, bOuter, bInner int) {
	addTileAVX2(dst, cols, terms, a, aOuter, aInner, b, bOuter, bInner)
}

// addRow is addPlain for one row and tileCols columns.
func addRow(dst *Number, terms int, a *Number, aInner int, b *Number, bOuter, bInner int) {
	addRowAVX2(dst, terms, a, aInner, b, bOuter, bInner)
}

// descendVectors is descendPlain.
func descendVectors(w, g []Number, rate float64) { descendAVX2(&w[0], &g[0], len(w), rate) }

// adamVectors is adamPlain.
func adamVectors(w, g, m, v []Number, by *AdamStep) {
	adamAVX2(&w[0], &g[0], &m[0], &v[0], len(w), by)
}
