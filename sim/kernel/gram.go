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
func (i implementation) products(q [][Width]float32, half int, k [][Width]float32, d int, tile *Tile,
	first, last bool, sums *Sums) {
	if len(q) < d || len(k) < 3*d || d < 1 || half>>1 != 0 {
		panic("kernel: Products wants half 0 or 1, d rows of queries and 3d of keys")
	}
	if i.assembly == nil {
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
	i.assembly.gram(&q[0][half*TileQueries], &k[0][0], d*4*Width, d, &tile[0][0], keep, &sums[0][0])
}

// portableProducts defines the bits of Products: every score is a chain of fma.
// Eight chains at a time take the fast way, exactly unless it says that it could
// not, and then the slow one.
func portableProducts(q [][Width]float32, half int, k [][Width]float32, tile *Tile, first, last bool, sums *Sums) {
	var scores Tile
	if !first {
		scores = *tile
	}
	var queries, keys factors
	for d, from := len(q), 0; from < d; from += stretch {
		to := min(from+stretch, d)
		queries.take(q[from:to], half*TileQueries)
		for column := 0; column < TileKeys; column += chains {
			panel := k[column/Width*d:]
			keys.take(panel[from:to], column%Width)
			for i := range scores {
				row := (*[chains]float32)(scores[i][column:])
				if !fastChains(&queries, i, &keys, row) {
					slowChains(&queries, i, &keys, row)
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
	chains  = 8  // as many as hide the latency of a step, and leave registers for its parts
	stretch = 64 // components whose factors stay in the nearest cache
)

// factors are a stretch of eight columns of vectors, converted once for all their
// products.
type factors struct {
	rows int
	of   [stretch][chains]float64
}

// take converts the eight columns from column on.
func (f *factors) take(rows [][Width]float32, column int) {
	f.rows = len(rows)
	to := f.of[:len(rows)]
	for t := range rows {
		from, to := (*[chains]float32)(rows[t][column:]), &to[t]
		for j := range from {
			to[j] = float64(from[j])
		}
	}
}

// slowChains goes on with the scores of query i by fma.
func slowChains(q *factors, i int, k *factors, scores *[chains]float32) {
	for t := range q.rows {
		for j, y := range k.of[t] {
			scores[j] = fma(float32(q.of[t][i]), float32(y), scores[j])
		}
	}
}

// fastChains does the same by steps. Where one of them may be wrong it returns
// false and leaves the scores alone.
func fastChains(q *factors, i int, k *factors, scores *[chains]float32) (ok bool) {
	c0, c1, c2, c3 := float64(scores[0]), float64(scores[1]), float64(scores[2]), float64(scores[3])
	c4, c5, c6, c7 := float64(scores[4]), float64(scores[5]), float64(scores[6]), float64(scores[7])
	keys := k.of[:q.rows]
	for t := range keys {
		x, y := q.of[t][i], &keys[t]
		if c0, ok = step(c0, x, y[0]); !ok {
			return false
		}
		if c1, ok = step(c1, x, y[1]); !ok {
			return false
		}
		if c2, ok = step(c2, x, y[2]); !ok {
			return false
		}
		if c3, ok = step(c3, x, y[3]); !ok {
			return false
		}
		if c4, ok = step(c4, x, y[4]); !ok {
			return false
		}
		if c5, ok = step(c5, x, y[5]); !ok {
			return false
		}
		if c6, ok = step(c6, x, y[6]); !ok {
			return false
		}
		if c7, ok = step(c7, x, y[7]); !ok {
			return false
		}
	}
	scores[0], scores[1], scores[2], scores[3] = float32(c0), float32(c1), float32(c2), float32(c3)
	scores[4], scores[5], scores[6], scores[7] = float32(c4), float32(c5), float32(c6), float32(c7)
	return true
}

// step is x·y + c for numbers of float32, held in float64, which has the exact
// product. The sum is rounded twice, to float64 and to float32, and that differs from
// once only where the first rounding ends half way between two numbers of float32: the
// 28 last bits are 0 then, even among subnormal numbers. Then it is not ok; of other
// sums with such bits, which float32 holds, the second rounding changes nothing.
func step(c, x, y float64) (next float64, ok bool) {
	sum := c + float64(x*y)
	next = float64(float32(sum))
	return next, uint32(math.Float64bits(sum))<<4 != 0 || next == sum
}

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
