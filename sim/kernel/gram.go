package kernel

import "math"

// A Gram block takes every query with every key. Vectors lie as Vectors draws
// them, 16 side by side: panel p of queries is q[p·d : (p+1)·d], and row t of it
// holds component t of its 16 vectors. A tile is 8 queries, half a panel, by 48
// keys, three panels.
const (
	TileQueries = 8
	TileKeys    = 3 * Width
)

// Tile holds scores whose products are not all added yet.
type Tile [TileQueries][TileKeys]float32

// Sums holds, for every key of a tile, the sum of its scores and of their
// squares, over queries in their order.
type Sums [2][TileKeys]float32

// What becomes of the tile: whether it holds sums of earlier components, and
// whether more are to come, for which it is stored.
const (
	tileLoad  = 1
	tileStore = 2
)

// Products adds the products of d components of 8 queries and 48 keys to a
// tile: half 0 or 1 of the panel q of d rows, and three panels of d rows each
// from k on. The tile starts at 0 if first is set. If last is set the tile is
// not written; its scores and their squares go to sums instead.
//
// A score is a chain of fused multiply-adds over the components in their order,
// the one place where this package fuses: it makes the products nearly twice as
// fast, and a processor without them can still give the same bits (see fma).
func Products(q []([Width]float32), half int, k [][Width]float32, d int, tile *Tile, first, last bool, sums *Sums) {
	active.products(q, half, k, d, tile, first, last, sums)
}

// products is Products. The stride of assembly is in bytes: a panel of d rows.
func (i implementation) products(q [][Width]float32, half int, k [][Width]float32, d int, tile *Tile, first, last bool, sums *Sums) {
	if len(q) < d || len(k) < 3*d || d < 1 || half>>1 != 0 {
		panic("kernel: Products wants half 0 or 1, d rows of queries and 3d of keys")
	}
	if i.gram == nil {
		portableProducts(q[:d], half, k[:3*d], tile, first, last, sums)
		return
	}
	keep := 0
	if !first {
		keep |= tileLoad
	}
	if !last {
		keep |= tileStore
	}
	i.gram(&q[0][half*TileQueries], &k[0][0], d*4*Width, d, &tile[0][0], keep, &sums[0][0])
}

// portableProducts defines the bits of Products: every score is a chain of fma.
// Eight chains at a time take the fast way, exactly unless it says that it could
// not, and then the slow one.
func portableProducts(q [][Width]float32, half int, k [][Width]float32, tile *Tile, first, last bool, sums *Sums) {
	var scores Tile
	if !first {
		scores = *tile
	}
	var queries [TileQueries]factors
	var keys [TileKeys / chains]manyFactors
	for d, from := len(q), 0; from < d; from += stretch {
		rows := min(stretch, d-from)
		coarse := true
		for t, row := range q[from : from+rows] {
			for i, x := range row[half*TileQueries:][:TileQueries] {
				queries[i][t] = float64(x)
				coarse = coarse && isCoarse(x)
			}
		}
		for g := range keys {
			panel, column := g*chains/Width*d, g*chains%Width
			for t, row := range k[panel+from : panel+from+rows] {
				for j, x := range row[column:][:chains] {
					keys[g][t][j] = float64(x)
					coarse = coarse && isCoarse(x)
				}
			}
		}
		for g := range keys {
			for i := range scores {
				row := (*[chains]float32)(scores[i][g*chains:])
				if !coarse || !fastChains(queries[i][:rows], keys[g][:rows], row) {
					slowChains(queries[i][:rows], keys[g][:rows], row)
				}
			}
		}
	}
	if !last {
		*tile = scores
		return
	}
	for i := range scores {
		for j, s := range scores[i] {
			sums[0][j] += s
			sums[1][j] += float32(s * s)
		}
	}
}

const (
	chains  = 8  // as many as processors have registers for
	stretch = 64 // components whose factors fit the nearest cache
)

// Factors, converted once for all their products.
type (
	factors     [stretch]float64
	manyFactors [stretch][chains]float64
)

// slowChains goes on with eight chains by fma.
func slowChains(q []float64, k [][chains]float64, scores *[chains]float32) {
	for t, x := range q {
		for j, y := range k[t] {
			scores[j] = fma(float32(x), float32(y), scores[j])
		}
	}
}

// fastChains does the same by float64, which has the exact product, and rounds
// the sum twice: to float64 and to float32. That differs from rounding it once
// only where the first rounding ends on a tie of the second; then it returns
// false and leaves the scores alone. Factors are coarse: then a sum below the
// normal numbers of float32, where ties lie elsewhere, is exact.
func fastChains(q []float64, k [][chains]float64, scores *[chains]float32) bool {
	c0, c1, c2, c3 := float64(scores[0]), float64(scores[1]), float64(scores[2]), float64(scores[3])
	c4, c5, c6, c7 := float64(scores[4]), float64(scores[5]), float64(scores[6]), float64(scores[7])
	for t, x := range q {
		y := &k[t]
		c0 += float64(x * y[0])
		c1 += float64(x * y[1])
		c2 += float64(x * y[2])
		c3 += float64(x * y[3])
		c4 += float64(x * y[4])
		c5 += float64(x * y[5])
		c6 += float64(x * y[6])
		c7 += float64(x * y[7])
		if isTie(c0) || isTie(c1) || isTie(c2) || isTie(c3) || isTie(c4) || isTie(c5) || isTie(c6) || isTie(c7) {
			return false
		}
		c0, c1, c2, c3 = float64(float32(c0)), float64(float32(c1)), float64(float32(c2)), float64(float32(c3))
		c4, c5, c6, c7 = float64(float32(c4)), float64(float32(c5)), float64(float32(c6)), float64(float32(c7))
	}
	*scores = [chains]float32{float32(c0), float32(c1), float32(c2), float32(c3), float32(c4), float32(c5), float32(c6), float32(c7)}
	return true
}

// isTie reports whether s lies half way between two normal numbers of float32: of
// its 29 bits beyond theirs only the first is set.
func isTie(s float64) bool { return math.Float64bits(s)<<35 == 1<<63 }

// isCoarse reports whether x is 0 or at least 2⁻⁵¹: the products of such factors are
// multiples of 2⁻¹⁴⁸, and so no finer than float32 is anywhere.
func isCoarse(x float32) bool { return x == 0 || x >= 0x1p-51 || x <= -0x1p-51 }

// fma is a·b + c rounded once, by float64: the product is exact, having 48
// bits, and the sum is rounded to odd, which a second rounding to float32 does
// not spoil, as 53 ≥ 2·24 + 2 (Boldo and Melquiond, Emulation of a FMA and
// Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd, IEEE
// Transactions on Computers 57, 2008).
func fma(a, b, c float32) float32 {
	p, x := float64(float64(a)*float64(b)), float64(c)
	s := p + x
	// Knuth's two-sum: s + e is p + x exactly.
	back := s - p
	e := (p - (s - back)) + (x - back)
	if bits := math.Float64bits(s); e != 0 && bits&1 == 0 && !math.IsInf(s, 0) {
		// To the odd neighbour on the side of e.
		if (e > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}
