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

// portableProducts defines the bits of Products.
func portableProducts(q [][Width]float32, half int, k [][Width]float32, tile *Tile, first, last bool, sums *Sums) {
	var scores Tile
	if !first {
		scores = *tile
	}
	d := len(q)
	for i := range scores {
		for panel := range TileKeys / Width {
			row := scores[i][panel*Width : (panel+1)*Width]
			for t, keys := range k[panel*d : (panel+1)*d] {
				query := q[t][half*TileQueries+i]
				for j := range row {
					row[j] = fma(query, keys[j], row[j])
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
	if bits := math.Float64bits(s); e != 0 && bits&1 == 0 {
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
