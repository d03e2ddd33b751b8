package kernel

import "math"

// A Gram block has the score of every query with every key. Sixteen vectors of dimension d form a
// panel of d rows, as Vectors writes them: row t has component t of each vector. Panel p of queries
// is q[p·d : (p+1)·d]. A tile has the scores of 8 queries (half a panel) with 48 keys (three
// panels).
const (
	TileQueries = 8
	TileKeys    = 3 * Width
)

// Tile holds partial sums of the scores of 8 queries and 48 keys.
type Tile [TileQueries][TileKeys]float32

// Sums holds, for every key of a tile, the sum of its scores and the sum of their squares, over
// queries in order.
type Sums [2][TileKeys]float32

// Flags of the assembly: whether the tile has sums of earlier components, and whether it is stored
// because more components will follow.
const (
	tileLoad  = 1
	tileStore = 2
)

// Products adds the products of d components of 8 queries and 48 keys to a tile. The queries are
// half 0 or 1 of the panel q of d rows, the keys three panels of d rows each from the start of k.
// If first is set, the tile starts at 0. If last is set, the tile is not written; its scores and
// their squares are added to sums instead.
//
// A score is a chain of fused multiply-adds over the components in order. Only Products uses fused
// operations. They make it nearly twice as fast, and a processor that does not have them can still
// compute the same bits (see fma).
func Products(q []([Width]float32), half int, k [][Width]float32, d int, tile *Tile, first, last bool, sums *Sums) {
	active.products(q, half, k, d, tile, first, last, sums)
}

// products implements Products. Assembly takes the size of a panel of d rows in bytes.
func (i implementation) products(q [][Width]float32, half int, k [][Width]float32, d int, tile *Tile,
	first, last bool, sums *Sums) {
	if len(q) < d || len(k) < 3*d || d < 1 || half>>1 != 0 {
		panic("kernel: Products needs half 0 or 1, d ≥ 1 rows of queries and 3d rows of keys")
	}
	if i.assembly == nil {
		portableProducts(q[:d], half, k[:3*d], tile, first, last, sums)
		return
	}
	flags := 0
	if !first {
		flags |= tileLoad
	}
	if !last {
		flags |= tileStore
	}
	i.assembly.gram(&q[0][half*TileQueries], &k[0][0], d*4*Width, d, &tile[0][0], flags, &sums[0][0])
}

// portableProducts defines the bits of Products: every score is a chain of fma. It continues eight
// chains at a time by continueFast or, if this fails, by continueExact.
func portableProducts(q [][Width]float32, half int, k [][Width]float32, tile *Tile, first, last bool, sums *Sums) {
	var scores Tile
	if !first {
		scores = *tile
	}
	var queries, keys factors
	for d, start := len(q), 0; start < d; start += chunkRows {
		end := min(start+chunkRows, d)
		queries.convert(q[start:end], half*TileQueries)
		for column := 0; column < TileKeys; column += chains {
			panel := k[column/Width*d:]
			keys.convert(panel[start:end], column%Width)
			for i := range scores {
				row := (*[chains]float32)(scores[i][column:])
				if !continueFast(&queries, i, &keys, row) {
					continueExact(&queries, i, &keys, row)
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
	chains    = 8  // scores that are continued at once, which hides the latency of a step
	chunkRows = 64 // rows that are converted at once; their factors fit in the first cache
)

// factors are chunkRows rows of eight vectors, converted to float64 once for all their products.
type factors struct {
	rows   int
	values [chunkRows][chains]float64
}

// convert sets f to eight columns of rows, the first of which has the given index.
func (f *factors) convert(rows [][Width]float32, column int) {
	f.rows = len(rows)
	values := f.values[:len(rows)]
	for t := range rows {
		source, target := (*[chains]float32)(rows[t][column:]), &values[t]
		for j := range source {
			target[j] = float64(source[j])
		}
	}
}

// continueExact continues the scores of query i by fma.
func continueExact(q *factors, i int, k *factors, scores *[chains]float32) {
	for t := range q.rows {
		for j, y := range k.values[t] {
			scores[j] = fma(float32(q.values[t][i]), float32(y), scores[j])
		}
	}
}

// continueFast continues the scores of query i by fusedStep. If fusedStep is not ok, continueFast
// returns false and does not change the scores.
func continueFast(q *factors, i int, k *factors, scores *[chains]float32) (ok bool) {
	c0, c1, c2, c3 := float64(scores[0]), float64(scores[1]), float64(scores[2]), float64(scores[3])
	c4, c5, c6, c7 := float64(scores[4]), float64(scores[5]), float64(scores[6]), float64(scores[7])
	keys := k.values[:q.rows]
	for t := range keys {
		x, y := q.values[t][i], &keys[t]
		if c0, ok = fusedStep(c0, x, y[0]); !ok {
			return false
		}
		if c1, ok = fusedStep(c1, x, y[1]); !ok {
			return false
		}
		if c2, ok = fusedStep(c2, x, y[2]); !ok {
			return false
		}
		if c3, ok = fusedStep(c3, x, y[3]); !ok {
			return false
		}
		if c4, ok = fusedStep(c4, x, y[4]); !ok {
			return false
		}
		if c5, ok = fusedStep(c5, x, y[5]); !ok {
			return false
		}
		if c6, ok = fusedStep(c6, x, y[6]); !ok {
			return false
		}
		if c7, ok = fusedStep(c7, x, y[7]); !ok {
			return false
		}
	}
	scores[0], scores[1], scores[2], scores[3] = float32(c0), float32(c1), float32(c2), float32(c3)
	scores[4], scores[5], scores[6], scores[7] = float32(c4), float32(c5), float32(c6), float32(c7)
	return true
}

// fusedStep returns x·y + c rounded to float32, for numbers of float32. The product is exact in
// float64, and the sum is rounded twice, to float64 and to float32. The result differs from one
// rounding only if the first rounding ends half way between two float32 numbers. The 28 last bits
// of the sum are then 0. ok is false for such a sum, unless it is itself a float32 number, which
// the second rounding does not change.
func fusedStep(c, x, y float64) (next float64, ok bool) {
	sum := c + float64(x*y)
	next = float64(float32(sum))
	return next, uint32(math.Float64bits(sum))<<4 != 0 || next == sum
}

// fma returns a·b + c rounded once. It computes in float64, in which the product is exact, since it
// has 48 bits. The sum is rounded to odd. The second rounding, to float32, then gives the correct
// result, since 53 ≥ 2·24 + 2 (Boldo and Melquiond, Emulation of a FMA and Correctly Rounded Sums:
// Proved Algorithms Using Rounding to Odd, IEEE Transactions on Computers 57, 2008).
func fma(a, b, c float32) float32 {
	p, x := float64(float64(a)*float64(b)), float64(c)
	s := p + x
	// By Knuth's two-sum, s + e is exactly p + x.
	restored := s - p
	e := (p - (s - restored)) + (x - restored)
	if bits := math.Float64bits(s); e != 0 && bits&1 == 0 && !math.IsInf(s, 0) {
		// Replace s by its odd neighbour on the side of e.
		if (e > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}
